import zombiedice


class Chatterbox:
    def __init__(self, name):
        self.name = name

    def turn(self, gameState):
        print("BRAAAAINS " * 120000)
        zombiedice.roll()


zombiedice.runTournament([Chatterbox("chatterbox")], 1)

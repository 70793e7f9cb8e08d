import zombiedice

class Chatterbox:
    name = "chatterbox"

    def turn(self, gameState):
        print("BRAAAAINS " * 120000)
        zombiedice.roll()

zombiedice.runTournament([Chatterbox()], 1)

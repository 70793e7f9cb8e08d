import zombiedice


class Sleeper:
    def __init__(self, name):
        self.name = name

    def turn(self, gameState):
        # to be done
        pass


zombiedice.runWebGui(zombies=[Sleeper("sleeper")], numGames=10)

import zombiedice


class Endless:
    def __init__(self, name):
        self.name = name

    def turn(self, gameState):
        while True:
            zombiedice.roll()


zombiedice.runWebGui(zombies=[Endless("endless")], numGames=10)

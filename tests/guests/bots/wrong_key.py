import zombiedice


class Plural:
    def __init__(self, name):
        self.name = name

    def turn(self, gameState):
        r = zombiedice.roll()
        if r["shotguns"] == 0:
            zombiedice.roll()


zombiedice.runWebGui(zombies=[Plural("plural")], numGames=10)

import zombiedice

class Plural:
    name = "plural"

    def turn(self, gameState):
        r = zombiedice.roll()
        if r["shotguns"] == 0:
            zombiedice.roll()

zombiedice.runWebGui(zombies=[Plural()], numGames=10)

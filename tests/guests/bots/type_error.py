import zombiedice


class Adder:
    def __init__(self, name):
        self.name = name

    def turn(self, gameState):
        total = ""
        total += zombiedice.roll()["brains"]


zombiedice.runWebGui(zombies=[Adder("adder")], numGames=10)

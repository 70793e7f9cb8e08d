import zombiedice

class Adder:
    name = "adder"

    def turn(self, gameState):
        total = ""
        total += zombiedice.roll()["brains"]

zombiedice.runWebGui(zombies=[Adder()], numGames=10)

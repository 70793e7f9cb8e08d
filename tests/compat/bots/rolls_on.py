import zombiedice

class Endless:
    name = "endless"

    def turn(self, gameState):
        while True:
            zombiedice.roll()

zombiedice.runWebGui(zombies=[Endless()], numGames=10)

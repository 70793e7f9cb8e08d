import zombiedice

class Stubborn:
    name = "stubborn"

    def turn(self, gameState):
        while True:
            try:
                zombiedice.roll()
            except:
                pass

zombiedice.runWebGui(zombies=[Stubborn()], numGames=10)

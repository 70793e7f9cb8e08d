import zombiedice

class Sleeper:
    name = "sleeper"

    def turn(self, gameState):
        # to be done
        pass

zombiedice.runWebGui(zombies=["a stranger", Sleeper()], numGames=10)

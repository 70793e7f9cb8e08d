import zombiedice

class Unfinished:
    def __init__(self, name):
        self.name = name

    def turn(self, gameState)
        zombiedice.roll()

zombiedice.runWebGui(zombies=[Unfinished("unfinished")], numGames=10)

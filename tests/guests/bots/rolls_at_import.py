import zombiedice

first = zombiedice.roll()


class Eager:
    def __init__(self, name):
        self.name = name

    def turn(self, gameState):
        zombiedice.roll()


zombiedice.runWebGui(zombies=[Eager("eager")], numGames=10)

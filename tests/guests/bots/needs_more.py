import zombiedice
import random_print


class Fancy:
    def __init__(self, name):
        self.name = name

    def turn(self, gameState):
        zombiedice.roll()


zombiedice.runTournament([Fancy("fancy")], 100)

import zombiedice

class NoName:
    def turn(self, gameState):
        zombiedice.roll()

class Labelled:
    name = "with a label"

    def turn(self, gameState):
        zombiedice.roll()
        zombiedice.roll()

class Numbered(NoName):
    def __init__(self, name, times=3):
        self.name = name
        self.times = times

    def turn(self, gameState):
        for i in range(self.times):
            zombiedice.roll()

class NeedsTooMuch(NoName):
    def __init__(self, name, mood, colour):
        self.name = name

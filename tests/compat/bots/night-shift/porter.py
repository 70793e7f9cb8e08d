import zombiedice

class Porter:
    rolls = 1

    def __init__(self, name):
        self.name = name

    def turn(self, gameState):
        for _ in range(self.rolls):
            zombiedice.roll()

import zombiedice

class Hasty:
    def __init__(self, name):
        self.name = name

    def turn(self, gameState):
        brains = 0
        while brains < 20:
            roll = zombiedice.roll()
            brains += roll["brains"]

zombiedice.runWebGui([Hasty("hasty"), zombiedice.examples.CrashZombie("x")], 10)

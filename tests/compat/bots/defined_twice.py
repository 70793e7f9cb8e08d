import zombiedice

class X:
    def turn(self, gameState):
        zombiedice.roll()

zombies = [X()]

class X:
    def turn(self, gameState):
        zombiedice.roll()
        zombiedice.roll()

zombiedice.runTournament(zombies + [X()], 10)

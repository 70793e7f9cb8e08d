import zombiedice

class Unfinished:
    name = "unfinished"
    def turn(self, gameState)
        zombiedice.roll()

import sys, zombiedice

class Leaver:
    def __init__(self, name):
        self.name = name

    def turn(self, gameState):
        zombiedice.roll()

zombiedice.runTournament(zombies=[Leaver("leaver"), Leaver("leaver")], numGames=5)
sys.exit()

import zombiedice

class Typo:
    def __init__(self, name):
        self.name = name

    def turn(self, gameState):
        zombiedice.roll()

zombies = (Typo(name="typo"), zombiedice.examples.AlwaysRollsTwiceZombie(name="twice"))
zombiedice.runTournament(zombies=zombeis, numGames=10)

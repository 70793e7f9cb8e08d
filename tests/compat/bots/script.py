import zombiedice

class Base:
    def __init__(self, name, guns):
        self.name = name
        self.guns = guns

    def turn(self, gameState):
        dice = {"shotgun": 0}
        while dice and dice["shotgun"] < self.guns:
            dice = zombiedice.roll()

class Timid(Base):
    pass

if __name__ == '__main__':
    zombies = (Timid("one gun", 1), Timid("two guns", 2))
    zombiedice.runTournament(zombies=zombies, numGames=100)

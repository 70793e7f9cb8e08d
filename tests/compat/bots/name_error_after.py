import zombiedice

class Late:
    def __init__(self, name):
        self.name = name

    def turn(self, gameState):
        zombiedice.roll()

winner = zombiedice.runTournament([Late("late"), Late("later")], 10)
print("the winner is " + winer)

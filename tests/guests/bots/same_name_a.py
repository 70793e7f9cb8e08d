import zombiedice

class MyZombie:
    def __init__(self, name):
        self.name = name

    def turn(self, gameState):
        diceRollResults = zombiedice.roll()
        brains = 0
        while diceRollResults is not None:
            brains += diceRollResults["brains"]
            if brains >= LIMIT:
                break
            diceRollResults = zombiedice.roll()

LIMIT = 2
zombiedice.runWebGui(zombies=(MyZombie(name="My Zombie Bot"),), numGames=1000)

import zombiedice

class MyZombie:
    def __init__(self, name):
        self.name = name

    def turn(self, gameState):
        brains = 0
        results = zombiedice.roll()
        while results and brains + results["brains"] < LIMIT:
            brains += results["brains"]
            results = zombiedice.roll()

LIMIT = 2
# zombiedice.runTournament([MyZombie(name="My Zombie Bot")], 1000)
zombiedice.runWebGui(zombies=(MyZombie(name="My Zombie Bot"),), numGames=1000)

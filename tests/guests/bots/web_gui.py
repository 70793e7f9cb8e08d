import zombiedice
import random

class CarefulCarl:
    def __init__(self, name):
        self.name = name

    def turn(self, gameState):
        shot = 0
        brains = 0
        results = zombiedice.roll()
        while results:
            shot = shot + results["shotgun"]
            brains = brains + results["brains"]
            if shot >= 1 or brains >= 4:
                break
            results = zombiedice.roll()

zombies = (
    zombiedice.examples.MonteCarloZombie(name="Monte", riskiness=40, numExperiments=20),
    CarefulCarl(name="Careful Carl"),
)

# zombiedice.runTournament(zombies=zombies, numGames=1000)
zombiedice.runWebGui(zombies=zombies, numGames=1000)

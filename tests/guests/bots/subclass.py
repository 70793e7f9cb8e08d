import zombiedice
from zombiedice.examples import MinNumShotgunsThenStopsZombie

class Bold(MinNumShotgunsThenStopsZombie):
    def __init__(self, name):
        super().__init__(name, minShotguns=1)

    def turn(self, gameState):
        best = max(gameState["SCORES"].values())
        self.minShotguns = 2 if gameState["SCORES"][self.name] < best else 1
        super().turn(gameState)

zombiedice.runWebGui(
    zombies=[Bold("bold"), MinNumShotgunsThenStopsZombie("plain")], numGames=10
)

#! python3
# tournament.py - two bots for the zombie dice exercise
import zombiedice as zd

class One_Shot:
    def __init__(self, name):
        self.name = name

    def turn(self, gameState):
        result = zd.roll()
        if result is not None and result[zd.SHOTGUN] == 0:
            zd.roll()

class Greedy(object):
    def __init__(self, name, goal=5):
        self.name = name
        self.goal = goal

    def turn(self, gameState):
        total = 0
        while total < self.goal:
            r = zd.roll()
            if r == None:
                return
            total += r[zd.BRAINS]

bots = [One_Shot("one shot"), Greedy("greedy"), zd.examples.SlowZombie("slow")]
zd.runTournament(bots, 50)
print(zd.TOURNAMENT_STATE["WINS"])

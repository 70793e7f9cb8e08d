from zombiedice import *

class Astronomer:
    def __init__(self, name):
        self.name = name

    def turn(self, gameState):
        started = time.time()
        r = roll()
        while r and random.random() < 0.5 and time.time() - started < 60:
            reds = [
                die for die in r["rolls"] if die[COLOR] == RED and die[ICON] == SHOTGUN
            ]
            if reds:
                return
            r = roll()

runTournament([Astronomer("astronomer"), examples.SlowZombie("slow")], 10)

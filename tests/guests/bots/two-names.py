import zombiedice

class Patient:
    def __init__(self, name, limit):
        self.name = name
        self.limit = limit

    def turn(self, gameState):
        guns = 0
        while guns < self.limit:
            r = zombiedice.roll()
            if not r:
                return
            guns += r["shotgun"]

zombiedice.runWebGui([Patient("early", 1), Patient("late", 2)], 100)
zombiedice.runTournament([Patient("early", 1), Patient("late", 2)], 100)

import zombiedice

class Patient:
    def __init__(self, name, times):
        self.name = name
        self.times = times

    def turn(self, gameState):
        for i in range(self.times):
            zombiedice.roll()

zombiedice.runWebGui([Patient("early", 1), Patient("late", 2)], 100)
zombiedice.runTournament([Patient("early", 1), Patient("late", 2)], 100)

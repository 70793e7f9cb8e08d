import zombiedice


class Sleeper:
    def __init__(self, name):
        self.name = name

    def turn(self, gameState):
        # TODO
        pass


zombiedice.runWebGui(zombies=[Sleeper("sleeper")], numGames=10)

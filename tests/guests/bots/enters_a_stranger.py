import zombiedice


class Idea:
    def __init__(self, name):
        self.name = name


class Deed:
    def __init__(self, name):
        self.name = name

    def turn(self, gameState):
        zombiedice.roll()


zombies = [Idea("idea"), Deed("deed")]
zombiedice.runWebGui(zombies=zombies, numGames=100)

import zombiedice


class Stubborn:
    def __init__(self, name):
        self.name = name

    def turn(self, gameState):
        while True:
            try:
                zombiedice.roll()
            except:
                pass


zombiedice.runWebGui(zombies=[Stubborn("stubborn")], numGames=10)

import zombiedice


class Once:
    def turn(self, gameState):
        zombiedice.roll()


class Misspelt:
    def turns(self, gameState):
        zombiedice.roll()


class Named:
    def __init__(self, name):
        self.name = name

    def turn(self, gameState):
        zombiedice.roll()


class Needy:
    def __init__(self, name, risk):
        self.name = name

    def turn(self, gameState):
        zombiedice.roll()


zombiedice.runTournament([Once, Misspelt(), Named, Needy, "Once", None], 10)

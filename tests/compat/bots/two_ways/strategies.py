import zombiedice


class Careful:
    def __init__(self, name="careful"):
        self.name = name

    def turn(self, gameState):
        zombiedice.roll()


if __name__ != "strategies":
    import strategies

zombiedice.runTournament([Careful()], 10)

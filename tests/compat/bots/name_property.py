import zombiedice

class Formal:
    @property
    def name(self):
        return "Dr. " + type(self).__name__

    def turn(self, gameState):
        if (
            gameState["CURRENT_ZOMBIE"] != self.name
            or self.name not in gameState["SCORES"]
        ):
            raise RuntimeError("that is not my name")
        zombiedice.roll()

zombiedice.runTournament([Formal(), Formal()], 2)

import zombiedice

class Elephant:
    name = "elephant"
    turns = []
    finished = 0

    def turn(self, gameState):
        Elephant.turns.append(gameState["ROUND"])
        if Elephant.turns != list(range(1, len(Elephant.turns) + 1)):
            raise RuntimeError(f"these are not the rounds of one game: {self.turns}")
        for _ in range(1 + len(Elephant.turns) % 2):
            zombiedice.roll()

    def endGame(self, gameState):
        Elephant.finished += 1
        if Elephant.finished > 1:
            raise RuntimeError("two games have ended")

zombiedice.runTournament([Elephant()], 100)

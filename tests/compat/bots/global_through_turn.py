import zombiedice

shots = games = 0

def roll_once():
    global shots
    r = zombiedice.roll()
    if r is not None:
        shots += r["shotgun"]
    return r is not None and shots < 2

class Accountant:
    name = "accountant"

    def newGame(self):
        global games
        games += 1
        if games > 1:
            raise RuntimeError("somebody else's game has been counted")

    def turn(self, gameState):
        global shots
        shots = 0
        while roll_once():
            pass
        if shots != zombiedice.GAME_STATE["SHOTGUNS_ROLLED"]:
            raise RuntimeError("somebody else's shotguns have been counted")

zombiedice.runTournament([Accountant()], 100)

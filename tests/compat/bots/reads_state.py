import zombiedice
from zombiedice import GAME_STATE

class Inspector:
    """Complains about everything that is not as it should be."""

    def __init__(self, name):
        self.name = name
        self.score = 0
        self.started = None
        self.rounds = 0

    def newGame(self):
        self.check(GAME_STATE["SCORES"][self.name] == 0, "scores at the start")
        self.check(GAME_STATE["ROUND"] == 0, "round at the start")

    def turn(self, gameState):
        self.rounds += 1
        self.check(gameState is not GAME_STATE, "the state is a copy")
        self.check(gameState["ORDER"] == GAME_STATE["ORDER"], "order")
        self.check(set(gameState["ORDER"]) == set(gameState["SCORES"]), "names")
        self.check(gameState["CURRENT_ZOMBIE"] == self.name, "whose turn")
        self.check(gameState["ROUND"] == self.rounds, "round")
        self.check(gameState["SCORES"][self.name] == self.score, "score")
        cup = sorted(gameState["CURRENT_CUP"])
        self.check(cup == ["green"] * 6 + ["red"] * 3 + ["yellow"] * 4, "cup")
        for key in ("CURRENT_HAND", "ROLLED_BRAINS_DETAILS"):
            self.check(gameState[key] == [], key)
        for key in ("SHOTGUNS_ROLLED", "BRAINS_ROLLED"):
            self.check(gameState[key] == 0, key)
        self.check(gameState["TURN_START_TIME"] == self.started, "time")
        self.started = GAME_STATE["TURN_START_TIME"]
        self.check(type(self.started) is float, "time now")
        self.check(len(gameState) == 10, "keys")
        guns = brains = 0
        while guns < 2 and brains < 6:
            r = zombiedice.roll()
            if r is None:
                return
            self.check(sorted(r) == ["brains", "footsteps", "rolls", "shotgun"], "keys")
            icons = [die.icon for die in r["rolls"]]
            for icon in ("brains", "footsteps", "shotgun"):
                self.check(icons.count(icon) == r[icon], icon)
            guns += r["shotgun"]
            brains += r["brains"]
            self.check(GAME_STATE["SHOTGUNS_ROLLED"] == guns, "shotguns so far")
            self.check(GAME_STATE["BRAINS_ROLLED"] == brains, "brains so far")
            self.check(len(GAME_STATE["CURRENT_HAND"]) == r["footsteps"], "hand")
            dice = len(GAME_STATE["CURRENT_CUP"]) + len(GAME_STATE["CURRENT_HAND"])
            dice += len(GAME_STATE["ROLLED_BRAINS_DETAILS"]) + guns
            self.check(dice == 13, "thirteen dice")
        self.check(gameState["SHOTGUNS_ROLLED"] == 0, "the copy does not change")
        if guns < 3:
            self.score += brains

    def endGame(self, gameState):
        self.check(gameState["SCORES"][self.name] == self.score, "score at the end")

    def check(self, true, what):
        if not true:
            raise RuntimeError(what + " is wrong: " + str(GAME_STATE))

zombiedice.runTournament([Inspector("inspector")], 100)

import _odds
from arena import Bot
from ben import Ben


class Ana(Ben):
    def zombie_dice(self, obs):
        return "stop" if obs.brains >= _odds.ENOUGH else "roll"


class Anton(Bot):
    def zombie_dice(self, obs):
        return self.rng.choice(["roll", "stop"])

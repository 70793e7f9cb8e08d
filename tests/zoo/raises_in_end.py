"""Has a bug in `end`, when nothing can be lost any more."""

from arena import Bot


class Culprit(Bot):
    def zombie_dice(self, obs):
        return "stop" if obs.shotguns >= 2 else "roll"

    def end(self, result):
        raise RuntimeError(result)

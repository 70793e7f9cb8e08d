"""Never comes back from `end`."""

from arena import Bot


class Culprit(Bot):
    def zombie_dice(self, obs):
        return "stop" if obs.shotguns >= 2 else "roll"

    def end(self, result):
        while True:
            pass

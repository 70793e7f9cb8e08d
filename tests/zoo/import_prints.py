"""Prints megabytes while it is read, which nobody minds."""

from arena import Bot

for _ in range(300):
    print("loading" * 2000)


class Culprit(Bot):
    def zombie_dice(self, obs):
        return "stop" if obs.shotguns >= 2 else "roll"

"""Wants to compute for ever when its process ends."""

import atexit

from arena import Bot


@atexit.register
def hang():
    while True:
        pass


class Culprit(Bot):
    def zombie_dice(self, obs):
        return "stop" if obs.shotguns >= 2 else "roll"

"""A bot that lets others wait."""

import time

from arena import Bot


class Slow(Bot):
    def zombie_dice(self, obs):
        time.sleep(0.2)
        return "stop" if obs.brains else "roll"

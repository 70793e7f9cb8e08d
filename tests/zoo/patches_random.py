"""Bends the numbers of chance, which are its own alone."""

import random

from arena import Bot

random.seed(1)
random.random = random.Random.random = lambda *args: 0.0
random.Random.getrandbits = lambda *args: 0
random.Random.choice = lambda self, options: options[0]


class Culprit(Bot):
    def zombie_dice(self, obs):
        random.seed(1)
        return "stop" if obs.shotguns >= 2 else "roll"

"""Bots that leave their choices to chance, in a file that imports numpy."""

import random

import numpy

from arena import Bot


class FromNumpy(Bot):
    def act(self, obs):
        return str(numpy.random.choice(obs.legal_actions))


class FromBoth(Bot):
    """Both places are one: what the one draws, the other does not draw again."""

    def __init__(self, bias=0.5):
        self.bias = bias

    def act(self, obs):
        mean = (self.rng.random() + random.random()) / 2
        return "stop" if mean < self.bias else "roll"

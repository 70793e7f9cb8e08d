"""Bots that leave their choices to chance, each drawing it from another place.

Nothing that is slow to import is imported before it is needed.
"""

import random
from random import choice, gauss, shuffle

from arena import Bot


class FromRng(Bot):
    def act(self, obs):
        return self.rng.choice(obs.legal_actions)


class FromModule(Bot):
    def act(self, obs):
        actions = list(obs.legal_actions)
        shuffle(actions)
        if gauss(0.0, 1.0) > 0.5:
            return actions[0]
        return (
            choice(actions) if random.random() < 0.5 else random.sample(actions, 1)[0]
        )


class FromBoth(Bot):
    """Both places are one: what the one draws, the other does not draw again."""

    def __init__(self, bias=0.5):
        self.bias = bias

    def act(self, obs):
        mean = (self.rng.random() + random.random()) / 2
        return "stop" if mean < self.bias else "roll"


class FromLateNumpy(Bot):
    def act(self, obs):
        from numpy.random import random_sample

        return "stop" if random_sample() < 0.5 else "roll"

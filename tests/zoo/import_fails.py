"""Fails while it is read."""

from arena import Bot

WEIGHTS = [1, 2, 3][7]


class Culprit(Bot):
    def act(self, obs):
        return "stop"

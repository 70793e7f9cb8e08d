"""Computes for ever when one of its objects is taken away."""

from arena import Bot


class Sticky:
    def __del__(self):
        while True:
            pass


class Culprit(Bot):
    def act(self, obs):
        Sticky()
        return "stop"

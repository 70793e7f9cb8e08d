"""Computes for ever while it is read, say a training loop."""

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        return "stop"


while True:
    pass

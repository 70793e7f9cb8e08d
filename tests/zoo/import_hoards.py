"""Fills the memory while it is read."""

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        return "stop"


HOARD = []
while True:
    HOARD.append([None] * 10_000)

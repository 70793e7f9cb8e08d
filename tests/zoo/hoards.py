"""Fills the memory with small things."""

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        hoard = []
        while True:
            hoard.append([None] * 10_000)

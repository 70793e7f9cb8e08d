"""Prints and prints."""

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        while True:
            print("brains" * 100)

"""Raises, leaves or stays in `end`, when nothing can be lost any more."""

import os

from arena import Bot


class Culprit(Bot):
    def __init__(self, deed):
        self.deed = deed

    def zombie_dice(self, obs):
        return "stop" if obs.shotguns >= 2 else "roll"

    def end(self, result):
        if self.deed == "exits":
            os._exit(3)
        while self.deed == "loops":
            pass
        raise RuntimeError(result)

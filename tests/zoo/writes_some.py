"""Prints a lot in all past `sys.stdout`, but never too much in one game."""

import os

from arena import Bot


class Culprit(Bot):
    spoken = False

    def zombie_dice(self, obs):
        if not self.spoken:
            os.write(1, b"brains\n" * 130_000)
            self.spoken = True
        return "stop" if obs.shotguns >= 2 else "roll"

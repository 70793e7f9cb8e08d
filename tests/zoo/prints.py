"""Prints a lot, by `sys.stdout` or past it."""

import os

from arena import Bot


class Culprit(Bot):
    spoken = False

    def __init__(self, deed):
        self.deed = getattr(self, deed)

    def zombie_dice(self, obs):
        if not self.spoken:
            self.deed()
            self.spoken = True
        return "stop" if obs.shotguns >= 2 else "roll"

    def some(self):
        """Print a lot in all games, but never too much in one."""
        print("brains" * 15_000)

    def some_past_stdout(self):
        os.write(1, b"brains\n" * 130_000)

    def endlessly(self):
        while True:
            print("brains" * 100)

    def endlessly_catching_all(self):
        for _ in range(1000):
            try:
                print("brains" * 100)
            except BaseException:
                pass

    def endlessly_past_stdout(self):
        for _ in range(80):
            os.write(1, b"brains\n" * 2**13)

"""Misbehaves in one game of many: in the one whose seed draws a number below `below`.

It draws the number in any case, so that with `below=0` it is its own honest twin.
"""

import os

from arena import Bot

HOARD = []


class Culprit(Bot):
    def __init__(self, deed, below=0.0):
        self.deed = deed
        self.decisions = 0
        self.bad = self.rng.random() < below

    def zombie_dice(self, obs):
        self.decisions += 1
        if self.bad and self.decisions == 2:
            return getattr(self, self.deed)()
        if self.rng.random() < 0.2:
            return "stop"
        return "stop" if obs.shotguns >= 2 else "roll"

    def loop(self):
        while True:
            pass

    def exit(self):
        os._exit(0)

    def crash(self):
        raise ValueError("in one game only")

    def play_illegally(self):
        return "bite"

    def abort(self):
        os.abort()

    def hoard(self):
        while True:
            HOARD.append([None] * 10_000)

    def hoard_in_itself(self):
        self.pile = []
        while True:
            self.pile.append([None] * 10_000)

    def write_garbage(self):
        for descriptor in range(3, 64):
            try:
                os.write(descriptor, b"\xff\xfe garbage")
            except OSError:
                pass
        return "stop"

    def close_descriptors(self):
        os.closerange(3, 64)
        return "stop"

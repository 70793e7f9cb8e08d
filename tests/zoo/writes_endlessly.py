"""Prints five megabytes past `sys.stdout`."""

import os

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        for _ in range(80):
            os.write(1, b"brains\n" * 2**13)
        return "stop"

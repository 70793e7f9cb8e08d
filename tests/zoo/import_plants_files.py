"""Leaves a large file behind while it is read."""

import os

from arena import Bot

HERE = os.path.dirname(__file__)
MARK = "arena-zoo-mark"  # Each ground has its own, and puts it here.

for place in ("/tmp", "/dev/shm", HERE):
    try:
        with open(os.path.join(place, MARK), "wb") as file:
            file.write(bytes(2**16))
    except OSError:
        pass


class Culprit(Bot):
    def act(self, obs):
        return "stop"

"""Sends frames without end before it is asked for anything."""

import os

from arena import Bot

for _ in range(1000):
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, bytes(2**16))
        except OSError:
            pass


class Culprit(Bot):
    def act(self, obs):
        return "stop"

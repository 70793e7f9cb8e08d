"""Sends frames without end, each of them complete and empty."""

import os

from arena import Bot

FLOOD = bytes(2**16)


class Culprit(Bot):
    def act(self, obs):
        for _ in range(1000):
            for descriptor in range(3, 64):
                try:
                    os.write(descriptor, FLOOD)
                except OSError:
                    pass
        return "stop"

"""Writes a frame of the right shape that holds no message."""

import os

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        for descriptor in range(3, 64):
            try:
                os.write(descriptor, b"\x02\x00\x00\x00\xc1\xc1")
            except OSError:
                pass
        return "stop"

"""Announces a reply, sends the half of it, and computes for ever."""

import os

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        for descriptor in range(3, 64):
            try:
                os.write(descriptor, (100).to_bytes(4, "little") + bytes(50))
            except OSError:
                pass
        while True:
            pass

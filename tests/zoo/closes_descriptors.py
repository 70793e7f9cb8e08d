"""Closes everything that it did not open."""

import os

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        os.closerange(3, 64)
        return "stop"

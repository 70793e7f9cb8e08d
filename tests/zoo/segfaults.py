"""Reads where there is no memory."""

import ctypes

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        ctypes.string_at(0)

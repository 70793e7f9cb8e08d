"""Reads where there is no memory while it is read itself."""

import ctypes

from arena import Bot

ctypes.string_at(0)


class Culprit(Bot):
    def act(self, obs):
        return "stop"

"""Reads what the referee may have been given to read."""

import os

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        try:
            typed = os.read(0, 100)
        except OSError:
            typed = b""
        return f"leaked: {typed!r}" if typed else "stop"

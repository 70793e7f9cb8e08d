"""Puts another program in its own place."""

import os

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        try:
            os.execv("/bin/sh", ["sh", "-c", "echo leaked >&2; exit 77"])
        except OSError:
            return "stop"

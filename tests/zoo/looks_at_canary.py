"""Finds out that a file is there, how large it is, and when it was changed."""

import os

from arena import Bot


class Culprit(Bot):
    def __init__(self, canary):
        self.canary = canary

    def act(self, obs):
        try:
            status = os.stat(self.canary)
        except OSError:
            return "stop"
        return f"leaked: {status.st_size} bytes, changed at {status.st_mtime}"

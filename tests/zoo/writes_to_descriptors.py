"""Writes garbage wherever it can."""

import os

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        for descriptor in range(3, 64):
            try:
                os.write(descriptor, b"\xff\xfe garbage")
            except OSError:
                pass
        return "stop"

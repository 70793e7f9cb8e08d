"""Takes another folder for the root of all files."""

import os

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        try:
            os.chroot("/")
        except OSError:
            return "stop"
        return "leaked: changed its root"

"""Leaves as a script does."""

import sys

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        sys.exit()

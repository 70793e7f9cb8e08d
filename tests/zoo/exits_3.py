"""Ends its process with a status."""

import os

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        os._exit(3)

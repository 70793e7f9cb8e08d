"""Ends its process by a signal, as a failed C assertion does."""

import os

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        os.abort()

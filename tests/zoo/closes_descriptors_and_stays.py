"""Closes its pipes and does not go away."""

import os
import time

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        os.closerange(3, 64)
        time.sleep(10**6)

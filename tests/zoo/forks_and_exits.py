"""Leaves a child behind that holds its pipes, and is gone."""

import os
import time

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        if os.fork() == 0:
            time.sleep(60)
        os._exit(3)

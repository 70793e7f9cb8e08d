"""Leaves a child behind that holds its pipes."""

import os
import time

from arena import Bot


class Culprit(Bot):
    def start(self, obs):
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)

    def zombie_dice(self, obs):
        return "stop" if obs.shotguns >= 2 else "roll"

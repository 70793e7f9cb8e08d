"""Sleeps while it is read, which takes no CPU time."""

import time

from arena import Bot

time.sleep(600)


class Culprit(Bot):
    def act(self, obs):
        return "stop"

"""Has an alarm that ends the process once nobody asks for anything."""

import os
import signal

from arena import Bot

signal.signal(signal.SIGALRM, lambda *_: os._exit(0))


class Culprit(Bot):
    def zombie_dice(self, obs):
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        return "stop" if obs.shotguns >= 2 else "roll"

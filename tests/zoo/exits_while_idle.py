"""Has a thread that ends the process once nobody asks for anything."""

import os
import threading

from arena import Bot


class Culprit(Bot):
    def zombie_dice(self, obs):
        threading.Timer(0.1, os._exit, [0]).start()
        return "stop" if obs.shotguns >= 2 else "roll"

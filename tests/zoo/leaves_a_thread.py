"""Leaves a thread behind that its process would wait for."""

import threading
import time

from arena import Bot


class Culprit(Bot):
    def start(self, obs):
        try:
            threading.Thread(target=time.sleep, args=(60,)).start()
        except RuntimeError:
            pass

    def zombie_dice(self, obs):
        return "stop" if obs.shotguns >= 2 else "roll"

"""Decides at once, and computes in a thread as long as it lives."""

import threading

from arena import Bot


def compute():
    while True:
        pass


class Culprit(Bot):
    def start(self, obs):
        if threading.active_count() == 1:
            threading.Thread(target=compute, daemon=True).start()

    def zombie_dice(self, obs):
        return "stop" if obs.shotguns >= 2 else "roll"

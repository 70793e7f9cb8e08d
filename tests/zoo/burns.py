"""Computes for so many seconds of CPU time at each decision, or sleeps instead."""

import time

from arena import Bot


class Culprit(Bot):
    def __init__(self, seconds=0.0, asleep=False):
        self.seconds = seconds
        self.asleep = asleep

    def act(self, obs):
        if self.asleep:
            time.sleep(10**6)
        until = time.process_time() + self.seconds
        while time.process_time() < until:
            pass
        return "stop" if getattr(obs, "shotguns", 2) >= 2 else "roll"

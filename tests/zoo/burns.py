"""Computes for so many seconds of CPU time at each decision."""

import time

from arena import Bot


class Culprit(Bot):
    def __init__(self, seconds):
        self.seconds = seconds

    def act(self, obs):
        until = time.process_time() + self.seconds
        while time.process_time() < until:
            pass
        return "stop" if getattr(obs, "shotguns", 2) >= 2 else "roll"

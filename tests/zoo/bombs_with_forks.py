"""Starts processes until it is stopped, 64 of them, each gone after two seconds."""

import os
import signal

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        started = 0
        for _ in range(64):
            try:
                child = os.fork()
            except OSError:
                break
            if child == 0:
                signal.alarm(2)
                signal.pause()
            started += 1
        return f"leaked: {started} processes" if started else "stop"

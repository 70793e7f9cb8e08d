"""Signals its whole group, in the hope that the referee is in it."""

import os
import signal

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        try:
            os.killpg(0, signal.SIGURG)
        except OSError:
            pass
        return "stop"

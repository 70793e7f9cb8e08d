"""Computes for ever, and does not listen to polite signals."""

import signal

from arena import Bot

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)


class Culprit(Bot):
    def act(self, obs):
        while True:
            pass

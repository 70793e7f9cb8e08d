"""Computes or sleeps for ever, in a way and at a place that it is told."""

import re
import signal
import time

from arena import Bot


class Sticky:
    def __del__(self):
        while True:
            pass


class Culprit(Bot):
    decisions = 0

    def __init__(self, deed):
        self.deed = getattr(self, deed)

    def start(self, obs):
        if self.deed == self.in_start:
            self.forever()

    def zombie_dice(self, obs):
        self.deed()
        return "stop" if obs.shotguns >= 2 else "roll"

    def in_start(self):
        pass

    def forever(self):
        while True:
            pass

    def later(self):
        """Decide twice in each game first."""
        self.decisions += 1
        while self.decisions > 2:
            pass

    def ignoring_signals(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        self.forever()

    def catching_all(self):
        while True:
            try:
                self.forever()
            except BaseException:
                pass

    def within_one_instruction(self):
        """Which no handler of a signal interrupts."""
        return 10**10**8

    def in_a_regex(self):
        re.match(r"(a+)+$", "a" * 60 + "b")

    def in_del(self):
        Sticky()

    def asleep(self):
        time.sleep(10**6)

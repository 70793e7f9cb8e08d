"""Plays on honestly, but writes to its pipe whenever it gets a signal."""

import os
import signal

from arena import Bot


def speak(number, stack):
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, b"unasked")
        except OSError:
            pass


signal.signal(signal.SIGUSR1, speak)


class Culprit(Bot):
    def zombie_dice(self, obs):
        return "stop" if obs.shotguns >= 2 else "roll"

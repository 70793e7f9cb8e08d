"""Writes to its pipe while nobody has asked it for anything."""

import os
import signal

from arena import Bot
from arena.worker.protocol import Answer, frame


def speak(number, stack):
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, frame(Answer(0, "stop")))
        except OSError:
            pass


signal.signal(signal.SIGALRM, speak)


class Culprit(Bot):
    def act(self, obs):
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        return "stop"

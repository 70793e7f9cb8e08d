"""Signals whoever started it, and the referee, with one that does no harm."""

import os
import signal

from arena import Bot


class Culprit(Bot):
    def __init__(self, referee):
        self.targets = {"parent": os.getppid(), "referee": referee}

    def act(self, obs):
        reached = []
        for name, pid in self.targets.items():
            try:
                os.kill(pid, signal.SIGURG)
                reached.append(name)
            except OSError:
                pass
        return f"leaked: signalled {' '.join(reached)}" if reached else "stop"

"""Kills a process of the same user."""

import os
import signal

from arena import Bot


class Culprit(Bot):
    def __init__(self, victim):
        self.victim = victim

    def act(self, obs):
        for kill in (os.kill, self.kill_by_descriptor):
            try:
                kill(self.victim, signal.SIGKILL)
            except OSError:
                continue
            return "leaked: killed a sibling"
        return "stop"

    def kill_by_descriptor(self, pid, number):
        signal.pidfd_send_signal(os.pidfd_open(pid), number)

"""Signals every process there is, with a signal that does no harm where it arrives.

Success tells nothing: the kernel reports it even if each of them was refused.
"""

import os
import signal

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        try:
            os.kill(-1, signal.SIGURG)
        except OSError:
            pass
        return "stop"

"""Is heard by its twin because it locks a file that both may only read."""

import fcntl
import os

from arena import Bot


class Culprit(Bot):
    def __init__(self, me):
        self.file = None

    def act(self, obs):
        self.file = self.file or os.open(os.__file__, os.O_RDONLY)
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return "leaked: heard its twin by a lock"
        except OSError:
            pass
        return "roll"

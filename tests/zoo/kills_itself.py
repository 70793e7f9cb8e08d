"""Is ended as the kernel ends a process when memory runs out."""

import os
import signal

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        os.kill(os.getpid(), signal.SIGKILL)

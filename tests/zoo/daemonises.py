"""Leaves a child behind, in a session of its own, that holds its pipes."""

import os
import time

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        gone, going = os.pipe()
        if os.fork() == 0:
            os.setsid()
            os.close(going)
            time.sleep(60)
        os.close(going)
        os.read(gone, 1)
        os._exit(3)

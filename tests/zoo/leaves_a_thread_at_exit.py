"""Ends the main thread, and goes on in another one."""

import sys
import threading
import time

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        try:
            threading.Thread(target=time.sleep, args=(60,)).start()
        except RuntimeError:
            pass
        sys.exit("nobody plays any more")

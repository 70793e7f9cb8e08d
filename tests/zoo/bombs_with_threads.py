"""Starts threads until it is stopped; 300 of them is what it calls a success."""

import threading
import time

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        started = 0
        try:
            while started < 300:
                threading.Thread(target=time.sleep, args=(3,), daemon=True).start()
                started += 1
        except (RuntimeError, MemoryError):
            pass
        return f"leaked: {started} threads" if started >= 100 else "stop"

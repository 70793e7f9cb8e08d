"""Computes on in a thread while the other decides."""

import threading
import time

from arena import Bot


class Culprit(Bot):
    def start(self, obs):
        self.before = None
        try:
            threading.Thread(target=self.ponder, daemon=True).start()
        except RuntimeError:
            pass

    def ponder(self):
        until = time.monotonic() + 0.5
        while time.monotonic() < until:
            pass

    def act(self, obs):
        pondered = self.before and time.process_time() - self.before
        if pondered and pondered > 0.1:
            return f"leaked: pondered for {pondered:.2f} s"
        self.before = time.process_time()
        return "stop"

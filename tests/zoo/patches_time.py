"""Stops all clocks, then computes for ever."""

import time

from arena import Bot

for name in ("monotonic", "perf_counter", "process_time", "time", "clock_gettime"):
    setattr(time, name, lambda *args: 0.0)


class Culprit(Bot):
    def act(self, obs):
        while True:
            pass

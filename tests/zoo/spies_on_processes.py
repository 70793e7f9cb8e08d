"""Finds out which other processes there are."""

import os

from arena import Bot


class Culprit(Bot):
    def __init__(self, victim):
        self.pids = [victim, 1, os.getppid()]
        self.pids += range(os.getpid() - 20, os.getpid())

    def act(self, obs):
        seen = set()
        for pid in self.pids:
            for look in (self.signal, os.getpgid, os.getsid, os.sched_getaffinity):
                try:
                    look(pid)
                    seen.add(f"{look.__name__}({pid})")
                except OSError:
                    pass
        seen -= {"signal(0)", "getpgid(0)", "getsid(0)", "sched_getaffinity(0)"}
        return f"leaked: {' '.join(sorted(seen))}" if seen else "stop"

    def signal(self, pid):
        os.kill(pid, 0)

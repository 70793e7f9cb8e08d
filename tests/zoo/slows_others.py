"""Takes the processor and the limits away from a process of the same user."""

import os
import resource

from arena import Bot


class Culprit(Bot):
    def __init__(self, victim):
        self.victim = victim

    def act(self, obs):
        done = []
        for deed in (self.renice, self.pin, self.limit):
            try:
                deed()
                done.append(deed.__name__)
            except OSError:
                pass
        return f"leaked: {' '.join(done)}" if done else "stop"

    def renice(self):
        os.setpriority(os.PRIO_PROCESS, self.victim, 19)

    def pin(self):
        os.sched_setaffinity(self.victim, {0})

    def limit(self):
        resource.prlimit(self.victim, resource.RLIMIT_CORE, (0, 0))

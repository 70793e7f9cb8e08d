"""Wants the processor before all others."""

import os

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        for deed in (self.be_real_time, self.be_less_nice):
            try:
                deed()
            except OSError:
                continue
            return f"leaked: {deed.__name__}"
        return "stop"

    def be_real_time(self):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))

    def be_less_nice(self):
        os.setpriority(os.PRIO_PROCESS, 0, -5)

"""Never decides: sleeps, which takes no CPU time."""

import time

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        time.sleep(10**6)

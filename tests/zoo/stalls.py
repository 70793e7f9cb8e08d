"""Takes most of the time it has, but never too much."""

import time

from arena import Bot


class Culprit(Bot):
    decisions = 0

    def zombie_dice(self, obs):
        self.decisions += 1
        until = time.process_time() + 0.8 * obs.time_left
        while self.decisions <= 2 and time.process_time() < until:
            pass
        return "stop" if obs.shotguns >= 2 else "roll"

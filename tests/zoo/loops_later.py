"""Decides twice in each game, then computes for ever."""

from arena import Bot


class Culprit(Bot):
    decisions = 0

    def zombie_dice(self, obs):
        self.decisions += 1
        while self.decisions > 2:
            pass
        return "stop"

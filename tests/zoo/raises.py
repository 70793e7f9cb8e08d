"""Has a bug in its decision."""

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        print("about to divide")
        return obs.brains / 0

"""Returns a number."""

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        return 1

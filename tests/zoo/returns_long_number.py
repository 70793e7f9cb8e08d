"""Returns a number that is too long to be shown."""

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        return 10**5000

"""Returns a list."""

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        return ["stop"]

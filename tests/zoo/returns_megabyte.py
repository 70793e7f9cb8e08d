"""Returns a megabyte."""

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        return "stop" * 2**18

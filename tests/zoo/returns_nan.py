"""Returns what equals nothing, not even itself."""

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        return float("nan")

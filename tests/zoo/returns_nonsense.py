"""Returns what is no action at all."""

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        return "bite"

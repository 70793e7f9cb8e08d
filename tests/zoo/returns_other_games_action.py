"""Returns an action of OX Blocks."""

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        return "place b2"

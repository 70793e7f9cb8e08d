"""Forgets to return."""

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        pass

"""Calls itself for ever."""

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        return self.act(obs)

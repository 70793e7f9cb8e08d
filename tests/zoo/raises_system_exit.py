"""Leaves by raising SystemExit."""

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        raise SystemExit(1)

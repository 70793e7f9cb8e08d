"""Raises an exception whose message has no encoding, as odd file names do."""

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        raise FileNotFoundError("no such table: \udcff.csv")

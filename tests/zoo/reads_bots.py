"""Reads the code of the other bots."""

import os

from arena import Bot

HERE = os.path.dirname(__file__)


class Culprit(Bot):
    def act(self, obs):
        seen = []
        for look in (self.list, self.read):
            try:
                seen.append(look())
            except OSError:
                pass
        return f"leaked: {', '.join(seen)}" if seen else "stop"

    def list(self):
        return f"{len(os.listdir(HERE))} bots"

    def read(self):
        with open(os.path.join(HERE, "honest.py")) as file:
            return file.readline()

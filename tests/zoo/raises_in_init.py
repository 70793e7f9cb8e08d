"""Has a bug in its constructor."""

from arena import Bot


class Culprit(Bot):
    def __init__(self):
        self.table = {}["missing"]

    def act(self, obs):
        return "stop"

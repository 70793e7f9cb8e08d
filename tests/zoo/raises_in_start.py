"""Has a bug in `start`."""

from arena import Bot


class Culprit(Bot):
    def start(self, obs):
        raise RuntimeError("not today")

    def act(self, obs):
        return "stop"

"""Returns a text that has no encoding."""

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        return "stop\udcff"

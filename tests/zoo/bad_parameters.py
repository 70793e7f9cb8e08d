"""Takes a parameter that nobody gives it."""

from arena import Bot


class Culprit(Bot):
    def __init__(self, threshold):
        self.threshold = threshold

    def act(self, obs):
        return "stop"

"""Reads a file that is none of its business."""

from arena import Bot


class Culprit(Bot):
    def __init__(self, canary):
        self.canary = canary

    def act(self, obs):
        try:
            with open(self.canary) as file:
                return f"leaked: {file.read()}"
        except OSError:
            return "stop"

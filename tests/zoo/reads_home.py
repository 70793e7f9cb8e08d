"""Looks through the home of whoever runs the league."""

import os

from arena import Bot


class Culprit(Bot):
    def __init__(self, home):
        self.home = home

    def act(self, obs):
        try:
            return f"leaked: {os.listdir(self.home)}"
        except OSError:
            return "stop"

"""Imports a package that is installed, but not for bots."""

import trio

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        return f"leaked: {trio.__name__}"

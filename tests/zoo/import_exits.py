"""Ends its process while it is read."""

import os

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        return "stop"


print("a script, not a module", flush=True)
os._exit(0)

"""Ends its process, as if all were well."""

import os

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        print("goodbye", flush=True)
        os._exit(0)

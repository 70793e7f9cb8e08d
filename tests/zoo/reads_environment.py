"""Looks for secrets in the environment it was started with."""

import os

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        secrets = [name for name in os.environ if "SECRET" in name]
        return f"leaked: {secrets}" if secrets else "stop"

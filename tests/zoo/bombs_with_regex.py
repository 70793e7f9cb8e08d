"""Tries a pattern that takes for ever, within one call that holds the GIL."""

import re

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        return "stop" if re.match(r"(a+)+$", "a" * 60 + "b") else "roll"

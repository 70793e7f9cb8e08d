"""Raises what is no `Exception`, as Ctrl-C would."""

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        raise KeyboardInterrupt

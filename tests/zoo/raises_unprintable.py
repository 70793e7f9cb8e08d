"""Raises an exception that can't be shown."""

from arena import Bot


class Oops(Exception):
    def __str__(self):
        raise SystemExit


class Culprit(Bot):
    def act(self, obs):
        raise Oops

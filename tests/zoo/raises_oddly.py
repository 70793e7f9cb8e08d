"""Raises what is no `Exception`, or can't be shown, in a place that it is told."""

import sys

from arena import Bot


class Base(BaseException):
    pass


class Unprintable(Exception):
    def __str__(self):
        raise SystemExit


class Culprit(Bot):
    def __init__(self, deed):
        self.deed = deed
        if deed == "in init":
            raise KeyError("missing")

    def start(self, obs):
        if self.deed == "in start":
            raise RuntimeError("not today")

    def act(self, obs):
        if self.deed == "sys.exit":
            sys.exit()
        raise {
            "system exit": SystemExit(1),
            "base": Base("base"),
            "unprintable": Unprintable(),
            "keyboard interrupt": KeyboardInterrupt(),
            "memory error": MemoryError("said to be full"),
            # As odd names of files do.
            "surrogates": FileNotFoundError("no such table: \udcff.csv"),
        }[self.deed]

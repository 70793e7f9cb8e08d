"""Raises an exception of its own that is no `Exception`."""

from arena import Bot


class Oops(BaseException):
    pass


class Culprit(Bot):
    def act(self, obs):
        raise Oops("base")

"""Raises what is no `Exception` while it is read."""

from arena import Bot


class Oops(BaseException):
    pass


class Culprit(Bot):
    def act(self, obs):
        return "stop"


raise Oops("base")

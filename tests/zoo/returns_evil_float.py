"""Returns a number that is larger and smaller than all others."""

from arena import Bot


class Action(float):
    def __lt__(self, other):
        return True

    __gt__ = __le__ = __ge__ = __eq__ = __lt__
    __hash__ = float.__hash__


class Culprit(Bot):
    def act(self, obs):
        return Action("inf")

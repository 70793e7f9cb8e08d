"""Says that it has run out of memory."""

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        raise MemoryError("said to be full")

"""Asks for the hash of a tuple in a tuple in a tuple, deeper than the stack is."""

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        nest = ()
        for _ in range(500_000):
            nest = (nest,)
        return str(hash(nest))

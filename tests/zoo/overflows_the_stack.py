"""Shows a list in a list in a list, so deep that the stack of C ends."""

import sys

from arena import Bot

sys.setrecursionlimit(2**30)


class Culprit(Bot):
    def act(self, obs):
        nest = []
        for _ in range(2_000_000):
            nest = [nest]
        return repr(nest)

"""Computes for ever, whatever is raised in it."""

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass

"""Prints too much, and catches what is raised because of it."""

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        for _ in range(1000):
            try:
                print("brains" * 100)
            except BaseException:
                pass
        return "stop"

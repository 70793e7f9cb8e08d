"""Tells by an illegal action how many games its process has played."""

from arena import Bot

GAMES = []


class Culprit(Bot):
    def start(self, obs):
        GAMES.append(self)
        self.number = len(GAMES)

    def act(self, obs):
        return f"game {self.number}"

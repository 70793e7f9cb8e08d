"""Remembers in its module what it has seen in other games."""

from arena import Bot

GAMES = []


class Culprit(Bot):
    def start(self, obs):
        self.others = len(GAMES)
        GAMES.append(self)

    def act(self, obs):
        return f"leaked: knows {self.others} other games" if self.others else "stop"

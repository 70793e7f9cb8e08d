"""Imports the code of the referee, to look for its weak spots."""

from arena import Bot
from arena.referee.match import Match


class Culprit(Bot):
    def act(self, obs):
        return f"leaked: {Match.__name__}"

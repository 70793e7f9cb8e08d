"""Imports the code of the referee, to look for its weak spots."""

from arena import Bot
from arena.referee.unit_player import UnitPlayer


class Culprit(Bot):
    def act(self, obs):
        return f"leaked: {UnitPlayer.__name__}"

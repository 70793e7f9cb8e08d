"""Plays a game that does not exist."""

from arena import Bot


class Culprit(Bot):
    def zombi_dice(self, obs):
        return "stop"

"""A bot that keeps every rule."""

from arena import Bot


class Honest(Bot):
    def zombie_dice(self, obs):
        return "stop" if obs.shotguns >= 2 else "roll"

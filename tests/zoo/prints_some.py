"""Prints a lot in all, but never too much in one game."""

from arena import Bot


class Culprit(Bot):
    spoken = False

    def zombie_dice(self, obs):
        if not self.spoken:
            print("brains" * 15_000)
            self.spoken = True
        return "stop" if obs.shotguns >= 2 else "roll"

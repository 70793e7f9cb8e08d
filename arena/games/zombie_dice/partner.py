# mypy: ignore-errors
# ruff: noqa: ANN001, ANN201
"""Plays Zombie Dice by one simple thought, legally with all of its options.

A bot that `arena new` makes begins with this method, so it is for reading.
"""

from arena import Bot


class Sensible(Bot):
    """Does what a person would do after a few games."""

    def zombie_dice(self, obs):
        # With two shotguns the next roll may cost all brains of this turn.
        if obs.shotguns >= 2 and obs.brains > 0:
            return "stop"
        return "roll" if "roll" in obs.legal_actions else "stop"

# mypy: ignore-errors
# ruff: noqa: ANN001, ANN201
"""Plays Pig by one simple thought."""

from arena import Bot


class Sensible(Bot):
    """Does what a person would do after a few games."""

    def pig(self, obs):
        # Below 20 points a roll gains more on average than its 1 can cost.
        has_won = obs.scores[obs.seat] + obs.points >= obs.game.options.target
        return "hold" if obs.points >= 20 or has_won else "roll"

# mypy: ignore-errors
# ruff: noqa: ANN001, ANN201
"""Plays Zombie Run! by one simple thought, legally with all of its options.

A bot that `arena new` makes begins with this method, so it is for reading.
"""

from arena import Bot


class Sensible(Bot):
    """Does what a person would do after a few games."""

    def zombie_run(self, obs):
        if obs.phase == "peek":
            return "peek 1 2"
        if obs.phase == "pick":
            return "draw"
        # An average card has 6 zombies; so much is reckoned for one not seen yet.
        hand = [6 if card is None else card for card in obs.hand]
        worst = hand.index(max(hand))
        action = "discard"
        if obs.drawn < hand[worst]:
            action = f"swap {worst + 1}"  # Positions count from 1.
            hand[worst] = obs.drawn
        return f"{action} shout" if sum(hand) <= 12 else action

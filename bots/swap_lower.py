"""Zombie Run! by two rules of thumb: swap when lower, shout when low."""

from arena import Bot

AVERAGE = 6
"""Zombies on an average card: the deck has 450 on 75 cards."""
LOW = 12
"""Half of what an average hand of four has."""


class SwapLower(Bot):
    """Puts every lower card for its highest, and shouts once its hand is low."""

    name = "swap_lower"

    def zombie_run(self, obs):
        if obs.phase == "peek":
            return "peek 1 2"  # All cards are alike until one has looked.
        if obs.phase == "pick":
            return "draw"

        # A card not seen yet is reckoned as an average one.
        hand = [AVERAGE if card is None else card for card in obs.hand]
        worst = hand.index(max(hand))
        action = "discard"
        if obs.drawn < hand[worst]:
            action = f"swap {worst + 1}"  # Positions count from 1.
            hand[worst] = obs.drawn
        return f"{action} shout" if sum(hand) <= LOW else action

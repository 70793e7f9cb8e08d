"""Zombie Run! by two rules of thumb, and by counting the cards that are still out."""

from arena import Bot

AVERAGE = 6
"""Zombies on an average card: the deck has 450 on 75 cards."""
LOW = 12
"""Half of what an average hand of four has."""
CAUTION = 10
"""Zombies that an unseen card is reckoned as before a shout: it may be a Horde."""


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


def cost(counts):
    """Return what an unseen card will cost, given how many there are of each.

    A Horde is swapped for something better as soon as it is seen, so it counts
    as no more than the highest other card.
    """
    zombies = sum(min(value, 9) * n for value, n in enumerate(counts))
    return zombies / sum(counts)


class CardCounter(Bot):
    """Swaps by the cards that are still out, and shouts the lower the later it is."""

    name = "card_counter"

    def zombie_run(self, obs):
        if obs.phase == "peek":
            return "peek 1 2"
        hand = [
            cost(obs.unseen[pool]) if card is None else card
            for card, pool in zip(obs.hand, obs.pools[obs.seat], strict=True)
        ]
        worst = max(range(len(hand)), key=lambda i: hand[i])
        if obs.phase == "pick":
            # A low card lasts to the end of the round.  A middling one is swapped
            # away again, so it is worth less than a look at a new card.
            return "take" if obs.top <= 2 and obs.top < hand[worst] else "draw"

        action = "discard"
        known = [CAUTION if card is None else card for card in obs.hand]
        if obs.drawn < hand[worst]:
            action = f"swap {worst + 1}"
            known[worst] = obs.drawn
        # Everyone's hand gets lower with each turn, so what is low enough does too.
        low = max(6, 13 - obs.turn)
        return f"{action} shout" if sum(known) <= low else action

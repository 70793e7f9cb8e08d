"""Zombie Mania! by a rule of thumb, and by dynamic programming.

The second makes the best plan for one turn, exactly; you may leave it for later.
"""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement, product
from math import factorial, fsum, prod
from operator import add

from arena import Bot

WANTED = ("gravestone", "blue", "green", "brown")
"""Nothing moves without gravestones and zombies; the rest is luck."""
ICONS = ("blue", "green", "brown", "gravestone", "building", "x2")
SENDING = 1.5
"""A token sent to another seat is worth so many in the graveyard."""


def largest_move(obs):
    """Return it, to the rival who is ahead if the buildings allow that."""
    amount = min(obs.movable, obs.tokens[obs.seat])
    rivals = [seat for seat in range(len(obs.tokens)) if seat != obs.seat]
    # In a series the tokens are added to the penalty points of the games before.
    leader = min(rivals, key=lambda seat: obs.penalties[seat] + obs.tokens[seat])
    for action in (f"move {amount} seat {leader}", f"move {amount} graveyard"):
        if action in obs.legal_actions:
            return action
    return "move 0"


class PairCollector(Bot):
    """Keeps up to two of each wanted icon, and stops as soon as it may move."""

    name = "pair_collector"

    def zombie_mania(self, obs):
        if obs.phase == "keep":
            return max(obs.legal_actions, key=lambda action: self.progress(obs, action))
        if obs.phase == "continue":
            # As long as nothing may be moved there is nothing to lose.
            return "stop" if obs.movable else "roll"
        return largest_move(obs)

    def progress(self, obs, action):
        """Return how many wanted dice a keep adds; of equal ones, fewer dice first.

        The dice that are not kept are thrown again, and more dice are safer.
        """
        icons = action.split()[1:]
        added = 0
        for icon in WANTED:
            missing = 2 - min(2, obs.kept.count(icon))
            added += min(missing, icons.count(icon))
        return added, -len(icons)


def gain(pairs, tokens):
    """Return what stopping is worth with these dice, in tokens got rid of.

    `pairs` has the number of dice kept of each icon, none counted beyond two.
    """
    blue, green, brown, gravestone, building, times_two = (n == 2 for n in pairs)
    amount = gravestone * (blue + green + 2 * brown) * (1 + times_two)
    return min(amount, tokens) * (SENDING if building else 1)


# The tables below hold facts about the dice, nothing about any game that is played:
# it makes no difference to a game which games have filled them before.


@cache
def throws(dice):
    """Return all throws of so many dice: (how many of each icon, probability)."""
    found = []
    for icons in combinations_with_replacement(range(6), dice):
        counts = tuple(icons.count(icon) for icon in range(6))
        ways = factorial(dice) / prod(map(factorial, counts))
        found.append((counts, ways / 6**dice))
    return found


@cache
def choices(pairs, dice):
    """Return what rolling `dice` dice leads to: (what can be kept, probability).

    What can be kept is a set of (pairs, dice left).  A throw without a zombie ends
    the turn; those are left out.
    """
    # Many throws come to the same, for dice beyond a pair are of no use.
    alike = Counter()
    for counts, probability in throws(dice):
        if any(counts[:3]):
            alike[tuple(map(min, counts, (2 - n for n in pairs)))] += probability
    return [(keeps(pairs, dice, useful), p) for useful, p in alike.items()]


def keeps(pairs, dice, useful):
    """Return the set of (pairs, dice left) after every sensible way to keep some."""
    found = set()
    for kept in product(*(range(n + 1) for n in useful)):
        # A zombie must be kept, even if it adds nothing.
        wasted = 0 if any(kept[:3]) else 1
        if not wasted or not any(useful[:3]):
            after = in_order(map(add, pairs, kept))
            found.add((after, dice - sum(kept) - wasted))
    return found


def in_order(counts):
    """Return counts of icons with blue and green in descending order.

    They do the same, so it is enough to plan for one order.
    """
    blue, green, *others = counts
    return (max(blue, green), min(blue, green), *others)


@cache
def worth(pairs, dice, tokens):
    """Return what a turn is worth when it is time to roll `dice` dice or stop."""
    stop = gain(pairs, tokens)
    if dice == 0:
        return stop
    # Unlike `sum`, fsum rounds alike in all versions of Python: plans that are worth
    # the same are often met, and the last digit decides.
    roll = fsum(
        probability * max(worth(*kept, tokens) for kept in can_be_kept)
        for can_be_kept, probability in choices(pairs, dice)
    )
    return max(stop, roll)


class TurnPlanner(Bot):
    """Keeps, rolls and stops so as to get rid of most tokens in a turn on average."""

    name = "turn_planner"

    def start(self, obs):
        # The plan takes half a second to work out, once for all games of a match.
        # There is more time for it here than in a decision.
        if obs.game.name == "zombie_mania":
            worth((0,) * len(ICONS), dice=8, tokens=4)

    def zombie_mania(self, obs):
        tokens = min(4, obs.tokens[obs.seat])  # A turn hardly ever moves more.
        pairs = self.pairs(obs.kept)
        if obs.phase == "keep":
            return max(
                obs.legal_actions, key=lambda action: self.after(obs, action, tokens)
            )
        if obs.phase == "continue":
            stop = gain(pairs, tokens)
            return "roll" if worth(pairs, obs.dice_left, tokens) > stop else "stop"
        return largest_move(obs)

    def pairs(self, icons):
        """Count the icons, none beyond two."""
        return in_order(min(2, icons.count(icon)) for icon in ICONS)

    def after(self, obs, action, tokens):
        """Return what the turn is worth after a keep."""
        icons = tuple(action.split()[1:])
        dice = obs.dice_left - len(icons)
        return worth(self.pairs(obs.kept + icons), dice, tokens)

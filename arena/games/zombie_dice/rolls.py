"""What a roll can bring: exact distributions and their results, as memo tables.

Drawing dice from the cup and rolling them is one chance event.  Its distribution
depends on the cup and on the dice already in hand only, so each is worked out once.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import accumulate, product
from math import comb, prod
from typing import Final, NamedTuple

from arena.games.zombie_dice.dice import (
    BRAIN,
    DICE,
    FATAL,
    FEET,
    NO_DICE,
    ROLLED,
    SHOTGUN,
    Counts,
    minus,
    plus,
)


class Result(NamedTuple):
    """How the dice lie after a roll."""

    cup: Counts
    """Dice left in the cup."""
    feet: Counts
    """All feet: those in hand before the roll were rolled again."""
    brains: Counts
    """Brain dice of this roll."""
    shotguns: int
    """Shotguns of this roll."""


class RollTable:
    """All outcomes of a roll with this cup and hand.

    They are ordered from the luckiest to the worst (brains less shotguns), so that
    one number of a chance stream means similar luck in different positions.
    """

    __slots__ = ("_bounds", "_texts", "outcomes", "p_shotguns", "results")

    def __init__(self, cup: Counts, hand: Counts) -> None:
        ways: list[tuple[str, int, Result]] = []
        for drawn, draws in _draws(cup, ROLLED - sum(hand)):
            left = minus(cup, drawn)
            for text, rolls, (feet, brains, shotguns) in _faces(plus(hand, drawn)):
                result = Result(left, feet, brains, shotguns)
                ways.append((text, draws * rolls, result))
        ways.sort(key=lambda way: way[2].shotguns - sum(way[2].brains))
        total = sum(n for _, n, _ in ways)

        self.outcomes: Final = tuple((text, n / total) for text, n, _ in ways)
        """(outcome, probability) pairs."""
        self.results: Final = {text: result for text, _, result in ways}
        """What each outcome leads to."""
        self.p_shotguns: Final = tuple(
            sum(n for _, n, result in ways if result.shotguns >= k) / total
            for k in range(FATAL + 1)
        )
        """Probability of at least k shotguns in this roll, by k."""
        self._texts = [text for text, _, _ in ways]
        self._bounds = [n / total for n in accumulate(n for _, n, _ in ways)]

    def outcome_at(self, u: float) -> str:
        """Return the outcome at `u` in [0, 1) of the cumulative distribution."""
        return self._texts[bisect_right(self._bounds, u)]


@cache
def roll_table(cup: Counts, hand: Counts) -> RollTable:
    """Return the table for a roll of `hand` and dice drawn from `cup` up to three."""
    return RollTable(cup, hand)


def _draws(cup: Counts, size: int) -> Iterator[tuple[Counts, int]]:
    """Yield every hand of `size` dice from the cup, with the number of its ways."""
    for drawn in product(*(range(min(n, size), -1, -1) for n in cup)):
        if sum(drawn) == size:
            yield drawn, prod(map(comb, cup, drawn))


@cache
def _faces(dice: Counts) -> list[tuple[str, int, tuple[Counts, Counts, int]]]:
    """Return what `dice` can show: text, ways, and (feet, brains, shotguns)."""
    rolled = [kind for kind, n in enumerate(dice) for _ in range(n)]
    order = [BRAIN, SHOTGUN, FEET]
    ways = Counter(
        tuple(sorted(zip(rolled, map(order.index, faces), strict=True)))
        for faces in product(*(DICE[kind].faces for kind in rolled))
    )
    found = []
    for shown, n in ways.items():
        text = ", ".join(f"{DICE[kind].name} {order[face]}" for kind, face in shown)
        counts = {face: list(NO_DICE) for face in order}
        for kind, face in shown:
            counts[order[face]][kind] += 1
        feet, brains = tuple(counts[FEET]), tuple(counts[BRAIN])
        found.append((text, n, (feet, brains, sum(counts[SHOTGUN]))))
    return found

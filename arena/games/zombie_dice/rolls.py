"""What a roll can bring, with the dice that are drawn for it from the cup.

Drawing dice and rolling them is one chance event.  Its distribution depends on the
cup, on the dice already in hand and on the bus only, so each is kept for a while.
With all expansions there are too many to keep them all, and thousands of outcomes in
each, which is why a drawn outcome is looked up without listing the others.
"""

from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, product
from math import comb, prod
from typing import NamedTuple

from arena.games.zombie_dice.dice import (
    FATAL,
    FATAL_IN_HELMET,
    ROLLED,
    Counts,
    minus,
    plus,
)
from arena.games.zombie_dice.throws import Group, Thrown, Throws

_KEPT = 4096
"""Rolls whose table is kept; the base game has fewer."""


class _Entry(NamedTuple):
    draws: int
    """Ways to draw the dice."""
    group: Group


class RollTable:
    """All outcomes of a roll with this cup and hand.

    They are ordered from the luckiest to the worst, so that one number of a chance
    stream means similar luck in different positions.
    """

    __slots__ = ("_bounds", "_cup", "_entries", "_hand", "_throws", "_with_bus")

    def __init__(
        self, throws: Throws, cup: Counts, hand: Counts, with_bus: bool
    ) -> None:
        entries = [
            _Entry(draws, group)
            for drawn, draws in _draws(cup, ROLLED - with_bus - sum(hand))
            for group in throws.groups(plus(hand, drawn), with_bus)
        ]
        entries.sort(key=lambda entry: -entry.group.luck)
        self._throws = throws
        self._cup = cup
        self._hand = hand
        self._with_bus = with_bus
        self._entries = entries
        self._bounds = list(accumulate(e.draws * e.group.bounds[-1] for e in entries))

    def outcomes(self) -> Iterator[tuple[str, float]]:
        """Yield (outcome, probability) pairs."""
        total = self._bounds[-1]
        for draws, group in self._entries:
            before = 0
            for text, bound in zip(group.texts, group.bounds, strict=True):
                yield text, draws * (bound - before) / total
                before = bound

    def outcome_at(self, u: float) -> str:
        """Return the outcome at `u` in [0, 1) of the cumulative distribution."""
        way = u * self._bounds[-1]
        i = min(bisect_right(self._bounds, way), len(self._bounds) - 1)
        draws, group = self._entries[i]
        way -= self._bounds[i - 1] if i else 0
        j = bisect_right(group.bounds, way / draws)
        return group.texts[min(j, len(group.texts) - 1)]

    def find(self, text: str) -> Thrown | None:
        """Return the outcome with this text, or None if it can't come about."""
        thrown = self._throws.find(text)
        if thrown is None or sum(thrown.dice) != ROLLED - self._with_bus:
            return None
        drawn = minus(thrown.dice, self._hand)
        left = minus(self._cup, drawn)
        return thrown if min(drawn) >= 0 and min(left) >= 0 else None

    def bust_probability(self, shotguns: int, helmet: bool) -> float:
        """Return the probability of too many shotguns for a seat that has so many."""
        fatal = 0.0
        for text, probability in self.outcomes():
            thrown = self._throws.find(text)
            assert thrown is not None
            limit = FATAL_IN_HELMET if helmet or thrown.helmet else FATAL
            if thrown.sign != "yield" and shotguns + thrown.shotguns >= limit:
                fatal += probability
        return fatal


@lru_cache(maxsize=_KEPT)
def roll_table(throws: Throws, cup: Counts, hand: Counts, with_bus: bool) -> RollTable:
    """Return the table for a roll of `hand` and dice drawn from `cup`.

    Three dice are rolled, or two and the bus.
    """
    return RollTable(throws, cup, hand, with_bus)


def _draws(cup: Counts, size: int) -> Iterator[tuple[Counts, int]]:
    """Yield every hand of `size` dice from the cup, with the number of its ways."""
    for drawn in product(*(range(min(n, size), -1, -1) for n in cup)):
        if sum(drawn) == size:
            yield drawn, prod(map(comb, cup, drawn))

"""All outcomes of a roll, with the dice that are drawn for it from the cup.

Drawing dice and rolling them is one chance event.  Its distribution depends on the
cup, on the dice already in hand and on the bus only, so each is kept for a while.
With all expansions there are too many to keep them all, and thousands of outcomes in
each, which is why a drawn outcome is looked up without listing the others.
"""

from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, pairwise, product
from math import comb, prod
from operator import itemgetter

from arena.games.zombie_dice.dice import (
    FATAL,
    FATAL_IN_HELMET,
    ROLLED,
    Counts,
    minus,
    plus,
)
from arena.games.zombie_dice.throws import Thrown, Throws

_CACHED_TABLES = 4096
"""Rolls whose table is kept; the base game has fewer."""

_MAX_LISTED_OUTCOMES = 256
"""Tables with no more outcomes keep them listed, as all of the base game do."""


class RollTable:
    """All outcomes of a roll with this cup and hand.

    They are ordered from the luckiest to the worst, so that one number of a chance
    stream means similar luck in different positions.
    """

    __slots__ = (
        "_cup",
        "_groups",
        "_hand",
        "_left",
        "_outcomes",
        "_size",
        "_starts",
        "_thrown",
        "_ways",
    )

    def __init__(
        self, throws: Throws, cup: Counts, hand: Counts, with_bus: bool
    ) -> None:
        self._cup = cup
        self._hand = hand
        self._size = ROLLED - with_bus
        self._thrown = throws.thrown
        self._left: dict[Counts, Counts] = {}
        """What is left in the cup, by all dice rolled, where it was asked for."""
        self._outcomes: list[tuple[str, float]] = []
        self._groups = [
            (group.luck, draws, group)
            for drawn, draws in _draws(cup, self._size - sum(hand))
            for group in throws.groups(plus(hand, drawn), with_bus)
        ]
        """Luck, ways to draw the dice, and what they can show, the luckiest first."""
        self._groups.sort(key=itemgetter(0), reverse=True)
        ways = [draws * group.ways for _, draws, group in self._groups]
        *self._starts, self._ways = accumulate(ways, initial=0.0)
        """Ways to all groups before each, and to all of them."""

    def outcomes(self) -> list[tuple[str, float]]:
        """Return the (outcome, probability) pairs, the luckiest first."""
        if self._outcomes:
            return self._outcomes[:]
        found = [
            (text, draws * (up_to - before) / self._ways)
            for _, draws, group in self._groups
            for text, (before, up_to) in zip(
                group.texts, pairwise((0.0, *group.bounds, group.ways)), strict=True
            )
        ]
        if len(found) <= _MAX_LISTED_OUTCOMES:
            self._outcomes = found[:]
        return found

    def outcome_at(self, u: float) -> str:
        """Return the outcome at `u` in [0, 1) of the cumulative distribution."""
        way = u * self._ways
        i = bisect_right(self._starts, way) - 1
        _, draws, group = self._groups[i]
        return group.texts[bisect_right(group.bounds, (way - self._starts[i]) / draws)]

    def find(self, text: str) -> tuple[Thrown, Counts] | None:
        """Return the outcome with this text, and what it leaves in the cup.

        None if it can't come about.
        """
        thrown = self._thrown.get(text)
        if thrown is None:
            return None
        left = self._left.get(thrown.dice)
        if left is None:
            drawn = minus(thrown.dice, self._hand)
            left = minus(self._cup, drawn)
            if sum(thrown.dice) != self._size or min(*drawn, *left) < 0:
                return None
            self._left[thrown.dice] = left
        return thrown, left

    def bust_probability(self, shotguns: int, helmet: bool) -> float:
        """Return the probability of too many shotguns for a seat that has so many."""
        fatal = 0.0
        for text, probability in self.outcomes():
            thrown = self._thrown[text]
            limit = FATAL_IN_HELMET if helmet or thrown.helmet else FATAL
            if thrown.sign != "yield" and shotguns + thrown.shotguns >= limit:
                fatal += probability
        return fatal


@lru_cache(maxsize=_CACHED_TABLES)
def roll_table(throws: Throws, cup: Counts, hand: Counts, with_bus: bool) -> RollTable:
    """Return the table for a roll of `hand` and dice drawn from `cup`.

    Three dice are rolled, or two and the bus.
    """
    return RollTable(throws, cup, hand, with_bus)


def _draws(cup: Counts, size: int) -> Iterator[tuple[Counts, int]]:
    """Yield every hand of `size` dice from the cup, with the number of its ways."""
    for drawn in _hands(tuple([min(n, size) for n in cup]), size):
        yield drawn, prod(map(comb, cup, drawn))


@lru_cache(maxsize=_CACHED_TABLES)
def _hands(most: Counts, size: int) -> tuple[Counts, ...]:
    """Return every hand of `size` dice with no more than `most` of each kind."""
    hands = product(*(range(n, -1, -1) for n in most))
    return tuple([hand for hand in hands if sum(hand) == size])

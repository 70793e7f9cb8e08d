"""All points of a turn of Zombie Mania!, and what it comes to in a fixed way to play.

The seat keeps, rolls and stops so as to get rid of the most tokens in the turn on
average, and a token sent to another seat counts for more.  Now and then it slips:
without that, a game of people or of weaker bots would be misjudged.

Kept dice are given as `pairs`: how many of each icon are kept, none counted beyond two,
and blue and green, which do the same, in descending order.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from operator import add
from typing import Final, NamedTuple

from arena.games.zombie_mania.dice import (
    DICE,
    MOST_TO_GRAVEYARD,
    MOST_TO_SEAT,
    NO_DICE,
    PAIR,
    Counts,
    can_send,
    has_zombie,
    movable,
    rolls,
)

MOVES: Final = (
    *((amount, False) for amount in range(MOST_TO_GRAVEYARD + 1)),
    *((amount, True) for amount in range(1, MOST_TO_SEAT + 1)),
)
"""What a turn can come to: the number of tokens, and whether they may be sent."""

Outlook = Sequence[float]
"""The probability of each of `MOVES`."""

SENT_TOKEN_WORTH: Final = 1.5
"""A token sent counts for so many in the graveyard."""
SLIP_CHANCE: Final = 0.1
"""How often any keep is made instead of the best, or any choice of roll and stop.

Chosen among 0, 0.1, 0.2 and 0.4: between two who plan their turns the variance is
divided by 10 with 0, 7.6 with 0.1 and 5.6 with 0.2; between `rollouts` and
`pair_collector`, who play worse, by 2.4, 2.9 and 3.1.
"""
MOST_WANTED: Final = 4
"""With more tokens a seat plays a turn as if it had so many."""


class Point(NamedTuple):
    """A point of a turn at which the seat may roll or stop."""

    worth: float
    """What the turn is worth to a seat that doesn't slip."""
    deciding: Outlook
    rolling: Outlook
    """Once it has decided to roll; unused where no dice are left."""
    keeping: dict[Counts, Outlook]
    """Once it has rolled, by the dice that are of use."""


class TurnPoints:
    """All points of a turn of a seat that has `tokens` tokens."""

    def __init__(self, tokens: int) -> None:
        self._tokens = tokens
        self._points: dict[tuple[Counts, int], Point] = {}
        self.start: Final = self.at(NO_DICE, DICE)

    def at(self, pairs: Counts, dice: int) -> Point:
        """Return the point with these pairs kept, and so many dice to roll."""
        point = self._points.get((pairs, dice))
        if point is None:
            point = self._points[pairs, dice] = self._work_out(pairs, dice)
        return point

    def _work_out(self, pairs: Counts, dice: int) -> Point:
        stop, stopping = self._gain(pairs), certain(pairs)
        if not dice:
            return Point(stop, stopping, stopping, {})
        roll = 0.0
        rolling = [0.0] * len(MOVES)
        keeping: dict[Counts, Outlook] = {}
        for useful, probability in _throws(pairs, dice):
            if useful is None:
                rolling[0] += probability
                continue
            points = [self.at(*kept) for kept in _keeps(pairs, dice, useful)]
            best = max(points, key=_worth)
            roll += probability * best.worth
            outlook = [(1.0 - SLIP_CHANCE) * p for p in best.deciding]
            for point in points:
                _add(outlook, SLIP_CHANCE / len(points), point.deciding)
            keeping[useful] = outlook
            _add(rolling, probability, outlook)
        to_roll = SLIP_CHANCE / 2 if stop >= roll else 1.0 - SLIP_CHANCE / 2
        deciding = [(1.0 - to_roll) * p for p in stopping]
        _add(deciding, to_roll, rolling)
        return Point(max(stop, roll), deciding, rolling, keeping)

    def _gain(self, pairs: Counts) -> float:
        amount = min(movable(pairs), self._tokens)
        return amount * SENT_TOKEN_WORTH if can_send(pairs) else float(amount)


@cache
def turn_points(tokens: int) -> TurnPoints:
    """Return the turns of a seat with so many tokens; a table worked out once."""
    return TurnPoints(tokens)


def certain(pairs: Counts) -> Outlook:
    """Return the outlook of who stops with these pairs."""
    move = movable(pairs), movable(pairs) > 0 and can_send(pairs)
    return [float(move == other) for other in MOVES]


def useful_pairs(kept: Counts, rolled: Counts) -> tuple[Counts, Counts]:
    """Return kept dice as pairs, and the dice of a throw that can add to them."""
    if kept[0] < kept[1]:
        kept = (kept[1], kept[0], *kept[2:])
        rolled = (rolled[1], rolled[0], *rolled[2:])
    pairs = tuple([min(PAIR, n) for n in kept])
    return pairs, _useful(pairs, rolled)


def _useful(pairs: Counts, rolled: Counts) -> Counts:
    return tuple([min(PAIR - n, m) for n, m in zip(pairs, rolled, strict=True)])


def _worth(point: Point) -> float:
    return point.worth


def _add(total: list[float], weight: float, outlook: Outlook) -> None:
    for i, p in enumerate(outlook):
        if p:
            total[i] += weight * p


@cache
def _throws(pairs: Counts, dice: int) -> list[tuple[Counts | None, float]]:
    """Return the throws, alike ones as one, None for all without zombies."""
    alike: defaultdict[Counts | None, float] = defaultdict(float)
    throws = rolls(dice)
    for text, probability in throws.outcomes:
        rolled = throws.counts[text]
        alike[_useful(pairs, rolled) if has_zombie(rolled) else None] += probability
    return list(alike.items())


@cache
def _keeps(pairs: Counts, dice: int, useful: Counts) -> list[tuple[Counts, int]]:
    """Return the points after the sensible keeps: pairs, and dice left."""
    return list(dict.fromkeys(_kept(pairs, dice, useful)))


def _kept(pairs: Counts, dice: int, useful: Counts) -> Iterator[tuple[Counts, int]]:
    for keep in product(*(range(n + 1) for n in useful)):
        # A zombie must be kept, even if it adds nothing.
        wasted = not has_zombie(keep)
        if not wasted or not has_zombie(useful):
            blue, green, *others = map(add, pairs, keep)
            after = (max(blue, green), min(blue, green), *others)
            yield after, dice - sum(keep) - wasted

"""Races of two seats of Zombie Mania! to be rid of their tokens, turn by turn.

Each turn is the same, but for the tokens left, and has the outlook of
`turn_points`; what may be sent is sent to the other of the two.  Other seats
appear only as a number of rounds, after which one of them ends the game.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

from arena.games.zombie_mania.luck.turn_points import MOST_WANTED, MOVES, turn_points

Payoff = Callable[[int, int], float]
"""What a seat gets at the end, by the tokens that it and the other have left."""
PayoffTable = list[list[float]]
"""The payoffs of the seat to move: by its own tokens, then by the other's."""


def ahead(mine: int, theirs: int) -> float:
    """Return 1 for a place before the other's, 0.5 for the same."""
    return 1.0 if mine < theirs else 0.5 if mine == theirs else 0.0


def lead(mine: int, theirs: int) -> float:
    """Return the lead: the other's tokens less its own."""
    return float(theirs - mine)


def lead_squared(mine: int, theirs: int) -> float:
    """Return the square of the lead."""
    return float((theirs - mine) ** 2)


_OTHERS_PAYOFF: Final[dict[Payoff, tuple[float, float]]] = {
    ahead: (1.0, -1.0),
    lead: (0.0, -1.0),
    lead_squared: (0.0, 1.0),
}
"""The other's payoff is the first number plus the second times the own."""


class Races:
    """The mean payoffs of a race of two seats, in tables worked out once.

    Args:
        tokens: the tokens of each seat at the start.
        payoff: `ahead`, `lead` or `lead_squared`.
    """

    def __init__(self, tokens: int, payoff: Payoff) -> None:
        self.rounds: Final = 3 * tokens + 4
        """More than hardly any game has."""
        self.most: Final = 2 * tokens
        """More tokens than these count as so many."""
        self._payoff = payoff
        self._base, self._sign = _OTHERS_PAYOFF[payoff]
        both = range(self.most + 1)
        self.tables: Final = [[[payoff(x, y) for y in both] for x in both]]
        """By the number of rounds after which somebody else ends the race."""
        for _ in range(self.rounds):
            self.tables.append(self._before(self._before(self.tables[-1])))
        self._mixed: dict[tuple[int, int], PayoffTable] = {}

    def _before(self, after: PayoffTable) -> PayoffTable:
        """Return the payoffs of the seat to move, from those of the other after it."""
        most, base, sign = self.most, self._base, self._sign
        table = []
        for mine in range(most + 1):
            outlook = turn_points(min(max(1, mine), MOST_WANTED)).start.rolling
            row = []
            for theirs in range(most + 1):
                if not mine:
                    row.append(
                        1.0 if self._payoff is ahead else self._payoff(0, theirs)
                    )
                    continue
                value = 0.0
                for (amount, sent), p in zip(MOVES, outlook, strict=True):
                    amount = min(amount, mine)
                    other = min(theirs + amount, most) if sent else theirs
                    value += p * after[other][mine - amount]
                row.append(base + sign * value)
            table.append(row)
        return table

    def of(self, mine: int, theirs: int, third: tuple[int, int] | None) -> float:
        """Return the payoff of the next of two seats to move.

        Args:
            mine: its tokens.
            theirs: the tokens of the other.
            third: the tokens of a seat that may end the race; and 0 if it moves before
                the two, 1 if later.
        """
        most = self.most
        table = self.tables[-1] if third is None else self._against(*third)
        return table[min(mine, most)][min(theirs, most)]

    def _against(self, tokens: int, later: int) -> PayoffTable:
        """Return the table where a third seat may end the race."""
        key = min(tokens, self.most), later
        if key not in self._mixed:
            both = range(self.most + 1)
            mixed = [[0.0] * len(both) for _ in both]
            for turn, p in enumerate(_arrival(key[0], self.rounds - 1)):
                table = self.tables[turn + later]
                for x in both:
                    for y in both:
                        mixed[x][y] += p * table[x][y]
            self._mixed[key] = mixed
        return self._mixed[key]


@cache
def _arrival(tokens: int, most: int) -> list[float]:
    """Return the probabilities that a seat needs 0, 1, 2, … turns to have no tokens.

    What would take more turns than `most` counts as so many.
    """
    if not tokens:
        return [1.0] + [0.0] * most
    arrival = [0.0] * (most + 1)
    has = [0.0] * (tokens + 1)
    has[tokens] = 1.0
    for turn in range(1, most + 1):
        after = [0.0] * (tokens + 1)
        for left in range(1, tokens + 1):
            outlook = turn_points(min(left, MOST_WANTED)).start.rolling
            for (amount, _), p in zip(MOVES, outlook, strict=True):
                after[max(0, left - amount)] += has[left] * p
        arrival[turn] = after[0]
        after[0] = 0.0
        has = after
    arrival[most] += sum_of(has)
    return arrival


def sum_of(numbers: list[float]) -> float:
    """Return the sum in the order of the list: `sum` depends on Python's version."""
    total = 0.0
    for number in numbers:
        total += number
    return total

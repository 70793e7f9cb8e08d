"""The values of all boards of 3 x 3 cells.

Sets of cells are ints with bit i for cell i, row by row, as in the game.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from math import fsum

from arena.games.ox_blocks.setup import has_line

SIZE = 3
_CELLS = SIZE * SIZE
_FULL = (1 << _CELLS) - 1
_MAX_SWEEPS = 60
"""A bound for odd dice: nearly always open, they make the boards change for ever."""
_SETTLED_CHANGE = 1e-5

SLIP_CHANCE = 0.3
"""How often a seat plays just any action instead of its best.

Chosen among 0, 0.05, 0.2, 0.3, 0.4, 0.5 and 0.7 by the luck it finds in games of the
model bots: between `line_counter` and `two_ply` the variance is divided by 13 with 0,
18 with 0.3 and 14 with 0.7; of either against `random` by 2.2, 2.7 and 3.2.
"""


def choice(values: Sequence[float], seat: int) -> float:
    """Return the value to seat 0 where `seat` chooses among `values`, and may slip."""
    best = min(values) if seat else max(values)
    return (1.0 - SLIP_CHANCE) * best + SLIP_CHANCE * (fsum(values) / len(values))


class Boards:
    """The value to seat 0 of every board without a throw, by who throws next."""

    def __init__(
        self, numbers: dict[tuple[int, int], int], values: list[list[float]]
    ) -> None:
        self._numbers = numbers
        self.values = values
        """By seat to throw, then by number of the board."""

    def __call__(self, seat: int, x: int, o: int) -> float:
        return self.values[seat][self._numbers[x, o]]


@cache
def solved(odds: tuple[float, float, float], may_pass: bool) -> Boards:
    """Return the values of all boards, for these odds of X, O and open.

    Value iteration (R. Bellman, "Dynamic Programming", 1957), fullest boards first,
    until no value changes by 1e-5; boards that are alike in a mirror are one.
    """
    numbers, boards = _numbered()
    values = [[0.5] * len(boards) for _ in (0, 1)]
    unfinished = []
    for number, (x, o) in enumerate(boards):
        for symbol, result in ((x, 1.0), (o, 0.0)):
            if has_line(SIZE, symbol):
                values[0][number] = values[1][number] = result
                break
        else:
            if x | o != _FULL:
                unfinished.append((number, x, o))
    unfinished.sort(key=lambda board: -(board[1] | board[2]).bit_count())

    plan = [
        (number, seat, [[numbers[b] for b in z] for z in after(x, o, seat, may_pass)])
        for number, x, o in unfinished
        for seat in (0, 1)
    ]
    x_odds, o_odds, open_odds = odds
    for _ in range(_MAX_SWEEPS):
        change = 0.0
        for number, seat, (with_x, with_o, opened) in plan:
            then = values[1 - seat]
            value = (
                x_odds * choice([then[i] for i in with_x], seat)
                + o_odds * choice([then[i] for i in with_o], seat)
                + open_odds * choice([then[i] for i in opened], seat)
            )
            change = max(change, abs(value - values[seat][number]))
            values[seat][number] = value
        if change < _SETTLED_CHANGE:
            break
    return Boards(numbers, values)


def after(
    x: int, o: int, seat: int, may_pass: bool
) -> tuple[list[tuple[int, int]], list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the boards that `seat` can make once it has thrown X, O or open."""
    free = list(_bits(_FULL & ~(x | o)))
    own, other = (o, x) if seat else (x, o)
    removable = other or own
    opened = [(x & ~bit, o & ~bit) for bit in _bits(removable)]
    if not removable or (may_pass and other):
        opened.append((x, o))
    return [(x | bit, o) for bit in free], [(x, o | bit) for bit in free], opened


def _bits(cells: int) -> Iterator[int]:
    while cells:
        bit = cells & -cells
        yield bit
        cells ^= bit


@cache
def _numbered() -> tuple[dict[tuple[int, int], int], list[tuple[int, int]]]:
    """Return the number of each board, mirror images alike, and one of each number."""
    turned = [[_turn(cells, *how) for cells in range(_FULL + 1)] for how in _TURNS]
    numbers: dict[tuple[int, int], int] = {}
    boards: list[tuple[int, int]] = []
    for x, o in product(range(_FULL + 1), repeat=2):
        if x & o or (x, o) in numbers:
            continue
        for turn in turned:
            numbers[turn[x], turn[o]] = len(boards)
        boards.append((x, o))
    return numbers, boards


_TURNS = tuple(product((False, True), repeat=3))


def _turn(cells: int, flip: bool, mirror: bool, transpose: bool) -> int:
    turned = 0
    for i in range(_CELLS):
        if cells >> i & 1:
            row, column = divmod(i, SIZE)
            row = SIZE - 1 - row if flip else row
            column = SIZE - 1 - column if mirror else column
            row, column = (column, row) if transpose else (row, column)
            turned |= 1 << row * SIZE + column
    return turned

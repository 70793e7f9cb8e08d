"""The axis on which the Elo of a table and their ranges are drawn."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import ceil, floor, log10

from arena.ratings import Row
from arena.reports.tables.precision import is_vague

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_MAX_TICKS = 5


@dataclass(frozen=True, slots=True)
class Axis:
    """A line from `low` to `high`."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def at(self, value: float) -> float:
        """Return the position of a value; 0 or 100 if it is beyond an end."""
        part = (value - self.low) / (self.high - self.low)
        return round(100.0 * min(max(part, 0.0), 1.0), 1)

    @property
    def marks(self) -> list[tuple[float, str]]:
        """The position and the text of each tick."""
        return [(self.at(tick), f"{tick:g}") for tick in self.ticks]


def elo_axis(rows: Iterable[Row]) -> Axis:
    """Return an axis that holds each Elo, and each end of a range that is one.

    Who has forfeited half of its games or more may lie before it begins: so far away
    that there would be no difference to be seen between the others.
    """
    rows = list(rows)
    playing = [row for row in rows if 2 * row.forfeits < row.games]
    values = [value for row in playing or rows for value in _held(row)]
    low, high = (min(values), max(values)) if values else (1000.0, 1000.0)
    room = max(0.04 * (high - low), 10.0)
    low, high = low - room, high + room
    return Axis(low, high, _ticks(low, high))


def _held(row: Row) -> Iterator[float]:
    """Yield the Elo of a row, and those ends of its ranges that are ends."""
    ends = [(row.elo, True)]
    if not is_vague(row):
        ends += [
            (row.elo_low, not row.open_below),
            (row.elo_high, not row.open_above),
            (row.results_low, not row.open_below),
            (row.results_high, not row.open_above),
        ]
    yield from (value for value, is_end in ends if value is not None and is_end)


def _ticks(low: float, high: float) -> tuple[float, ...]:
    unit = 10.0 ** floor(log10((high - low) / _MAX_TICKS))
    step = next(s * unit for s in _STEPS if (high - low) / (s * unit) <= _MAX_TICKS)
    first = ceil(low / step)
    # Adding zero turns -0.0 into 0.0.
    return tuple(i * step + 0.0 for i in range(first, floor(high / step) + 1))

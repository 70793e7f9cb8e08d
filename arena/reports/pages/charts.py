"""Positions in small drawings: all in percent of an axis, to .1."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from arena.ratings import Row
from arena.reports.tables.elo_axis import Axis
from arena.reports.tables.precision import is_vague
from arena.text import computing_time

_MIN_DECADES = 3
"""On an axis of times."""
_BARS_PER_DECADE = 4
"""Of a histogram of times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An Elo on its axis, and how sure it is."""

    at: float
    low: float
    high: float
    beyond: bool
    """True if the Elo lies before the axis begins."""
    is_vague: bool
    """True if there are too few games for a range."""
    open_below: bool
    open_above: bool
    results: tuple[float, float, float] | None
    """The Elo from results alone, and both ends of its range."""


def interval(axis: Axis, row: Row) -> Interval | None:
    """Return the positions of a row's Elo and ranges; None without games."""
    if row.elo is None or row.elo_low is None or row.elo_high is None:
        return None
    results = None
    vague = is_vague(row)
    if row.results_elo is not None and row.results_elo > axis.low:
        assert row.results_low is not None
        assert row.results_high is not None
        results = (
            axis.at(row.results_elo),
            0.0 if vague or row.open_below else axis.at(row.results_low),
            100.0 if vague or row.open_above else axis.at(row.results_high),
        )
    return Interval(
        at=axis.at(row.elo),
        low=0.0 if vague or row.open_below else axis.at(row.elo_low),
        high=100.0 if vague or row.open_above else axis.at(row.elo_high),
        beyond=row.elo < axis.low,
        is_vague=vague,
        open_below=row.open_below and not vague,
        open_above=row.open_above and not vague,
        results=results,
    )


@dataclass(frozen=True, slots=True)
class TimeAxis:
    """Seconds by size, from one power of ten to another."""

    first: int
    last: int

    def at(self, seconds: float) -> float:
        """Return the position of a time; 0 or 100 if it is beyond an end."""
        part = (log10(max(seconds, 1e-9)) - self.first) / (self.last - self.first)
        return round(100.0 * min(max(part, 0.0), 1.0), 1)

    @property
    def marks(self) -> list[tuple[float, str]]:
        """The position and the text of each power of ten."""
        powers = range(self.first, self.last + 1)
        return [(self.at(10.0**power), computing_time(10.0**power)) for power in powers]

    @property
    def count(self) -> int:
        """Number of bars in a histogram."""
        return _BARS_PER_DECADE * (self.last - self.first)

    def bars(self, counts: Iterable[tuple[float, int]]) -> list[float]:
        """Return heights, 0 to 1, from pairs of seconds and how many took them."""
        bars = [0] * self.count
        for seconds, count in counts:
            bar = (log10(max(seconds, 1e-9)) - self.first) * _BARS_PER_DECADE
            # A bucket's upper end that is a bar's own belongs to that bar.
            bars[min(max(ceil(bar - 1e-9) - 1, 0), len(bars) - 1)] += count
        highest = max(bars, default=0) or 1
        return [height / highest for height in bars]


def time_axis(times: Iterable[float]) -> TimeAxis:
    """Return an axis that holds these seconds."""
    known = [max(seconds, 1e-6) for seconds in times]
    low, high = (min(known), max(known)) if known else (1e-3, 1.0)
    last = ceil(log10(high))
    return TimeAxis(min(floor(log10(low)), last - _MIN_DECADES), last)


def histogram(heights: Sequence[float]) -> str:
    """Return the path of bars, each 1 wide and up to 1 high, from the left."""
    parts = []
    for i, height in enumerate(heights):
        if height:
            # What is rare is there all the same.
            parts.append(f"M{i + 0.08:.2f} 1V{1 - max(height, 0.04):.2f}h.84V1z")
    return "".join(parts)

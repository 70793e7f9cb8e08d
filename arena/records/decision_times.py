"""How long decisions took: counted by size, so that they can be added up.

A bucket is 2**(1/8) wide, so a quantile is right to 4.5 %; the slowest decision is
kept as it was.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import ceil, exp2, log2

from arena.records.record import DecisionTimes

_PER_OCTAVE = 8
_SHORTEST = 1e-6
"""Seconds; whatever is shorter counts as this."""


@lru_cache(maxsize=8)
def _bucket(seconds: float) -> int:
    """Return where a time counts; replies that come together have the same one."""
    if seconds <= _SHORTEST:
        return 0
    return int(log2(seconds / _SHORTEST) * _PER_OCTAVE)


class Times:
    """The decisions of one bot, of as many games as are added."""

    __slots__ = ("_counts", "pondered", "slowest")

    def __init__(self, added: Iterable[DecisionTimes] = ()) -> None:
        self._counts: dict[int, int] = {}
        self.slowest = 0.0
        """Seconds of the slowest decision."""
        self.pondered = 0.0
        """CPU seconds used while others decided."""
        for times in added:
            self.add(times)

    @property
    def decisions(self) -> int:
        """How many there are."""
        return sum(self._counts.values())

    def count(self, seconds: float) -> None:
        """Add one decision."""
        if seconds > self.slowest:
            self.slowest = seconds
        bucket = _bucket(seconds)
        self._counts[bucket] = self._counts.get(bucket, 0) + 1

    def add(self, times: DecisionTimes) -> None:
        """Add the decisions of a game."""
        self.slowest = max(self.slowest, times.slowest)
        self.pondered += times.pondered
        for bucket, count in times.counts:
            self._counts[bucket] = self._counts.get(bucket, 0) + count

    def quantile(self, part: float) -> float:
        """Return the seconds within which this part of the decisions, 0 to 1, was made.

        Raises:
            ValueError: there are none.
        """
        rank = ceil(part * self.decisions)
        for bucket, count in sorted(self._counts.items()):
            rank -= count
            if rank <= 0:
                middle = _SHORTEST * exp2((bucket + 0.5) / _PER_OCTAVE)
                return min(middle, self.slowest)
        raise ValueError("no decisions, no quantiles")

    def histogram(self) -> Iterator[tuple[float, int]]:
        """Yield how many decisions took up to so many seconds, in ascending order."""
        for bucket, count in sorted(self._counts.items()):
            yield _SHORTEST * exp2((bucket + 1) / _PER_OCTAVE), count

    def total(self) -> DecisionTimes:
        """Return what has been added up, fit for a record."""
        return DecisionTimes(
            round(self.slowest, 6),
            tuple(sorted(self._counts.items())),
            round(self.pondered, 6),
        )

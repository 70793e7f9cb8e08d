"""Times of decisions, counted in buckets, so that games can be added up.

Each bucket ends at 2**(1/8) times the end of the one before, so a quantile is right to
4.5 %; the slowest decision is kept as it was.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import ceil, exp2, log2
from typing import Annotated

import msgspec

_BUCKETS_PER_OCTAVE = 8
_SHORTEST_S = 1e-6
"""Whatever is shorter counts as this."""
_BUCKETS = 512
"""More than the longest time needs."""
_Bucket = Annotated[int, msgspec.Meta(ge=0, lt=_BUCKETS)]
_Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
_Seconds = Annotated[float, msgspec.Meta(ge=0.0, le=1e9)]


class DecisionTimes(msgspec.Struct, frozen=True, array_like=True):
    """Times of one seat's decisions in one game, in charged seconds."""

    slowest: _Seconds = 0.0
    counts: Annotated[
        tuple[tuple[_Bucket, _Count], ...], msgspec.Meta(max_length=_BUCKETS)
    ] = ()
    """Pairs of bucket and number of decisions in it, in ascending order."""
    pondered: _Seconds = 0.0
    """CPU seconds used before its requests came, while others decided."""
    charged: _Seconds = 0.0
    """Charged seconds of all decisions and of the beginning of the game: CPU time and
    what was slept.  These three are 0 in records of before they were kept."""
    slept: _Seconds = 0.0
    """Charged seconds in which it slept."""
    wall: _Seconds = 0.0
    """Seconds that these took by the clock on the wall."""
    repeated: _Count = 0
    """Requests that were asked again, as it was unclear why they had no answer."""


@lru_cache(maxsize=8)
def _bucket(seconds: float) -> int:
    """Return the bucket of a time; replies that come together share their time."""
    if seconds <= _SHORTEST_S:
        return 0
    return int(log2(seconds / _SHORTEST_S) * _BUCKETS_PER_OCTAVE)


class TimesCounter:
    """Adds up the decisions of one bot over any number of games."""

    __slots__ = (
        "_counts",
        "charged",
        "pondered",
        "repeated",
        "slept",
        "slowest",
        "wall",
    )

    def __init__(self, added: Iterable[DecisionTimes] = ()) -> None:
        self._counts: dict[int, int] = {}
        self.slowest = 0.0
        """Seconds of the slowest decision."""
        self.pondered = 0.0
        """CPU seconds used while others decided."""
        self.charged = 0.0
        """Charged seconds, beginnings of games included: CPU time and sleep."""
        self.slept = 0.0
        self.wall = 0.0
        self.repeated = 0
        for times in added:
            self.add(times)

    @property
    def decisions(self) -> int:
        """Number of decisions."""
        return sum(self._counts.values())

    def count(self, seconds: float, slept: float = 0.0, wall: float = 0.0) -> None:
        """Add one decision: charged seconds, those slept of them, and wall seconds."""
        self.charged += seconds
        self.slept += slept
        self.wall += wall
        if seconds > self.slowest:
            self.slowest = seconds
        bucket = _bucket(seconds)
        self._counts[bucket] = self._counts.get(bucket, 0) + 1

    def add(self, times: DecisionTimes) -> None:
        """Add the decisions of a game."""
        self.slowest = max(self.slowest, times.slowest)
        self.pondered += times.pondered
        self.charged += times.charged
        self.slept += times.slept
        self.wall += times.wall
        self.repeated += times.repeated
        for bucket, count in times.counts:
            self._counts[bucket] = self._counts.get(bucket, 0) + count

    def quantile(self, part: float) -> float:
        """Return the seconds within which a fraction `part` of the decisions was made.

        Raises:
            ValueError: there are none.
        """
        rank = ceil(part * self.decisions)
        for bucket, count in sorted(self._counts.items()):
            rank -= count
            if rank <= 0:
                middle = _SHORTEST_S * exp2((bucket + 0.5) / _BUCKETS_PER_OCTAVE)
                return min(middle, self.slowest)
        raise ValueError("no decisions, no quantiles")

    def histogram(self) -> Iterator[tuple[float, int]]:
        """Yield pairs (upper end of a bucket in seconds, decisions), ascending."""
        for bucket, count in sorted(self._counts.items()):
            yield _SHORTEST_S * exp2((bucket + 1) / _BUCKETS_PER_OCTAVE), count

    def total(self) -> DecisionTimes:
        """Return the sums as they are kept in a record."""
        return DecisionTimes(
            round(self.slowest, 6),
            tuple(sorted(self._counts.items())),
            round(self.pondered, 6),
            round(self.charged, 6),
            round(self.slept, 6),
            round(self.wall, 6),
            self.repeated,
        )

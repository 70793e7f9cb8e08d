"""The time that a seat may use, and that a contestant has used."""

import sys
import time
from contextlib import suppress

from arena.records.decision_times import TimesCounter
from arena.referee.work_unit import Limits

_WALL_FACTOR = 2.0
_WALL_GRACE_S = 1.0


def charged(cpu: float, wall: float) -> float:
    """Return the seconds that a request is charged for.

    They are its CPU time, so that other work on the machine costs nothing.  So that a
    bot can't sleep forever, wall time counts too: half of it, after the first second.
    """
    return max(cpu, (wall - _WALL_GRACE_S) / _WALL_FACTOR)


def until_charged(allowance: float, cpu: float, wall: float) -> float:
    """Return the seconds after which `allowance` may be charged at the earliest."""
    return min(allowance - cpu, _WALL_FACTOR * allowance + _WALL_GRACE_S - wall)


class SeatClock:
    """One seat's time in one game: a move limit and a bank behind it."""

    __slots__ = ("_margin", "_move", "bank", "times", "used")

    def __init__(self, limits: Limits) -> None:
        self._move = limits.move
        self._margin = limits.margin
        self.bank = limits.bank
        self.used = 0.0
        self.times = TimesCounter()

    def time_left(self) -> float:
        """Return the seconds that the coming decision may take."""
        return self._move + self.bank

    def allowance(self) -> float:
        """Return the seconds after which the coming decision is late for sure."""
        return self._move + self.bank + self._margin

    def charge(self, seconds: float) -> bool:
        """Charge a decision; return False if it took more than the bank had."""
        self.used += seconds
        self.times.count(seconds)
        late = seconds - self._move - self._margin
        if late > 0.0:
            self.bank -= late
        return self.bank >= 0.0

    def ponder(self, seconds: float) -> None:
        """Note CPU time that was used before a request came, while others decided."""
        self.times.pondered += seconds


class ProcessClock:
    """The CPU time of another process as the kernel counts it.

    All its threads count, its children don't.  On other systems than Linux wall time
    is used instead.
    """

    def __init__(self, pid: int) -> None:
        self._last = 0.0
        self._id = (~pid << 3) | 2 if sys.platform == "linux" else None

    def now(self) -> float:
        """Return the seconds used so far; once the process is gone, the last count."""
        if self._id is None:
            return time.monotonic()
        with suppress(OSError):
            self._last = time.clock_gettime(self._id)
        return self._last

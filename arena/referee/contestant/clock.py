"""The time that a seat may use, and that a contestant has used."""

import sys
import time
from contextlib import suppress
from typing import NamedTuple

from arena.records.decision_times import TimesCounter
from arena.referee.work_unit import Limits

_MAX_REPEATS = 2
"""So often in a game a seat is asked again where it is unclear why that failed."""
_REPLAY_FACTOR = 1.5
_REPLAY_GRACE_S = 0.25


class Spent(NamedTuple):
    """The seconds that a request has taken."""

    cpu: float = 0.0
    slept: float = 0.0
    """Of its own will."""
    wall: float = 0.0
    unclear: float = 0.0
    """Perhaps slept."""

    @property
    def charged(self) -> float:
        """Seconds that count against the limits.

        That is CPU time and sleep.  Time in which it could run and others did is free,
        so a busy machine costs nobody anything.
        """
        return self.cpu + self.slept

    def with_unclear(self, free: float = 0.0) -> "Spent":
        """Return the same with what is unclear beyond `free` seconds taken as sleep."""
        left = min(self.unclear, free)
        return self._replace(slept=self.slept + self.unclear - left, unclear=left)

    def divided(self, replies: int) -> "Spent":
        """Return the share of each of several replies that came together."""
        if replies == 1:
            return self
        return Spent(*[seconds / replies for seconds in self])


class SeatClock:
    """One seat's time in one game: a move limit, a bank behind it, a limit in all."""

    __slots__ = (
        "_answered",
        "_decided",
        "_left",
        "_margin",
        "_move",
        "_replay_left",
        "_total",
        "_unclear_left",
        "bank",
        "is_game_limited",
        "times",
        "used",
    )

    def __init__(self, limits: Limits) -> None:
        self._move = limits.move
        self._margin = limits.margin
        self._total = limits.game_seconds
        self._answered = 0.0
        """Charged seconds of all requests that it has answered."""
        self._decided = 0.0
        """Of these, the seconds of decisions."""
        self._replay_left = 0.0
        """Seconds in which a new process may come to where the old one was."""
        self._unclear_left = _MAX_REPEATS * (limits.move + limits.bank)
        """Seconds of unclear time that decisions in time may take without charge."""
        self.bank = limits.bank
        self.used = 0.0
        """Charged seconds, those of requests that were asked again among them."""
        self.times = TimesCounter()
        """Of the decisions."""

        self._left = 0.0
        self.is_game_limited = False
        """True if the limit of the game leaves less than the others do."""
        self._renew()

    def _renew(self) -> None:
        """Work out what is left for the coming decision."""
        by_decision = self._move + self.bank
        by_game = self._total - self._decided
        self.is_game_limited = by_game < by_decision
        self._left = by_game if self.is_game_limited else by_decision

    def time_left(self) -> float:
        """Return the seconds that the coming decision may take."""
        return max(0.0, self._left)

    def allowance(self) -> float:
        """Return the seconds after which the coming decision is late for sure."""
        return self._left + self._margin

    def note(self, spent: Spent) -> None:
        """Note the time for beginning or ending a game; it has limits of its own."""
        self._answered += spent.charged
        self.times.charged += spent.charged
        self.times.slept += spent.slept
        self.times.wall += spent.wall

    def weigh(self, spent: Spent) -> Spent:
        """Return what a decision has taken, of what is unclear only what is free.

        It is free for as long as two decisions may take together, then it is sleep:
        else whoever makes it unclear could sleep in each decision.
        """
        weighed = spent.with_unclear(self._unclear_left)
        self._unclear_left -= weighed.unclear
        return weighed

    def charge(self, spent: Spent) -> float:
        """Charge a decision; return the seconds by which it was late, or 0."""
        seconds = spent.cpu + spent.slept
        over = seconds - self._left - self._margin
        self._answered += seconds
        self._decided += seconds
        self.used += seconds
        self.times.count(seconds, spent.slept, spent.wall)
        late = seconds - self._move - self._margin
        if late > 0.0:
            self.bank -= late
        self._renew()
        return over if over > 0.0 else max(0.0, -self.bank)

    def repeat(self, spent: Spent) -> bool:
        """Count a request that is asked again; return False if none may be any more."""
        if self.times.repeated == _MAX_REPEATS:
            return False
        self.used += spent.charged
        self.times.repeated += 1
        return True

    def begin_replay(self) -> None:
        """Begin to ask a new process for all that was answered before.

        This may take somewhat longer than it did; what it takes beyond that comes from
        the bank, so that nobody gains time by it.
        """
        self._replay_left = _REPLAY_FACTOR * self._answered + _REPLAY_GRACE_S

    def replay_allowance(self) -> float:
        """Return the seconds after which the coming replayed answer is late."""
        return self._replay_left + self.bank + self._margin

    def replay(self, spent: Spent) -> None:
        """Charge a request that was answered before."""
        self._replay_left -= spent.charged
        if self._replay_left < 0.0:
            self.used -= self._replay_left
            self.bank += self._replay_left
            self._replay_left = 0.0
            self._renew()

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
        self.is_of_wall = self._id is None
        """True if it goes on while the process waits."""

    def now(self) -> float:
        """Return the seconds used so far; once the process is gone, the last count."""
        if self._id is None:
            return time.monotonic()
        with suppress(OSError):
            self._last = time.clock_gettime(self._id)
        return self._last

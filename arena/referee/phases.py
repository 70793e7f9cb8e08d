"""The phases in which a unit is played: no process lives in two of them.

All seatings of a fixture have the same luck, so no two are played in one phase: a bot
that kept what it has seen would know what comes.  It would be of no use to end only
the processes of those who sit there, as any other could remember for them.

A phase takes new fixtures for a while; the next ones take their other seatings.  So
an interruption costs little more than what is played in such a while.
"""

import time
from collections.abc import Iterator

from arena.referee.work_unit import Restart, WorkUnit

_NEW_FIXTURES_S = 5.0
"""Seconds for which a phase begins new fixtures,"""
_PER_START_S = 4.0
"""or this many for each second in which bots were loaded, if that is more."""


class Phases:
    """Chooses the games of each phase, in the order of the unit."""

    def __init__(self, unit: WorkUnit) -> None:
        """Begin with all games of a unit."""
        self._restart = unit.restart
        self._left: dict[str, list[int]] = {}
        """By what shares its luck: the games that are to be opened, by index."""
        self._begun: dict[str, None] = {}
        """Fixtures of which a phase before has played a game, and some are left."""
        self._fixtures = [
            # Where processes go on, each seating has luck of its own.
            task.game_id if unit.restart is Restart.LEAGUE else task.fixture_id
            for task in unit.games
        ]
        for index, fixture in enumerate(self._fixtures):
            self._left.setdefault(fixture, []).append(index)
        self._seats = [task.seats for task in unit.games]
        self._coming: Iterator[str] = iter(())
        self._out: set[int] = set()
        self._opened = 0
        self._is_new = True
        self._begin_s = 0.0
        self._loading_s = 0.0

    def begin(self) -> bool:
        """Begin the next phase; return False if no games are left."""
        self._is_new = not self._begun
        self._coming = iter(list(self._left if self._is_new else self._begun))
        self._out.clear()
        self._opened = 0
        self._begin_s = time.monotonic()
        self._loading_s = 0.0
        return bool(self._left)

    @property
    def is_new(self) -> bool:
        """True if this phase begins fixtures, and does not go on with others."""
        return self._is_new

    def next(self) -> int | None:
        """Return the next game that may be opened, by index; None if there is none."""
        if self._is_full():
            return None
        for fixture in self._coming:
            games = self._left[fixture]
            if self._out.isdisjoint(self._seats[games[0]]):
                self._opened += 1
                return self._take(fixture)
        return None

    def _is_full(self) -> bool:
        if self._restart is Restart.GAME:
            return self._opened == 1
        if self._restart is Restart.LEAGUE or not (self._is_new and self._opened):
            return False
        seconds = max(_NEW_FIXTURES_S, _PER_START_S * self._loading_s)
        return time.monotonic() - self._begin_s > seconds

    def _take(self, fixture: str) -> int:
        games = self._left[fixture]
        game = games.pop(0)
        if games:
            self._begun[fixture] = None
        else:
            del self._left[fixture]
            self._begun.pop(fixture, None)
        return game

    def note_loading(self, seconds: float) -> None:
        """Note how long it took to load a bot, for the first time in this phase."""
        self._loading_s += seconds

    def leave_out(self, entry: int) -> None:
        """Open no more games of an entry in this phase."""
        self._out.add(entry)

    def give_back(self, game: int) -> None:
        """Put a game that was opened in this phase back, for a later one."""
        fixture = self._fixtures[game]
        self._left.setdefault(fixture, []).insert(0, game)
        if self._is_new:
            self._begun.pop(fixture, None)
        else:
            self._begun[fixture] = None

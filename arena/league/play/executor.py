"""The base of whatever plays work units, and what it tells the instructor."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Protocol

import trio

from arena.errors import LeagueError
from arena.league.play.referee_process import Deliver
from arena.referee.work_unit import GameTask, WorkUnit

_MAX_TRIES = 3
"""How many referees may die at one unit; then the league ends."""
_STALL_S = 30.0
"""Without the end of a game, until the instructor is told."""


class Work(Protocol):
    """The units that are to be played."""

    def next(self) -> WorkUnit | None:
        """Take a unit; None if there is nothing to do now.

        After a delivery there may be more for whoever has made it.
        """

    def give_back(self, unit: WorkUnit, left: Sequence[GameTask]) -> None:
        """Give back the games of a unit that were not played: its match was stopped."""


class StallWatch:
    """Tells the instructor when no game has ended for a while, and why."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        """Prepare it; `tell` is given a sentence."""
        self.situations: dict[int, str] = {}
        """What each referee plays and waits for, by its number."""
        self._tell = tell
        self._last_end = 0.0

    def end(self) -> None:
        """Note that a game has ended."""
        self._last_end = trio.current_time()

    async def watch(self) -> None:
        """Tell when no game has ended for a while, and ever more seldom after that."""
        self.end()
        patience = _STALL_S
        while True:
            silence = trio.current_time() - self._last_end
            if silence < _STALL_S:
                patience = _STALL_S
            if silence < patience:
                await trio.sleep(min(patience - silence, _STALL_S))
                continue
            waits = "; ".join(self.situations[n] for n in sorted(self.situations))
            self._tell(
                f"no game has ended for {silence:.0f} s: {waits or 'no referee'}"
            )
            patience *= 2


class Executor(ABC):
    """Plays work units, here or elsewhere."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        """Prepare it; `tell` is given sentences for the instructor."""
        self.lost = 0
        """Referees that died."""
        self.void = 0
        """Games that were void because of that, and played again."""
        self._stall_watch = StallWatch(tell)

    @abstractmethod
    async def play(self, work: Work, deliver: Deliver) -> None:
        """Play all units and deliver every game, those of a fixture together.

        In any order; only a match that is stopped leaves a part of a fixture.

        Raises:
            LeagueError: the machine can't play on.
        """

    def _note_loss(
        self, unit: WorkUnit, left: Sequence[GameTask], times: int, why: str
    ) -> None:
        """Note that a referee has died, for the `times`-th time at a unit.

        Raises:
            LeagueError: too many have died at it.
        """
        self.lost += 1
        self.void += len(left)
        if times == _MAX_TRIES:
            raise LeagueError(
                f"the referee failed {times} times at {players(unit)}: {why}; what was "
                "played is recorded"
            )


def players(unit: WorkUnit) -> str:
    """Return the label of a unit and who plays it, for messages."""
    return f"{unit.label}, {' against '.join(entry.called for entry in unit.entries)}"

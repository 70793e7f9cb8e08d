"""The work of a run: units of games, in the order in which they are to be played."""

from collections import deque
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from arena.referee.record import GameTask, MatchTask


class Queue:
    """Units that nobody has taken yet."""

    def __init__(self, units: Iterable[MatchTask]) -> None:
        self._units = deque(units)

    def next(self) -> MatchTask | None:
        """Take the next unit; None if there is nothing to do now.

        There may be again, for whoever still plays and asks after that.
        """
        return self._units.popleft() if self._units else None

    def give_back(self, unit: MatchTask, left: Sequence[GameTask]) -> None:
        """Put what is left of a unit that was broken off behind all others."""
        self._units.append(replace(unit, games=tuple(left)))

"""Whole fixtures: what is known of a part of one says nothing about the rest."""

from collections import Counter
from collections.abc import Iterable, Sequence

from arena.records.game_record import GameRecord
from arena.referee.work_unit import GameTask


class Fixtures:
    """The games of a unit that are over, held back until their fixture is.

    So if a referee dies, or the league is interrupted, no part of a fixture has been
    recorded, and it is played again whole.
    """

    def __init__(self, games: Sequence[GameTask]) -> None:
        """Take the games of the unit."""
        self._missing = Counter(game.fixture_id for game in games)
        self._held: dict[str, list[GameRecord]] = {}

    def whole(self, records: Iterable[GameRecord]) -> list[GameRecord]:
        """Take games in; return those of all fixtures that are whole by now."""
        found = []
        for record in records:
            fixture = record.fixture_id
            self._held.setdefault(fixture, []).append(record)
            self._missing[fixture] -= 1
            if not self._missing[fixture]:
                found += self._held.pop(fixture)
        return found

    def parts(self) -> list[GameRecord]:
        """Return the games of fixtures whose other games will not be played."""
        return [record for records in self._held.values() for record in records]

"""The game that the live page shows: of the newest ones that between the best bots."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from arena.league.results.store import Store
from arena.records.game_record import GameRecord, Termination
from arena.reports.replay.packs import pack_of

_NEWEST_BATCHES = 8
_MOST_DECISIONS = 400
"""Longer games take too long to watch."""


@dataclass(frozen=True, slots=True)
class WatchedGame:
    """A game to watch, and its replay."""

    game_id: str
    title: str
    pack: str


@dataclass(slots=True)
class GamePicker:
    """Picks a game at a time, and of the labels each in turn."""

    _shown: Counter[str] = field(default_factory=Counter)
    """How often a game of each label was picked."""

    def pick(
        self, store: Store, names: Mapping[str, str], ranks: Mapping[str, int]
    ) -> WatchedGame | None:
        """Return the game to watch now; None if there is none.

        `names` are those of all entries by id, `ranks` are by name.
        """
        found = [
            record
            for record in store.newest(_NEWEST_BATCHES)
            if record.termination == Termination.NATURAL
            and not record.faults
            and record.decisions <= _MOST_DECISIONS
            and names.keys() >= {*record.seats}
        ]

        def key(record: GameRecord) -> tuple[int, float, str]:
            places = [ranks.get(names[x], len(names)) for x in record.seats]
            mean = sum(places) / len(places)
            return self._shown[record.label], mean, record.game_id

        labels = {label.label: label for label in store.info().labels}
        for record in sorted(found, key=key):
            label = labels.get(record.label)
            if label is None or not store.is_planned(record.game_id):
                continue
            pack = pack_of(store, names, record.game_id, "")
            self._shown[record.label] += 1
            return WatchedGame(record.game_id, label.title, pack)
        return None

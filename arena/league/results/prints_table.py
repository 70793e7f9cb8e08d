"""The table `prints` of a league's file: what bots have printed in games.

It is no part of any result: what is in it is bounded, and nothing else depends on it.
"""

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import replace

from arena.league.results.database import Database, check_room, explained
from arena.records.batch import Batch
from arena.records.game_record import MAX_SEATS
from arena.records.prints import Printed, Seat, unpacked
from arena.text import printable

MAX_PRINTS_BYTES = 2**18
"""Kept of what an entry prints in a label's games, packed; later games keep nothing."""


class PrintsTable:
    """What bots have printed in the games of a league."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._sizes: Counter[tuple[str, str]] | None = None
        """Bytes kept of what was printed, by label and entry, once that is known."""

    def add(self, batches: Iterable[Batch]) -> None:
        """Record what was printed in games that are recorded, as far as it is kept.

        Raises:
            RecordError: that is not possible; nothing has been changed.
        """
        check_room(self._db.path)
        with self._db.transaction():
            if self._sizes is None:
                rows = self._db.rows(
                    "SELECT label, entry, sum(length(texts)) FROM prints "
                    "GROUP BY label, entry",
                    tuple[str, str, int],
                )
                self._sizes = Counter({tuple(key): size for *key, size in rows})
            for batch in batches:
                for x in batch.prints:
                    key = batch.label, x.entry
                    if self._sizes[key] + len(x.texts) > MAX_PRINTS_BYTES:
                        continue
                    self._sizes[key] += len(x.texts)
                    self._db.connection.execute(
                        "INSERT OR IGNORE INTO prints VALUES (?, ?, ?, ?, ?)",
                        (batch.game_ids[x.index], x.seat, *key, x.texts),
                    )

    def of(self, game_id: str) -> tuple[Printed, ...]:
        """Return what was printed in a game, decision by decision.

        It is printable.  Empty if nothing was printed, or none of it was kept.
        """
        if not self._db.has_table("prints"):
            return ()
        with explained(self._db.path):
            rows = self._db.rows(
                "SELECT seat, texts FROM prints WHERE game_id = ? "
                "ORDER BY seat LIMIT ?",
                tuple[Seat, bytes],
                game_id,
                MAX_SEATS,
            )
            found = [x for seat, texts in rows for x in unpacked(seat, texts)]
        found.sort(key=lambda x: (x.step, x.seat))
        return tuple(replace(x, text=printable(x.text)) for x in found)

    def forget(self) -> None:
        """Forget what was printed in games that count no more."""
        with self._db.transaction():
            self._db.connection.execute(
                "DELETE FROM prints WHERE game_id NOT IN (SELECT game_id FROM plan)"
            )
        self._sizes = None

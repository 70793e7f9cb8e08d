"""The table `luck` of a league's file: what luck was worth in games.

It is a cache that can be worked out again from the games.  For each game it holds the
numbers of the latest value only.
"""

import sqlite3
import struct
from collections.abc import Iterable, Iterator, Mapping
from math import isfinite

import msgspec

from arena.league.results.database import Database, explained
from arena.records.game_record import Id

_GameToLookUp = tuple[int, int, Id, int, str]


class LabelValue(msgspec.Struct, frozen=True, kw_only=True):
    """The value that the luck of a label's games was worked out with, or why none."""

    label: str
    game: str = ""
    version: str = ""
    digest: str = ""
    reason: str = ""
    """Why there is no luck of this label, as the end of a sentence; empty if there
    is."""

    @property
    def id(self) -> str:
        """The value with all that its numbers depend on."""
        return f"{self.game} {self.version} {self.digest}"


class LuckTask(msgspec.Struct, frozen=True):
    """Games of a batch whose luck is not known yet, in the order of the plan."""

    label: str
    positions: tuple[int, ...]
    """In the plan, from 0."""
    game_ids: tuple[str, ...]
    places: tuple[int, ...]
    """In the batch."""
    histories: bytes
    """Of the whole batch, for `read_histories`."""


_LABEL_VALUES = msgspec.json.Decoder(tuple[LabelValue, ...])


class LuckTable:
    """What luck was worth in the games of a league."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def begin_plan(self) -> None:
        """Note, in a transaction, that luck is not known of all games of a new plan."""
        # It may be about other games than those of this plan.
        execute = self._db.connection.execute
        execute("DELETE FROM meta WHERE key = 'luck before'")
        execute("UPDATE meta SET key = 'luck before' WHERE key = 'luck'")

    def values(self, *, earlier: bool = False) -> tuple[LabelValue, ...]:
        """Return the values that luck was worked out with, in the order of the labels.

        Empty after `begin`, until the luck of all games is known; with `earlier` they
        are as they were before the last `begin`.
        """
        text = self._db.meta("luck before" if earlier else "luck")
        with explained(self._db.path):
            return () if text is None else _LABEL_VALUES.decode(text)

    def set_values(self, values: Iterable[LabelValue]) -> None:
        """Note that luck is worked out, and with which values."""
        with self._db.transaction():
            self._db.set_meta("luck", msgspec.json.encode(tuple(values)).decode())

    def count_missing(self, values: Mapping[str, str]) -> int:
        """Return the number of games that `missing` yields."""
        if not values:
            return 0
        tables, terms = _missing(values)
        (number,) = self._db.first(f"SELECT count(*) FROM {tables}", *terms)
        return int(number)

    def missing(self, values: Mapping[str, str], at_once: int) -> Iterator[LuckTask]:
        """Yield the games of the plan whose luck is not known, batch by batch.

        So many games `at_once` are looked up together; their batches come in the order
        of the first game of each.  `values` has the id of the value by label; games of
        other labels are left out.  Luck may be added meanwhile: no game comes twice.
        """
        if not values:
            return
        tables, terms = _missing(values)
        last = -1
        while True:
            batches: dict[int, list[tuple[int, str, int, str]]] = {}
            with explained(self._db.path):
                rows = self._db.rows(
                    "SELECT batch, position, games.game_id, place, label "
                    f"FROM {tables} AND position > ? ORDER BY position LIMIT ?",
                    _GameToLookUp,
                    *terms,
                    last,
                    at_once,
                )
                for batch, *game in rows:
                    batches.setdefault(batch, []).append(tuple(game))
                    last = game[0]
            if not batches:
                return
            for batch, games in batches.items():
                query = "SELECT CAST(histories AS BLOB) FROM batches WHERE number = ?"
                (histories,) = self._db.first(query, batch)
                positions, ids, places, labels = zip(*games, strict=True)
                yield LuckTask(labels[0], positions, ids, places, histories)

    def add(self, value: str, luck: Iterable[tuple[str, tuple[float, ...]]]) -> None:
        """Record the luck of games by a value: game id, and luck of each pair."""
        with self._db.transaction():
            self._db.connection.executemany(
                "INSERT OR REPLACE INTO luck VALUES (?, ?, ?)",
                (
                    (game_id, value, struct.pack(f"<{len(pairs)}d", *pairs))
                    for game_id, pairs in luck
                ),
            )


def _missing(values: Mapping[str, str]) -> tuple[str, list[str]]:
    """Return SQL for games whose luck is not known, and the parameters to bind."""
    chosen = f"CASE label {'WHEN ? THEN ? ' * len(values)}END"
    terms = [word for pair in values.items() for word in pair]
    tables = (
        "plan JOIN games USING (game_id) JOIN batches ON number = batch "
        "LEFT JOIN luck ON "
        f"luck.game_id = games.game_id AND luck.value = {chosen} "
        f"WHERE luck.game_id IS NULL AND {chosen} IS NOT NULL"
    )
    return tables, terms * 2


def unpack_luck(pairs: object, players: int) -> tuple[float, ...]:
    """Return the luck of a game by pair of seats, as it is stored.

    Raises:
        DatabaseError: it is none.
    """
    if isinstance(pairs, bytes):
        luck = struct.unpack(f"<{players * (players - 1) // 2}d", pairs)
        if all(map(isfinite, luck)):
            return luck
    raise sqlite3.DatabaseError("luck is malformed")

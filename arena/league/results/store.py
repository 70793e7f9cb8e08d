"""`league.sqlite`: the games that were played, the only truth of a results folder.

Games are stored in batches, as their referees have packed them; the table `games` says
where each game is.  One process writes, in transactions.  No game is ever changed or
removed: the games of the table `plan` count, as the league was last run, and games of
older versions of a bot stay as history.

The table `versions` has every version of an entry that the league was ever run with,
and which one is entered now; `terms` has those of the labels.  With the key of its luck
they say where the luck of each game of the plan comes from.

The tables `luck`, `prints` and `standings` have modules of their own; no game hangs on
what is in them.
"""

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Final, Self

import msgspec
from msgspec.structs import replace

from arena.errors import RecordError
from arena.league.config.info import LeagueInfo, PlayedLuck, read_info, read_luck
from arena.league.results.database import (
    BatchCache,
    Database,
    connect,
    explained,
    locked,
)
from arena.league.results.luck_table import LuckTable, unpack_luck
from arena.league.results.past_runs import PastRunsTable
from arena.league.results.prints_table import PrintsTable
from arena.league.schedule.identity import GameTerms, version_of
from arena.records.batch import Batch, decode_histories, decode_records, unpack
from arena.records.game_record import GameRecord, Id

FILE_NAME = "league.sqlite"
_GameFaults = tuple[Id, str | None]
_FAULTS = msgspec.json.Decoder(dict[str, str])
_UNUSUAL = msgspec.json.Decoder(tuple[str, ...])
_NO_FAULTS: Mapping[str, str] = {}
_NO_VERSIONS: Mapping[str, str] = {}


class LuckTerms(msgspec.Struct, frozen=True):
    """What the luck of a label's games comes from, beside the key and the entries."""

    label: str
    rules: str
    """As of `rules_of`."""
    game_terms: GameTerms


class Store:
    """A results folder's games.  Use `Store.open` or `Store.read`."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._db: Final = Database(path, connection)
        self.prints: Final = PrintsTable(self._db)
        self.runs: Final = PastRunsTable(self._db)
        self.luck_table: Final = LuckTable(self._db)

    @classmethod
    @contextmanager
    def open(cls, folder: Path) -> Iterator[Self]:
        """Open a folder's games for writing; make folder and file if need be.

        Raises:
            RecordError: the folder can't be written, another league is being played
                into it, or its file is damaged or not one of arena.
        """
        path = folder / FILE_NAME
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if not os.access(folder, os.W_OK):
                raise PermissionError(0, "no permission, or a read-only disk")
        except OSError as error:
            raise RecordError(
                f"{folder}: can't write results here ({error.strerror}); "
                "choose another place with --results"
            ) from None
        with locked(folder), closing(connect(path, make=True)) as connection:
            yield cls(path, connection)

    @classmethod
    @contextmanager
    def read(cls, folder: Path) -> Iterator[Self]:
        """Open a folder's games for reading.

        Raises:
            RecordError: there are none, or the file is damaged or not one of arena.
        """
        path = folder / FILE_NAME
        if not os.path.isfile(path):
            raise RecordError(
                f"{folder}: no results of a league here (no {FILE_NAME}); "
                "name the folder that `arena league` has written"
            )
        with closing(connect(path, make=False)) as connection:
            yield cls(path, connection)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read one state of the file during a block, though a league is played."""
        with explained(self.path):
            self._db.connection.execute("BEGIN")
        try:
            yield
        finally:
            # At an error, SQLite may have ended the transaction by itself.
            if self._db.connection.in_transaction:
                self._db.connection.execute("ROLLBACK")

    def faults(self) -> Iterator[tuple[str, Mapping[str, str]]]:
        """Yield the id of every game ever played, in the order of ids, and its faults.

        Faults are the terminations of the entries that forfeited it, by entry.
        """
        with explained(self.path):
            rows = self._db.rows(
                "SELECT game_id, faults FROM games ORDER BY game_id", _GameFaults
            )
            for game_id, faults in rows:
                yield game_id, _NO_FAULTS if faults is None else _FAULTS.decode(faults)

    def begin(
        self,
        info: LeagueInfo,
        game_ids: Iterable[str],
        versions: Mapping[str, str] = _NO_VERSIONS,
        terms: Iterable[LuckTerms] = (),
    ) -> None:
        """Note the league, the games of its plan in order, and who plays by what terms.

        `versions` are the digests of the entries by their ids.
        """
        with self._db.transaction():
            self._db.set_meta("league", msgspec.json.encode(info).decode())
            # Who goes back to an old version has not tried a new one.
            self._db.connection.execute("UPDATE versions SET is_entered = 0")
            self._db.connection.executemany(
                "INSERT INTO versions VALUES (?, ?, 1) "
                "ON CONFLICT DO UPDATE SET is_entered = 1",
                versions.items(),
            )
            self._db.connection.execute("DELETE FROM terms")
            self._db.connection.executemany(
                "INSERT INTO terms VALUES (?, ?, ?, ?)",
                (
                    (x.label, x.rules, x.game_terms.usual, _text(x.game_terms.unusual))
                    for x in terms
                ),
            )
            self.luck_table.begin_plan()
            positions = count()
            # Rows that are there already are not written: it may be a million games.
            self._db.connection.executemany(
                "INSERT INTO plan (game_id, position) VALUES (?, ?) "
                "ON CONFLICT (position) DO UPDATE SET game_id = excluded.game_id "
                "WHERE game_id <> excluded.game_id",
                zip(game_ids, positions, strict=False),
            )
            self._db.connection.execute(
                "DELETE FROM plan WHERE position >= ?", (next(positions),)
            )

    def add(
        self, batches: Iterable[Batch], changes: Iterable[tuple[int, str]] = ()
    ) -> None:
        """Record games, and change the plan: position, from 0, and id of the new game.

        If that fails, nothing has been changed.  A game that is recorded already stays
        as it is.
        """
        with self._db.transaction():
            self._db.connection.executemany(
                "INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?)",
                self._new_rows(batches),
            )
            self._db.connection.executemany(
                "UPDATE plan SET game_id = ? WHERE position = ?",
                ((game_id, position) for position, game_id in changes),
            )

    def _new_rows(
        self, batches: Iterable[Batch]
    ) -> Iterator[tuple[str, int, int, str | None]]:
        """Record batches; yield the row of `games` for each of their games."""
        for batch in batches:
            number = self._db.connection.execute(
                "INSERT INTO batches VALUES (NULL, ?, ?, ?, ?)",
                (batch.label, batch.isolation, batch.records, batch.histories),
            ).lastrowid
            assert number is not None
            for place, (game_id, faults) in enumerate(batch.ends()):
                text = msgspec.json.encode(faults).decode() if faults else None
                yield game_id, number, place, text

    def info(self) -> LeagueInfo:
        """Return the league, as its last run has described it.

        Raises:
            RecordError: the folder holds no league yet, or one of another version.
        """
        text = self._db.meta("league")
        if text is None:
            raise RecordError(f"{self.path}: holds no league yet; run it first")
        with explained(self.path):
            info = read_info(text)
        if info is None:
            raise RecordError(
                f"{self.path}: was last written by another version of arena; "
                "run the league again, no game of it is lost"
            )
        return info

    def count_versions(self) -> dict[str, int]:
        """Return how many versions of each entry were ever entered, by its id.

        Empty if no run has noted them yet.
        """
        found: dict[str, set[str]] = {}
        for entry, digest in self._db.later("SELECT entry, digest FROM versions"):
            found.setdefault(entry, set()).add(self._version(entry, digest))
        return {entry: len(versions) for entry, versions in found.items()}

    def entered_versions(self) -> dict[str, str]:
        """Return the version of each entry of the last run (`version_of`), by its id.

        Empty if that run has not noted them.
        """
        return {x: self._version(x, digest) for x, digest in self.entered().items()}

    def _version(self, entry: str, digest: str) -> str:
        """Return what a digest says of an entry's code and settings.

        Raises:
            RecordError: it is no digest.
        """
        try:
            return version_of(digest)
        except (RecursionError, TypeError, ValueError):
            raise RecordError(
                f"{self.path}: is damaged (a version of {entry!a} is none); "
                "restore it from a copy"
            ) from None

    def entered(self) -> dict[str, str]:
        """Return the digest of each entry of the last run, by its id."""
        rows = self._db.later("SELECT entry, digest FROM versions WHERE is_entered")
        return dict(rows)

    def luck_terms(self) -> dict[str, LuckTerms]:
        """Return the terms of each label in the last run."""
        rows = self._db.later("SELECT label, rules, usual, unusual FROM terms")
        with explained(self.path):
            return {
                label: LuckTerms(label, rules, GameTerms(usual, _UNUSUAL.decode(text)))
                for label, rules, usual, text in rows
            }

    def luck(self) -> PlayedLuck | None:
        """Return the luck that the league was last run with; None if it never was.

        Raises:
            RecordError: the file is damaged.
        """
        text = self._db.meta("league")
        with explained(self.path):
            return None if text is None else read_luck(text)

    def planned(self) -> int:
        """Return the number of games of the plan, played or not."""
        (planned,) = self._db.first("SELECT count(*) FROM plan")
        return int(planned)

    def isolations(self) -> dict[str, int]:
        """Return the number of games of the plan played at each isolation level."""
        with explained(self.path):
            return dict(
                self._db.rows(
                    "SELECT isolation, count(*) FROM plan JOIN games USING (game_id) "
                    "JOIN batches ON number = batch GROUP BY isolation "
                    "ORDER BY isolation",
                    tuple[str, int],
                )
            )

    def records(
        self, *, history: bool = False, after: int = -1
    ) -> Iterator[GameRecord]:
        """Yield the games of the plan that have been played, in its order.

        Histories are left empty unless asked for.  With `after`, only those of batches
        with higher numbers.
        """
        with explained(self.path):
            records = BatchCache(self._db.connection, "records", decode_records)
            histories = BatchCache(self._db.connection, "histories", decode_histories)
            rows = self._db.connection.execute(
                "SELECT game_id, batch, place FROM plan JOIN games USING (game_id) "
                "WHERE batch > ? ORDER BY position",
                (after,),
            )
            for row in rows:
                record = _as_called(records.find(*row), row[0])
                if history:
                    record = replace(record, history=histories.find(*row))
                yield record

    def records_of(self, game_ids: Iterable[str]) -> Iterator[GameRecord]:
        """Yield games by their ids, without histories; they need not be of the plan.

        Raises:
            KeyError: one was not played.
        """
        with explained(self.path):
            records = BatchCache(self._db.connection, "records", decode_records)
            for game_id in game_ids:
                yield _as_called(records.find(*self._place(game_id)), game_id)

    def last_batch(self) -> int:
        """Return the number of the batch that was recorded last; -1 if there is none.

        Numbers only grow.
        """
        (number,) = self._db.first("SELECT coalesce(max(number), -1) FROM batches")
        return int(number)

    def newest(self, batches: int) -> list[GameRecord]:
        """Return the games of the last so many batches, without histories.

        They may be of no plan.
        """
        with explained(self.path):
            rows = self._db.connection.execute(
                "SELECT CAST(records AS BLOB) FROM batches "
                "ORDER BY number DESC LIMIT ?",
                (batches,),
            )
            return [game for (data,) in rows for game in decode_records(unpack(data))]

    def ids_from(self, prefix: str, most: int) -> list[str]:
        """Return the first `most` ids of games, of the plan or not, with a prefix."""
        with explained(self.path):
            rows = self._db.rows(
                "SELECT game_id FROM games WHERE game_id >= ? "
                "AND game_id < ? || char(1114111) ORDER BY game_id LIMIT ?",
                tuple[Id],
                prefix,
                prefix,
                most,
            )
            return [game_id for (game_id,) in rows]

    def is_planned(self, game_id: str) -> bool:
        """Return True if a game is one of the plan, played or not."""
        return (
            self._db.first("SELECT 1 FROM plan WHERE game_id = ?", game_id) is not None
        )

    def record(self, game_id: str) -> GameRecord:
        """Return a game with its history; it need not be of the plan.

        Raises:
            KeyError: no such game was played.
        """
        row = self._place(game_id)
        with explained(self.path):
            records = BatchCache(self._db.connection, "records", decode_records)
            record = _as_called(records.find(*row), row[0])
            histories = BatchCache(self._db.connection, "histories", decode_histories)
            return replace(record, history=histories.find(*row))

    def _place(self, game_id: str) -> tuple[str, int, int]:
        """Return id, batch and place of a game, as they stand in the file."""
        query = "SELECT game_id, batch, place FROM games WHERE game_id = ?"
        row: tuple[str, int, int] | None = self._db.first(query, game_id)
        if row is None:
            raise KeyError(game_id)
        return row

    def records_with_luck(
        self, *, history: bool = False
    ) -> Iterator[tuple[GameRecord, tuple[float, ...] | None]]:
        """Yield the games of `records`, each with its luck by pair of seats.

        The luck is None if its label has no value, or `LuckTable.values` is empty.
        """
        values = {v.label: v.id for v in self.luck_table.values() if not v.reason}
        if not values:
            games = self.records(history=history)
            yield from ((record, None) for record in games)
            return
        with explained(self.path):
            records = BatchCache(self._db.connection, "records", decode_records)
            histories = BatchCache(self._db.connection, "histories", decode_histories)
            rows = self._db.connection.execute(
                "SELECT game_id, batch, place, luck.value, luck.pairs "
                "FROM plan JOIN games USING (game_id) LEFT JOIN luck USING (game_id) "
                "ORDER BY position"
            )
            for game_id, batch, place, value, pairs in rows:
                record = _as_called(records.find(game_id, batch, place), game_id)
                if history:
                    found = histories.find(game_id, batch, place)
                    record = replace(record, history=found)
                known = value is not None and value == values.get(record.label)
                yield record, unpack_luck(pairs, len(record.seats)) if known else None


def _text(items: tuple[str, ...]) -> str:
    return msgspec.json.encode(items).decode()


def _as_called(record: GameRecord, game_id: str) -> GameRecord:
    """Return a game that has the id under which it was looked up."""
    if record.game_id != game_id:
        raise sqlite3.DatabaseError(f"game {game_id} is malformed")
    return record

"""`league.sqlite`: the games that were played, the only truth of a results folder.

Games are stored in batches, as their referees have packed them; the table `games` says
where each game is.  One process writes, in transactions.  No game is ever changed or
removed: the games of the table `plan` count, as the league was last run, and games of
older versions of a bot stay as history.

The table `versions` has every version of an entry that the league was ever run with,
and which one is entered now; `terms` has those of the labels.  With the key of its luck
they say where the luck of each game of the plan comes from.

The table `prints` has what bots have printed in games.  It is no part of any result:
what is in it is bounded, and nothing else depends on it.

The table `standings` has what the runs came to, so that the next one can say what has
changed.  No game hangs on it.

The table `luck` is a cache that can be worked out again from the games.  For each game
it holds the numbers of the latest value only.
"""

import os
import re
import shutil
import sqlite3
import struct
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import count
from math import isfinite
from pathlib import Path
from typing import Any, Self

import msgspec
from msgspec.structs import replace

from arena.errors import RecordError
from arena.league.config.info import LeagueInfo, PlayedLuck, read_info, read_luck
from arena.league.results.database import BatchCache, connect, explained, locked
from arena.league.results.past_runs import (
    MOST_BYTES,
    MOST_RUNS,
    PastRun,
    decode_runs,
    encode_run,
)
from arena.league.schedule.identity import GameTerms, version_of
from arena.records.batch import Batch, decode_histories, decode_records, unpack
from arena.records.game_record import MAX_SEATS, GameRecord, Id
from arena.records.prints import Printed, Seat, unpacked
from arena.text import printable

FILE_NAME = "league.sqlite"
MAX_PRINTS_BYTES = 2**18
"""Kept of what an entry prints in a label's games, packed; later games keep nothing."""
_MIN_FREE_BYTES = 2**26
"""With less room on the disk, it is left to games."""
_GameFaults = tuple[Id, str | None]
_GameToLookUp = tuple[int, int, Id, int, str]
_FAULTS = msgspec.json.Decoder(dict[str, str])
_UNUSUAL = msgspec.json.Decoder(tuple[str, ...])
_NO_FAULTS: Mapping[str, str] = {}
_NO_VERSIONS: Mapping[str, str] = {}


def check_room(path: Path) -> None:
    """Check that a disk has room for more than games, at a path that may not be there.

    Raises:
        RecordError: it is almost full.
    """
    try:
        free = shutil.disk_usage(path.parent).free
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from None
    if free < _MIN_FREE_BYTES:
        raise RecordError(f"{path}: the disk is almost full")


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


class LuckTerms(msgspec.Struct, frozen=True):
    """What the luck of a label's games comes from, beside the key and the entries."""

    label: str
    rules: str
    """As of `rules_of`."""
    game_terms: GameTerms


_LABEL_VALUES = msgspec.json.Decoder(tuple[LabelValue, ...])


class Store:
    """A results folder's games.  Use `Store.open` or `Store.read`."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._db = connection
        self._printed: Counter[tuple[str, str]] | None = None
        """Bytes kept of what was printed, by label and entry, once that is known."""

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
            self._db.execute("BEGIN")
        try:
            yield
        finally:
            # At an error, SQLite may have ended the transaction by itself.
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")

    def faults(self) -> Iterator[tuple[str, Mapping[str, str]]]:
        """Yield the id of every game ever played, in the order of ids, and its faults.

        Faults are the terminations of the entries that forfeited it, by entry.
        """
        with explained(self.path):
            rows = self._rows(
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
        with explained(self.path), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._set("league", msgspec.json.encode(info).decode())
            # Who goes back to an old version has not tried a new one.
            self._db.execute("UPDATE versions SET is_entered = 0")
            self._db.executemany(
                "INSERT INTO versions VALUES (?, ?, 1) "
                "ON CONFLICT DO UPDATE SET is_entered = 1",
                versions.items(),
            )
            self._db.execute("DELETE FROM terms")
            self._db.executemany(
                "INSERT INTO terms VALUES (?, ?, ?, ?)",
                (
                    (x.label, x.rules, x.game_terms.usual, _text(x.game_terms.unusual))
                    for x in terms
                ),
            )
            # It may be about other games than those of this plan.
            self._db.execute("DELETE FROM meta WHERE key = 'luck before'")
            self._db.execute("UPDATE meta SET key = 'luck before' WHERE key = 'luck'")
            positions = count()
            # Rows that are there already are not written: it may be a million games.
            self._db.executemany(
                "INSERT INTO plan (game_id, position) VALUES (?, ?) "
                "ON CONFLICT (position) DO UPDATE SET game_id = excluded.game_id "
                "WHERE game_id <> excluded.game_id",
                zip(game_ids, positions, strict=False),
            )
            self._db.execute("DELETE FROM plan WHERE position >= ?", (next(positions),))

    def add(
        self, batches: Iterable[Batch], changes: Iterable[tuple[int, str]] = ()
    ) -> None:
        """Record games, and change the plan: position, from 0, and id of the new game.

        If that fails, nothing has been changed.  A game that is recorded already stays
        as it is.
        """
        with explained(self.path), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany(
                "INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?)",
                self._new_rows(batches),
            )
            self._db.executemany(
                "UPDATE plan SET game_id = ? WHERE position = ?",
                ((game_id, position) for position, game_id in changes),
            )

    def add_prints(self, batches: Iterable[Batch]) -> None:
        """Record what was printed in games that are recorded, as far as it is kept.

        Raises:
            RecordError: that is not possible; nothing has been changed.
        """
        check_room(self.path)
        with explained(self.path), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            if self._printed is None:
                rows = self._rows(
                    "SELECT label, entry, sum(length(texts)) FROM prints "
                    "GROUP BY label, entry",
                    tuple[str, str, int],
                )
                self._printed = Counter({tuple(key): size for *key, size in rows})
            for batch in batches:
                for x in batch.prints:
                    key = batch.label, x.entry
                    if self._printed[key] + len(x.texts) > MAX_PRINTS_BYTES:
                        continue
                    self._printed[key] += len(x.texts)
                    self._db.execute(
                        "INSERT OR IGNORE INTO prints VALUES (?, ?, ?, ?, ?)",
                        (batch.game_ids[x.index], x.seat, *key, x.texts),
                    )

    def prints(self, game_id: str) -> tuple[Printed, ...]:
        """Return what was printed in a game, decision by decision.

        It is printable.  Empty if nothing was printed, or none of it was kept.
        """
        if not self._has_table("prints"):
            return ()
        with explained(self.path):
            rows = self._rows(
                "SELECT seat, texts FROM prints WHERE game_id = ? "
                "ORDER BY seat LIMIT ?",
                tuple[Seat, bytes],
                game_id,
                MAX_SEATS,
            )
            found = [x for seat, texts in rows for x in unpacked(seat, texts)]
        found.sort(key=lambda x: (x.step, x.seat))
        return tuple(replace(x, text=printable(x.text)) for x in found)

    def forget_prints(self) -> None:
        """Forget what was printed in games that count no more."""
        with explained(self.path), self._db:
            self._db.execute(
                "DELETE FROM prints WHERE game_id NOT IN (SELECT game_id FROM plan)"
            )
        self._printed = None

    def _new_rows(
        self, batches: Iterable[Batch]
    ) -> Iterator[tuple[str, int, int, str | None]]:
        """Record batches; yield the row of `games` for each of their games."""
        for batch in batches:
            number = self._db.execute(
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
        text = self._meta("league")
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
        for entry, digest in self._later("SELECT entry, digest FROM versions"):
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
        rows = self._later("SELECT entry, digest FROM versions WHERE is_entered")
        return dict(rows)

    def luck_terms(self) -> dict[str, LuckTerms]:
        """Return the terms of each label in the last run."""
        rows = self._later("SELECT label, rules, usual, unusual FROM terms")
        with explained(self.path):
            return {
                label: LuckTerms(label, rules, GameTerms(usual, _UNUSUAL.decode(text)))
                for label, rules, usual, text in rows
            }

    def past_runs(self) -> tuple[PastRun, ...]:
        """Return the runs that are kept, oldest first."""
        with explained(self.path):
            return decode_runs(self._kept_texts())

    def keep_run(self, run: PastRun) -> None:
        """Keep a run, unless it is as the last one kept; the oldest give way."""
        text = encode_run(run)
        with explained(self.path), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            kept = self._kept_texts()
            if text in kept[-1:] or len(text.encode()) > MOST_BYTES:
                return
            kept.append(text)
            sizes = [len(x.encode()) for x in kept]
            gone = next(
                i
                for i in range(len(kept))
                if len(kept) - i <= MOST_RUNS and sum(sizes[i:]) <= MOST_BYTES
            )
            self._db.execute(
                "DELETE FROM standings WHERE run IN "
                "(SELECT run FROM standings ORDER BY run LIMIT ?)",
                (gone,),
            )
            self._db.execute("INSERT INTO standings VALUES (NULL, ?)", (text,))

    def _kept_texts(self) -> list[str]:
        """Return the runs that are kept as they are stored, oldest first."""
        texts: list[str] = []
        size = 0
        for (text,) in self._later("SELECT text FROM standings ORDER BY run"):
            size += len(text.encode())
            if size > MOST_BYTES or len(texts) == MOST_RUNS:
                raise sqlite3.DatabaseError("what runs came to is malformed")
            texts.append(text)
        return texts

    def _later(self, query: str) -> Iterator[Any]:
        """Yield the result of a query to a table that files of before may not have."""
        (table,) = re.findall(r"FROM (\w+)", query)
        if not self._has_table(table):
            return
        with explained(self.path):
            yield from self._rows(query, tuple[str, ...])

    def _has_table(self, name: str) -> bool:
        is_there = "SELECT 1 FROM sqlite_master WHERE name = ?"
        return self._first(is_there, name) is not None

    def luck(self) -> PlayedLuck | None:
        """Return the luck that the league was last run with; None if it never was.

        Raises:
            RecordError: the file is damaged.
        """
        text = self._meta("league")
        with explained(self.path):
            return None if text is None else read_luck(text)

    def planned(self) -> int:
        """Return the number of games of the plan, played or not."""
        (planned,) = self._first("SELECT count(*) FROM plan")
        return int(planned)

    def isolations(self) -> dict[str, int]:
        """Return the number of games of the plan played at each isolation level."""
        with explained(self.path):
            return dict(
                self._rows(
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
            records = BatchCache(self._db, "records", decode_records)
            histories = BatchCache(self._db, "histories", decode_histories)
            rows = self._db.execute(
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
            records = BatchCache(self._db, "records", decode_records)
            for game_id in game_ids:
                yield _as_called(records.find(*self._place(game_id)), game_id)

    def last_batch(self) -> int:
        """Return the number of the batch that was recorded last; -1 if there is none.

        Numbers only grow.
        """
        (number,) = self._first("SELECT coalesce(max(number), -1) FROM batches")
        return int(number)

    def newest(self, batches: int) -> list[GameRecord]:
        """Return the games of the last so many batches, without histories.

        They may be of no plan.
        """
        with explained(self.path):
            rows = self._db.execute(
                "SELECT CAST(records AS BLOB) FROM batches "
                "ORDER BY number DESC LIMIT ?",
                (batches,),
            )
            return [game for (data,) in rows for game in decode_records(unpack(data))]

    def ids_from(self, prefix: str, most: int) -> list[str]:
        """Return the first `most` ids of games, of the plan or not, with a prefix."""
        with explained(self.path):
            rows = self._rows(
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
        return self._first("SELECT 1 FROM plan WHERE game_id = ?", game_id) is not None

    def record(self, game_id: str) -> GameRecord:
        """Return a game with its history; it need not be of the plan.

        Raises:
            KeyError: no such game was played.
        """
        row = self._place(game_id)
        with explained(self.path):
            records = BatchCache(self._db, "records", decode_records)
            record = _as_called(records.find(*row), row[0])
            histories = BatchCache(self._db, "histories", decode_histories)
            return replace(record, history=histories.find(*row))

    def _place(self, game_id: str) -> tuple[str, int, int]:
        """Return id, batch and place of a game, as they stand in the file."""
        query = "SELECT game_id, batch, place FROM games WHERE game_id = ?"
        row: tuple[str, int, int] | None = self._first(query, game_id)
        if row is None:
            raise KeyError(game_id)
        return row

    def records_with_luck(
        self, *, history: bool = False
    ) -> Iterator[tuple[GameRecord, tuple[float, ...] | None]]:
        """Yield the games of `records`, each with its luck by pair of seats.

        The luck is None if its label has no value, or `label_values` is empty.
        """
        values = {v.label: v.id for v in self.label_values() if not v.reason}
        if not values:
            games = self.records(history=history)
            yield from ((record, None) for record in games)
            return
        with explained(self.path):
            records = BatchCache(self._db, "records", decode_records)
            histories = BatchCache(self._db, "histories", decode_histories)
            rows = self._db.execute(
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
                yield record, _unpack(pairs, len(record.seats)) if known else None

    def label_values(self, *, earlier: bool = False) -> tuple[LabelValue, ...]:
        """Return the values that luck was worked out with, in the order of the labels.

        Empty after `begin`, until the luck of all games is known; with `earlier` they
        are as they were before the last `begin`.
        """
        text = self._meta("luck before" if earlier else "luck")
        with explained(self.path):
            return () if text is None else _LABEL_VALUES.decode(text)

    def set_label_values(self, values: Iterable[LabelValue]) -> None:
        """Note that luck is worked out, and with which values."""
        with explained(self.path), self._db:
            self._set("luck", msgspec.json.encode(tuple(values)).decode())

    def count_without_luck(self, values: Mapping[str, str]) -> int:
        """Return the number of games that `without_luck` yields."""
        if not values:
            return 0
        tables, terms = _without_luck(values)
        (number,) = self._first(f"SELECT count(*) FROM {tables}", *terms)
        return int(number)

    def without_luck(
        self, values: Mapping[str, str], at_once: int
    ) -> Iterator[LuckTask]:
        """Yield the games of the plan whose luck is not known, batch by batch.

        So many games `at_once` are looked up together; their batches come in the order
        of the first game of each.  `values` has the id of the value by label; games of
        other labels are left out.  Luck may be added meanwhile: no game comes twice.
        """
        if not values:
            return
        tables, terms = _without_luck(values)
        last = -1
        while True:
            batches: dict[int, list[tuple[int, str, int, str]]] = {}
            with explained(self.path):
                rows = self._rows(
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
                (histories,) = self._first(query, batch)
                positions, ids, places, labels = zip(*games, strict=True)
                yield LuckTask(labels[0], positions, ids, places, histories)

    def add_luck(
        self, value: str, luck: Iterable[tuple[str, tuple[float, ...]]]
    ) -> None:
        """Record the luck of games by a value: game id, and luck of each pair."""
        with explained(self.path), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany(
                "INSERT OR REPLACE INTO luck VALUES (?, ?, ?)",
                (
                    (game_id, value, struct.pack(f"<{len(pairs)}d", *pairs))
                    for game_id, pairs in luck
                ),
            )

    def _rows(self, query: str, kind: Any, *terms: object) -> Iterator[Any]:
        """Yield the rows of the result of a query, which are tuples of a kind.

        To be called inside of `explained`.

        Raises:
            ValidationError: one holds something else than such values.
        """
        for row in self._db.execute(query, terms):
            yield msgspec.convert(row, kind)

    def _first(self, query: str, *terms: object) -> Any:
        """Return the first row of the result of a query; None if there is none."""
        with explained(self.path):
            return self._db.execute(query, terms).fetchone()

    def _meta(self, key: str) -> str | None:
        row = self._first("SELECT value FROM meta WHERE key = ?", key)
        with explained(self.path):
            return None if row is None else msgspec.convert(row[0], str)

    def _set(self, key: str, value: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


def _text(items: tuple[str, ...]) -> str:
    return msgspec.json.encode(items).decode()


def _without_luck(values: Mapping[str, str]) -> tuple[str, list[str]]:
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


def _as_called(record: GameRecord, game_id: str) -> GameRecord:
    """Return a game that has the id under which it was looked up."""
    if record.game_id != game_id:
        raise sqlite3.DatabaseError(f"game {game_id} is malformed")
    return record


def _unpack(pairs: object, players: int) -> tuple[float, ...]:
    if isinstance(pairs, bytes):
        luck = struct.unpack(f"<{players * (players - 1) // 2}d", pairs)
        if all(map(isfinite, luck)):
            return luck
    raise sqlite3.DatabaseError("luck is malformed")

"""`league.sqlite`: the games that were played, the only truth of a results folder.

One row a game, written in transactions by one process.  Rows are never changed
or removed: which of them count is said by the plan of the league as it was last
run, so games of older versions of a bot stay as history.
"""

import fcntl
import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Self

import msgspec

from arena.errors import RecordError
from arena.referee.record import Fault, GameRecord

FILE_NAME = "league.sqlite"
_FORMAT = "1"
_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE games (
    game_id TEXT PRIMARY KEY,
    fixture_id TEXT NOT NULL,
    match_id TEXT NOT NULL,
    label TEXT NOT NULL,
    seats TEXT NOT NULL,
    returns TEXT NOT NULL,
    places TEXT NOT NULL,
    scores TEXT NOT NULL,
    termination TEXT NOT NULL,
    forfeits TEXT NOT NULL,
    decisions INTEGER NOT NULL,
    seconds TEXT NOT NULL,
    faults BLOB,
    history BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE plan (position INTEGER PRIMARY KEY, game_id TEXT NOT NULL);
"""
_COLUMNS = (
    "game_id, fixture_id, match_id, label, seats, returns, places, scores, "
    "termination, forfeits, decisions, seconds, faults"
)


class LabelInfo(msgspec.Struct, frozen=True):
    """One game of the league under its label."""

    label: str
    game: str
    players: int
    options: dict[str, Any]
    weight: float


class EntryInfo(msgspec.Struct, frozen=True):
    """An entry as the reports show it."""

    id: str
    """As in the records: file and class."""
    name: str
    """As in the tables: unique and fit to print."""
    file: str
    labels: tuple[str, ...]
    """The games it is entered in."""
    refused: str = ""
    """Why its file could not be read."""


class LeagueInfo(msgspec.Struct, frozen=True):
    """What reports need to know of a league beside its games."""

    name: str
    seed: int
    isolation: str
    anchor: tuple[str, float] | None
    """Id of the reference entry and its Elo."""
    labels: tuple[LabelInfo, ...]
    entries: tuple[EntryInfo, ...]
    rejected: tuple[tuple[str, str], ...] = ()
    """Files that could not be entered, and why."""


class Store:
    """A results folder's games.  Use `Store.open` or `Store.read`."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._db = connection

    @classmethod
    @contextmanager
    def open(cls, folder: Path) -> Iterator[Self]:
        """Open a folder's games for writing; make both if need be.

        Raises:
            RecordError: the folder can't be written, is in use by another
                league, or its file is damaged or none of ours.
        """
        path = folder / FILE_NAME
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise RecordError(
                f"{folder}: can't write results here ({error.strerror}); "
                "choose another place with --results"
            ) from None
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise RecordError(
                    f"{folder}: another league is being played into this folder; "
                    "wait for its end or choose another with --results"
                ) from None
            with _explained(path), closing(_connect(path)) as connection:
                if not _is_new(connection):
                    _check_format(path, connection)
                else:
                    connection.execute("PRAGMA journal_mode = WAL")
                    connection.executescript(
                        f"BEGIN; {_SCHEMA} INSERT INTO meta VALUES "
                        f"('format', '{_FORMAT}'); COMMIT;"
                    )
                connection.execute("PRAGMA synchronous = NORMAL")
                yield cls(path, connection)
        finally:
            os.close(lock)

    @classmethod
    @contextmanager
    def read(cls, folder: Path) -> Iterator[Self]:
        """Open a folder's games for reading.

        Raises:
            RecordError: there are none, or the file is damaged or none of ours.
        """
        path = folder / FILE_NAME
        if not path.is_file():
            raise RecordError(
                f"{folder}: no results of a league here (no {FILE_NAME}); "
                "name the folder that `arena league` has written"
            )
        with _explained(path), closing(_connect(path)) as connection:
            _check_format(path, connection)
            yield cls(path, connection)

    def begin(self, info: LeagueInfo, game_ids: Sequence[str]) -> set[str]:
        """Note what the league is and which games it consists of, in order.

        Returns the ids of those that have been played already.
        """
        with _explained(self.path), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._set("league", msgspec.json.encode(info).decode())
            self._db.execute("DELETE FROM plan")
            self._db.executemany(
                "INSERT INTO plan (game_id) VALUES (?)", ((i,) for i in game_ids)
            )
            rows = self._db.execute(
                "SELECT game_id FROM plan JOIN games USING (game_id)"
            ).fetchall()
        return {row[0] for row in rows}

    def played(self, game_ids: Iterable[str]) -> set[str]:
        """Return those of `game_ids` that have been played."""
        with _explained(self.path):
            rows = self._db.execute("SELECT game_id FROM games").fetchall()
        return {row[0] for row in rows}.intersection(game_ids)

    def add(self, records: Iterable[GameRecord]) -> None:
        """Record games, all of them or, if that fails, none.

        A game that is recorded already is left as it is.
        """
        with _explained(self.path), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany(
                f"INSERT OR IGNORE INTO games ({_COLUMNS}, history) "
                f"VALUES ({', '.join('?' * 14)})",
                map(_row, records),
            )

    def info(self) -> LeagueInfo:
        """Return what the league is.

        Raises:
            RecordError: the folder holds no league yet.
        """
        with _explained(self.path):
            row = self._db.execute(
                "SELECT value FROM meta WHERE key = 'league'"
            ).fetchone()
        if row is None:
            raise RecordError(f"{self.path}: holds no league yet; run it first")
        return msgspec.json.decode(row[0], type=LeagueInfo)

    def counts(self) -> tuple[int, int, int]:
        """Return how many games are planned, played of these, and played in all."""
        with _explained(self.path):
            planned, played = self._db.execute(
                "SELECT count(*), count(games.game_id) "
                "FROM plan LEFT JOIN games USING (game_id)"
            ).fetchone()
            (total,) = self._db.execute("SELECT count(*) FROM games").fetchone()
        return planned, played, total

    def records(self, *, history: bool = False) -> Iterator[GameRecord]:
        """Yield the games of the plan that have been played, in its order.

        Histories are left empty unless asked for.
        """
        columns = _COLUMNS + (", history" if history else "")
        with _explained(self.path):
            rows = self._db.execute(
                f"SELECT {columns} FROM plan JOIN games USING (game_id) "
                "ORDER BY position"
            )
            for row in rows:
                yield _record(row)

    def _set(self, key: str, value: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=30, isolation_level=None)
    connection.execute("PRAGMA busy_timeout = 30000")
    return connection


def _is_new(connection: sqlite3.Connection) -> bool:
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return bool(tables == 0)


def _check_format(path: Path, connection: sqlite3.Connection) -> None:
    try:
        row = connection.execute(
            "SELECT value FROM meta WHERE key = 'format'"
        ).fetchone()
    except sqlite3.OperationalError:
        row = None
    if row is None:
        raise RecordError(f"{path}: is no file of arena's; move it away")
    if row[0] != _FORMAT:
        raise RecordError(
            f"{path}: has format {row[0]}, this version of arena reads {_FORMAT}; "
            "choose another folder with --results"
        )


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into one sentence."""
    try:
        yield
    except (sqlite3.DatabaseError, zlib.error, msgspec.MsgspecError) as error:
        text = str(error)
        if isinstance(error, sqlite3.OperationalError) and "malformed" not in text:
            hint = "nothing recorded is lost; run the same command again after a fix"
            raise RecordError(f"{path}: can't be used ({text}); {hint}") from None
        raise RecordError(
            f"{path}: is damaged ({text}); nothing was changed: restore it from a "
            "copy, or move it away to play the league anew"
        ) from None


def _row(record: GameRecord) -> tuple[Any, ...]:
    return (
        record.game_id,
        record.fixture_id,
        record.match_id,
        record.label,
        json.dumps(record.seats),
        json.dumps(record.returns),
        json.dumps(record.places),
        json.dumps(record.scores),
        str(record.termination),
        json.dumps(record.forfeits),
        record.decisions,
        json.dumps([round(s, 6) for s in record.seconds]),
        msgspec.msgpack.encode(record.faults) if record.faults else None,
        zlib.compress(msgspec.msgpack.encode(record.history)),
    )


def _record(row: tuple[Any, ...]) -> GameRecord:
    history: tuple[str, ...] = ()
    if len(row) > 13:
        history = msgspec.msgpack.decode(zlib.decompress(row[13]), type=tuple[str, ...])
    return GameRecord(
        game_id=row[0],
        fixture_id=row[1],
        match_id=row[2],
        label=row[3],
        seats=tuple(json.loads(row[4])),
        returns=tuple(json.loads(row[5])),
        places=tuple(json.loads(row[6])),
        scores=tuple(json.loads(row[7])),
        termination=row[8],
        forfeits=tuple(json.loads(row[9])),
        decisions=row[10],
        seconds=tuple(json.loads(row[11])),
        history=history,
        faults=msgspec.msgpack.decode(row[12], type=tuple[Fault, ...])
        if row[12]
        else (),
    )

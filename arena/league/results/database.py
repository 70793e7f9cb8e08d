"""The file of a results folder: its tables, its lock, its errors, its batches."""

import fcntl
import os
import re
import shutil
import sqlite3
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from arena.errors import BusyError, RecordError
from arena.records.batch import unpack

Part = TypeVar("Part")
_FORMAT = "3"
"""Of the tables."""
_BUSY_TIMEOUT_S = 30.0
_CACHE_KIB = 16 * 1024
"""Of the file that a process keeps in memory: ids come in no order."""
_MIN_FREE_BYTES = 2**26
"""With less room on the disk, it is left to games."""
_CACHED_BATCHES = 256
_CACHED_BYTES = 2**26
"""Of those batches, unpacked."""
_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE batches (
    number INTEGER PRIMARY KEY,
    label TEXT NOT NULL,
    isolation TEXT NOT NULL,
    records BLOB NOT NULL,
    histories BLOB NOT NULL
);
CREATE TABLE games (
    game_id TEXT PRIMARY KEY,
    batch INTEGER NOT NULL,
    place INTEGER NOT NULL,
    faults TEXT
) WITHOUT ROWID;
CREATE TABLE plan (position INTEGER PRIMARY KEY, game_id TEXT NOT NULL);
"""
_LATER = (
    """
CREATE TABLE IF NOT EXISTS luck (
    game_id TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    pairs BLOB NOT NULL
) WITHOUT ROWID;
""",
    """
CREATE TABLE IF NOT EXISTS versions (
    entry TEXT NOT NULL,
    digest TEXT NOT NULL,
    is_entered INTEGER NOT NULL,
    PRIMARY KEY (entry, digest)
) WITHOUT ROWID;
""",
    """
CREATE TABLE IF NOT EXISTS terms (
    label TEXT PRIMARY KEY,
    rules TEXT NOT NULL,
    usual TEXT NOT NULL,
    unusual TEXT NOT NULL
) WITHOUT ROWID;
""",
    """
CREATE TABLE IF NOT EXISTS prints (
    game_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    label TEXT NOT NULL,
    entry TEXT NOT NULL,
    texts BLOB NOT NULL,
    PRIMARY KEY (game_id, seat)
);
""",
    """
CREATE TABLE IF NOT EXISTS standings (
    run INTEGER PRIMARY KEY,
    text TEXT NOT NULL
);
""",
)
"""Tables apart: files of before there were such are still used."""
_MAX_VALUE_BYTES = 2**27
"""Of a row, and so of a batch."""
_SCHEMA_STEPS = 1000
"""Thousands of SQLite's steps in which the tables' names must have been read."""


@contextmanager
def locked(
    folder: Path,
    busy: str = "another league is being played into this folder",
    option: str = "--results",
) -> Iterator[None]:
    """Keep other processes from writing into a folder; a dead process keeps nobody.

    `busy` is what another process is doing there, and `option` names another folder.

    Raises:
        BusyError: there is another one.
        RecordError: the folder can't be locked.
    """
    try:
        lock = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise RecordError(f"{folder}: can't be opened ({error.strerror})") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        if isinstance(error, BlockingIOError):
            raise BusyError(
                f"{folder}: {busy}; wait for its end or choose another with {option}"
            ) from None
        raise RecordError(
            f"{folder}: can't be locked ({error.strerror}); choose a folder of this "
            f"machine with {option}"
        ) from None
    try:
        yield
    finally:
        os.close(lock)


def connect(path: Path, *, make: bool) -> sqlite3.Connection:
    """Return a connection to a league's file; with `make` it may be a new one.

    The file may come from anybody, so nothing of it is used before its tables and its
    pages are known to be such as arena has made: a view, a trigger or a page inside of
    itself has no end, and SQLite removes a file that a journal names.

    Raises:
        RecordError: the file is damaged, of another format, or none of ours.
    """
    _check_files(path)
    with explained(path):
        if make and not (path.exists() and path.stat().st_size):
            _make(path)
        connection = _open(path, make=make)
        try:
            _check_tables(path, connection)
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
            if make:
                for table in _LATER:
                    connection.execute(table)
            else:
                connection.execute("PRAGMA query_only = ON")
        except BaseException:
            connection.close()
            raise
    return connection


def _check_files(path: Path) -> None:
    """Check that there is nothing in the way that SQLite would follow.

    Raises:
        RecordError: there is.
    """
    for ending in ("", "-wal", "-shm", "-journal"):
        file = path.with_name(path.name + ending)
        # Only a new file has a journal, and that under another name.
        is_ours = file.is_file() and not file.is_symlink() and ending != "-journal"
        if os.path.lexists(file) and not is_ours:
            raise RecordError(f"{file}: is no file of arena's; move it away")


def _make(path: Path) -> None:
    """Make an empty league's file, in one step."""
    new = path.with_name(f".{path.name}.new")
    for ending in ("", "-wal", "-shm", "-journal"):
        # One that was broken off; this process alone has the folder's lock.
        new.with_name(new.name + ending).unlink(missing_ok=True)
    with closing(sqlite3.connect(new, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(
            f"BEGIN; {_SCHEMA} INSERT INTO meta VALUES ('format', '{_FORMAT}'); COMMIT;"
        )
    os.replace(new, path)


def _open(path: Path, *, make: bool) -> sqlite3.Connection:
    mode = "mode=rw"
    in_use = path.with_name(path.name + "-wal").exists()
    if not (make or in_use or os.access(path.parent, os.W_OK)):
        # To read a file in WAL mode, SQLite must write beside it, unless it knows that
        # nobody changes it.
        mode = "immutable=1"
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{mode}",
        uri=True,
        timeout=_BUSY_TIMEOUT_S,
        isolation_level=None,
    )
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_VALUE_BYTES)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _check_tables(path: Path, connection: sqlite3.Connection) -> None:
    """Check that a file holds our tables, nothing else, and no page of it twice.

    Raises:
        RecordError: it does not.
    """
    steps = count()
    connection.set_progress_handler(lambda: next(steps) > _SCHEMA_STEPS, 1000)
    found = _objects(connection)
    connection.set_progress_handler(None, 0)
    ours = _known_objects(_SCHEMA, *_LATER)
    foreign = RecordError(f"{path}: is no file of arena's; move it away")
    if not {x for x in ours if x[2] == "meta"} <= found:
        raise foreign
    _check_format(path, connection)
    if not _known_objects(_SCHEMA) <= found <= ours:
        raise foreign
    (outcome,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if outcome != "ok":
        raise sqlite3.DatabaseError(f"{outcome.splitlines()[-1]} is malformed")


def _objects(connection: sqlite3.Connection) -> set[tuple[str, str, str, str]]:
    """Return the kind, name, table and text of some objects in a file, which may be
    more than ours."""
    rows = connection.execute(
        "SELECT type, name, tbl_name, sql FROM sqlite_schema LIMIT 100"
    )
    return {(*words, " ".join(str(text or "").split())) for *words, text in rows}


@cache
def _known_objects(*statements: str) -> frozenset[tuple[str, str, str, str]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript("".join(statements))
        return frozenset(_objects(connection))


def _check_format(path: Path, connection: sqlite3.Connection) -> None:
    row = connection.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
    found = row[0] if row else "none"
    if found != _FORMAT:
        raise RecordError(
            f"{path}: has format {found}, this version of arena reads {_FORMAT}; "
            "choose another folder with --results"
        )


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


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn any error of a league's file into one sentence.

    Raises:
        RecordError: instead of the error.
    """
    try:
        yield
    except (
        sqlite3.DatabaseError,
        zlib.error,
        struct.error,
        msgspec.MsgspecError,
        RecursionError,
    ) as error:
        text = str(error)
        is_damage = any(x in text for x in ("malformed", "UTF-8", "interrupted"))
        if isinstance(error, sqlite3.OperationalError) and not is_damage:
            hint = "nothing recorded is lost; run the same command again after a fix"
            raise RecordError(f"{path}: can't be used ({text}); {hint}") from None
        raise RecordError(
            f"{path}: is damaged ({text}); nothing was changed: restore it from a "
            "copy, or move it away to play the league anew"
        ) from None


class Database:
    """A league's file that is open, as its tables use it."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Change all that the block changes, or nothing.

        Raises:
            RecordError: instead of an error of the file.
        """
        with explained(self.path), self.connection:
            self.connection.execute("BEGIN IMMEDIATE")
            yield

    def rows(self, query: str, kind: Any, *terms: object) -> Iterator[Any]:
        """Yield the rows of the result of a query, which are tuples of a kind.

        To be called inside of `explained`.

        Raises:
            ValidationError: one holds something else than such values.
        """
        for row in self.connection.execute(query, terms):
            yield msgspec.convert(row, kind)

    def first(self, query: str, *terms: object) -> Any:
        """Return the first row of the result of a query; None if there is none."""
        with explained(self.path):
            return self.connection.execute(query, terms).fetchone()

    def later(self, query: str) -> Iterator[Any]:
        """Yield the result of a query to a table that files of before may not have."""
        (table,) = re.findall(r"FROM (\w+)", query)
        if not self.has_table(table):
            return
        with explained(self.path):
            yield from self.rows(query, tuple[str, ...])

    def has_table(self, name: str) -> bool:
        """Return True if the file has a table of this name."""
        is_there = "SELECT 1 FROM sqlite_master WHERE name = ?"
        return self.first(is_there, name) is not None

    def meta(self, key: str) -> str | None:
        """Return the value of a key of the table `meta`; None if it has none."""
        row = self.first("SELECT value FROM meta WHERE key = ?", key)
        with explained(self.path):
            return None if row is None else msgspec.convert(row[0], str)

    def set_meta(self, key: str, value: str) -> None:
        """Set the value of a key of the table `meta`, in a transaction."""
        self.connection.execute(
            "INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value)
        )


class BatchCache(Generic[Part]):
    """Finds a part of each game, and keeps the last batches that it has unpacked.

    Games near each other in the plan were mostly played together.
    """

    def __init__(
        self,
        db: sqlite3.Connection,
        column: str,
        decode: Callable[[bytes], list[Part]],
    ) -> None:
        """Look into a column of the table `batches`; `decode` reads a batch."""
        self._db = db
        self._query = f"SELECT CAST({column} AS BLOB) FROM batches WHERE number = ?"
        self._decode = decode
        self._kept: dict[int, tuple[int, list[Part]]] = {}
        """By number, the last one used last: its length unpacked, and its games."""
        self._bytes = 0

    def find(self, game_id: str, batch: int, place: int) -> Part:
        """Return the part of the game at a place in a batch.

        Raises:
            DatabaseError: there is no such game.
        """
        if type(batch) is not int or type(place) is not int:
            raise sqlite3.DatabaseError(f"game {game_id!a} is malformed")
        kept = self._kept.pop(batch, None)
        size, games = self._read(batch) if kept is None else kept
        self._kept[batch] = size, games
        while len(self._kept) > _CACHED_BATCHES or (
            self._bytes > _CACHED_BYTES and len(self._kept) > 1
        ):
            self._bytes -= self._kept.pop(next(iter(self._kept)))[0]
        if not 0 <= place < len(games):
            raise sqlite3.DatabaseError(f"game {game_id} is malformed")
        return games[place]

    def _read(self, batch: int) -> tuple[int, list[Part]]:
        row = self._db.execute(self._query, (batch,)).fetchone()
        if row is None:
            return 0, []
        data = unpack(row[0])
        self._bytes += len(data)
        return len(data), self._decode(data)

"""The file of a results folder: its tables, its lock, its errors, its batches."""

import fcntl
import os
import sqlite3
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from arena.errors import BusyError, RecordError

Part = TypeVar("Part")
_FORMAT = "3"
"""Of the tables."""
_BUSY_TIMEOUT_S = 30.0
_CACHE_KIB = 16 * 1024
"""Of the file that a process keeps in memory: ids come in no order."""
_CACHED_BATCHES = 256
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
_LUCK = """
CREATE TABLE IF NOT EXISTS luck (
    game_id TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    pairs BLOB NOT NULL
) WITHOUT ROWID
"""
"""A table apart: files of before there was luck are still used."""
_VERSIONS = """
CREATE TABLE IF NOT EXISTS versions (
    number INTEGER PRIMARY KEY,
    entry TEXT NOT NULL,
    digest TEXT NOT NULL,
    UNIQUE (entry, digest)
)
"""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other processes from writing into a folder; a dead process keeps nobody.

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
                f"{folder}: another league is being played into this folder; "
                "wait for its end or choose another with --results"
            ) from None
        raise RecordError(
            f"{folder}: can't be locked ({error.strerror}); "
            "choose a folder of this machine with --results"
        ) from None
    try:
        yield
    finally:
        os.close(lock)


def connect(path: Path, *, make: bool) -> sqlite3.Connection:
    """Return a connection to a league's file; with `make` it may be a new one.

    Raises:
        RecordError: the file is damaged, of another format, or none of ours.
    """
    target = path.absolute().as_uri()
    in_use = path.with_name(path.name + "-wal").exists()
    if not (make or in_use or os.access(path.parent, os.W_OK)):
        # To read a file in WAL mode, SQLite must write beside it, unless it knows that
        # nobody changes it.
        target += "?immutable=1"
    with explained(path):
        connection = sqlite3.connect(
            target, uri=True, timeout=_BUSY_TIMEOUT_S, isolation_level=None
        )
        try:
            tables = _tables(connection)
            if make and not tables:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.executescript(
                    f"BEGIN; {_SCHEMA} INSERT INTO meta VALUES "
                    f"('format', '{_FORMAT}'); COMMIT;"
                )
            elif not tables >= {"meta", "games", "plan"}:
                raise RecordError(f"{path}: is no file of arena's; move it away")
            _check_format(path, connection)
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
            if make:
                connection.execute(_LUCK)
                connection.execute(_VERSIONS)
        except BaseException:
            connection.close()
            raise
    return connection


def _tables(connection: sqlite3.Connection) -> set[str]:
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {row[0] for row in rows}


def _check_format(path: Path, connection: sqlite3.Connection) -> None:
    row = connection.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
    found = row[0] if row else "none"
    if found != _FORMAT:
        raise RecordError(
            f"{path}: has format {found}, this version of arena reads {_FORMAT}; "
            "choose another folder with --results"
        )


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
    ) as error:
        text = str(error)
        is_damage = "malformed" in text or "UTF-8" in text
        if isinstance(error, sqlite3.OperationalError) and not is_damage:
            hint = "nothing recorded is lost; run the same command again after a fix"
            raise RecordError(f"{path}: can't be used ({text}); {hint}") from None
        raise RecordError(
            f"{path}: is damaged ({text}); nothing was changed: restore it from a "
            "copy, or move it away to play the league anew"
        ) from None


class BatchCache(Generic[Part]):
    """Finds a part of each game, and keeps the last batches that it has unpacked.

    Games near each other in the plan were mostly played together.
    """

    def __init__(
        self,
        db: sqlite3.Connection,
        column: str,
        read: Callable[[bytes], list[Part]],
    ) -> None:
        """Look into a column of the table `batches`; `read` unpacks a batch."""

        def unpack(number: int) -> list[Part]:
            query = f"SELECT CAST({column} AS BLOB) FROM batches WHERE number = ?"
            row = db.execute(query, (number,)).fetchone()
            return [] if row is None else read(row[0])

        self._unpack = lru_cache(_CACHED_BATCHES)(unpack)

    def find(self, game_id: str, batch: int, place: int) -> Part:
        """Return the part of the game at a place in a batch.

        Raises:
            DatabaseError: there is no such game.
        """
        games = self._unpack(batch)
        if not 0 <= place < len(games):
            raise sqlite3.DatabaseError(f"game {game_id} is malformed")
        return games[place]

"""The file of a results folder: its tables, who may write it, and what ails it."""

import fcntl
import os
import sqlite3
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from arena.errors import BusyError, RecordError

_FORMAT = "3"
"""Of the tables."""
_BUSY_SECONDS = 30.0
_CACHE = 16 * 1024
"""KiB of the file that a process keeps: ids come in no order."""
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
"""Results of before there was luck go on to be used."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a folder against a second writer; ends with the process at the latest.

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
        # To read a file in WAL mode, SQLite must write beside it, unless it is told
        # that nobody changes it.
        target += "?immutable=1"
    with explained(path):
        connection = sqlite3.connect(
            target, uri=True, timeout=_BUSY_SECONDS, isolation_level=None
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
            connection.execute(f"PRAGMA cache_size = -{_CACHE}")
            if make:
                connection.execute(_LUCK)
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
    """Turn what goes wrong with a league's file into one sentence.

    Raises:
        RecordError: something did.
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

"""The files that a bot consists of, as the referee reads them for its contestant."""

import functools
import os
from collections.abc import Sequence
from pathlib import Path

from arena.games import derive_seed


class ChangedError(OSError):
    """A bot's files are not those that it was enrolled with."""

    @classmethod
    def changed(cls, path: str | Path) -> "ChangedError":
        """Return the error for a file with other content."""
        return cls(
            f"{path} has been changed since the league began; "
            "run the same command again to play with it as it is now"
        )

    @classmethod
    def unreadable(cls, path: str | Path, error: OSError) -> "ChangedError":
        """Return the error for a file that is gone or may not be read."""
        return cls(f"{path} can't be read any more ({error})")


def code_hash(files: Sequence[str | Path]) -> str:
    """Return a hash of all files of a bot, its own file first.

    Raises:
        OSError: a file can't be read.
    """
    paths = [os.fspath(path) for path in files]
    return _hash(paths, [_read(path) for path in paths])


def read_sources(files: Sequence[str], code: str) -> tuple[tuple[str, bytes], ...]:
    """Return path and text of the Python files among `files`.

    Raises:
        ChangedError: their hash is not `code`; if that is empty, any will do.
    """
    try:
        return _sources(tuple(files), code, tuple(map(_signature, files)))
    except OSError as error:
        if isinstance(error, ChangedError):
            raise
        raise ChangedError.unreadable(files[0], error) from None


@functools.lru_cache(maxsize=128)
def _sources(
    files: tuple[str, ...], code: str, signatures: tuple[tuple[int, ...], ...]
) -> tuple[tuple[str, bytes], ...]:
    contents = [_read(path) for path in files]
    if code and _hash(files, contents) != code:
        raise ChangedError.changed(files[0])
    pairs = zip(files, contents, strict=True)
    return tuple((path, data) for path, data in pairs if path.endswith(".py"))


def _signature(path: str) -> tuple[int, ...]:
    """Return a signature of a file that changes when the file does."""
    status = os.stat(path)
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _hash(files: Sequence[str], contents: Sequence[bytes]) -> str:
    folder = os.path.dirname(files[0])
    parts: list[str | bytes] = []
    for path, data in zip(files, contents, strict=True):
        name = os.fsencode(os.path.relpath(path, folder))
        parts += [name.decode(errors="backslashreplace"), data]
    return derive_seed("code", *parts).hex()[:32]

"""The files that a bot consists of, as the referee reads them for its contestant."""

import functools
import os
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path

from arena.games.chance import framed
from arena.referee.work_unit import EntrySpec


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


def moved(path: str, home: str, to: str) -> str:
    """Return where a path is if the folder `home` is shown at `to`.

    It stays as it is if it does not lie there, or `to` is empty.
    """
    start = f"{home.rstrip('/')}/"
    if not to or not path.startswith(start):
        return path
    return os.path.join(to, path[len(start) :])


def code_hash(names: Sequence[str], contents: Iterable[bytes]) -> str:
    """Return a hash of all files of a bot: what each is called, and its contents."""
    hashed = blake2b(framed("code"), digest_size=32)
    for name, data in zip(names, contents, strict=True):
        hashed.update(framed(name))
        hashed.update(framed(data))
    return hashed.hexdigest()[:32]


def read_sources(entry: EntrySpec) -> tuple[tuple[str, bytes], ...]:
    """Return path and text of the Python files of an entry.

    Raises:
        ChangedError: the files are not those that it was enrolled with.
    """
    files = entry.files
    try:
        return _sources(files, entry.names, entry.code, tuple(map(_signature, files)))
    except OSError as error:
        if isinstance(error, ChangedError):
            raise
        raise ChangedError.unreadable(files[0], error) from None


@functools.lru_cache(maxsize=128)
def _sources(
    files: tuple[str, ...],
    names: tuple[str, ...],
    code: str,
    signatures: tuple[tuple[int, int, int, int], ...],
) -> tuple[tuple[str, bytes], ...]:
    sizes = [size for _, _, size, _ in signatures]
    contents = list(map(_read, files, sizes))
    if code and code_hash(names, contents) != code:
        raise ChangedError.changed(files[0])
    pairs = zip(files, contents, strict=True)
    return tuple((path, data) for path, data in pairs if path.endswith(".py"))


def _signature(path: str) -> tuple[int, int, int, int]:
    """Return a signature of a file that changes when the file does."""
    status = os.stat(path)
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _read(path: str, size: int) -> bytes:
    # A bot that may write where it lies could put a pipe there, or what has no end.
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
        return file.read(size + 1) or b""

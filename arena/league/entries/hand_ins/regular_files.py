"""The files of a hand-in, read so that nothing but files of its own is read.

A student decides what lies in his folder, and may change it at any time.  So below it
everything is opened relative to the folder it lies in, no link is followed, and what
has been opened is checked, not its name.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from arena.text import cut, printable

MAX_FILE_BYTES = 64 * 2**20
MAX_BYTES = 128 * 2**20
"""Of all files of a hand-in together."""
MAX_FILES = 1000
"""Files and folders in a hand-in, however deep they lie."""
MAX_DEPTH = 10
"""Folders in each other, the hand-in itself being the first."""
MAX_NAME_CHARS = 100
"""Of the name of a file or folder."""
FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
FOLDER_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_DIRECTORY
"""To open what somebody else may put something else in the place of."""
_ATTEMPTS = 3
_SHOWN_CHARS = 120
_KINDS = (
    (stat.S_ISLNK, "a link"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class RefusedError(Exception):
    """A hand-in is not taken; the text says why, and what to do."""


class _ChangedError(Exception):
    """Something is another than a moment before."""


class ReadFile(NamedTuple):
    """A file of a hand-in, as it was read."""

    name: str
    """Its path, relative to the folder in which the hand-in lies."""
    data: bytes
    is_executable: bool


class _Place(NamedTuple):
    """A name in an open folder."""

    folder: int
    """Descriptor."""
    own: str
    name: str
    """Relative to the folder in which the hand-in lies."""
    status: os.stat_result


def read_files(path: str, *, hidden: bool = False) -> list[ReadFile]:
    """Return the files of a file or folder, by name.

    Left out are `__pycache__` and, unless `hidden`, all whose names begin with a dot.

    Raises:
        RefusedError: something in it is no regular file of its own, or too much.
        OSError: something can't be read.
    """
    for _ in range(_ATTEMPTS):
        try:
            return _read(path, hidden)
        except _ChangedError:
            continue
    raise RefusedError(
        "was changed again and again while it was read; when nobody writes there any "
        "more, do it again"
    )


def _read(path: str, hidden: bool) -> list[ReadFile]:
    found: list[ReadFile] = []
    seen = []
    room = MAX_BYTES
    for place in _files(path, hidden):
        data, status = _contents(place, path, room)
        room -= len(data)
        seen.append((place.name, _signature(status)))
        found.append(ReadFile(place.name, data, bool(status.st_mode & 0o111)))
    # All of it must have been there at one moment.
    if seen != [(x.name, _signature(x.status)) for x in _files(path, hidden)]:
        raise _ChangedError
    return sorted(found, key=lambda file: file.name.split("/"))


def _files(path: str, hidden: bool) -> Iterator[_Place]:
    """Yield all files, each while the folder that it lies in is open."""
    parent, name = os.path.split(os.path.abspath(path))
    # The instructor has named the folder in which hand-ins lie: it may be a link.
    with _opened(parent, os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY) as folder:
        top = _Place(folder, name, name, _status(folder, name))
        yield from _walk(top, path, hidden, [0], 1)


def _walk(
    place: _Place, path: str, hidden: bool, count: list[int], depth: int
) -> Iterator[_Place]:
    _check_name(place.own)
    if not stat.S_ISDIR(place.status.st_mode):
        _check_kind(place, path)
        yield place
        return
    if depth > MAX_DEPTH:
        raise RefusedError(
            f"has folders in each other, {depth} deep; {MAX_DEPTH} are allowed"
        )
    with _opened(place.own, FOLDER_FLAGS, place.folder) as folder:
        if not os.path.samestat(os.fstat(folder), place.status):
            raise _ChangedError
        names = []
        with os.scandir(folder) as entries:
            for entry in entries:
                count[0] += 1
                if count[0] > MAX_FILES:
                    raise RefusedError(
                        f"has more than {MAX_FILES} files and folders; leave out what "
                        "it does not need"
                    )
                names.append(entry.name)
        for name in sorted(names):
            if name == "__pycache__" or (name.startswith(".") and not hidden):
                continue
            inner = _Place(folder, name, f"{place.name}/{name}", _status(folder, name))
            yield from _walk(inner, path, hidden, count, depth + 1)


def _contents(place: _Place, path: str, room: int) -> tuple[bytes, os.stat_result]:
    with _opened(place.own, FILE_FLAGS, place.folder) as file:
        before = os.fstat(file)
        if not os.path.samestat(before, place.status):
            raise _ChangedError
        _check_kind(place._replace(status=before), path)
        most = min(MAX_FILE_BYTES, room)
        _check_size(place, path, before.st_size, room)
        parts = []
        left = most + 1  # It may be growing.
        while left > 0 and (part := os.read(file, min(left, 2**20))):
            parts.append(part)
            left -= len(part)
        data = b"".join(parts)
        _check_size(place, path, len(data), room)
        after = os.fstat(file)
        if _signature(before) != _signature(after) or len(data) != after.st_size:
            raise _ChangedError
        return data, after


def _status(folder: int, name: str) -> os.stat_result:
    return os.stat(name, dir_fd=folder, follow_symlinks=False)


def _signature(status: os.stat_result) -> tuple[int, ...]:
    return (
        status.st_dev,
        status.st_ino,
        status.st_mode,
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
    )


@contextmanager
def _opened(path: str, flags: int, folder: int | None = None) -> Iterator[int]:
    try:
        descriptor = os.open(path, flags, dir_fd=folder)
    except OSError as error:
        if folder is not None and error.errno != errno.EACCES:
            # It was there, and of the right kind, a moment before.
            raise _ChangedError from None
        raise
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def shown(name: str) -> str:
    """Return the name of a file as sentences show it."""
    return cut(printable(name, lines=False), _SHOWN_CHARS)


def _check_name(name: str) -> None:
    if name != printable(name, lines=False):
        raise RefusedError(
            f"has a name that is no valid text: {shown(ascii(name))}; rename that"
        )
    if len(name) > MAX_NAME_CHARS:
        raise RefusedError(
            f"has a name of {len(name)} characters; {MAX_NAME_CHARS} are allowed: "
            f"{cut(name, 40)}"
        )


def _check_kind(place: _Place, path: str) -> None:
    problem = why_not_regular(place.status)
    if problem:
        raise RefusedError(f"{_subject(place, path)} {problem}")


def why_not_regular(status: os.stat_result) -> str:
    """Return what something is that is no file of its own, and what to do.

    It is empty for a file.
    """
    kind = special_kind(status.st_mode)
    if kind:
        remedy = "remove it"
        if stat.S_ISLNK(status.st_mode):
            remedy = "put what it leads to in its place, as a file"
        return f"{kind}; {remedy}"
    if status.st_nlink > 1:
        return (
            "a file with a second name elsewhere (a hard link); put a copy of it in "
            "its place"
        )
    return ""


def special_kind(mode: int) -> str:
    """Return what has a mode that is neither a file nor a folder; empty if it is."""
    return "".join(kind for is_kind, kind in _KINDS if is_kind(mode))


def _subject(place: _Place, path: str) -> str:
    if place.name == os.path.basename(path):
        return "is"
    return f"has {shown(place.name.partition('/')[2])}, which is"


def _check_size(place: _Place, path: str, size: int, room: int) -> None:
    what = "has"
    if place.name != os.path.basename(path):
        what = f"has {shown(place.name.partition('/')[2])}, with"
    if size > MAX_FILE_BYTES:
        raise RefusedError(
            f"{what} more than {MAX_FILE_BYTES // 2**20} MiB; make it smaller"
        )
    if size > room:
        raise RefusedError(
            f"has more than {MAX_BYTES // 2**20} MiB in all; leave out what it does "
            "not need"
        )

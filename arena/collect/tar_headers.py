"""The list of what a tar archive holds, read in one pass, whatever it says of itself.

Python's `tarfile` reads headers of any length, and some of its versions can be made to
search in them for hours.  So this reads what tells the files, in the forms of POSIX
(`ustar`, `pax`), of GNU tar and of before, as "Basic Tar Format" in the manual of GNU
tar 1.35 and the page tar(5) of FreeBSD 14 describe them.
"""

import io
from collections.abc import Iterator
from typing import IO, NamedTuple

from arena.collect.submission import TooLargeError, UnreadableError

BLOCK = 512
_MAX_HEADER_BYTES = 2**16
_HEADERS_PER_FILE = 4
_FOLDER = b"5"
_OLD_FILE = b"\0"
_FILES = (_OLD_FILE, b"0", b"7")
_WITHOUT_DATA = {
    b"1": "a link",
    b"2": "a link",
    b"3": "a device",
    b"4": "a device",
    b"6": "a pipe",
}
_WITH_HOLES = b"S"
_HOLES = "a file with holes"
_LONG_NAME = b"L"
_FOR_NEXT = b"x"
_HEADERS = (_LONG_NAME, _FOR_NEXT, b"K", b"X", b"g")
"""The others are long names of links, and what holds for all files."""


class TarMember(NamedTuple):
    """A file in a tar archive, or something else that is no folder."""

    name: bytes
    is_executable: bool
    start: int
    """Where in the archive its contents begin."""
    size: int
    kind: str
    """What it is if it is no file; empty if it is one."""


class _Block(NamedTuple):
    """What is taken of the block at the beginning of a member or header."""

    type: bytes
    name: bytes
    mode: int
    size: int


def is_tar(block: bytes) -> bool:
    """Return True if a tar archive may begin with a block."""
    if len(block) < BLOCK:
        return False
    plain = block[:148] + b" " * 8 + block[156:BLOCK]
    try:
        found = _number(block[148:156])
    except ValueError:
        return False
    # Old ones have added up the bytes as numbers with a sign.
    return found in (sum(plain), sum(plain) - 256 * sum(x > 127 for x in plain))


def tar_members(file: IO[bytes], most: int) -> Iterator[TarMember]:
    """Yield what is in an archive of about `most` files at the most.

    Raises:
        UnreadableError: it is damaged.
        TooLargeError: there is more, or its headers are too long.
    """
    end = file.seek(0, io.SEEK_END)
    place = number = 0
    long_name = b""
    keywords: dict[bytes, bytes] = {}
    while place < end:
        file.seek(place)
        block = file.read(BLOCK)
        if not block.strip(b"\0"):
            return
        number += 1
        if number > _HEADERS_PER_FILE * most:
            raise TooLargeError(f"is an archive of more than {most:,} files")
        own = _read_block(block, keywords)
        start = place + BLOCK
        place = start + -(-own.size // BLOCK) * BLOCK
        if start + own.size > end:
            raise UnreadableError("is a damaged archive")
        if own.type in _HEADERS:
            if own.size > _MAX_HEADER_BYTES:
                raise TooLargeError("is an archive with too long headers")
            data = file.read(own.size)
            if own.type == _LONG_NAME:
                long_name = data.partition(b"\0")[0]
            elif own.type == _FOR_NEXT:
                keywords = dict(_keywords(data))
            continue
        if own.type == _WITH_HOLES:
            raise UnreadableError(f"is an archive with {_HOLES}")
        name = keywords.get(b"path", long_name or own.name)
        is_folder = own.type == _OLD_FILE and name.endswith(b"/")
        if own.type != _FOLDER and not is_folder:
            kind = _WITHOUT_DATA.get(own.type, "")
            if not kind and own.type not in _FILES:
                kind = "of an unknown kind"
            if any(key.startswith(b"GNU.sparse.") for key in keywords):
                kind = _HOLES
            yield TarMember(name, bool(own.mode & 0o111), start, own.size, kind)
        long_name, keywords = b"", {}


def _read_block(block: bytes, keywords: dict[bytes, bytes]) -> _Block:
    """Return what a block says, and `keywords` say otherwise."""
    if not is_tar(block):
        raise UnreadableError("is a damaged archive")
    type_ = block[156:157]
    name = block[:100].partition(b"\0")[0]
    if block[257:263] == b"ustar\0" and block[345]:
        name = block[345:500].partition(b"\0")[0] + b"/" + name
    try:
        mode = _number(block[100:108])
        size = _number(block[124:136])
        if type_ not in _HEADERS:
            size = int(keywords.get(b"size", size))
    except ValueError:
        size = -1
    if size < 0:
        raise UnreadableError("is a damaged archive")
    if type_ in _WITHOUT_DATA or type_ == _FOLDER:
        size = 0
    return _Block(type_, name, mode, size)


def _number(field: bytes) -> int:
    """Return a number of a block: in octal digits, or large ones in binary.

    Raises:
        ValueError: it is none.
    """
    if field[0] == 0x80:
        return int.from_bytes(field[1:], "big")
    return int(field.partition(b"\0")[0].strip() or b"0", 8)


def _keywords(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield what a header says of the next file: `LENGTH KEY=VALUE` in each line."""
    place = 0
    while data[place : place + 1].strip(b"\0"):
        length, _, _ = data[place : place + 20].partition(b" ")
        end = place + (int(length) if length.isdigit() else 0)
        if end <= place or data[end - 1 : end] != b"\n":
            raise UnreadableError("is a damaged archive")
        key, _, value = data[place + len(length) + 1 : end - 1].partition(b"=")
        yield key, value
        place = end

"""Zip and tar archives, read so that nothing is written and no more than fits is read.

Students make them, and one may be made to attack: what archives say of themselves is
not believed.  Bytes are counted as they come out.  The directory of a zip is read by
Python's own module, through a file that refuses to give it more than an honest one has.
"""

import bz2
import io
import lzma
import stat
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import IO, NamedTuple

from arena.collect.member_name import member_name
from arena.collect.submission import ExportFile, TooLargeError, UnreadableError
from arena.collect.tar_headers import BLOCK, is_tar, tar_members
from arena.league.entries.hand_ins.regular_files import special_kind

_PIECE = 2**16
_MAGIC_BYTES = 3
_MAX_STREAMS = 10_000
"""One after another in one file: programs that use all cores write many."""
_XZ_BYTES = 2**27
"""Of memory, to decompress."""
_ENCRYPTED_FLAGS = 0x1 | 0x40 | 0x2000
"""Flags of a file in a zip."""
_IN_UTF_8 = 0x800
_UNICODE_PATH = 0x7075
"""An extra field of a file in a zip."""
_MAGIC = {
    b"PK\x03\x04": "zip",
    b"PK\x05\x06": "zip",
    b"PK\x07\x08": "zip",
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\0": "xz",
    b"7z\xbc\xaf\x27\x1c": "7-Zip",
    b"Rar!\x1a\x07": "RAR",
    b"\x28\xb5\x2f\xfd": "Zstandard",
}
ARCHIVE_ENDS = (
    *(".zip", ".tar", ".tgz", ".tbz2", ".txz", ".gz", ".bz2", ".xz"),
    *(".7z", ".rar", ".zst"),
)
"""Of names, in lower case."""
ENCRYPTED = "is encrypted with a password"
_OURS = ("zip", "tar", "gzip", "bzip2", "xz")
BEGIN_BYTES = BLOCK
"""Of a file, to see what kind of archive it is."""
_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    # Also those of encodings; a method that is not known; headers in each other.
    ValueError,
    RuntimeError,
    OSError,
    EOFError,
    OverflowError,
    LookupError,
    TypeError,
)
"""What Python's modules raise on archives that are damaged."""


class NoArchiveError(UnreadableError):
    """It is a single file that has been compressed."""


class ArchiveLimits(NamedTuple):
    """The most that is taken of an archive."""

    entries: int
    directory_bytes: int
    """Of the part of a zip that lists its files."""
    tar_bytes: int
    """Of a tar that has been compressed, when it no longer is."""


class _Meager(io.RawIOBase):
    """A file of which no more is given at once than an honest archive asks for."""

    def __init__(self, file: IO[bytes], at_once: int) -> None:
        self._file = file
        self._at_once = at_once

    def read(self, size: int = -1) -> bytes:
        """Read some bytes.

        Raises:
            TooLargeError: that is more than there should be.
        """
        if size < 0:
            here = self._file.tell()
            size = self._file.seek(0, io.SEEK_END) - here
            self._file.seek(here)
        if size > self._at_once:
            raise TooLargeError("is an archive with too many files or too long names")
        return self._file.read(size)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a place in the file."""
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        """Return the place in the file."""
        return self._file.tell()

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True


def archive_kind(begin: bytes) -> str:
    """Return the format of an archive, by its first bytes; empty if it is none.

    What is `gzip`, `bzip2` or `xz` may also be a single file that is compressed.
    """
    for magic, kind in _MAGIC.items():
        if begin.startswith(magic):
            return kind
    return "tar" if is_tar(begin) else ""


def can_unpack(kind: str) -> bool:
    """Return True if archives of a format can be unpacked here."""
    return kind in _OURS


def files_of(
    file: IO[bytes], kind: str, limits: ArchiveLimits, scratch: IO[bytes]
) -> list[ExportFile]:
    """Return the files of an archive, by name; they are read when they are needed.

    `file` can be sought in, and stays open until then; so does `scratch`, an empty one
    that holds what has been compressed as a whole.

    Raises:
        UnreadableError: it is damaged or too large.
        NoArchiveError: it is compressed, and not as a whole an archive.
    """
    with _damage("archive"):
        if kind in ("gzip", "bzip2", "xz"):
            _decompress(file, kind, limits.tar_bytes, scratch)
            file = scratch
        found = _of_zip(file, limits) if kind == "zip" else _of_tar(file, limits)
        return by_name(found)


def by_name(files: Iterable[ExportFile]) -> list[ExportFile]:
    """Return files by name; of those with one name all but the last are refused."""
    found: dict[str, ExportFile] = {}
    times: Counter[str] = Counter()
    for file in files:
        before = found.get(file.name)
        if before is not None:
            name = file.name
            while name in found:
                times[file.name] += 1
                name = f"{file.name} ({times[file.name]})"
            why = before.refused or "is there again, later, and that one is taken"
            found[name] = replace(before, name=name, refused=why)
        found[file.name] = file
    return [
        replace(file, read=partial(_refuse, file.refused)) if file.refused else file
        for file in sorted(found.values(), key=lambda file: file.name.split("/"))
    ]


def _refuse(why: str, most: int) -> bytes:
    raise UnreadableError(why)


@contextmanager
def _damage(what: str) -> Iterator[None]:
    try:
        yield
    except MemoryError:
        raise TooLargeError(f"is too large a {what}") from None
    except _ERRORS as error:
        raise UnreadableError(f"is a damaged {what}") from error


def _of_zip(file: IO[bytes], limits: ArchiveLimits) -> Iterator[ExportFile]:
    meager = _Meager(file, limits.directory_bytes)
    archive = zipfile.ZipFile(meager)
    _check_number(len(archive.infolist()), limits)
    for info in archive.infolist():
        mode = info.external_attr >> 16
        if info.orig_filename.endswith(("/", "\\")) or stat.S_ISDIR(mode):
            continue
        name = member_name(_name_in_zip(info))
        yield ExportFile(
            name.text,
            partial(_read_of_zip, archive, info),
            bool(mode & 0o111),
            name.refused or _why_refused(info),
            name.is_guessed,
        )


def _name_in_zip(info: zipfile.ZipInfo) -> bytes:
    """Return the bytes of a name, in UTF-8 if the archive has it so."""
    if info.flag_bits & _IN_UTF_8:
        return info.orig_filename.encode()
    raw = info.orig_filename.encode("cp437")
    # Some tools write the name again, in UTF-8, among the extra fields.
    extra = info.extra
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<HH", extra)
        field, extra = extra[4 : 4 + size], extra[4 + size :]
        if kind == _UNICODE_PATH and field[1:5] == struct.pack("<I", zlib.crc32(raw)):
            return field[5:]
    return raw


def _why_refused(info: zipfile.ZipInfo) -> str:
    kind = special_kind(info.external_attr >> 16)
    if kind:
        return f"is {kind}"
    if info.flag_bits & _ENCRYPTED_FLAGS:
        return ENCRYPTED
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        # Python decompresses the other ones without a limit.
        return f"is compressed in an unusual way (method {info.compress_type})"
    return ""


def _read_of_zip(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> bytes:
    with _damage("file"), archive.open(info) as file:
        return read_most(file, most)


def read_most(file: IO[bytes], most: int) -> bytes:
    """Return what is in a file from here on.

    Raises:
        TooLargeError: there are more than `most` bytes.
    """
    found = bytearray()
    while piece := file.read(min(_PIECE, most + 1 - len(found))):
        found += piece
        if len(found) > most:
            raise TooLargeError("is too large")
    return bytes(found)


def _check_number(entries: int, limits: ArchiveLimits) -> None:
    if entries > limits.entries:
        raise TooLargeError(f"is an archive of more than {limits.entries:,} files")


def _of_tar(file: IO[bytes], limits: ArchiveLimits) -> Iterator[ExportFile]:
    for number, member in enumerate(tar_members(file, limits.entries), 1):
        _check_number(number, limits)
        name = member_name(member.name)
        yield ExportFile(
            name.text,
            partial(_read_of_tar, file, member.start, member.size),
            member.is_executable,
            name.refused or (f"is {member.kind}" if member.kind else ""),
            name.is_guessed,
        )


def _read_of_tar(file: IO[bytes], start: int, size: int, most: int) -> bytes:
    if size > most:
        raise TooLargeError("is too large")
    with _damage("file"):
        file.seek(start)
        data = file.read(size)
    if len(data) < size:
        raise UnreadableError("is a damaged file")
    return data


def _decompress(file: IO[bytes], kind: str, most: int, into: IO[bytes]) -> None:
    size = into.seek(0)
    into.truncate()
    for piece in _pieces(file, kind):
        into.write(piece)
        before, size = size, size + len(piece)
        if before < BLOCK <= size:
            into.seek(0)
            if not is_tar(into.read(BLOCK)):
                break
            into.seek(0, io.SEEK_END)
        if size > most:
            raise TooLargeError(f"is an archive of more than {most // 2**20} MiB")
    else:
        if size >= BLOCK:
            return
    raise NoArchiveError("is compressed, but no archive")


def _pieces(file: IO[bytes], kind: str) -> Iterator[bytes]:
    """Yield what has been compressed, in pieces that are not too large."""
    file.seek(0)
    magic = file.read(_MAGIC_BYTES)
    file.seek(0)
    data = file.read(_PIECE)
    # There may be several, one after another; what follows and is none is padding.
    for _ in range(_MAX_STREAMS):
        if not data.startswith(magic):
            return
        machine = _decompressor(kind)
        while not machine.eof:
            if machine.needs_input:
                data = data or file.read(_PIECE)
                if not data:
                    raise EOFError
                yield machine.decompress(data, _PIECE)
                data = b""
            else:
                yield machine.decompress(b"", _PIECE)
        data = machine.unused_data
        data += file.read(_PIECE - len(data))
    raise TooLargeError(f"is an archive of more than {_MAX_STREAMS:,} parts")


def _decompressor(kind: str) -> "_Gunzip | bz2.BZ2Decompressor | lzma.LZMADecompressor":
    if kind == "gzip":
        return _Gunzip()
    if kind == "bzip2":
        return bz2.BZ2Decompressor()
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_BYTES)


class _Gunzip:
    """What is compressed once by gzip, read as the other kinds are."""

    def __init__(self) -> None:
        self._machine = zlib.decompressobj(16 + zlib.MAX_WBITS)
        self._is_full = False
        """True if there may be more than was asked for."""

    @property
    def eof(self) -> bool:
        """True at its end."""
        return self._machine.eof

    @property
    def unused_data(self) -> bytes:
        """What follows its end."""
        return self._machine.unused_data

    @property
    def needs_input(self) -> bool:
        """True if it can't go on without more."""
        return not (self._is_full or self._machine.unconsumed_tail)

    def decompress(self, data: bytes, most: int) -> bytes:
        """Return at most so many bytes of what has been compressed."""
        found = self._machine.decompress(self._machine.unconsumed_tail + data, most)
        self._is_full = len(found) == most
        return found

"""Archives as students and attackers make them, for the tests of all that unpacks."""

import gzip
import io
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Mapping

from arena.collect.submission import ExportFile, Person, Submission
from arena.collect.unpacking import Unpacking

LINK = stat.S_IFLNK | 0o777
BOT = (
    b"from arena import Bot\n\n\nclass MyBot(Bot):\n    def act(self, observation):\n"
    b"        return ''\n"
)


def zipped(
    files: Mapping[str, bytes], *, modes: Mapping[str, int] | None = None
) -> bytes:
    """Return a zip; `modes` are those of files that are no common ones."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = ((modes or {}).get(name, 0o100644)) << 16
            archive.writestr(info, text)
    return data.getvalue()


def zipped_raw(
    names: Mapping[bytes, bytes], flags: int = 0, extra: bytes = b""
) -> bytes:
    """Return a zip with names in any encoding, and nothing compressed.

    All have the same `extra` fields.
    """
    body, directory = b"", b""
    for name, text in names.items():
        crc, size = zlib.crc32(text), len(text)
        common = struct.pack(
            "<HHHHHIIIHH", 20, flags, 0, 0, 33, crc, size, size, len(name), len(extra)
        )
        head = b"PK\3\4" + common + name + extra
        directory += b"PK\1\2" + struct.pack("<H", 20) + common
        directory += struct.pack("<HHHII", 0, 0, 0, 0, len(body)) + name + extra
        body += head + text
    number = len(names)
    end = struct.pack("<HHHHIIH", 0, 0, number, number, len(directory), len(body), 0)
    return body + directory + b"PK\5\6" + end


def tarred(
    files: Mapping[str, bytes], mode: str = "w", form: int = tarfile.PAX_FORMAT
) -> bytes:
    """Return a tar; `mode` says how it is compressed."""
    if mode == "w:gz":
        return gzip.compress(tarred(files, form=form), mtime=0)
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode=mode, format=form) as archive:  # type: ignore[call-overload]
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text))
    return data.getvalue()


def tar_block(
    name: bytes, kind: bytes = b"0", size: int = 0, link: bytes = b""
) -> bytes:
    """Return the header of one member of a tar, which may be a lie."""
    head = (
        name.ljust(100, b"\0")
        + b"0000644\0"
        + b"0000000\0" * 2
        + (b"%011o\0" % size if size >= 0 else b"\xff" * 12)
        + b"00000000000\0"
        + b" " * 8
        + kind
        + link.ljust(100, b"\0")
        + b"ustar\00000"
    ).ljust(512, b"\0")
    return head[:148] + b"%06o\0 " % sum(head) + head[156:]


def file(name: str, data: bytes) -> ExportFile:
    """Return a file of an export."""

    def read(most: int) -> bytes:
        assert len(data) <= most
        return data

    return ExportFile(name, read)


def submission(files: Mapping[str, bytes]) -> Submission:
    """Return a submission of Ana Alder."""
    found = tuple((name, file(name, data)) for name, data in files.items())
    return Submission((Person(("ana",), "Ana Alder"),), found, "an export")


def taken(data: bytes, name: str = "bot.zip", **limits: int) -> Unpacking:
    """Return what has become of one archive; `limits` are those of `Unpacking`."""
    unpacking = Unpacking(**{f"_left_{kind}": most for kind, most in limits.items()})
    unpacking.take({name: file(name, data)})
    return unpacking

"""Archives: read as what they are, with the names that they had, and no further."""

import bz2
import gzip
import io
import lzma
import os
import random
import stat
import struct
import subprocess
import sys
import tarfile
import zipfile
import zlib
from pathlib import Path
from types import ModuleType

import pytest
from attacks import LINK, tar_block, tarred, zipped, zipped_raw

from arena.collect import archives
from arena.collect.archives import (
    BEGIN_BYTES,
    ArchiveLimits,
    archive_kind,
    can_unpack,
    files_of,
)
from arena.collect.submission import ExportFile, TooLargeError, UnreadableError

LIMITS = ArchiveLimits(entries=50, directory_bytes=2**16, tar_bytes=2**20)
FILES = {"bot/bot.py": b"x = 1\n" * 100, "bot/data/ü.json": b"{}", "readme": b""}


def listed(data: bytes, limits: ArchiveLimits = LIMITS) -> list[ExportFile]:
    kind = archive_kind(data[:BEGIN_BYTES])
    return files_of(io.BytesIO(data), kind, limits, io.BytesIO())


def names(data: bytes) -> list[str]:
    return [file.name for file in listed(data)]


def refused(data: bytes) -> dict[str, str]:
    return {file.name: file.refused for file in listed(data)}


ARCHIVES = {
    "zip": zipped(FILES),
    "tar": tarred(FILES),
    "old tar": tarred(FILES, form=tarfile.USTAR_FORMAT),
    "tar of GNU": tarred(FILES, form=tarfile.GNU_FORMAT),
    "tar.gz": tarred(FILES, "w:gz"),
    "tar.bz2": tarred(FILES, "w:bz2"),
    "tar.xz": tarred(FILES, "w:xz"),
    "two streams": bz2.compress(tarred(FILES)[:700])
    + bz2.compress(tarred(FILES)[700:]),
}


@pytest.mark.parametrize("kind", ARCHIVES)
def test_all_kinds_hold_the_same(kind: str) -> None:
    found = {file.name: file.read(600) for file in listed(ARCHIVES[kind])}
    assert found == FILES
    with pytest.raises(TooLargeError):
        listed(ARCHIVES[kind])[0].read(599)


@pytest.mark.parametrize("form", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
@pytest.mark.parametrize("chars", [99, 100, 101, 155, 256, 600])
def test_names_of_any_length_are_read_from_a_tar(form: int, chars: int) -> None:
    name = "/".join("x" * 49 for _ in range(chars // 50)) + "/" + "y" * (chars % 50)
    assert names(tarred({name: b"1", "z": b"2"}, form=form)) == [name.strip("/"), "z"]


def test_what_tar_itself_writes_is_read(tmp_path: Path) -> None:
    long = "long " * 30
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / long).write_bytes(b"long")
    (tmp_path / "a" / "start").write_bytes(b"#!/bin/sh\n")
    (tmp_path / "a" / "start").chmod(0o755)
    (tmp_path / "a" / "to").symlink_to("start")
    (tmp_path / "a" / "same").hardlink_to(tmp_path / "a" / "start")
    os.mkfifo(tmp_path / "a" / "pipe")
    for form in ("gnu", "pax", "ustar", "v7"):
        only = ["--exclude", long] if form in ("ustar", "v7") else []
        only += ["--exclude", "pipe"] if form == "v7" else []
        command = ["tar", "--sort=name", f"--format={form}", *only, "-cf", "-", "a"]
        data = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
        found = {file.name: file for file in listed(data.stdout)}
        [start] = [x for x in ("a/start", "a/same") if not found[x].refused]
        assert found[start].is_executable
        assert found[start].read(99) == b"#!/bin/sh\n"
        assert ("a/" + long in found) == (form in ("gnu", "pax"))
        kinds = sorted(file.refused for file in found.values() if file.refused)
        assert kinds == ["is a link", "is a link", "is a pipe"][: 3 - (form == "v7")]


NAMES = [
    ("Ünal/bot.py".encode(), 0x800, "Ünal/bot.py", False),
    # macOS writes UTF-8 without saying so, with the dots apart from the letters.
    ("U\u0308nal/bot.py".encode(), 0, "Ünal/bot.py", False),
    ("Müller_größe.py".encode("cp850"), 0, "Müller_größe.py", True),
    ("Müller_größe.py".encode("cp1252"), 0, "Müller_größe.py", True),
    # A student's folder is called the same, whatever he calls a file.
    ("Zoë/".encode() + "dür.py".encode("cp1252"), 0, "Zoë/dür.py", True),
    (b"a\\b\\bot.py", 0, "a/b/bot.py", False),
    (b"./a//./bot.py", 0, "a/bot.py", False),
    (b"a\x1b[2Jb.py", 0, "a_[2Jb.py", True),
    ("a\u202eb.py".encode(), 0x800, "a_b.py", True),
    (b"\xff\xfe\x01", 0, None, True),
]


@pytest.mark.parametrize(("raw", "flags", "name", "is_guessed"), NAMES)
def test_names_are_read_in_the_encoding_that_they_have(
    raw: bytes, flags: int, name: str | None, is_guessed: bool
) -> None:
    [file] = listed(zipped_raw({raw: b"1"}, flags))
    assert file.is_guessed == is_guessed
    assert file.name == name or name is None
    assert file.name.isprintable()
    assert file.read(9) == b"1"


def test_a_tar_has_names_in_old_code_pages_too() -> None:
    raw = tar_block("Müller.py".encode("cp1252"), size=1) + b"1".ljust(512, b"\0")
    [file] = listed(raw)
    assert (file.name, file.is_guessed, file.read(1)) == ("Müller.py", True, b"1")


def test_the_name_in_unicode_beside_the_old_one_counts() -> None:
    raw, real = "Zo_ _uczak.py".encode("cp437"), "Zoë Łuczak.py".encode()
    for crc, name in ((zlib.crc32(raw), "Zoë Łuczak.py"), (1, "Zo_ _uczak.py")):
        field = b"\1" + crc.to_bytes(4, "little") + real
        extra = b"\1\0\1\0?" + struct.pack("<HH", 0x7075, len(field)) + field
        [file] = listed(zipped_raw({raw: b"1"}, extra=extra))
        assert (file.name, file.read(9)) == (name, b"1")


OUTSIDE = [
    "../evil.py",
    "a/../../evil.py",
    "/etc/cron.d/evil",
    "C:\\Users\\ana\\evil.py",
    "..\\..\\evil.py",
    "\\\\server\\share\\evil.py",
    "a/..",
    "/" * 40,
    "x/" * 50 + "deep.py",
    "x" * 2000,
]


@pytest.mark.parametrize("name", OUTSIDE, ids=lambda name: name[:20])
def test_a_name_that_leads_elsewhere_is_refused(name: str) -> None:
    found = [listed(zipped_raw({name.encode(): b"1", b"good.py": b"2"}))]
    if len(name) < 100:
        long = tar_block(name.encode(), size=1) + b"1".ljust(512, b"\0")
        found.append(listed(long + tar_block(b"good.py")))
    for files in found:
        evil = next((file for file in files if file.name != "good.py"), None)
        if evil is None:
            # It is a folder, by its name.
            assert name.endswith("/")
            continue
        assert not {"..", "", "."} & set(evil.name.split("/"))
        assert len(evil.name) <= 120
        with pytest.raises(UnreadableError):
            evil.read(9)
        assert "good.py" in [file.name for file in files if not file.refused]


def test_nothing_of_a_name_behind_a_nul_is_lost() -> None:
    [file] = listed(zipped_raw({b"bot.py\0.txt": b"1"}))
    assert file.refused == r"is called 'bot.py\x00.txt', which no file can be"


def test_links_pipes_and_devices_are_refused() -> None:
    modes = {
        "link": LINK,
        "pipe": stat.S_IFIFO | 0o644,
        "device": stat.S_IFCHR | 0o644,
    }
    data = zipped(dict.fromkeys(modes, b"/etc/passwd"), modes=modes)
    assert refused(data) == {x: f"is a {x}" for x in ("device", "link", "pipe")}
    kinds = {b"1": "link", b"2": "link", b"3": "device", b"4": "device", b"6": "pipe"}
    for kind, what in kinds.items():
        data = tar_block(b"x", kind, 0, b"/etc/passwd") + tar_block(b"y")
        assert refused(data) == {"x": f"is a {what}", "y": ""}
    assert refused(tar_block(b"x", b"Z"))["x"] == "is of an unknown kind"


def test_of_files_with_one_name_the_last_is_taken() -> None:
    texts = {b"a.py": b"1", b"b.py": b"2", b"c.py": b"3", b"a.py (1)": b"4"}
    data = zipped_raw(texts).replace(b"b.py", b"a.py").replace(b"c.py", b"a.py")
    tar = b"".join(tar_block(b"a.py", size=1) + x.ljust(512, b"\0") for x in
                   (b"1", b"2", b"3"))  # fmt: skip
    tar += tar_block(b"a.py (1)", size=1) + b"4".ljust(512, b"\0")
    for found in (listed(data), listed(tar)):
        assert len(found) == 4
        good = {file.name: file.read(9) for file in found if not file.refused}
        assert good == {"a.py": b"3", "a.py (1)": b"4"}


def test_a_locked_zip_and_an_unusual_one_say_so() -> None:
    found = refused(zipped_raw({b"bot.py": b"1"}, 0x1))
    assert found == {"bot.py": "is encrypted with a password"}
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w", method) as archive:
            archive.writestr("bot.py", "1")
        why = f"is compressed in an unusual way (method {method})"
        assert refused(data.getvalue()) == {"bot.py": why}


def test_an_archive_is_known_by_its_bytes() -> None:
    for begin, kind in ((b"7z\xbc\xaf\x27\x1c", "7-Zip"), (b"Rar!\x1a\x07\1", "RAR")):
        assert archive_kind(begin) == kind
        assert not can_unpack(kind)
    for begin in (b"", b"P", b"# Python\n", b"\0" * 512, b"x" * 512):
        assert archive_kind(begin) == ""


DAMAGED = {
    "cut zip": ARCHIVES["zip"][:-30],
    "cut tar": ARCHIVES["tar"][:1000],
    "cut gz": ARCHIVES["tar.gz"][:-30],
    "cut bz2": ARCHIVES["tar.bz2"][:-30],
    "cut xz": ARCHIVES["tar.xz"][:-30],
    "zeros": b"PK\3\4" + b"\0" * 100,
    "a header in the middle": ARCHIVES["old tar"][:1536] + b"?" * 512,
    "a wrong sum": tar_block(b"x") + tar_block(b"y").replace(b"y", b"z"),
    "no tar": gzip.compress(b"x" * 1000, mtime=0),
    "short": gzip.compress(b"x", mtime=0),
    "less than none": tar_block(b"x", size=-1),
    "more than there is": tar_block(b"x", size=2**31),
    "with holes": tar_block(b"x", b"S"),
}


@pytest.mark.parametrize("what", DAMAGED)
def test_a_damaged_archive_says_so(what: str) -> None:
    with pytest.raises(UnreadableError, match=r"^is "):
        listed(DAMAGED[what])


def test_a_damaged_file_says_so() -> None:
    data = bytearray(zipped_raw({b"bot.py": b"abcdef"}))
    data[data.index(b"abcdef")] ^= 1
    [file] = listed(bytes(data))
    with pytest.raises(UnreadableError, match="is a damaged file"):
        file.read(100)


@pytest.mark.parametrize("seed", [pytest.param(i, marks=[pytest.mark.exhaustive] if i
                         else []) for i in range(8)])  # fmt: skip
def test_whatever_is_wrong_with_an_archive_is_one_kind_of_error(seed: int) -> None:
    luck = random.Random(seed)
    for _ in range(2000 if seed else 300):
        data = bytearray(luck.choice([*ARCHIVES.values()]))
        kind = archive_kind(data[:BEGIN_BYTES])
        for _ in range(luck.randint(1, 5)):
            at = luck.randrange(len(data))
            new = luck.choice([b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x80", b"9", b"\n"])
            data[at : at + len(new)] = new
        del data[luck.choice([len(data), luck.randrange(1, len(data))]) :]
        try:
            for file in files_of(io.BytesIO(data), kind, LIMITS, io.BytesIO()):
                assert file.name
                file.read(10_000)
        except UnreadableError:
            pass


def test_many_entries_are_refused_before_they_are_read() -> None:
    many = {f"{i}.py".encode(): b"" for i in range(51)}
    assert len(listed(zipped_raw(dict([*many.items()][:50])))) == 50
    for data in (zipped_raw(many), b"".join(map(tar_block, many))):
        with pytest.raises(TooLargeError, match="more than 50 files"):
            listed(data)
    # Python would make an object of each.
    entry = zipped_raw({b"x": b""}).partition(b"PK\1\2")[2].partition(b"PK\5\6")[0]
    directory = (b"PK\1\2" + entry) * 10_000
    end = b"PK\5\6\0\0\0\0" + b"\x10\x27" * 2 + len(directory).to_bytes(4, "little")
    with pytest.raises(TooLargeError, match="too many files or too long names"):
        listed(b"PK\3\4" + directory + end + b"\4\0\0\0\0\0")


def test_headers_without_files_come_to_an_end() -> None:
    endless = (tar_block(b"x", b"g", 10) + b"10 a=bcde\n".ljust(512, b"\0")) * 500
    with pytest.raises(TooLargeError):
        listed(endless + tar_block(b"bot.py"))
    long = tar_block(b"x", b"L", 2**17) + b"x" * 2**17 + tar_block(b"bot.py")
    with pytest.raises(TooLargeError, match="too long headers"):
        listed(long)


def test_what_is_compressed_is_counted_as_it_comes_out() -> None:
    tar = tar_block(b"x", size=2**21) + b"\0" * 2**21
    for data in (gzip.compress(tar, mtime=0), bz2.compress(tar), lzma.compress(tar)):
        with pytest.raises(TooLargeError, match="more than 1 MiB"):
            listed(data)


@pytest.mark.parametrize("kind", [gzip, bz2, lzma])
def test_what_is_compressed_in_parts_comes_to_an_end(
    kind: ModuleType,
) -> None:
    tar = tarred(FILES)
    half = len(tar) // 2
    # Where each part is copied with all that follow, this takes hours.
    endless = kind.compress(b"") * 200_000
    with pytest.raises(TooLargeError, match="of more than 10,000 parts"):
        listed(endless)
    parts = kind.compress(tar[:half]) + kind.compress(tar[half:])
    assert names(parts) == names(parts + b"\0" * 9) == names(tar)
    with pytest.raises(UnreadableError, match="damaged"):
        listed(parts[:-9])


def test_xz_gets_no_more_memory_than_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    data = tarred(FILES, "w:xz")
    assert len(listed(data)) == 3
    monkeypatch.setattr(archives, "_XZ_BYTES", 2**20)
    with pytest.raises(UnreadableError):
        listed(data)


BOMBS = """
import io, resource, sys, zipfile, zlib
sys.path[:0] = {paths!r}
from attacks import tar_block, taken, zipped_raw
from arena.collect.submission import TooLargeError
import bz2, gzip, lzma

zeros = bytes(2**26 + 1)
def bomb(inner):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for i in range(16):
            archive.writestr(f"{{i}}.zip", inner)
    return data.getvalue()
full = zipped_raw({{b"x%d" % i: b"" for i in range(10)}})
entry = b"PK\\1\\2" + full.partition(b"PK\\1\\2")[2].partition(b"PK\\1\\2")[0]
directory = entry * 2**20
end = b"PK\\5\\6" + bytes(4) + b"\\xff" * 4 + len(directory).to_bytes(4, "little")
one = io.BytesIO()
with zipfile.ZipFile(one, "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("bot.py", zeros)
    archive.writestr("data.bin", zeros)
big = one.getvalue()
tar = tar_block(b"data.bin", size=2**28) + bytes(2**28)
pax = tar_block(b"x", b"x", 2**26) + b"9" * 2**26 + tar_block(b"bot.py")
bombs = dict(
    one=big, nested=bomb(bomb(big)), million=b"PK\\3\\4" + directory + end + bytes(6),
    gz=gzip.compress(tar), bz2=bz2.compress(tar), xz=lzma.compress(tar, preset=1),
    pax=gzip.compress(pax),
)
del tar, pax, directory, zeros
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 500 * 2**20,) * 2)
for name, data in bombs.items():
    try:
        taken(data)
    except TooLargeError as error:
        print(name, error)
"""


@pytest.mark.exhaustive
def test_bombs_of_real_sizes_are_refused_in_little_memory() -> None:
    paths = [str(Path(__file__).parent), str(Path(__file__).parents[2])]
    code = BOMBS.format(paths=paths)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert [x.partition(" ")[0] for x in done.stdout.splitlines()] == [
        *("one", "nested", "million", "gz", "bz2", "xz", "pax"),
    ]

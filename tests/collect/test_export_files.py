"""Exports as they lie on the disk: opened, read when needed, or told what they are."""

import gzip
import os
import socket
from pathlib import Path

import pytest
from attacks import BOT, LINK, tarred, zipped, zipped_raw

from arena.collect import export_files
from arena.collect.export_files import open_export
from arena.collect.submission import TooLargeError, UnreadableError
from arena.errors import ConfigError

FILES = {"alder_1_2_bot.py": BOT, "birch_3_4_bot.zip": zipped({"bot.py": BOT}),
         "Zoë/größe.py": b"x"}  # fmt: skip


def contents(path: Path) -> dict[str, bytes]:
    with open_export(path) as files:
        return {file.name: file.read(10_000) for file in files if not file.refused}


def refused(path: Path) -> dict[str, str]:
    with open_export(path) as files:
        return {file.name: file.refused for file in files if file.refused}


def folder(path: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(data)
    return path


def test_zip_tar_and_folder_hold_the_same(tmp_path: Path) -> None:
    assert contents(folder(tmp_path / "folder", FILES)) == FILES
    for name, data in (
        ("x.zip", zipped(FILES)),
        ("x.tar", tarred(FILES)),
        ("x.tgz", tarred(FILES, "w:gz")),
        ("x.tar.xz", tarred(FILES, "w:xz")),
        # It is what is in it that counts.
        ("x", tarred(FILES, "w:bz2")),
        ("y.tar.gz", zipped(FILES)),
        ("y.zip", tarred(FILES, "w:gz")),
        # One export in another one, beside litter.
        ("z.zip", zipped({"export.zip": zipped(FILES), "__MACOSX/._x": b""})),
        ("z.tar", tarred({"a.tar.gz": tarred({"export.zip": zipped(FILES)}, "w:gz")})),
    ):
        (tmp_path / name).write_bytes(data)
        assert contents(tmp_path / name) == FILES
    (tmp_path / "link").symlink_to("x.zip")
    assert contents(tmp_path / "link") == FILES
    folder(tmp_path / "download", {"export.zip": zipped(FILES), ".DS_Store": b""})
    assert contents(tmp_path / "download") == FILES


@pytest.mark.parametrize("name", ["alder_1_2_bot.zip", "Ana Alder/bot.zip"])
def test_the_archive_of_an_only_student_is_no_export(tmp_path: Path, name: str) -> None:
    (tmp_path / "x.zip").write_bytes(zipped({name: zipped({"bot.py": BOT})}))
    assert [*contents(tmp_path / "x.zip")] == [name]


def test_the_order_does_not_depend_on_the_disk(tmp_path: Path) -> None:
    names = ["b.py", "a/z.py", "a-1.py", "a/B.py", "ä.py"]
    (tmp_path / "x.zip").write_bytes(zipped(dict.fromkeys(names, b"")))
    expected = ["a/B.py", "a/z.py", "a-1.py", "b.py", "ä.py"]
    assert [*contents(tmp_path / "x.zip")] == expected
    assert [*contents(folder(tmp_path / "f", dict.fromkeys(names, b"")))] == expected


def test_of_a_folder_only_its_own_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    place = folder(tmp_path / "f", {"ana/bot.py": BOT}) / "ana"
    (place / "link").symlink_to(tmp_path / "secret")
    (place / "folder").symlink_to(tmp_path)
    (place / "hard").hardlink_to(tmp_path / "secret")
    os.mkfifo(place / "pipe")
    with socket.socket(socket.AF_UNIX) as one:
        here = os.getcwd()
        os.chdir(place)
        try:
            one.bind("socket")
        finally:
            os.chdir(here)
    assert contents(tmp_path / "f") == {"ana/bot.py": BOT}
    why = {
        name: text.partition(";")[0] for name, text in refused(tmp_path / "f").items()
    }
    assert why == {
        "ana/link": "is a link",
        "ana/folder": "is a link",
        "ana/hard": "is a file with a second name elsewhere (a hard link)",
        "ana/pipe": "is a pipe",
        "ana/socket": "is a socket",
    }


def test_what_takes_the_place_of_a_file_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/bot.py").write_bytes(b"secret")
    folder(tmp_path / "f", {"ana/bot.py": BOT, "ben/bot.py": BOT, "cy/bot.py": BOT})
    with open_export(tmp_path / "f") as files:
        ana, ben, cy = files
        (tmp_path / "f/ana/bot.py").unlink()
        (tmp_path / "f/ana/bot.py").symlink_to(tmp_path / "secret/bot.py")
        (tmp_path / "f/ben").rename(tmp_path / "f/gone")
        (tmp_path / "f/ben").symlink_to(tmp_path / "secret")
        (tmp_path / "f/cy/bot.py").unlink()
        os.mkfifo(tmp_path / "f/cy/bot.py")
        for file in (ana, ben, cy):
            with pytest.raises(UnreadableError):
                file.read(100)


def test_folders_of_tools_are_not_walked_through(tmp_path: Path) -> None:
    files = {".git/HEAD": b"ref", ".git/objects/1": b"", "bot.py": BOT, "e/bin/x": b"",
             "e/pyvenv.cfg": b"", "node_modules/a/b.js": b""}  # fmt: skip
    folder(tmp_path / "f" / "ana", files)
    assert contents(tmp_path / "f") == {"ana/bot.py": BOT}
    why = "is no work of a student"
    assert refused(tmp_path / "f") == {
        "ana/.git/…": why,
        "ana/e/…": why,
        "ana/node_modules/…": why,
    }


def test_folders_in_each_other_come_to_an_end(tmp_path: Path) -> None:
    folder(tmp_path / "f", {"/".join("x" * 60) + "/bot.py": BOT, "bot.py": BOT})
    assert [*contents(tmp_path / "f")] == ["bot.py"]
    found = refused(tmp_path / "f")
    assert [*found.values()] == ["lies in 40 folders in each other"]


def test_names_that_are_no_text_are_made_readable(tmp_path: Path) -> None:
    (tmp_path / "f").mkdir()
    path = os.fsencode(tmp_path / "f") + b"/gr\xf6\xdfe\x1b.py"
    with open(path, "wb") as file:
        file.write(b"1")
    with open_export(tmp_path / "f") as [found]:
        assert (found.name, found.is_guessed) == ("größe_.py", True)
        assert found.read(1) == b"1"


def test_more_than_is_wanted_is_not_read(tmp_path: Path) -> None:
    path = folder(tmp_path / "f", {"a": b"12345"})
    with open_export(path) as [file]:
        assert file.read(5) == b"12345"
        with pytest.raises(TooLargeError):
            file.read(4)


def test_what_attacks_in_an_export_is_refused(tmp_path: Path) -> None:
    evil = {"../../evil.py": b"1", "/etc/evil": b"2", "link": b"/etc/passwd"}
    data = zipped({**evil, "bot.py": BOT}, modes={"link": LINK})
    (tmp_path / "x.zip").write_bytes(data)
    assert contents(tmp_path / "x.zip") == {"bot.py": BOT}
    assert len(refused(tmp_path / "x.zip")) == 3


def _id(value: object) -> str:
    """Return a name of a case that is the same in each process."""
    return "" if isinstance(value, bytes) else str(value)[:20]


NONE = [
    ("no", None, "no such file or folder"),
    ("x.py", BOT, "is no export; expected a zip, a tar or a folder, found x.py"),
    ("x.zip", b"", "is no export; expected a zip, a tar or a folder, found x.zip"),
    ("x.zip", zipped(FILES)[:-5], "is a damaged archive"),
    ("x.tgz", tarred(FILES, "w:gz")[:-5], "is a damaged archive"),
    ("x.gz", gzip.compress(BOT * 9, mtime=0), "is compressed, but no archive"),
    ("x.zip", zipped({}), "is empty; expected an export with files of students"),
    ("x.rar", b"Rar!\x1a\7\1\0", "is a RAR archive, which can't be unpacked here; "
     "unpack it, and name the folder"),
    ("x.zip", zipped_raw({b"a.py": b"1"}, 1), "is encrypted with a password; unpack "
     "it, and name the folder"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "data", "why"), NONE, ids=_id)
def test_what_is_no_export_says_so(
    tmp_path: Path, name: str, data: bytes | None, why: str
) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(ConfigError) as caught, open_export(tmp_path / name):
        pass
    assert str(caught.value) == f"{tmp_path / name}: {why}"


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "empty").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    for name, why in (
        ("pipe", "is neither a file nor a folder"),
        ("empty", "is empty; expected an export with files of students"),
        ("loop", "no such file or folder"),
    ):
        with pytest.raises(ConfigError, match=why), open_export(tmp_path / name):
            pass


def test_who_has_too_many_files_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = export_files._LIMITS._replace(entries=20)
    monkeypatch.setattr(export_files, "_LIMITS", few)
    for i in range(20):
        path = tmp_path / "all" / ("eve/data" if i > 4 else f"s{i}") / f"{i}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    with open_export(tmp_path) as files:
        assert len(files) == 20
    (tmp_path / "all" / "eve" / "bot.py").touch()
    where = "most of them in all/eve/data; move that elsewhere, and do it again"
    with (
        pytest.raises(ConfigError, match=f"of more than 20 files, {where}"),
        open_export(tmp_path),
    ):
        pass


def test_a_folder_that_cannot_be_read_stops_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder(tmp_path, {"ana/bot.py": BOT, "eve/secret/bot.py": BOT})
    # Root may read all.
    may = os.access
    monkeypatch.setattr(
        os, "access", lambda x, *a, **k: x != "secret" and may(x, *a, **k)
    )
    assert contents(tmp_path) == {"ana/bot.py": BOT}
    assert refused(tmp_path) == {"eve/secret/…": "can't be read (Permission denied)"}

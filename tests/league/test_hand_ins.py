"""Attacks through what is handed in: nothing but its own files, and not too much."""

import errno
import os
import resource
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio
from hand_ins import taken_in

from arena.errors import ConfigError, RecordError
from arena.games import game_paths
from arena.league.config.settings import BotSettings
from arena.league.entries.bot_file import BotFile
from arena.league.entries.enrolment import changes
from arena.league.entries.hand_ins import contents, reading, regular_files
from arena.league.entries.hand_ins.depot import Depot, temporary_depot
from arena.league.entries.hand_ins.hand_in import HandIn
from arena.league.entries.hand_ins.regular_files import (
    MAX_DEPTH,
    MAX_FILE_BYTES,
    MAX_FILES,
    MAX_NAME_CHARS,
    RefusedError,
    read_files,
)

BOT = "from arena import Bot\nclass A(Bot):\n    def act(self, obs): return ''\n"
SECRET = "the solution of the staff"


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    """Return a folder with an honest bot, beside a private file."""
    folder = tmp_path / "bots"
    folder.mkdir()
    (folder / "honest.py").write_text(BOT)
    (tmp_path / "solution.py").write_text(f"{BOT}# {SECRET}\n")
    return folder


def read(bots: Path, **how: Any) -> dict[str, BotFile]:
    """Return the hand-ins of a folder by name, once the honest one has been read."""
    files = taken_in([BotSettings(file=str(bots))], bots.parent / "kept", **how)
    found = {file.path.name: file for file in files}
    assert found.pop("honest.py").hand_in is not None
    return found


def everything_kept(bots: Path) -> bytes:
    """Return all that has been kept of hand-ins."""
    kept = (bots.parent / "kept").rglob("*")
    return b"".join(path.read_bytes() for path in kept if path.is_file())


def link(path: Path) -> None:
    path.symlink_to("../solution.py")


def hard_link(path: Path) -> None:
    up = path.parent
    while not (up / "solution.py").exists():
        up = up.parent
    path.hardlink_to(up / "solution.py")


def absolute(path: Path) -> None:
    path.symlink_to("/proc/self/environ")


def clock(path: Path) -> None:
    path.symlink_to("/proc/uptime")


def dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def folder_link(path: Path) -> None:
    path.symlink_to("/etc", target_is_directory=True)


def device(path: Path) -> None:
    try:
        os.mknod(path, 0o20666, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("only root can make a device")


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        # A name of a socket is short.
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            one.bind(f"/proc/self/fd/{folder}/{path.name}")
        except OSError:
            pytest.skip("this system has no /proc")
        finally:
            os.close(folder)


SPECIAL: list[tuple[Callable[[Path], None], str]] = [
    (link, "a link; put what it leads to in its place, as a file"),
    (absolute, "a link; put what it leads to in its place, as a file"),
    (clock, "a link; put what it leads to in its place, as a file"),
    (dangling, "a link; put what it leads to in its place, as a file"),
    (folder_link, "a link; put what it leads to in its place, as a file"),
    (
        hard_link,
        "a file with a second name elsewhere (a hard link); put a copy of it in its "
        "place",
    ),
    (os.mkfifo, "a pipe; remove it"),
    (device, "a device; remove it"),
    (listening, "a socket; remove it"),
]
KINDS = [make.__name__ for make, _ in SPECIAL]


@pytest.mark.parametrize(("make", "why"), SPECIAL, ids=KINDS)
@pytest.mark.parametrize("form", [1, 2])
def test_special_files_are_refused_and_nothing_of_them_is_read(
    bots: Path, make: Callable[[Path], None], why: str, form: int
) -> None:
    make(bots / "eva.py")
    package, deep = bots / "package", bots / "deep"
    (deep / "data" / "more").mkdir(parents=True)
    package.mkdir()
    for folder in (package, deep):
        (folder / "__init__.py").write_text(BOT)
    make(package / "weights.json")
    make(deep / "data" / "more" / "x.py")
    found = read(bots, form=form)
    assert {name: file.problem for name, file in found.items()} == {
        "eva.py": f"is {why}",
        "package": f"has weights.json, which is {why}",
        "deep": f"has data/more/x.py, which is {why}",
    }
    assert all(file.hand_in is None for file in found.values())
    kept = everything_kept(bots)
    assert SECRET.encode() not in kept
    assert b"PATH=" not in kept


@pytest.mark.parametrize("make", [link, hard_link, absolute, os.mkfifo])
def test_what_lies_beside_a_bot_is_read_as_carefully(
    bots: Path, make: Callable[[Path], None]
) -> None:
    """In leagues of form 1, that is; in others nothing there is read for it."""
    make(bots / "_x.py")
    (bots / "eva.py").write_text(f"import _x\n{BOT}")
    (old,) = read(bots, form=1).values()
    if make is os.mkfifo:  # No module, so it is not looked at.
        assert old.hand_in is not None
    else:
        assert old.problem.startswith("imports _x.py, which is a ")
    (eva,) = read(bots).values()
    assert eva.hand_in is not None
    assert eva.hand_in.files == ("eva.py",)
    assert SECRET.encode() not in everything_kept(bots)


def test_only_the_instructor_may_name_a_hand_in_by_a_link(bots: Path) -> None:
    away = bots.parent / "away"
    (away / "team").mkdir(parents=True)
    (away / "team" / "__init__.py").write_text(BOT)
    bots.rename(away / "bots")
    bots.symlink_to(away / "bots")
    (bots / "team").symlink_to(away / "team")
    found = read(bots)
    assert found["team"].problem.startswith("is a link")


def test_a_sparse_file_costs_no_memory(bots: Path) -> None:
    with (bots / "huge.py").open("wb") as file:
        file.truncate(3 * 2**29)
    (bots / "team").mkdir()
    (bots / "team" / "__init__.py").write_text(BOT)
    with (bots / "team" / "weights.bin").open("wb") as file:
        file.truncate(3 * 2**29)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    found = read(bots)
    assert found["huge.py"].problem == "has more than 64 MiB; make it smaller"
    assert found["team"].problem == (
        "has weights.bin, with more than 64 MiB; make it smaller"
    )
    scale = 1 if sys.platform == "darwin" else 1024
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown * scale < 2**24
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert most == children or most * scale < 2**28


def test_the_limits_of_a_hand_in(bots: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regular_files, "MAX_FILE_BYTES", 2000)
    monkeypatch.setattr(regular_files, "MAX_BYTES", 3000)
    monkeypatch.setattr(contents, "MAX_PYTHON_BYTES", 1500)

    def why(**files: int) -> str:
        team = bots / f"team{len(list(bots.iterdir()))}"
        for name, size in ({"bot.py": 1} | files).items():
            (team / name).parent.mkdir(parents=True, exist_ok=True)
            (team / name).write_bytes(b"#" * size)
        try:
            contents.of_bot(team.name, read_files(str(team)), {}, (), {})
        except RefusedError as error:
            return str(error)
        return ""

    assert why(**{"a.bin": 2000}) == ""
    assert why(**{"a.bin": 2001}).startswith("has a.bin, with more than")
    assert why(**{"a.bin": 1500, "b.bin": 1499}) == ""
    assert why(**{"a.bin": 1500, "b.bin": 1500}).startswith("has more than")
    assert why(**{"a.py": 1499}) == ""
    assert "of Python; put tables" in why(**{"a.py": 1500})
    flat = {f"{i}.txt": 0 for i in range(MAX_FILES - 1)}
    assert why(**flat) == ""
    assert why(**flat, more=0).startswith(f"has more than {MAX_FILES} files")
    deep = "/".join("d" * (MAX_DEPTH - 1))
    assert why(**{f"{deep}/x": 0}) == ""
    assert why(**{f"{deep}/d/x": 0}).startswith("has folders in each other, 11 deep")
    assert why(**{"x" * MAX_NAME_CHARS: 0}) == ""
    assert why(**{"x" * (MAX_NAME_CHARS + 1): 0}).startswith("has a name of 101 char")


NAMES = [b"a\nb.txt", b"\x1b[31m.txt", b"\xff.txt", "\u202egpj.txt".encode()]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_names_that_are_no_valid_text(bots: Path, name: bytes) -> None:
    team = bots / "team"
    team.mkdir()
    (team / "bot.py").write_text(BOT)
    try:
        (team / os.fsdecode(name)).touch()
    except OSError:
        pytest.skip("this system has no such names")
    (found,) = read(bots).values()
    assert found.problem.startswith("has a name that is no valid text: ")
    assert found.problem.isprintable()


def test_a_crowded_folder_is_not_read_to_its_end(
    bots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many there are: it takes no longer than the limit."""
    team = bots / "team"
    team.mkdir()
    for number in range(3 * MAX_FILES):
        (team / f"{number}.py").touch()
    listed = 0
    scan = os.scandir

    class Counting:
        def __init__(self, entries: Any) -> None:
            self.entries = entries

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *why: object) -> None:
            self.entries.close()

        def __iter__(self) -> Any:
            nonlocal listed
            for entry in self.entries:
                listed += 1
                yield entry

    monkeypatch.setattr(os, "scandir", lambda folder: Counting(scan(folder)))
    with pytest.raises(RefusedError, match="has more than 1000 files and folders"):
        read_files(str(team))
    assert listed == MAX_FILES + 1


def test_a_file_that_is_swapped_for_a_link_is_not_followed(
    bots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was opened is checked, not what was there before."""
    eva = bots / "eva.py"
    eva.write_text(BOT)
    status = os.stat
    swaps = []

    def late(name: Any, **how: Any) -> os.stat_result:
        found = status(name, **how)
        if name == "eva.py" and not eva.is_symlink():
            eva.unlink()
            link(eva)
            swaps.append(name)
        return found

    monkeypatch.setattr(os, "stat", late)
    with pytest.raises(RefusedError, match="is a link"):
        read_files(str(eva))
    assert swaps == ["eva.py"]


@pytest.mark.parametrize("swap", ["pipe", "other"])
def test_a_file_that_is_swapped_again_and_again(
    bots: Path, monkeypatch: pytest.MonkeyPatch, swap: str
) -> None:
    eva = bots / "eva.py"
    eva.write_text(BOT)
    status = os.stat

    def late(name: Any, **how: Any) -> os.stat_result:
        if name != "eva.py":
            return status(name, **how)
        eva.unlink(missing_ok=True)
        eva.write_text(BOT)
        found = status(name, **how)
        new = bots / "new"
        os.mkfifo(new) if swap == "pipe" else new.write_text("other")
        new.rename(eva)
        return found

    monkeypatch.setattr(os, "stat", late)
    with pytest.raises(RefusedError, match="was changed again and again"):
        read_files(str(eva))


def test_a_file_that_grows_while_it_is_read(
    bots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is read anew, and never further than the limit."""
    eva = bots / "eva.py"
    eva.write_text(BOT)
    reads = []
    read_part = os.read

    def growing(file: int, size: int) -> bytes:
        reads.append(size)
        if len(reads) == 1:
            with eva.open("a") as text:
                text.write("# more\n")
        return read_part(file, size)

    monkeypatch.setattr(os, "read", growing)
    (found,) = read_files(str(eva))
    assert found.data == eva.read_bytes()
    assert found.data.endswith(b"# more\n")

    def endless(file: int, size: int) -> bytes:
        reads.append(size)
        return b"x" * size

    reads.clear()
    monkeypatch.setattr(os, "read", endless)
    with pytest.raises(RefusedError, match="has more than 64 MiB"):
        read_files(str(eva))
    assert sum(reads) == MAX_FILE_BYTES + 1


def test_files_that_never_were_there_together_are_read_anew(
    bots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    team = bots / "team"
    team.mkdir()
    for name in ("a.py", "b.py"):
        (team / name).write_text("old")
    read_part = os.read
    reads = 0

    def late(file: int, size: int) -> bytes:
        nonlocal reads
        reads += 1
        data = read_part(file, size)
        if reads == 2:  # Both files are changed once the first has been read.
            for name in ("a.py", "b.py"):
                (team / name).write_text("new!")
        return data

    monkeypatch.setattr(os, "read", late)
    assert {file.data for file in read_files(str(team))} == {b"new!"}


@pytest.mark.parametrize("way", ["dies", "hangs"])
def test_the_process_may_fail_at_one_and_the_others_are_read(
    bots: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    for name in ("a.py", "b.py", "z.py"):
        (bots / name).write_text(BOT)
    ask = reading._ask
    asked = []

    async def failing(process: Any, message: Any) -> Any:
        asked.append(getattr(message, "path", ""))
        if asked[-1].endswith("b.py"):
            if way == "dies":
                process._process.kill()
            else:
                with trio.move_on_after(0):
                    await trio.sleep_forever()
                return None
        return await ask(process, message)

    monkeypatch.setattr(reading, "_ask", failing)
    found = read(bots)
    assert [name for name, file in found.items() if file.hand_in is None] == ["b.py"]
    assert found["b.py"].problem == (
        "takes too long to read, or too much memory; make it smaller"
    )
    assert asked.count("") == 2


def test_a_text_that_takes_long_to_look_at_is_refused_alone(
    bots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit is of computing, so a busy machine does not matter."""
    hostile = b"class A" + b" " * 500_000 + b"\n" + b"import " + b"a," * 1_000_000
    (bots / "eva.py").write_bytes(hostile)
    (bots / "zoe.py").write_text(BOT)
    found = read(bots)
    assert found["zoe.py"].hand_in is not None
    assert found["eva.py"].hand_in is not None
    assert len(found["eva.py"].hand_in.modules) <= 1000


def test_notes_are_few_however_many_there_could_be(bots: Path) -> None:
    wrong = "".join(f"    def zombie_dic{i}(self, obs): pass\n" for i in range(22_000))
    twice = "class B(Bot): pass\n" * 1000
    (bots / "eva.py").write_text(f"class A(Bot):\n{wrong}{twice}")
    (found,) = read(bots).values()
    assert len(found.notes) == 4
    assert found.notes[0].startswith("line 2: no game is called 'zombie_dic0'; did you")
    assert found.notes[3].startswith("and ")
    assert found.notes[3].endswith(" more like these")
    assert sum(map(len, found.notes)) < 1000


def test_an_edit_is_a_note_and_waits_for_the_next_run(bots: Path) -> None:
    for name in ("eva.py", "gone.py", "same.py", "touched.py"):
        (bots / name).write_text(BOT)
    files = taken_in([BotSettings(file=str(bots))], bots.parent / "kept")
    (bots / "eva.py").write_text(f"{BOT}# new\n")
    (bots / "gone.py").unlink()
    os.utime(bots / "touched.py", (0, 0))
    games = tuple(game_paths())
    assert trio.run(changes, files, games, "shared") == [
        (
            "eva.py",
            "was changed while the league was played; the new version plays in the "
            "next run",
        ),
        (
            "gone.py",
            "was changed while the league was played; the next run would not take it: "
            "can't be read (No such file or directory)",
        ),
    ]
    eva = next(file.hand_in for file in files if file.path.name == "eva.py")
    assert eva is not None
    assert eva.contents() == (BOT.encode(),)


def kept_in(depot: Depot, name: str, text: str) -> HandIn:
    hand_in = HandIn(code=text, home="", main=name, files=(name,), names=("",))
    depot.keep(text, name, {name: (text.encode(), False)})
    return depot.here(hand_in)


def test_a_depot_is_private_and_mends_itself(tmp_path: Path) -> None:
    depot = Depot(tmp_path / "depot")
    found = kept_in(depot, "ana.py", "text")
    assert found.contents() == (b"text",)
    assert depot.folder.stat().st_mode & 0o777 == 0o700
    assert found.path.stat().st_mode & 0o777 == 0o400
    inode = found.path.stat().st_ino
    kept_in(depot, "ana.py", "text")
    assert found.path.stat().st_ino == inode
    for harm in ("change", "remove", "add", "start"):
        found.path.chmod(0o600)
        if harm == "change":
            found.path.write_text("other")
        elif harm == "remove":
            found.path.unlink()
        elif harm == "add":
            (found.path.parent / "planted.py").write_text("")
        else:
            found.path.chmod(0o700)
        kept_in(depot, "ana.py", "text")
        assert [*found.path.parent.iterdir()] == [found.path]
        assert found.contents() == (b"text",)
        assert not os.access(found.path, os.X_OK)
    assert [*depot.folder.iterdir()] == [depot.folder / "text"]


def test_a_depot_keeps_what_plays_and_the_last_that_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.league.entries.hand_ins.depot._KEPT_FORMER", 2)
    depot = Depot(tmp_path / "depot")
    depot.tidy([])
    for number in range(9):
        kept_in(depot, "ana.py", f"version {number}")
        kept_in(depot, "ben.py", "always")
        depot.tidy([(f"version {number}", "ana.py"), ("always", "ben.py")])
    (depot.folder / ".new-abc").mkdir()
    # It comes back, and is then the last one.
    depot.tidy([("version 7", "ana.py"), ("always", "ben.py")])
    found = {path.name for path in depot.folder.iterdir() if path.is_dir()}
    assert found == {"version 6", "version 7", "version 8", "always"}
    monkeypatch.setattr("arena.league.entries.hand_ins.depot._KEPT_BYTES", 5000)
    kept_in(depot, "cy.py", "large")
    with (depot.folder / "large" / "cy.py" / "more").open("wb") as more:
        more.truncate(5001)
    depot.tidy([("version 7", "ana.py"), ("always", "ben.py")])
    found = {path.name for path in depot.folder.iterdir() if path.is_dir()}
    assert found == {"version 7", "always"}
    for number in (6, 8):
        kept_in(depot, "ana.py", f"version {number}")
    (depot.folder / "order.txt").write_bytes(b"\xff")
    depot.tidy([("version 8", "ana.py")])
    found = {path.name for path in depot.folder.iterdir() if path.is_dir()}
    assert "version 8" in found
    assert len(found) == 3


def test_a_depot_on_a_full_disk_forgets_only_an_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    depot = Depot(tmp_path / "depot")
    kept_in(depot, "ana.py", "text")

    def no_room(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", no_room)
    depot.tidy([("text", "ana.py")])
    assert [*depot.folder.iterdir()] == [depot.folder / "text"]


@pytest.mark.parametrize("place", ["", "a", "a/x.py", ".new-a", ".new-order"])
def test_a_depot_of_somebody_else_leads_nowhere(
    tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.league.entries.hand_ins.depot._KEPT_FORMER", 0)
    mine = tmp_path / "mine"
    (mine / "thesis").mkdir(parents=True, mode=0o755)
    (mine / "thesis" / "text").write_text("ten years of work")
    (mine / "empty").mkdir()
    link = tmp_path / "depot" / place
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(mine / "thesis" / "text" if "order" in place else mine)
    before = {path: path.lstat().st_mode for path in mine.rglob("*")}
    depot = Depot(tmp_path / "depot")
    depot.tidy([])
    if link.is_symlink() and not place.startswith("."):
        with pytest.raises(OSError, match="leads elsewhere; remove the link"):
            depot.keep("a", "x.py", {"x.py": (b"text", False)})
        depot.tidy([("a", "x.py")])
    assert {path: path.lstat().st_mode for path in mine.rglob("*")} == before
    assert (mine / "thesis" / "text").read_text() == "ten years of work"


def test_nothing_that_is_handed_in_is_kept_behind_a_link(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "depot").symlink_to(tmp_path / "mine")
    bot = tmp_path / "ana.py"
    bot.write_text("from arena import Bot\nclass Ana(Bot):\n    act = None\n")
    with pytest.raises(RecordError) as caught:
        taken_in([BotSettings(file=str(bot))], tmp_path / "depot")
    depot = tmp_path / "depot"
    assert str(caught.value).startswith(
        f"{depot}: what was handed in can't be kept there ({depot} leads elsewhere; "
    )
    assert not [*(tmp_path / "mine").iterdir()]


def test_a_depot_waits_for_nothing(tmp_path: Path) -> None:
    depot = Depot(tmp_path / "depot")
    found = kept_in(depot, "ana.py", "text")
    found.path.unlink()
    os.mkfifo(found.path)
    os.mkfifo(depot.folder / "order.txt")
    depot.tidy([("text", "ana.py")])
    kept_in(depot, "ana.py", "text")
    assert found.contents() == (b"text",)


def test_a_temporary_depot_goes_whatever_happens() -> None:
    folders = []

    def interrupted() -> None:
        with temporary_depot() as depot:
            folders.append(depot.folder)
            kept_in(depot, "ana.py", "text")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert not folders[0].exists()


ODD: dict[str, tuple[dict[str, str], str]] = {
    "a folder called like a file": ({"eva.py/bot.py": BOT}, ""),
    "a folder in place of __init__.py": (
        {"eva/__init__.py/x.py": BOT},
        "has no file with a bot; call the main one bot.py",
    ),
    "a folder in place of bot.py": ({"eva/bot.py/x.py": BOT, "eva/a.py": BOT}, ""),
    "a hidden main file": ({"eva/.bot.py": BOT, "eva/a.py": BOT}, ""),
    "only hidden files": (
        {"eva/.bot.py": BOT},
        "is an empty folder",
    ),
    "only files that begin with _": (
        {"eva/_a.py": BOT},
        "has no file with a bot; call the main one bot.py",
    ),
    "no Python": ({"eva/x.txt": BOT}, None),  # type: ignore[dict-item]
    "a name like that of what is kept": ({"order.txt/bot.py": BOT}, ""),
    "a name like a hash": ({f"{'0' * 32}/bot.py": BOT}, ""),
    "a file of zeros": ({"eva.py": "\0" * 10_000}, ""),
    "a file in no encoding": ({"eva.py": "\udcff\udcfe"}, ""),
}


@pytest.mark.parametrize("odd", ODD)
def test_odd_shapes_of_hand_ins(bots: Path, odd: str) -> None:
    files, why = ODD[odd]
    for name, text in files.items():
        (bots / name).parent.mkdir(parents=True, exist_ok=True)
        (bots / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    found = [file.problem for file in read(bots).values()]
    assert found == ([] if why is None else [why])


def test_a_league_has_no_way_to_a_module_in_the_folder_where_it_is_run(
    bots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who runs it from the folder of the bots would import theirs, as Python's own."""
    for name in ("random", "msgspec", "arena", "json", "sitecustomize"):
        (bots / f"{name}.py").write_text("raise SystemExit('here I am')\n")
    monkeypatch.chdir(bots)
    found = read(bots)
    assert {file.problem for file in found.values()} == {""}


def test_what_can_not_be_kept_is_one_sentence(bots: Path) -> None:
    (bots.parent / "kept").write_text("no folder")
    with pytest.raises(RecordError, match=r"\A[^\n]*\Z") as caught:
        read(bots)
    assert str(caught.value) == (
        f"{bots.parent / 'kept'}: what was handed in can't be kept there (File exists)"
        "; make room, or choose another folder with --results"
    )


def test_what_is_shared_is_read_as_carefully(bots: Path) -> None:
    """A link there is a mistake of the league's file."""
    (bots.parent / "odds.py").symlink_to("solution.py")
    with pytest.raises(ConfigError, match=r"odds\.py is a link; put what it leads to"):
        read(bots, shared=(bots.parent / "odds.py",))

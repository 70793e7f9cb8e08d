"""The files of bots on other machines: whole, under their hash, or not at all."""

from pathlib import Path

import pytest
from hand_ins import with_beside
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.league.entries.hand_ins.depot import Depot
from arena.league.entries.hand_ins.hand_in import HandIn
from arena.league.results.installed_versions import (
    installed_versions,
    version_difference,
)

PACKAGE = {
    "eva/__init__.py": b"from helper import x",
    "eva/data/net.bin": bytes(range(256)),
    "helper.py": b"x = 1",
}


def write(folder: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def read(path: Path) -> HandIn:
    """Return a bot as it lies there."""
    found = with_beside(path)
    return HandIn(
        code=found.code,
        home=str(path.parent),
        main=found.main,
        folder=found.folder,
        files=tuple(file.name for file in found.files),
        names=found.names,
    )


def tree(folder: Path) -> dict[str, bytes]:
    """Return all files below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize(
    "files",
    [PACKAGE, {"ana.py": b"import helper", "helper.py": b""}, {"ana.py": b""}],
    ids=["package", "helper", "file"],
)
def test_a_bot_is_kept_as_it_lay_at_home(
    tmp_path: Path, files: dict[str, bytes]
) -> None:
    home = tmp_path / "home"
    write(home, {**files, "other.py": b"not its own"})
    path = home / next(iter(files)).partition("/")[0]
    found = read(path)
    depot = Depot(tmp_path / "depot")
    assert not depot.has(found)
    assert depot.keep_sent(found, found.contents())
    assert depot.has(found)
    here = depot.here(found)
    assert here.path.name == path.name
    assert here.read_folder == (str(here.path) if path.is_dir() else "")
    assert tree(Path(here.home)) == files
    assert here.contents() == found.contents()


def test_packages_of_one_content_have_their_own_names(tmp_path: Path) -> None:
    for name in ("eva", "eve"):
        write(tmp_path, {f"{name}/__init__.py": b"x = 1"})
    first, second = read(tmp_path / "eva"), read(tmp_path / "eve")
    assert first.code == second.code
    depot = Depot(tmp_path / "depot")
    for found in (first, second):
        assert not depot.has(found)
        assert depot.keep_sent(found, found.contents())
    assert depot.has(first)
    assert depot.here(first).path != depot.here(second).path


@settings(max_examples=25)
@given(st.data())
def test_what_is_not_what_was_promised_leaves_no_trace(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("changed")
    write(folder, PACKAGE)
    found = read(folder / "eva")
    sent = list(found.contents())
    index = data.draw(st.integers(0, len(sent) - 1))
    sent[index] = data.draw(st.binary(max_size=9).filter(lambda x: x != sent[index]))
    depot = Depot(folder / "depot")
    assert not depot.keep_sent(found, sent)
    assert not depot.has(found)
    assert tree(folder / "depot") == {}
    # Nor does it harm what is there.
    assert depot.keep_sent(found, found.contents())
    assert not depot.keep_sent(found, sent)
    assert depot.has(found)


@pytest.mark.parametrize("harm", ["change", "delete"])
def test_what_has_suffered_since_is_not_there_and_is_mended(
    tmp_path: Path, harm: str
) -> None:
    write(tmp_path, PACKAGE)
    found = read(tmp_path / "eva")
    depot = Depot(tmp_path / "depot")
    data = found.contents()
    depot.keep_sent(found, data)
    victim = depot.here(found).paths[1]
    victim.chmod(0o600)
    if harm == "change":
        victim.write_bytes(b"other")
    else:
        victim.unlink()
    assert not depot.has(found)
    assert depot.keep_sent(found, data)
    assert tree(Path(depot.here(found).home)) == PACKAGE


HERE = {
    "Python": "cpython 3.11",
    "arena": "0.1.0",
    "numpy": "2.1.0",
    "the files of arena": "abc",
}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, ""),
        ({"Python": "cpython 3.12"}, "Python is cpython 3.12 there and cpython 3.11"),
        ({"arena": "0.2.0"}, "arena is 0.2.0 there and 0.1.0 here"),
        ({"numpy": "2.2.0"}, "numpy is 2.2.0 there and 2.1.0 here"),
        ({"numpy": None}, "numpy is not installed there"),
        ({"scipy": "1.0"}, "scipy is installed there and not here"),
        ({"the files of arena": "x"}, "the files of arena are others there than here"),
        ({"the files of arena": None}, "arena is not installed there"),
    ],
)
def test_what_differs_is_said_in_a_sentence(
    change: dict[str, str | None], said: str
) -> None:
    there = {k: v for k, v in (HERE | change).items() if v is not None}
    assert version_difference(HERE, there).startswith(said)
    assert bool(version_difference(HERE, there)) == bool(change)


def test_what_is_installed_counts_with_the_files_of_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    paths = ["arena.games.zombie_dice:ZombieDice", "shove.game:Shove"]
    write(tmp_path, {"shove/game.py": b"x = 1", "shove/__init__.py": b""})
    before = installed_versions(["arena", "msgspec", "shove"], paths)
    assert list(before) == [
        *("Python", "arena", "msgspec", "shove"),
        *("the files of arena", "the files of shove"),
    ]
    assert before["shove"] == "without a version"
    assert before["msgspec"][0].isdigit()
    write(tmp_path, {"shove/game.py": b"x = 2"})
    after = installed_versions(["arena", "msgspec", "shove"], paths)
    assert version_difference(before, after) == (
        "the files of shove are others there than here"
    )

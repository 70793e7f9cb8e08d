"""Freezing: what is kept, that it is checked, and that there is no half of it."""

import json
import os
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from arena.cli.rules import command as rules_command
from arena.errors import ConfigError
from arena.league.config.league_file import LeagueConfig, load_config
from arena.league.results import freeze as freezing
from arena.league.results import thaw as frozen
from arena.league.results.freeze import Frozen, freeze
from arena.league.results.thaw import open_league, versions
from arena.referee.contestant.bot_code import code_hash

VERSIONS: dict[str, str] = {}
BOT = "from arena import Bot\nclass {}(Bot):\n    def act(self, obs): pass\n"


class Course:
    """A league with all that can belong to one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "configs" / "league.yaml"
        self.keys: dict[str, Any] = {
            "name": "small",
            "seed": 7,
            "bots": [
                "../bots",
                {"file": "../staff/cy.py", "name": "cy", "params": {"x": [1.5, None]}},
                {"file": "../staff/pack", "name": "packed"},
                {"file": "../old/bots/dan.py"},
                {"file": "../staff/js/main.js", "command": "/bin/true main.js"},
            ],
            "games": ["zombie_dice"],
            "packages": ["pyyaml"],
            "schedule": "divisions",
            "references": ["ana"],
            "divisions": {"size": 2, "by": "../results/midterm"},
            "grading": {"students": "../private/names.csv"},
            "pseudonyms": "Ein Geheimnis, süß & lang",
        }
        self.write("bots/ana.py", "import helper\n" + BOT.format("Ana"))
        self.write("bots/helper.py", "import _deeper\n")
        self.write("bots/_deeper.py", "")
        self.write("bots/_unused.py", "")
        self.write("bots/notes.txt", "no bot")
        self.write("bots/no_bot.py", "x = 1\n")
        self.write("bots/loose/ben.py", "")
        self.write("bots/__pycache__/ana.pyc", "")
        self.write("staff/cy.py", "import helper\n" + BOT.format("Cy"))
        self.write("staff/helper.py", "other = True\n")
        self.write("staff/pack/__init__.py", BOT.format("Pack"))
        self.write("staff/pack/data/deep/table.bin", "\x00")
        self.write("staff/pack/__pycache__/x.pyc", "")
        self.write("staff/js/main.js", "")
        (folder / "staff/js/main.js").chmod(0o755)
        self.write("old/bots/dan.py", BOT.format("Dan"))
        rows = [{"rank": 1, "bot": "Ana", "file": "ana.py"}]
        self.write("results/midterm/leaderboard.json", json.dumps({"rows": rows}))
        self.write("results/midterm/league.sqlite", "many games")
        self.write("private/names.csv", "file,student\nana.py,s1\n")
        self.save()

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def save(self, **keys: Any) -> None:
        """Write the league's file, with other keys; None leaves one out."""
        found = {k: v for k, v in (self.keys | keys).items() if v is not None}
        self.write("configs/league.yaml", yaml.safe_dump(found, allow_unicode=True))

    def freeze(self, name: str = "frozen") -> Frozen:
        return freeze(self.path, self.folder / name)

    def files(self, name: str = "frozen") -> dict[str, bytes]:
        """Return the contents of all files below a folder, by path."""
        top = self.folder / name
        return {
            path.relative_to(top).as_posix(): path.read_bytes()
            for path in sorted(top.rglob("*"))
            if path.is_file()
        }


@pytest.fixture(autouse=True)
def looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look up but once what is installed: that takes longer than all else."""
    for module in (freezing, frozen):
        monkeypatch.setattr(module, "versions", _versions)


def _versions(config: LeagueConfig) -> dict[str, str]:
    if not VERSIONS:
        VERSIONS.update(versions(config))
    return dict(VERSIONS)


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return Course(tmp_path)


KEPT = {
    "bots/1/bots": ("bots", "ana.py", "helper.py", "_deeper.py", "no_bot.py"),
    "bots/2/staff": ("staff", "cy.py", "helper.py", "pack/__init__.py"),
    "bots/2/staff/pack/data": ("staff/pack/data", "deep/table.bin"),
    "bots/3/bots": ("old/bots", "dan.py"),
    "bots/4/js": ("staff/js", "main.js"),
    "divisions": ("results/midterm", "leaderboard.json"),
}
"""Where they are kept: files of a folder."""


def test_all_that_belongs_to_a_league_is_kept_and_nothing_else(course: Course) -> None:
    kept = course.freeze()
    found = course.files()
    sources = {
        f"{place}/{name}": f"{folder}/{name}"
        for place, (folder, *names) in KEPT.items()
        for name in names
    }
    sources["students.csv"] = "private/names.csv"
    assert found.keys() == {*sources, "league.yaml", "manifest.json"}
    for name, source in sources.items():
        assert found[name] == (course.folder / source).read_bytes()
    assert (course.folder / "frozen/bots/4/js/main.js").stat().st_mode & 0o111 == 0o111
    manifest = json.loads(found["manifest.json"])
    assert manifest["files"] == {
        name: sha256(data).hexdigest()
        for name, data in found.items()
        if name != "manifest.json"
    }
    assert (manifest["league"], manifest["seed"]) == ("small", 7)
    assert manifest["config"] == sha256(course.path.read_bytes()).hexdigest()
    assert manifest["rules"] == {"zombie_dice": "1"}
    assert {"Python", "arena", "yaml", "numpy", "scipy"} <= manifest["versions"].keys()
    assert kept.digest == sha256(found["manifest.json"]).hexdigest()
    assert kept.files == len(manifest["files"])
    assert kept.notes == ()
    # No word of where it was made.
    assert not any(str(course.folder).encode() in data for data in found.values())


def test_the_leagues_file_says_the_same_with_paths_into_the_folder(
    course: Course,
) -> None:
    course.freeze()
    raw = yaml.safe_load((course.folder / "frozen/league.yaml").read_text())
    assert raw == course.keys | {
        "bots": [
            "bots/1/bots",
            {"file": "bots/2/staff/cy.py", "name": "cy", "params": {"x": [1.5, None]}},
            {"file": "bots/2/staff/pack", "name": "packed"},
            {"file": "bots/3/bots/dan.py"},
            {"file": "bots/4/js/main.js", "command": "/bin/true main.js"},
        ],
        "divisions": {"size": 2, "by": "divisions"},
        "grading": {"students": "students.csv"},
    }
    found = open_league(course.folder / "frozen")
    assert found.results == Path("results/frozen-frozen")
    assert found.notes == ()
    specs = [game.spec for game in load_config(course.path).games]
    assert [game.spec for game in found.config.games] == specs
    assert open_league(course.folder / "frozen" / "league.yaml").config.path == (
        course.folder / "frozen" / "league.yaml"
    )


def test_bots_are_the_same_bots(course: Course) -> None:
    """By the hash that their games' ids depend on."""
    course.freeze()

    def codes(path: Path) -> dict[str, str]:
        bots = freezing._Original(load_config(path)).bots
        return {f.path.name: code_hash(freezing._files_with(f)) for f in bots}

    assert codes(course.folder / "frozen/league.yaml") == codes(course.path)


def test_the_same_league_gives_the_same_bytes_anywhere(
    course: Course, tmp_path_factory: pytest.TempPathFactory
) -> None:
    course.freeze()
    other = Course(tmp_path_factory.mktemp("elsewhere"))
    other.freeze()
    assert other.files() == course.files()
    # What is frozen can be frozen.
    freeze(course.folder / "frozen", course.folder / "again")
    again, first = course.files("again"), course.files()
    del again["manifest.json"], first["manifest.json"]
    assert again == first


BEFORE = "when the league was frozen"
SPOILT = [
    # A file, what takes its place, and what is said of it.
    ("bots/1/bots/_deeper.py", "evil = True\n", "has been changed since"),
    (
        "bots/2/staff/pack/data/deep/table.bin",
        None,
        "is missing from the frozen league",
    ),
    ("bots/1/bots/new.py", "", f"was not there {BEFORE}; remove it"),
    ("league.yaml", "seed: 8", "has been changed since the league was frozen; "),
    ("bots/more", Path("1/bots"), f"was not there {BEFORE}; "),
    ("manifest.json", "{}", "is no manifest of `arena freeze` ("),
    ("manifest.json", None, "is no frozen league, as it has no manifest.json; exp"),
]


@pytest.mark.parametrize(("name", "new", "said"), SPOILT)
def test_a_frozen_league_that_was_changed_is_refused(
    course: Course, name: str, new: str | Path | None, said: str
) -> None:
    course.freeze()
    folder = course.folder / "frozen"
    (folder / "bots/1/bots/__pycache__").mkdir()
    (folder / "bots/1/bots/__pycache__/ana.pyc").write_text("no part of a bot")
    open_league(folder)
    if new is None:
        (folder / name).unlink()
    elif isinstance(new, Path):
        (folder / name).symlink_to(new, target_is_directory=True)
    else:
        (folder / name).write_text(new)
    with pytest.raises(ConfigError, match=r"\A[^\n]*\Z") as caught:
        open_league(folder)
    place = folder if "no frozen league" in said else folder / name
    assert str(caught.value).startswith(f"{place}: {said}")


def test_its_rules_are_those_of_the_league(course: Course) -> None:
    course.freeze()

    def told(path: Path) -> str:
        return CliRunner().invoke(rules_command, ["--league", str(path)]).output

    frozen = course.folder / "frozen"
    assert told(frozen) == told(course.path)
    assert "zombie_dice" in told(frozen)
    (frozen / "league.yaml").write_text("changed")
    with pytest.raises(ConfigError, match=r"league\.yaml: has been changed"):
        CliRunner().invoke(
            rules_command, ["--league", str(frozen)], catch_exceptions=False
        )


def test_other_versions_are_noted(course: Course) -> None:
    course.freeze()
    path = course.folder / "frozen/manifest.json"
    manifest = json.loads(path.read_text())
    manifest["versions"] |= {"numpy": "1.0", "gone": "2.0", "the files of arena": "x"}
    manifest["rules"]["zombie_dice"] = "0"
    path.write_text(json.dumps(manifest))
    rules, *notes = open_league(course.folder / "frozen").notes
    assert rules.startswith("zombie_dice has other rules here than when the league was")
    assert re.fullmatch(
        r"numpy is [\d.]+ here, and was 1.0 when the league was frozen", notes[0]
    )
    assert notes[1:] == [
        "the files of arena are others than when the league was frozen",
        "gone is not installed here, and was 2.0 when the league was frozen",
    ]


@pytest.mark.parametrize("there", ["file", "folder", "link"])
def test_nothing_is_overwritten(course: Course, there: str) -> None:
    place = course.folder / "frozen"
    make = {
        "file": place.touch,
        "folder": place.mkdir,
        "link": lambda: place.symlink_to("nowhere"),
    }
    make[there]()
    with pytest.raises(ConfigError, match=r"frozen: is there already; remove it, or"):
        course.freeze()
    assert not place.is_dir() or not [*place.iterdir()]


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left")])
def test_what_is_interrupted_leaves_nothing(
    course: Course, error: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sorted(os.listdir(course.folder))

    def fail(*args: object) -> None:
        raise error

    monkeypatch.setattr(Path, "chmod", fail)
    with pytest.raises(BaseException) as caught:  # noqa: PT011
        course.freeze()
    assert sorted(os.listdir(course.folder)) == before
    if error is not KeyboardInterrupt:
        assert str(caught.value).endswith(
            "frozen: can't be written (No space left); choose another with --output"
        )


@pytest.mark.parametrize(
    ("name", "new"),
    [
        ("bots/helper.py", "import _deeper  # changed\n"),
        ("bots/late.py", BOT.format("Late")),
        ("bots/no_bot.py", None),
        ("configs/league.yaml", {"seed": 8}),
    ],
)
def test_what_changes_while_it_is_frozen_is_named(
    course: Course, name: str, new: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A league of files that never were there together would be nobody's."""
    make = freezing._in_one_step

    def late(folder: Path) -> Any:
        if new is None:
            (course.folder / name).unlink()
        elif isinstance(new, dict):
            course.save(**new)
        else:
            course.write(name, new)
        return make(folder)

    monkeypatch.setattr(freezing, "_in_one_step", late)
    with pytest.raises(ConfigError) as caught:
        course.freeze()
    assert str(caught.value) == (
        f"{course.folder / name}: has been changed while the league was frozen; "
        "do it again"
    )
    assert not (course.folder / "frozen").exists()


def test_a_program_outside_of_its_bot_is_refused(course: Course) -> None:
    course.write("tools/run", "\x7fELF")
    (course.folder / "tools/run").chmod(0o755)
    bot = {"file": "../staff/js", "command": "../../tools/run main.js"}
    course.save(bots=[bot])
    with pytest.raises(ConfigError) as caught:
        course.freeze()
    assert str(caught.value).endswith(
        "league.yaml: bots[0].command: ../../tools/run lies outside of the bot's "
        "files, so it can't be kept with them; put it there, or give its absolute path"
    )


def test_a_league_without_a_bot_file_is_refused(course: Course) -> None:
    (course.folder / "none").mkdir()
    course.save(bots="../none")
    with pytest.raises(ConfigError, match=r"bots: there is no bot file to be kept"):
        course.freeze()
    course.save(grading={"students": "nobody.csv"})
    with pytest.raises(ConfigError, match=r"nobody.csv: can't be read \(No such file"):
        course.freeze()

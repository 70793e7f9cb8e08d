"""A results folder of somebody else's: reports of it stay in it, and are but text."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from leagues import entry, fault, fill, finished, game, label_of, league
from msgspec.structs import replace

from arena.cli import cli
from arena.errors import ArenaError
from arena.games import Table, get_game
from arena.league.config.info import EntryInfo, LabelInfo, LeagueInfo
from arena.league.config.settings import GradingSettings
from arena.records.game_record import GameRecord
from arena.reports.grading.private import private_folder

EVIL = (
    "\x1b[2J\x1b]0;t\x07",
    "\x1b]8;;http://x\x1b\\a\x1b]8;;\x1b\\",
    "\x9b31m\x9d0;t\x9c",
    "\u202ea\u2066b",
    "a\r\nb\x0cc\x85d\u2028e",
    "<script>alert(1)</script>",
    "'\"><img src=x onerror=alert(1)>",
    "{{ 7 * 7 }}{% raw %}",
    "a\x00b\x7f",
    "",
    " ",
    "../../x",
    "[link=file:///etc/passwd]x[/link]",
    "1e5",
)
ACTS = [chr(x) for x in (*range(10), *range(11, 32), *range(127, 160))]
ACTS += list("\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068")


def names(text: str) -> tuple[EntryInfo, EntryInfo]:
    one = replace(entry("A", "zombie_dice"), name=f"{text}1", file=text, code=text)
    two = replace(entry("B", "zombie_dice"), name=f"{text}2", refused=text, bot=text)
    return one, two


def hostile(text: str) -> tuple[LeagueInfo, list[GameRecord]]:
    """Return a league that says a text wherever it may say anything."""
    who = names(text)
    label = label_of(text, "zombie_dice", 2)
    label = replace(label, title=text, house_rules=(text,), options={"preset": "base"})
    info = replace(
        league(who, [label], rejected=((text, text),)), name=text, isolation=text
    )
    seats = tuple(x.id for x in who)

    def roll(table: Table) -> str:
        return "stop" if "stop" in table.state.legal_actions() else "roll"

    whole = finished(
        Table(_game(label), bytes(32)),
        text,
        seats,
        roll,
        game_id="aaaaaa",
        seed=bytes(32),
    )
    parts = {"traceback": text, "output": text, "action": text, "observation": text}
    lost = fault(1, who[1], message=text, legal_actions=(text,), **parts)
    return info, [
        replace(whole, isolation=text),
        replace(game(1, who, (1, 2), text, (lost,)), game_id="bbbbbb", isolation=text),
        replace(game(2, who, (1, 2), text), game_id="cccccc", history=(text, text)),
    ]


def _game(label: LabelInfo) -> Any:
    return get_game(label.game, label.players, {})


def arena(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(x) for x in words])


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "course").mkdir()
    (tmp_path / "course" / "mine").write_text("mine")
    yield tmp_path / "course" / "results"
    # Nothing was written anywhere else.
    assert {x.name for x in tmp_path.iterdir()} == {"course"}
    assert (tmp_path / "course" / "mine").read_text() == "mine"


def check(result: Result, text: str) -> None:
    assert result.exception is None or isinstance(
        result.exception, (ArenaError, SystemExit)
    ), result.exception
    shown = result.output
    assert not [x for x in ACTS if x in shown]
    assert "49" not in shown or "{{" not in text


@pytest.mark.parametrize("text", EVIL, ids=range(len(EVIL)))
def test_nothing_that_a_league_says_acts(folder: Path, text: str) -> None:
    info, games = hostile(text)
    fill(folder, info, games)
    check(arena("report", folder), text)
    check(arena("export", folder, "--moves"), text)
    for record in games:
        check(arena("replay", folder, record.game_id), text)
        check(arena("replay", folder, record.game_id, "--step", "0"), text)
    pages = [*folder.rglob("*.html")]
    assert pages
    for page in (*pages, *folder.rglob("*.js")):
        told = page.read_text()
        assert not [x for x in ACTS if x in told and x not in "\t\r"], page
        if page.suffix == ".html":
            assert "<script>alert" not in told
            assert "<img" not in told


@pytest.mark.parametrize("place", ["gradescope", "private", "report"])
def test_no_folder_of_it_leads_elsewhere(folder: Path, place: str) -> None:
    who = entry("A", "zombie_dice"), entry("B", "zombie_dice")
    label = label_of("zombie_dice", "zombie_dice", 2)
    fill(folder, replace(league(who, [label]), grading=GradingSettings()), [])
    other = folder.parent / "other"
    other.mkdir()
    if place != "report":
        (other / "a.json").write_text("mine")
    (folder / place).symlink_to(other)

    def write() -> None:
        if place == "private":
            private_folder(folder)
        elif problem := arena("report", folder).exception:
            raise problem

    with pytest.raises(ArenaError) as caught:
        write()
    assert str(caught.value).startswith(
        f"{folder / place}: leads out of the results folder; remove the link"
    )
    assert [x.name for x in other.iterdir()] == ["a.json"] * (place != "report")


@pytest.mark.parametrize("make", [os.mkfifo, lambda x: os.symlink("/dev/zero", x)])
def test_students_are_no_pipe_and_no_device(folder: Path, make: Any) -> None:
    students = folder.parent / "students.csv"
    make(students)
    who = entry("A", "zombie_dice"), entry("B", "zombie_dice")
    label = label_of("zombie_dice", "zombie_dice", 2)
    grading = GradingSettings(students=str(students))
    fill(folder, replace(league(who, [label]), grading=grading), [])
    result = arena("report", folder)
    assert isinstance(result.exception, ArenaError)
    assert str(result.exception) == (
        f"{students}: the students' file can't be read (no file)"
    )

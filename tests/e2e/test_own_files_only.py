"""Attacks through hand-ins, as a league meets them from beginning to end."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands import FIRST, Course

OX = {"game": "ox_blocks", "fixtures": 1}
SECRET = "the strategy of ana, which is nobody's business"
SPY = """\
import {module} as other
from arena import Bot

class Spy(Bot):
    def ox_blocks(self, obs):
        raise ValueError(open(other.__file__).read())
"""
READER = """\
import os, sys
from arena import Bot

class Reader(Bot):
    def ox_blocks(self, obs):
        found = []
        here = os.path.dirname(os.path.abspath(__file__))
        for folder in (here, *(os.path.join(here, *[".."] * n) for n in range(1, 5))):
            try:
                found += [open(os.path.join(folder, name)).read()
                          for name in os.listdir(folder)]
            except OSError:
                continue
        raise ValueError(str(found))
"""


@pytest.fixture
def course(tmp_path: Path) -> Course:
    course = Course(tmp_path / "course")
    course.write_bot("ana", f"# {SECRET}\n        {FIRST}")
    course.write_bot("ben", FIRST)
    return course


def write(course: Course, name: str, text: str) -> None:
    path = course.bots / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def told(course: Course) -> str:
    """Return all that a run has written for anybody to read."""
    course.arena("report", str(course.results()))
    texts = [
        path.read_text("utf-8", errors="replace")
        for path in course.results().rglob("*")
        if path.is_file() and "hand_ins" not in path.parts
    ]
    return "\n".join([*texts, *map(json.dumps, course.export())])


def test_no_bot_sees_the_files_of_another(course: Course) -> None:
    """Neither by importing them, nor with all the paths that it can think of."""
    write(course, "_helper.py", f"# {SECRET}\n")
    write(course, "imports_ana.py", SPY.format(module="ana"))
    write(course, "imports_helper.py", SPY.format(module="_helper"))
    write(course, "folder/__init__.py", READER)
    write(course, "plain/bot.py", READER)
    write(course, "single.py", READER)
    course.write_league(OX)
    done = course.arena("league", "small.yaml")
    assert done.code == 0
    for name, module in (("imports_ana", "ana"), ("imports_helper", "_helper")):
        assert f"note: {name}.py: forfeits all games: line 1: its process says " in (
            done.err
        )
        assert f"No module named {module!r}: " in done.err
        assert "(put files of your own into one folder with the bot, " in done.err
    text = told(course)
    assert SECRET not in text
    assert SECRET not in done.out + done.err


def test_links_in_hand_ins_stop_nobody_and_are_not_read(course: Course) -> None:
    (course.folder / "solution.py").write_text(f"# {SECRET}\n")
    (course.bots / "_x.py").symlink_to("/etc/passwd")
    (course.bots / "clock.py").symlink_to("/proc/uptime")
    write(course, "eva/__init__.py", READER)
    (course.bots / "eva" / "weights.json").symlink_to("../../solution.py")
    (course.bots / "environment.py").symlink_to("/proc/self/environ")
    os.mkfifo(course.bots / "waits.py")
    with (course.bots / "huge.py").open("wb") as file:
        file.truncate(3 * 2**29)
    course.write_league(OX)
    done = course.arena("league", "small.yaml")
    assert done.code == 0
    link = "a link; put what it leads to in its place, as a file"
    assert [line for line in done.err.splitlines() if ": not entered: " in line] == [
        f"note: clock.py: not entered: is {link}",
        f"note: environment.py: not entered: is {link}",
        f"note: eva: not entered: has weights.json, which is {link}",
        "note: huge.py: not entered: has more than 64 MiB; make it smaller",
        "note: waits.py: not entered: is a pipe; remove it",
    ]
    assert len(course.export()) == 2
    text = told(course)
    assert SECRET not in text
    assert "root:" not in text


EDITS_ANA = """\
import time
from pathlib import Path
from arena.cli import cli
from arena.league.play import run

play_league = run.play_league

async def and_edit(*arguments, **more):
    with Path("bots/ana.py").open("a") as text:
        text.write("# another version\\n")
    Path("bots/ben.py").unlink()
    return await play_league(*arguments, **more)

import arena.cli.league
arena.cli.league.play_league = and_edit
cli(["league", "small.yaml"])
"""


@pytest.mark.exhaustive
def test_who_is_edited_while_a_league_runs_plays_on_as_he_was(course: Course) -> None:
    write(course, "cy.py", (course.bots / "ben.py").read_text().replace("Ben", "Cy"))
    course.write_league({"game": "ox_blocks", "fixtures": 2})
    done = subprocess.run(
        [sys.executable, "-c", EDITS_ANA],
        cwd=course.folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    notes = done.stderr.replace("\n  ", " ").splitlines()
    assert [line for line in notes if " was changed " in line] == [
        "note: ana.py: was changed while the league was played; the new version plays "
        "in the next run",
        "note: ben.py: was changed while the league was played; the next run would not "
        "take it: can't be read (No such file or directory)",
    ]
    games = course.export()
    assert len(games) == 3 * 4
    assert all(game["termination"] == "natural" for game in games)
    kept = sorted(path.name for path in course.results().glob("hand_ins/*/*"))
    assert kept == ["ana.py", "ben.py", "cy.py"]
    again = course.arena("league", "small.yaml")
    assert again.code == 0
    assert "4 games played, 0 taken from earlier runs" in again.out
    versions = {
        path.read_text() for path in course.results().glob("hand_ins/*/ana.py/*")
    }
    assert len(versions) == 2


@pytest.mark.exhaustive
def test_what_is_shared_may_lie_among_the_hand_ins_and_is_none(course: Course) -> None:
    (course.bots / "odds.py").write_text("")
    course.write_league(OX, shared=["bots/odds.py"])
    for words in (("league", "small.yaml"), ("bots", "small.yaml")):
        done = course.arena(*words)
        assert done.code == 0
        assert "odds" not in done.out + done.err
    course.write_league(OX)
    assert "odds.py: not entered" in course.arena("league", "small.yaml").err


@pytest.mark.exhaustive
def test_a_league_is_over_even_if_what_was_shared_is_gone(course: Course) -> None:
    (course.folder / "odds.py").write_text("")
    course.write_league(OX, shared=["odds.py"])
    text = EDITS_ANA.replace('Path("bots/ben.py")', 'Path("odds.py")')
    done = subprocess.run(
        [sys.executable, "-c", text],
        cwd=course.folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "2 games played" in done.stdout
    assert "note: it is not known which bots have been changed meanwhile: " in (
        done.stderr
    )
    said = " ".join(done.stderr.split())
    assert "odds.py can't be read (No such file or directory)" in said


@pytest.mark.exhaustive
def test_what_all_bots_share_is_named_in_the_leagues_file(course: Course) -> None:
    lib = course.folder / "lib"
    (lib / "tables").mkdir(parents=True)
    (lib / "odds.py").write_text("from tables import pick\n")
    (lib / "tables" / "__init__.py").write_text("from tables.how import pick\n")
    (lib / "tables" / "how.py").write_text(f"def pick(obs): {FIRST}\n")
    bot = "from odds import pick\nfrom arena import Bot\n\nclass {}(Bot):\n"
    bot += "    def ox_blocks(self, obs): return pick(obs)\n"
    write(course, "cy.py", bot.format("Cy"))
    write(course, "dan/__init__.py", "from .main import Dan\n")
    write(course, "dan/main.py", bot.format("Dan"))
    write(course, "eve/bot.py", bot.format("Eve"))
    course.write_league(OX, shared=["lib/odds.py", "lib/tables"])
    done = course.arena("league", "small.yaml")
    assert (done.code, done.err.count("not entered"), done.err.count("forfeits")) == (
        0,
        0,
        0,
    )
    first = {game["game_id"] for game in course.export()}
    assert len(first) == 10 * 2
    # Only those who import it are others once it is.
    (lib / "tables" / "how.py").write_text(f"# new\ndef pick(obs): {FIRST}\n")
    again = course.arena("league", "small.yaml")
    assert "18 games played, 2 taken from earlier runs" in again.out
    shown = course.arena("check", "bots/cy.py", "--league", "small.yaml")
    assert shown.code == 0


@pytest.mark.exhaustive
def test_a_folder_is_a_hand_in_for_every_verb(course: Course) -> None:
    write(course, "team/bot.py", SPY.format(module="part").replace("Spy", "Team"))
    write(course, "team/part.py", "")
    text = (course.bots / "team" / "bot.py").read_text()
    text = text.replace("raise ValueError(open(other.__file__).read())", FIRST)
    write(course, "team/bot.py", text)
    course.write_league(OX)
    assert course.arena("check", "bots/team", "--league", "small.yaml").code == 0
    played = course.arena("play", "ox_blocks", "team", "bots/team:Team", "--quiet")
    assert played.code == 0
    listed = course.arena("bots")
    assert " team " in listed.out
    refused = course.arena("check", "bots", "--league", "small.yaml")
    assert "has several files with bots (ana.py, ben.py)" in " ".join(
        refused.out.split()
    )

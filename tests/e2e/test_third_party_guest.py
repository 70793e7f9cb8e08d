"""Bots for a library that another package brings play as they are.

The package is that of `arena/worker/guests/README.md`, installed as its readers do.
"""

import csv
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Course, installed

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "arena" / "worker" / "guests" / "README.md"
FENCED = dict(
    re.findall(r"`([\w.]+)`:\n\n```\w+\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)
)
"""The page's blocks of code, by the names of their files."""
NATIVE = """
from arena import Bot


class Cautious(Bot):
    def zombie_dice(self, obs):
        return "roll" if obs.shotguns < 1 else "stop"
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A course where the page's package is installed."""
    folder = tmp_path_factory.mktemp("guest")
    site = installed(FENCED, folder)
    course = Course(folder / "course")
    course.environment["PYTHONPATH"] = str(site)
    (course.bots / "guest.py").write_text(FENCED["cautious.py"])
    (course.bots / "native.py").write_text(NATIVE)
    (course.bots / "forgets.py").write_text("import pushluck\n\n\ndef me(): pass\n")
    course.write_league({"game": "zombie_dice", "fixtures": 4})
    return course


def test_the_page_has_the_whole_package() -> None:
    assert list(FENCED) == [
        "cautious.py",
        "pushluck_stand_in.py",
        "arena_pushluck.py",
        "pyproject.toml",
    ]
    assert PAGE.read_text().count("```") == 2 * len(FENCED)


def test_its_types_are_sound(tmp_path: Path) -> None:
    for name in ("pushluck_stand_in.py", "arena_pushluck.py"):
        (tmp_path / name).write_text(FENCED[name])
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_its_bots_play_as_written(course: Course) -> None:
    done = course.arena("league", "small.yaml")
    assert done.code == 0, done.err
    rows = list(csv.DictReader(io.StringIO(course.files()["leaderboard.csv"].decode())))
    # On the same dice the same policy wins as many games in the other seat.
    assert [row["forfeits"] for row in rows] == ["0", "0"]
    assert rows[0]["elo"] == rows[1]["elo"]
    assert (
        "forgets.py: no bot found; it imports pushluck, but no function is a "
        "pushluck.player (found function me)" in done.err
    )

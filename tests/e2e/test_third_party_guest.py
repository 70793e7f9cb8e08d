"""Bots for a library that another package brings play as they are.

The package is that of `arena/worker/compat/README.md`, installed as its readers do.
"""

import json
from pathlib import Path

import pytest
from commands import Course, Page, installed

PAGE = Page("arena/worker/compat/README.md")
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
    site = installed(PAGE.files, folder)
    course = Course(folder / "course")
    course.environment["PYTHONPATH"] = str(site)
    (course.bots / "guest.py").write_text(PAGE.files["cautious.py"])
    (course.bots / "native.py").write_text(NATIVE)
    (course.bots / "forgets.py").write_text("import pushluck\n\n\ndef me(): pass\n")
    course.write_league({"game": "zombie_dice", "fixtures": 4})
    return course


@pytest.mark.exhaustive
def test_its_types_are_sound(tmp_path: Path) -> None:
    PAGE.check_types(tmp_path, "pushluck_stand_in.py", "arena_pushluck.py")


def test_its_bots_play_as_written(course: Course) -> None:
    done = course.arena("league", "small.yaml")
    assert done.code == 0, done.err
    rows = json.loads(course.files()["leaderboard.json"])["rows"]
    # On the same dice the same policy wins as many games in the other seat.
    assert [row["forfeits"] for row in rows] == [0, 0]
    assert rows[0]["elo"] == rows[1]["elo"]
    assert (
        "forgets.py: not entered: its process says 'no bot found; it imports pushluck, "
        "but no function is a pushluck.player (found function me)'" in done.err
    )

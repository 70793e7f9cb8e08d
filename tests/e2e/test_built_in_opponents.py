"""The bots that come with arena, wherever a command or a league names them."""

from pathlib import Path

import pytest
from commands import FIRST, Course


@pytest.mark.exhaustive
def test_commands_take_them_and_a_frozen_league_keeps_them(tmp_path: Path) -> None:
    course = Course(tmp_path / "course")
    course.write_bot("ana", FIRST)
    course.write_league(
        {"game": "zombie_dice", "fixtures": 2},
        bots=["bots", "random", "sensible"],
        anchor={"bot": "random"},
        seed=1,
    )
    course.league("small.yaml", "--results", "results/first")
    assert course.arena("freeze", "small.yaml", "--output", "kept").code == 0
    assert course.arena("league", "kept", "--results", "results/again").code == 0
    first, again = (
        (course.folder / "results" / name / "leaderboard.csv").read_text()
        for name in ("first", "again")
    )
    assert first == again
    (course.bots / "random.py").write_text((course.bots / "ana.py").read_text())
    done = course.arena("play", "zombie_dice", "random", "sensible", "--seed", "1")
    assert done.code == 0
    assert done.err.count("give random.py another name") == 1
    (course.bots / "random.py").unlink()
    assert course.arena("check", "random").code == 0
    assert "Sensible" in course.arena("bots", "sensible").out

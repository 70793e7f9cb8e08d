"""In a whole league no bot meets the luck of one game in another that it remembers."""

from pathlib import Path

import pytest
from commands import Course
from matrix import divided

from arena.cli.replay import REPRODUCES
from arena.league.results.store import Store

ZOO = Path(__file__).parents[1] / "zoo"


@pytest.mark.parametrize(
    ("game", "fixtures", "restart"),
    divided(
        [
            (game, fixtures, restart)
            for game, fixtures in [("zombie_dice", 12), ("zombie_run", 2)]
            for restart in ("match", "game", "league")
        ],
        lambda case: case[0] == "zombie_dice" and case[2] != "game",
    ),
)
def test_nobody_knows_the_luck_of_his_game(
    tmp_path: Path, game: str, fixtures: int, restart: str
) -> None:
    course = Course(tmp_path / "course")
    text = (ZOO / "remembers_luck.py").read_text()
    (course.bots / "culprit.py").write_text(text)
    bots = ["bots/culprit.py"]
    course.write_league(
        {"game": game, "fixtures": fixtures}, bots=bots, restart=restart
    )
    done = course.arena("league", "small.yaml", "--workers", "1")
    assert done.code == 0
    assert ("so each has luck of its own" in done.err) == (restart == "league")
    with Store.read(course.results()) as store:
        records = list(store.records())
    assert len(records) == 2 * fixtures
    assert {record.termination for record in records} == {"natural"}
    lucks = len({record.seed for record in records})
    assert lucks == (2 * fixtures if restart == "league" else fixtures)
    found = course.arena("replay", "results/small", records[1].game_id)
    assert found.code == 0
    assert REPRODUCES in found.out

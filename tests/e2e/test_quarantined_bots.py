"""A bot that always forfeits costs its league little, and nobody else anything."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from commands import BY_CHANCE, CAREFUL, Course, only
from matrix import divided

FAILS = "raise ValueError('no idea')"
KEYS: dict[str, Any] = {"quarantine": 3}
GAMES = 5 * 4 // 2 * 6
NOTE = (
    "note: Quarantined: Eve, 21 games of zombie_dice not played: it forfeited 3 "
    "games in a row, the last by crash against ana:Ana (game "
)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> tuple[Course, str]:
    """A league with a bot that fails in every game, and what stderr had of it."""
    course = Course(tmp_path_factory.mktemp("quarantine") / "course")
    for name in ("ana", "ben", "cy"):
        course.write_bot(name, CAREFUL, method="zombie_dice")
    course.write_bot("dan", BY_CHANCE)
    course.write_bot("eve", FAILS)
    course.write_league({"game": "zombie_dice", "fixtures": 3}, **KEYS)
    done = course.arena("league", "small.yaml", "--workers", "1", "--strict")
    assert done.code == 1
    summary = " ".join(done.out.split())
    assert summary.startswith("small: 39 games played, 21 not played (quarantine)")
    assert "60 games done, 0 taken from earlier runs, 21 of them not played" in summary
    return course, done.err


def test_its_later_games_are_forfeited_unplayed(course: tuple[Course, str]) -> None:
    folder, err = course
    assert NOTE in err
    found = folder.faults()
    assert [fault["termination"] for fault in found] == [
        *["crash"] * 3,
        *["quarantine"] * 21,
    ]
    assert {fault["bot"] for fault in found} == {"Eve"}
    assert Counter(fault["opponents"] for fault in found) == dict.fromkeys(
        ("Ana", "Ben", "Cy", "Dan"), 6
    )
    last = found[2]["game_id"]
    assert found[3]["message"] == (
        "not played: it forfeited 3 games in a row, the last by crash against ana:Ana "
        f"(game {last[:8]}); mend the bot and run the league again"
    )
    page = folder.files()["leaderboard.md"].decode()
    assert (
        "- Eve: 24 forfeits: 3 crashes, then 21 that were not played any more\n"
        "- Quarantined: Eve, 21" in page
    )


@pytest.mark.exhaustive
@pytest.mark.parametrize("workers", ["2", "3"])
def test_the_number_of_workers_changes_nothing(
    course: tuple[Course, str], workers: str
) -> None:
    folder, _ = course
    name = f"with_{workers}"
    folder.league("small.yaml", "--workers", workers, "--results", f"results/{name}")
    folder.check_same(name, "small")


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", divided((1, 2), lambda seed: seed == 1))
def test_whatever_is_missing_changes_nothing(
    course: tuple[Course, str], seed: int
) -> None:
    """As after an interruption, whichever games had been recorded by then."""
    folder, _ = course
    name = f"missing_{seed}"
    folder.copy_results("small", name)
    ids = sorted(game_id for (game_id,) in folder.rows("SELECT game_id FROM games"))
    folder.forget(Random(seed).sample(ids, 2 * len(ids) // 3), name)
    folder.league("small.yaml", "--workers", "2", "--results", f"results/{name}")
    folder.check_same(name, "small")


def test_a_dry_run_knows_what_is_quarantined(course: tuple[Course, str]) -> None:
    folder, _ = course
    done = folder.arena("league", "small.yaml", "--dry-run")
    assert f"{GAMES} games, of which {GAMES} are recorded" in done.out


@pytest.mark.exhaustive
def test_a_mended_bot_is_played_again_and_a_relapse_is_remembered(
    course: tuple[Course, str],
) -> None:
    folder, _ = course
    folder.copy_results("small", "mended")
    words = ("small.yaml", "--results", "results/mended")
    before = folder.export("mended", "--moves")
    folder.write_bot("eve", CAREFUL, method="zombie_dice")
    try:
        done = folder.arena("league", *words)
        assert "24 games played, 36 taken from earlier runs" in done.out
        assert "Quarantined" not in done.err
        assert folder.faults("mended") == []
        others = {"Ana", "Ben", "Cy", "Dan"}
        after = folder.export("mended", "--moves")
        assert only(after, others) == only(before, others)
    finally:
        folder.write_bot("eve", FAILS)
    done = folder.arena("league", *words)
    assert "0 games done, 60 taken from earlier runs, " in done.out
    assert NOTE in done.err
    assert folder.export("mended", "--moves") == before


@pytest.mark.exhaustive
def test_a_fault_in_one_game_costs_that_game_whichever_comes_first(
    course: tuple[Course, str],
) -> None:
    folder, _ = course
    games = {"game": "zombie_dice", "fixtures": 1}, {"game": "ox_blocks", "fixtures": 3}
    source = folder.bots / "eve.py"
    source.write_text(
        "from arena import Bot\nclass Eve(Bot):\n"
        f"    def zombie_dice(self, obs):\n        {FAILS}\n"
        f"    def ox_blocks(self, obs):\n        {BY_CHANCE}\n"
    )
    found = []
    try:
        for name, order in (("first", games), ("last", games[::-1])):
            folder.write_league(*order, name=name, **KEYS, seed=7)
            folder.arena("league", f"{name}.yaml", "--results", f"results/{name}")
            played = folder.export(name, "--moves")
            found.append(sorted(played, key=lambda game: game["game_id"]))
    finally:
        folder.write_bot("eve", FAILS)
    assert found[0] == found[1]
    ends = Counter((game["label"], game["termination"]) for game in found[0])
    assert ends["zombie_dice", "quarantine"] == 8 - 3
    assert ends["ox_blocks", "natural"] == 6


@pytest.mark.exhaustive
def test_without_quarantine_every_game_is_played(course: tuple[Course, str]) -> None:
    folder, _ = course
    folder.write_league(
        {"game": "zombie_dice", "fixtures": 3}, name="all", quarantine=0
    )
    done = folder.arena("league", "all.yaml")
    assert "Quarantined" not in done.err
    assert [fault["termination"] for fault in folder.faults("all")] == ["crash"] * 24


@pytest.mark.exhaustive
def test_others_play_on_at_larger_tables(course: tuple[Course, str]) -> None:
    folder, _ = course
    game: dict[str, Any] = {"game": "zombie_dice", "players": 3, "fixtures": 1}
    folder.write_league(game, name="three", **KEYS)
    done = folder.arena("league", "three.yaml", "--workers", "2")
    assert "note: Quarantined: Eve, " in done.err
    games = [g for g in folder.export("three") if g["termination"] == "quarantine"]
    assert games
    for played in games:
        eve = played["seats"].index("Eve")
        assert played["forfeits"] == [seat == eve for seat in range(3)]
        assert played["returns"][eve] == 0.0
        assert sum(played["returns"]) == pytest.approx(1.0)
        assert max(played["scores"]) >= 13

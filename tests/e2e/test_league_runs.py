"""A league from its file to its tables: once played, it stays as it is."""

import json
import os
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from commands import BY_CHANCE, CAREFUL, FIRST, LAST, Course, names_in, only
from matrix import divided
from terminals import in_terminal

from arena.league.results.store import Store

GAMES = {
    "zombie_dice": {"target": 6},
    "ox_blocks": {},
    "zombie_run": {},
    "zombie_mania": {"tokens": 1},
}
"""With options with which games are short."""
NUMPY = (
    "import random",
    "import numpy",
    "legal = obs.legal_actions",
    "if random.random() < 0.5: return legal[random.randrange(len(legal))]",
    "return legal[numpy.random.randint(len(legal))]",
)


def summary(out: str) -> str:
    """Return the end, which says how much was played, in one line."""
    found = re.search(
        r"^[\d,]+ games (?:played|done), .*", out, re.MULTILINE | re.DOTALL
    )
    assert found
    return " ".join(found[0].split())


def games_played(out: str) -> int:
    found = re.match(r"(\d+) games (?:played|done), \d+ taken", summary(out))
    assert found
    return int(found[1])


@pytest.fixture(scope="module")
def four_games(tmp_path_factory: pytest.TempPathFactory) -> tuple[Course, str]:
    """A league of four games, and what it printed."""
    course = Course(tmp_path_factory.mktemp("league") / "course")
    course.write_bot("ana", FIRST)
    course.write_bot("ben", BY_CHANCE)
    course.write_bot("eva", "if self.rng.random() < 0.05: raise ValueError", BY_CHANCE)
    course.write_bot("lin", *NUMPY)
    games = [{"game": x, "fixtures": 1, "options": o} for x, o in GAMES.items()]
    course.write_league(*games, anchor={"bot": "ana"})
    return course, course.league("small.yaml", "--workers", "2")


def test_a_league_is_played_and_shown(four_games: tuple[Course, str]) -> None:
    course, out = four_games
    assert out.startswith("small: 48 games\n")
    assert sorted(names_in(out)) == ["Ana", "Ben", "Eva", "Lin"]
    assert summary(out) == (
        "48 games played, 0 taken from earlier runs; results in results/small"
    )
    board = json.loads(course.files()["leaderboard.json"])
    assert board["games"] == list(GAMES)
    assert [row["bot"] for row in board["rows"]] == names_in(out)
    assert sum(row["games"] for row in board["rows"]) == 2 * 48
    assert all(row["bot"] == "Eva" or row["forfeits"] == 0 for row in board["rows"])
    ana = next(row for row in board["rows"] if row["bot"] == "Ana")
    assert ana["elo"] == 1000.0
    # A folder of results holds what results/README.md names, and nothing else.
    folder = course.results()
    names = {path.name for path in folder.iterdir()}
    assert names == {"league.sqlite", "times.csv", "hand_ins", *course.files()}


def test_a_league_that_is_complete_is_shown_again(
    four_games: tuple[Course, str],
) -> None:
    course, out = four_games
    before = course.files()
    again = course.league("small.yaml")
    assert summary(again) == (
        "0 games played, 48 taken from earlier runs; results in results/small"
    )
    assert again.splitlines()[:-1] == out.splitlines()[:-1]
    assert course.files() == before


def test_of_a_long_leaderboard_the_verdict_is_in_sight_at_the_end(
    four_games: tuple[Course, str],
) -> None:
    """In a terminal of 24 rows, though not where the text goes elsewhere."""
    course, out = four_games
    said = " ".join(out.split("\n\n")[1].split())
    assert said.endswith(".")
    with in_terminal(
        ["league", "small.yaml"], course.folder, course.environment
    ) as terminal:
        assert terminal.wait() == 0
    for shown, times in ((terminal.raw, 2), (out, 1)):
        text = " ".join(shown.split())
        assert text.count(said) == times
        assert text.endswith(f"results in results/small {said * (times - 1)}".strip())


@pytest.mark.parametrize("workers", divided((1, 4), lambda workers: workers == 1))
def test_the_number_of_workers_changes_nothing(
    four_games: tuple[Course, str], workers: int
) -> None:
    course, _ = four_games
    to = f"workers{workers}"
    words = "--workers", str(workers), "--results", f"results/{to}"
    # Nor does it that the league is shown while it is played.
    course.league("small.yaml", *words, "--live=1")
    assert course.files(to) == course.files()
    page = course.results(to) / "live" / "index.html"
    assert "<strong>48</strong> games played: the league is over." in page.read_text()
    games = course.export(to, "--moves")
    assert games == course.export("small", "--moves")
    crashed = {
        seat
        for game in games
        for seat, lost in zip(game["seats"], game["forfeits"], strict=True)
        if lost
    }
    assert crashed == {"Eva"}
    assert {game["termination"] for game in games} >= {"natural", "crash"}


@pytest.mark.parametrize("changes", divided((1, 4), lambda changes: changes == 1))
def test_only_what_has_changed_is_played_again(tmp_path: Path, changes: int) -> None:
    course = Course(tmp_path / "course")
    for stem in ("ana", "ben"):
        course.write_bot(stem, CAREFUL)
    course.write_bot("cid", "import helper; print(obs)", "return helper.decide(obs)")
    helper = course.folder / "helper.py"
    helper.write_text("def decide(obs): return 'stop'\n")
    pair = 4
    game = {"game": "zombie_dice", "fixtures": pair // 2}
    course.write_league(game, shared=["helper.py"])

    games: dict[str, dict[str, Any]] = {}

    def play(played: int, *same: str) -> None:
        """Run the league; the games among `same` may not change."""
        assert games_played(course.league("small.yaml", "--workers", "1")) == played
        before = only(games.values(), set(same))
        games.clear()
        games.update((game["game_id"], game) for game in course.export())
        assert only(games.values(), set(same)) == before

    play(3 * pair)
    first = only(games.values(), {"Ana", "Ben"})
    ana = (course.bots / "ana.py").read_text()
    (course.bots / "ana.py").write_text(f"{ana}# changed\n")
    play(2 * pair, "Ben", "Cid")
    rows = json.loads(course.files()["leaderboard.json"])["rows"]
    versions = {row["bot"]: row["versions"] for row in rows}
    assert versions == {"Ana": 2, "Ben": 1, "Cid": 1}
    # What was printed in games that count no more is forgotten.
    with Store.read(course.results()) as store:
        played = [game_id for game_id, _ in store.faults()]
        printed = {game_id for game_id in played if store.prints.of(game_id)}
    assert len(played) == 5 * pair
    assert printed == {id_ for id_, game in games.items() if "Cid" in game["seats"]}
    if changes == 1:
        return
    # What has been played before counts again.
    (course.bots / "ana.py").write_text(ana)
    helper.write_text("def decide(obs): return 'roll'\n")
    play(2 * pair, "Ben")
    assert only(games.values(), {"Ana", "Ben"}) == first
    (course.bots / "ben.py").unlink()
    course.write_bot("dot", CAREFUL)
    play(2 * pair, "Ana", "Cid")
    assert len(games) == 3 * pair
    course.write_league(game | {"options": {"target": 5}}, shared=["helper.py"])
    play(3 * pair)


@pytest.mark.exhaustive
def test_tables_of_three(tmp_path: Path) -> None:
    course = Course(tmp_path / "course")
    course.write_bot("ana", LAST)
    course.write_bot("ben", CAREFUL)
    course.write_bot(
        "eva", "if obs.scores[obs.seat]: raise ValueError", "return 'stop'"
    )
    course.write_bot("dot", BY_CHANCE)
    # In the four groups of three, every two meet twice.
    course.write_league({"game": "zombie_dice", "players": 3, "fixtures": 4})
    out = course.league("small.yaml")
    assert games_played(out) == 4 * 2 * 3
    assert names_in(out)[-1] == "Eva"
    games = course.export()
    groups = Counter(frozenset(game["seats"]) for game in games)
    assert list(groups.values()) == [2 * 3] * 4
    crashes = [game for game in games if game["termination"] == "crash"]
    assert crashes
    for game in crashes:
        seat = game["seats"].index("Eva")
        assert game["forfeits"] == [s == seat for s in range(3)]
        # The others play on, and one of them wins, whatever Eva's score.
        assert game["returns"][seat] == 0.0
        assert sum(game["returns"]) == 1.0


@pytest.mark.exhaustive
@pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity"), reason="cores have no numbers here"
)
def test_where_each_core_has_a_referee_bots_compute_on_its_core(
    tmp_path: Path,
) -> None:
    """To wake a process on another core takes longer than a decision."""
    course = Course(tmp_path / "course")
    tell = "raise RuntimeError(f'on cores {sorted(os.sched_getaffinity(0))}')"
    for name in ("ana", "ben"):
        course.write_bot(name, "import os", tell)
    course.write_league({"game": "zombie_dice", "fixtures": 2}, quarantine=0)
    mine = sorted(os.sched_getaffinity(0))

    def cores_with(workers: int) -> list[list[int]]:
        folder = f"results/{workers}"
        course.league("small.yaml", "--workers", str(workers), "--results", folder)
        faults = (course.folder / folder / "faults.csv").read_text()
        found = re.findall(r"on cores (\[.*?\])", faults)
        assert found
        return [json.loads(cores) for cores in found]

    assert all(cores in [[core] for core in mine] for cores in cores_with(len(mine)))
    if len(mine) > 1:
        assert all(cores == mine for cores in cores_with(1))

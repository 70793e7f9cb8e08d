"""The benchmarks of speed can be run, and count what they say they count."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from math import isfinite
from pathlib import Path

import pytest

if sys.platform != "linux":
    pytest.skip("they read the clocks of Linux", allow_module_level=True)

import speed
import startup
from commands import FIRST
from companions import start_round_trip
from metering import CommandError, Spent, run
from overhead import RulesAlone
from playing import GAMES, League, Options, Run
from timing import Row, Share
from wire import messages_of, play_here, unit_of_course

from arena.league.results.store import FILE_NAME

TINY = Options(rounds=1, seconds=0.02, games=("zombie_dice",), workers=(1, 2))
BURNT = 0.2
"""Seconds of CPU time."""
FAMILY = f"""
import subprocess, sys, time
burn = "import time\\nwhile time.process_time() < {BURNT}: pass"
words = [sys.executable, "-c", burn]
subprocess.run(words)
# The parent of the second does not wait for it.
leave = f"import subprocess; subprocess.Popen({{words}})"
subprocess.run([sys.executable, "-c", leave])
exec(burn)
"""


def test_command_is_charged_for_children_and_orphans(tmp_path: Path) -> None:
    spent = run([sys.executable, "-c", FAMILY], tmp_path)
    assert spent.cpu >= 3 * BURNT
    assert BURNT <= spent.coordinator <= spent.cpu - 2 * BURNT
    assert spent.referees == 0.0
    assert spent.until_play is None
    assert 1e6 < spent.peak < 1e9


def test_command_that_fails_says_why(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="ended with 1: no such luck"):
        run([sys.executable, "-c", "import sys; sys.exit('no such luck')"], tmp_path)


@pytest.mark.exhaustive
def test_league_is_charged_for_its_contestants(tmp_path: Path) -> None:
    league = League(tmp_path / "course", "ox_blocks")
    for name in ("ana", "ben"):
        league.course.write_bot(
            name,
            "import time",
            "end = time.process_time() + 0.03",
            "while time.process_time() < end: pass",
            FIRST,
        )
    whole = league.run([*league.write(1), "--workers", "1"])
    games, decisions = league.recorded()
    assert games == 2
    assert whole.contestants >= 0.9 * 0.03 * decisions
    assert whole.referees > 0.0
    assert whole.until_play is not None
    assert 0.0 < whole.until_play < whole.wall
    assert 0 < whole.peak_in_play <= whole.peak
    share = Run(games, decisions, whole, AGAIN).share
    assert share.cpu == pytest.approx(sum(share.roles.values()))


def test_messages_are_those_of_the_games(tmp_path: Path) -> None:
    course = League(tmp_path / "course", "zombie_dice").course
    played = play_here(unit_of_course(course, "zombie_dice", 4, in_flight=1))
    messages = messages_of(course, "zombie_dice", 4)
    decided = [reply for _, reply in messages if b"roll" in reply or b"stop" in reply]
    assert len(decided) == sum(record.decisions for record in played)
    with ExitStack() as stack:
        trip = start_round_trip(stack, messages)
        share = trip.play(0.01)
    assert share.steps == share.games * len(messages)
    assert share.cpu == pytest.approx(sum(share.roles.values()))


@pytest.mark.parametrize("game", GAMES)
def test_rules_alone_repeat_the_games_they_played(game: str) -> None:
    alone = RulesAlone(game, 3)
    assert alone.play(0.01) > 0.0
    assert alone.repeat(0.01) > 0.0


def test_share_beyond_another() -> None:
    whole = Share(10, 100, 3.0, 2.0, {"referees": 1.5})
    start = Share(2, 20, 1.0, 0.5, {"referees": 0.25})
    assert whole.less(start) == Share(8, 80, 2.0, 1.5, {"referees": 1.25})


def spent(wall: float, coordinator: float, referees: float, rest: float) -> Spent:
    """Return what a command might take."""
    cpu = coordinator + referees + rest
    return Spent(wall, cpu, coordinator, referees, 0.5, 10**7, 10**8, "about 3 s with")


AGAIN = spent(1.0, 0.75, 0.0, 0.25)


def pretend_to_play(self: League, fixtures: int, workers: int) -> Run:
    """Take 10 ms for a fixture of 2 games and 50 decisions, after 1 s of start."""
    seconds = 0.01 * fixtures
    whole = spent(
        wall=2.0 + seconds / workers,
        coordinator=AGAIN.coordinator + 0.25 * seconds,
        referees=0.5 * workers + seconds,
        rest=AGAIN.contestants + 0.75 * seconds,
    )
    return Run(2 * fixtures, 50 * fixtures, whole, AGAIN)


@pytest.fixture
def pretended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no league be played."""
    monkeypatch.setattr(League, "play", pretend_to_play)
    monkeypatch.setattr(League, "fixtures_for", lambda self, seconds: 6)


def rows_of(section: str, options: Options = TINY) -> Iterator[Row]:
    """Measure a section; yield the rows of all its tables."""
    tables = speed.SECTIONS[section](options)
    json.dumps(tables)
    for rows in tables.values():
        yield from rows


@pytest.mark.usefixtures("pretended")
def test_throughput() -> None:
    one, two, bare, *peers = rows_of("throughput")
    assert one["plays"] == "arena: zombie_dice, 1 worker"
    assert one["games a run"] == two["games a run"] == 10
    assert one["games/s"] == pytest.approx(200.0)
    assert two["games/s"] == pytest.approx(400.0)
    assert one["steps/s"] == pytest.approx(5000.0)
    assert one["CPU ms/game"] == two["CPU ms/game"] == pytest.approx(10.0)
    assert two["CPU x 1 worker"] == pytest.approx(1.0)
    assert one["games/s, whole command"] == pytest.approx(12 / 2.06, abs=0.1)
    assert one["x messages"] == pytest.approx(5000.0 / bare["steps/s"], rel=0.01)
    assert bare["a step"] == "request and reply"
    assert all(": not here (ModuleNotFoundError" in row["plays"] for row in peers)
    assert len(peers) == 6


@pytest.mark.usefixtures("pretended")
def test_single() -> None:
    league, referee, alone, one_core = rows_of("single")
    assert league["steps/s"] == pytest.approx(5000.0)
    for key, trip in (("left alone", alone), ("one core", one_core)):
        expected = league["steps/s"] / trip["steps/s"]
        assert league[f"x messages, {key}"] == pytest.approx(expected, rel=0.02)
    # 10 ms for a game of 25 decisions.
    assert league["x CPU, one core"] == pytest.approx(
        400.0 / one_core["CPU us/step"], rel=0.02
    )
    assert referee["games a run"] == 10


@pytest.mark.usefixtures("pretended")
def test_overhead() -> None:
    (row,) = rows_of("overhead")
    assert row["decisions"] == 250
    assert row["all"] == pytest.approx(400.0)
    assert row["coordinator"] == pytest.approx(50.0)
    assert row["referee"] == pytest.approx(200.0)
    assert row["contestants"] == pytest.approx(150.0)
    assert row["of it rules"] > 0.0
    assert row["bare message, asker"] > 0.0
    assert row["bare message, asked"] > 0.0


@pytest.mark.usefixtures("pretended")
def test_restarts() -> None:
    rows = list(rows_of("restarts", Options(rounds=1, workers=(1, 2))))
    assert [row["restart"] for row in rows] == 2 * ["league", "match"]
    assert [row["games"] for row in rows] == 2 * [12] + 2 * [2]
    assert {row["x CPU of league"] for row in rows} == {1.0}
    assert {row["x games/s of league"] for row in rows} == {1.0}


@pytest.mark.usefixtures("pretended")
def test_scaling() -> None:
    rows = list(rows_of("scaling", Options(rounds=1, most_games=10**6)))
    sizes, (slope,), rest = rows[:4], rows[4:5], rows[5:]
    assert [row["games"] for row in sizes] == [10**3, 10**4, 10**5, 10**6]
    assert [row["games/s"] for row in sizes] == [400.0] * 4
    assert slope["from"] == 10**4 - 2
    assert slope["of s"] == slope["of CPU-s"] == pytest.approx(1.0)
    assert [row["entries"] for row in rest[:4]] == [10, 30, 100, 300]
    assert [row["workers"] for row in rest[4:]] == [1, 2, 4]
    assert [row["x games/s of 1"] for row in rest[4:]] == pytest.approx([1, 2, 4])
    assert [row["x CPU of 1"] for row in rest[4:]] == pytest.approx([1, 1, 1])


def test_forward() -> None:
    rows = list(rows_of("forward", Options(rounds=1, seconds=0.02)))
    assert [row["simulates"] for row in rows[:4]] == list(GAMES)
    for row in rows[:4]:
        figures = [x for x in row.values() if isinstance(x, float)]
        assert len(figures) == 6
        assert all(isfinite(x) and x > 0.0 for x in figures)


@pytest.mark.exhaustive
def test_startup(monkeypatch: pytest.MonkeyPatch) -> None:
    real = League.run

    def run_once(self: League, command: Sequence[str]) -> Spent:
        is_played = (self.course.folder / "results" / FILE_NAME).exists()
        if is_played or "--dry-run" in command:
            return AGAIN
        return real(self, command)

    monkeypatch.setattr(League, "run", run_once)
    monkeypatch.setattr(League, "fixtures_for", lambda self, seconds: 1)
    monkeypatch.setattr(startup, "STARTS", 1)
    monkeypatch.setattr(startup, "ENTRIES", 2)
    tables = speed.SECTIONS["startup"](TINY)
    json.dumps(tables)
    starts, steps, estimates, parts = tables.values()
    assert all(row["median, ms"] > 0.0 for row in starts)
    assert len(steps) == 5
    assert estimates[0]["said, s"] == pytest.approx(3.0)
    play = estimates[0]["whole command, s"] - AGAIN.wall
    assert estimates[0]["play, s"] == pytest.approx(play, abs=0.1)
    assert all(row["CPU ms"] >= 0.0 for row in parts)


def test_fixtures_for_some_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def trial(self: League, fixtures: int) -> float:
        return 1.5 + 0.01 * fixtures

    monkeypatch.setattr(League, "_trial", trial)
    league = League(tmp_path / "course", "zombie_dice")
    assert league.fixtures_for(4.0) == pytest.approx(400, rel=0.01)

"""Whatever ends a league, what was recorded is kept, and nobody stays behind."""

import os
import re
import shlex
import signal
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import (
    CAREFUL,
    TIMEOUT_S,
    Course,
    descendants,
    victims,
    wait_for,
    without_load_and_keys,
)
from matrix import divided

PAIR = 18
"""Games of two bots: so many that they are played apart from others."""
ALL = 3 * PAIR
LEAGUE = ("league", "small.yaml", "--workers", "2")
GATE = (
    "import os, time",
    "gate = os.path.dirname(__file__)",
    "while os.stat(gate).st_mtime: time.sleep(0.002)",
)
"""With it, a bot begins no game before its folder is said to be of 1970.

That is its folder as it was read: nothing else of the test can be seen by it.
"""


def open_gate(course: Course, name: str = "small") -> None:
    """Let the bot begin, once it has been read."""
    (folder,) = course.results(name).glob("hand_ins/*/gated/gated")
    os.utime(folder, (0, 0))


def is_read(course: Course, name: str = "small") -> bool:
    return any(course.results(name).glob("hand_ins/*/gated/gated"))


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A league that stops where a test wants it to, played once without a stop."""
    course = Course(tmp_path_factory.mktemp("interrupted") / "course")
    course.write_bot("ana", CAREFUL)
    course.write_bot("ben", "return self.rng.choice(['roll', 'stop'])")
    course.write_bot("gated", CAREFUL, start=GATE)
    (course.bots / "gated").mkdir()
    (course.bots / "gated.py").rename(course.bots / "gated" / "__init__.py")
    course.write_league({"game": "zombie_dice", "fixtures": PAIR // 2})
    with course.running("league", "small.yaml", "--results", "results/whole") as league:
        wait_for(league, lambda: is_read(course, "whole"))
        open_gate(course, "whole")
        _, err = league.communicate(timeout=TIMEOUT_S)
    assert league.returncode == 0, err
    return course


@pytest.fixture(autouse=True)
def fresh(course: Course, tmp_path: Path) -> Iterator[None]:
    yield
    results = course.results()
    if results.exists():
        results.rename(tmp_path / "results")


def finish(course: Course, *words: str) -> str:
    open_gate(course)
    return course.league(*(words or LEAGUE)[1:])


KILLS = [(False, PAIR // 3), (True, PAIR + 1), (True, 2 * PAIR)]
"""Whether the gate is open, and after how many games.

Before it opens, no game of the gated bot can be over.
"""


@pytest.mark.exhaustive
def test_a_killed_league_goes_on_where_it_was(course: Course) -> None:
    with course.running(*LEAGUE) as league:
        wait_for(league, (course.results() / "league.sqlite").exists)
    for is_open, recorded in KILLS:
        if is_open:
            open_gate(course)
        with course.running(*LEAGUE) as league:
            wait_for(league, lambda: course.recorded() >= recorded)  # noqa: B023
        # Referees whose coordinator is gone put their contestants away.
        assert not course.temporary_files()
    before = course.recorded()
    out = finish(course)
    assert f"{ALL - before} games played, {before} taken from earlier runs" in out
    course.check_same()


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_an_interrupted_league_says_how_to_go_on(course: Course, name: str) -> None:
    with course.running(*LEAGUE) as league:
        wait_for(league, lambda: course.recorded() == PAIR)
        league.send_signal(signal.Signals[name])
        out, err = league.communicate(timeout=TIMEOUT_S)
    assert (league.returncode, out) == (130, "")
    said = re.search(r"\ninterrupted: (\d+) of (\d+) .*; to go on:\n  (.*)\n$", err)
    assert said, err
    assert (int(said[1]), int(said[2])) == (course.recorded(), ALL) == (PAIR, ALL)
    assert not course.temporary_files()
    program, *words = shlex.split(said[3])
    assert (program, tuple(words)) == ("arena", LEAGUE)
    assert f"{ALL - PAIR} games played" in finish(course, *words)
    course.check_same()


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["SIGINT", "SIGKILL"])
def test_the_live_page_says_that_a_league_was_stopped(
    course: Course, name: str
) -> None:
    state = course.results() / "live" / "state.js"
    with course.running(*LEAGUE, "--live=1") as league:
        wait_for(league, lambda: course.recorded() == PAIR and state.exists())
        assert '"state":"playing"' in state.read_text()
        league.send_signal(signal.Signals[name])
        league.communicate(timeout=TIMEOUT_S)
    # Whatever has written it is gone as well.
    assert '"state":"interrupted"' in state.read_text()
    finish(course)
    course.check_same()


def contestants(coordinator: int) -> list[set[int]]:
    """Return those of each referee that plays."""
    referees = victims(coordinator, "referee")
    return [{*victims(referee, "contestant")} for referee in referees]


def test_whoever_is_killed_the_league_comes_out_as_if_nothing_had_happened(
    course: Course,
) -> None:
    with course.running(*LEAGUE) as league:
        # If some were left, they might share a unit with games that wait at the gate.
        wait_for(league, lambda: course.recorded() == PAIR)
    assert not course.temporary_files()

    for number in (signal.SIGHUP, signal.SIGINT):
        with course.running(*LEAGUE) as league:
            wait_for(league, lambda: course.recorded() == PAIR)
            wait_for(league, lambda: contestants(league.pid))
            league.send_signal(number)
            _, err = league.communicate(timeout=TIMEOUT_S)
        assert league.returncode == 130
        assert f"interrupted: {PAIR} of {ALL} games are done; to go on:" in err

    with course.running(*LEAGUE) as league:
        # Whoever plays now plays against a bot that waits at its gate.
        wait_for(league, lambda: [*map(len, contestants(league.pid))] == [2, 2])
        before = set().union(*contestants(league.pid))
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        wait_for(
            league, lambda: all(x and x != x & before for x in contestants(league.pid))
        )
        for pid in victims(league.pid, "referee"):
            os.kill(pid, signal.SIGKILL)
        open_gate(course)
        _, err = league.communicate(timeout=TIMEOUT_S)
    assert league.returncode == 0, err
    assert "note: a referee was lost 2 times" in err
    assert not course.temporary_files()
    course.check_same()


VERBS = [
    ("bots", "slow"),
    ("play", "zombie_dice", "slow/gated.py", "bots/ana.py"),
    ("league", "slow.yaml"),
    ("league", "slow.yaml", "--dry-run"),
    pytest.param(
        ("collect", "slow.zip", "--into", "hand_ins"), marks=pytest.mark.exhaustive
    ),
]


@pytest.mark.parametrize("words", VERBS, ids=" ".join)
@pytest.mark.parametrize(
    "name", divided(("SIGINT", "SIGTERM"), lambda name: name == "SIGTERM")
)
def test_any_command_can_be_interrupted_while_it_reads_bots(
    course: Course, words: tuple[str, ...], name: str
) -> None:
    slow = course.folder / "slow"
    slow.mkdir(exist_ok=True)
    (slow / "gated.py").write_text("import time\ntime.sleep(1000)\n")
    course.write_league("zombie_dice", name="slow", bots=["slow", "bots/ana.py"])
    with zipfile.ZipFile(course.folder / "slow.zip", "w") as export:
        export.write(slow / "gated.py", "Ana Alder_71_assignsubmission_file/gated.py")
    with course.running(*words) as command:
        wait_for(command, lambda: descendants(command.pid, "zygote"))
        command.send_signal(signal.Signals[name])
        out, err = command.communicate(timeout=TIMEOUT_S)
    again = (
        f"\narena: interrupted; the same again:\n  {shlex.join(['arena', *words])}\n"
    )
    assert (command.returncode, out) == (130, "")
    assert without_load_and_keys(err) == again
    assert not course.temporary_files()


def test_games_are_recorded_while_their_match_goes_on(course: Course) -> None:
    start = (
        "import time",
        "games = globals().setdefault('GAMES', [])",
        "games.append(obs)",
        "if obs.seat == 0 and len(games) > 2: time.sleep(1000)",
    )
    course.write_bot("tired", CAREFUL, start=start)
    bots = ["bots/ana.py", "bots/tired.py"]
    course.write_league("zombie_dice", name="tiring", bots=bots, in_flight=1)
    with course.running("league", "tiring.yaml") as league:
        # It has been in the second seat in all fixtures, and in the first in two.
        wait_for(league, lambda: course.recorded("tiring") == 4)
    (course.bots / "tired.py").unlink()

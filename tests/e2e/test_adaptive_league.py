"""An adaptive league: the same games whatever stops it, and with any number of workers.

One bot needs a token from the test for each game that it begins.
"""

import os
import re
import shlex
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import CAREFUL, TIMEOUT_S, Course, wait_for
from hand_ins import taken_in

from arena.league.config.settings import BotSettings
from arena.league.results.store import Store

FIRST = 3 * 2 * 2
"""Games of the first round: two fixtures for every pair of three."""
LOOKS = 3
ALL = FIRST + LOOKS * 2 + FIRST
WHOLE = ("--results", "results/whole")
LEAGUE = ("league", "small.yaml", "--workers", "2")


class Tokens:
    """What the gated bot waits for."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._path = course.folder / "tokens"
        os.mkfifo(self._path)
        # Open at both ends, so that neither this process nor a bot waits to open it.
        self._pipe = os.open(self._path, os.O_RDWR | os.O_NONBLOCK)

    def put_into(self, results: str) -> None:
        """Put it where the bot sees it, and where it does not count."""
        bots = BotSettings(file=str(self._course.bots))
        depot = self._course.results(results) / "hand_ins"
        files = taken_in([bots], depot, ("zombie_dice",))
        (home,) = (x.hand_in.read_folder for x in files if x.path.name == "gated")
        place = Path(home, "__pycache__")
        place.mkdir()
        (place / "tokens").hardlink_to(self._path)

    def give(self, games: int) -> None:
        """Let the bot begin so many games from now on."""
        try:
            while os.read(self._pipe, 1000):
                pass
        except BlockingIOError:
            os.write(self._pipe, b"." * games)

    def close(self) -> None:
        os.close(self._pipe)


@pytest.fixture(scope="module")
def tokens(course: Course) -> Iterator[Tokens]:
    tokens = Tokens(course)
    yield tokens
    tokens.close()


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    course = Course(tmp_path_factory.mktemp("adaptive") / "course")
    course.write_bot("ana", CAREFUL, method="zombie_dice")
    course.write_bot("ben", "return self.rng.choice(['roll', 'stop'])")
    start = (
        "import os",
        "path = os.path.join(os.path.dirname(__file__), '__pycache__', 'tokens')",
        "with open(path, 'rb', buffering=0) as tokens: tokens.read(1)",
    )
    course.write_bot("gated", CAREFUL, method="zombie_dice", start=start)
    (course.bots / "gated").mkdir()
    (course.bots / "gated.py").rename(course.bots / "gated" / "__init__.py")
    game = {"game": "zombie_dice", "fixtures": 5}
    course.write_league(game, schedule="adaptive")
    return course


def planned(course: Course) -> int:
    """Return the number of games that are planned by now."""
    return course.recorded(table="plan")


@pytest.fixture(scope="module")
def gated(course: Course, tokens: Tokens) -> list[bool]:
    """Play it without an interruption; say of each game whether the bot has a seat."""
    tokens.put_into("whole")
    tokens.give(ALL)
    out = course.league("small.yaml", "--workers", "1", *WHOLE)
    with Store.read(course.results("whole")) as store:
        exploring = store.info().exploring
        found = ["gated:Gated" in record.seats for record in store.records()]
    assert exploring == (FIRST, len(found) - FIRST)
    assert f"{len(found)} games played" in out
    return found


@pytest.mark.exhaustive
def test_a_dry_run_knows_that_all_is_played(course: Course, gated: list[bool]) -> None:
    # There is nothing left, though a round robin might have had other games.
    dry = course.arena("league", "small.yaml", "--dry-run", *WHOLE)
    assert f"up to {ALL} games, of which {len(gated)} are recorded" in dry.out
    assert "about" not in dry.out.split("recorded")[1]


@pytest.mark.exhaustive
@pytest.mark.parametrize("is_killed", [False, True])
def test_it_goes_on_after_any_interruption(
    course: Course, tokens: Tokens, gated: list[bool], is_killed: bool, tmp_path: Path
) -> None:
    tokens.put_into("small")
    # As it begins its third game after the first round, some look has come before.
    tokens.give(sum(gated[:FIRST]) + 2)
    with course.running(*LEAGUE) as league:
        wait_for(league, lambda: course.recorded() >= FIRST)
        wait_for(league, lambda: planned(course) > FIRST)
        league.send_signal(signal.SIGINT)
        out, err = league.communicate(timeout=TIMEOUT_S)
    assert (league.returncode, out) == (130, "")
    said = re.search(r"\ninterrupted: (\d+) of up to (\d+) games .*\n  (.*)\n$", err)
    assert said, err
    assert (int(said[1]), int(said[2])) == (course.recorded(), ALL)
    assert tuple(shlex.split(said[3])) == ("arena", *LEAGUE)
    assert "(first round)" in err

    recorded = course.recorded()
    with Store.read(course.results()) as store:
        before = sum("gated:Gated" in record.seats for record in store.records())
        assert store.info().exploring == (FIRST, planned(course))
    assert planned(course) < len(gated)
    if is_killed:
        # It stops in the last round, which ends as it began.
        tokens.give(sum(gated[:-FIRST]) - before + 2)
        with course.running(*LEAGUE) as league:
            wait_for(league, lambda: planned(course) == len(gated))
        assert recorded < course.recorded() < len(gated)
        recorded = course.recorded()

    tokens.give(ALL)
    out = course.league(*LEAGUE[1:])
    played = len(gated) - recorded
    assert f"{played} games played, {recorded} taken from earlier runs" in out
    course.check_same()
    course.results().rename(tmp_path / "results")


def test_too_few_fixtures_are_refused(course: Course) -> None:
    game = {"game": "zombie_dice", "fixtures": 4}
    file = course.write_league(game, name="short", schedule="adaptive")
    done = course.arena("league", file)
    assert (done.code, done.out) == (2, "")
    assert (
        "short.yaml: games[0].fixtures: expected 5 or more with an adaptive schedule; "
        "found 4"
    ) in done.err


@pytest.mark.exhaustive
def test_a_bot_may_go_back_to_an_old_version(tmp_path: Path) -> None:
    course = Course(tmp_path / "course")
    course.write_bot("ana", CAREFUL)
    course.write_bot("ben", "return self.rng.choice(['roll', 'stop'])")
    game = {"game": "zombie_dice", "fixtures": 5, "options": {"target": 4}}
    course.write_league(game, schedule="adaptive", isolation="process")
    course.league("small.yaml")
    before, old = course.export(), (course.bots / "ana.py").read_text()
    course.write_bot("ana", "return 'stop' if obs.brains else 'roll'")
    course.league("small.yaml")
    assert course.export() != before
    (course.bots / "ana.py").write_text(old)
    assert "10 games, of which 10 are" in course.league("small.yaml", "--dry-run")
    assert "0 games played, 10 taken" in course.league("small.yaml")
    assert course.export() == before

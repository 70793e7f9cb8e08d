"""A league that nobody watches: what other programs are told.

And the league that is played again from what was frozen.
"""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import BY_CHANCE, CAREFUL, FIRST, Course, Done, wait_for
from warm import unwrapped

from arena import cli
from arena.league.play.interrupts import signals_as_interrupts
from arena.league.results.store import Store

CONFIGS = (Path(__file__).parents[2] / "configs" / "README.md").read_text()
HELPED = """\
import helper

from arena import Bot


class {}(Bot):
    def __init__(self, limit=helper.LIMIT):
        self.limit = limit

    def zombie_dice(self, obs):
        return "stop" if obs.shotguns >= self.limit else "roll"
"""
PACKED = """\
from pathlib import Path

from arena import Bot

ROLLS = int((Path(__file__).parent / "data" / "rolls.txt").read_text())


class Packed(Bot):
    def zombie_dice(self, obs):
        if self.rng.random() < 0.02:
            raise ValueError("by chance")
        return "stop" if obs.brains >= ROLLS else "roll"
"""


def events(out: str) -> list[dict[str, Any]]:
    """Return the objects, which are all that there is."""
    found = [json.loads(line) for line in out.splitlines()]
    for event in found:
        check_fields(event)
    last = [event["event"] in ("done", "interrupted", "error") for event in found]
    assert last == [False] * (len(found) - 1) + [True]
    return found


def check_fields(event: dict[str, Any]) -> None:
    """Check that the page names the event and its fields."""
    row = re.search(rf"^\| `{event['event']}` \| (.*) \|$", CONFIGS, re.MULTILINE)
    assert row, event
    told = set(re.findall(r"`(\w+)`", row[1]))
    assert event.keys() - {"event"} <= told, event
    for label in event.get("labels", ()):
        assert label.keys() <= told


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A league of bots with all that can belong to them."""
    course = Course(tmp_path_factory.mktemp("unattended") / "course")
    course.write_bot("ana", CAREFUL)
    (course.bots / "ben.py").write_text(HELPED.format("Ben"))
    (course.folder / "helper.py").write_text("LIMIT = 2\n")
    staff = course.folder / "staff"
    (staff / "packed" / "data").mkdir(parents=True)
    (staff / "packed" / "__init__.py").write_text(PACKED)
    (staff / "packed" / "data" / "rolls.txt").write_text("2\n")
    (staff / "cy.py").write_text(HELPED.format("Cy"))
    # Of two files of one name, the second goes by its folder too.
    (staff / "ben.py").write_text(HELPED.format("Ben"))
    course.write_league(
        {"game": "zombie_dice", "fixtures": 4},
        bots=[
            "bots",
            {"file": "staff/packed"},
            {"file": "staff/cy.py", "name": "cy 1"},
            {"file": "staff/cy.py", "name": "cy 3", "params": {"limit": 3}},
            {"file": "staff/ben.py"},
        ],
        schedule="divisions",
        divisions={"size": 2},
        references=["ana", "ben"],
        shared=["helper.py"],
    )
    return course


Here = Callable[..., tuple[int, str, str]]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    """Run a command that starts no bot; return its exit code and output."""

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["arena", *words])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        assert isinstance(caught.value.code, int)
        out, err = capsys.readouterr()
        return caught.value.code, out, unwrapped(err)

    return run


@pytest.fixture(scope="module")
def done(course: Course) -> Done:
    """What the league has said."""
    return course.arena("league", "small.yaml", "--json", "--strict")


def test_another_program_is_told_all(course: Course, done: Done) -> None:
    *told, last = events(done.out)
    (plan,) = (event for event in told if event["event"] == "plan")
    progress = [event for event in told if event["event"] == "progress"]
    # Two divisions of two, with two references.
    games = 8 * (2 * 1 + 4 * 2 + 1)
    assert (plan["planned"], plan["divisions"], plan["bots"]) == (games, [2, 2], 6)
    assert plan["references"] == ["Ana", "Ben"]
    assert plan["labels"][0]["games"] == games
    assert progress[-1]["recorded"] == progress[-1]["played"] == games
    assert last == {
        "event": "done",
        "exit": done.code,
        "results": "results/small",
        "planned": games,
        "recorded": games,
        "played": games,
        "forfeits": last["forfeits"],
    }
    board = json.loads(course.files()["leaderboard.json"])
    assert last["forfeits"] == sum(row["forfeits"] for row in board["rows"]) > 0
    assert done.code == cli.EXIT_FAULTS
    # What people read is all there, elsewhere.
    assert f"small: {games} games" in done.err
    assert f"{games} games played, 0 taken from earlier runs" in done.err

    # The same again plays nothing, and says the same of forfeits.
    before = course.files()
    again = course.arena("league", "small.yaml", "--json", "--strict")
    assert events(again.out)[-1] == last | {"played": 0}
    assert again.code == done.code
    assert course.files() == before


@pytest.mark.exhaustive
@pytest.mark.usefixtures("done")
def test_what_was_frozen_gives_the_same_bytes(
    course: Course, monkeypatch: pytest.MonkeyPatch, here: Here
) -> None:
    monkeypatch.chdir(course.folder)
    code, out, err = here("freeze", "small.yaml")
    assert (code, err) == (0, "")
    assert out.endswith("To play it again:\n  arena league frozen/small\n")
    (written_down,) = re.findall(r"\b[0-9a-f]{64}\b", out)
    moved = course.folder / "elsewhere" / "appeal"
    moved.parent.mkdir()
    (course.folder / "frozen" / "small").rename(moved)
    # By now students have changed what they like.
    course.bots.rename(course.folder / "gone")
    try:
        again = course.arena("league", "elsewhere/appeal", "--workers", "1")
    finally:
        (course.folder / "gone").rename(course.bots)
    assert again.code == 0, again.err
    assert "88 games played" in again.out
    assert f"manifest.json has the SHA-256 {written_down}; compare it" in again.err
    assert course.files("appeal-frozen") == course.files()
    assert games(course, "appeal-frozen") == games(course, "small")

    # Results in it would be something that was added.
    words = ("league", "elsewhere/appeal", "--results", "elsewhere/appeal/results")
    code, out, err = here(*words)
    assert (code, out) == (cli.EXIT_BAD_INPUT, "")
    assert "lies in the frozen league, which stays as it is; choose another" in err

    (moved / "shared" / "helper.py").write_text("LIMIT = 0\n")
    words = ("league", "elsewhere/appeal", "--json")
    code, out, err = here(*words)
    (error,) = events(out)
    assert error["exit"] == code == cli.EXIT_BAD_INPUT
    assert error["message"] == err.strip()
    assert "appeal/shared/helper.py: has been changed" in error["message"]


def games(course: Course, name: str) -> list[tuple[object, ...]]:
    """Return all of the games but what depends on the machine."""
    with Store.read(course.results(name)) as store:
        return [
            (x.game_id, x.fixture_id, x.seats, x.returns, x.scores, x.history)
            for x in store.records(history=True)
        ]


def test_a_league_is_not_divided_by_ranks_that_it_changes_itself(
    course: Course, monkeypatch: pytest.MonkeyPatch, here: Here
) -> None:
    """Every run would play other games then."""
    course.write_league(
        "zombie_dice",
        name="own",
        schedule="divisions",
        references=["ana"],
        divisions={"size": 2, "by": "results/own"},
    )
    monkeypatch.chdir(course.folder)
    code, out, err = here("league", "own.yaml")
    assert (code, out) == (cli.EXIT_BAD_INPUT, "")
    assert err == (
        "arena: own.yaml: divisions.by: results/own is where this league writes its "
        "own ranks, so every run would play other games; name the results of another "
        "league\n"
    )


@pytest.mark.exhaustive
def test_who_is_stopped_says_so(tmp_path: Path) -> None:
    course = Course(tmp_path / "course")
    course.write_bot("ana", BY_CHANCE)
    course.write_bot("dot", FIRST)
    course.write_league({"game": "ox_blocks", "fixtures": 10_000}, name="long")
    with course.running("league", "long.yaml", "--json") as command:
        wait_for(command, lambda: course.recorded("long"))
        command.send_signal(signal.SIGTERM)
        out, err = command.communicate()
    last = events(out)[-1]
    assert last["event"] == "interrupted"
    assert last["exit"] == command.returncode == cli.EXIT_INTERRUPTED
    assert 0 < last["recorded"] < last["planned"] == 20_000
    assert last["message"] in err


@pytest.mark.parametrize(
    "words",
    [
        "league --json",
        "league --json missing.yaml",
        "league missing.yaml --json --dry-run",
        "league missing.yaml --json --workers none",
        "league missing.yaml --json --nonsense",
        "league . --json",
    ],
)
def test_what_is_wrong_is_told_in_an_object_too(
    words: str, monkeypatch: pytest.MonkeyPatch, here: Here, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = here(*words.split())
    (error,) = events(out)
    assert code == error["exit"] == cli.EXIT_BAD_INPUT
    assert error["message"] == err.strip()


def test_whatever_happens_there_is_a_last_object(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], here: Here
) -> None:
    words = ("league", "any.yaml", "--json")

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("arena.cli.league.open_league", fail)
    error: BaseException = KeyboardInterrupt()
    code, out, err = here(*words)
    (last,) = events(out)
    assert (code, last["event"], last["exit"]) == (130, "interrupted", 130)
    assert last["message"] in err

    error = RuntimeError("a mistake of ours")
    with pytest.raises(RuntimeError):
        here(*words)
    (last,) = events(capsys.readouterr().out)
    assert (last["event"], last["exit"]) == ("error", 1)


@pytest.mark.parametrize("name", [signal.SIGTERM, signal.SIGHUP])
def test_who_is_to_stop_between_games_stops_as_by_ctrl_c(name: signal.Signals) -> None:
    before = signal.getsignal(name)
    # Tests in the background do nothing at a Ctrl-C.
    ctrl_c = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), signals_as_interrupts():
            signal.raise_signal(name)
    finally:
        signal.signal(signal.SIGINT, ctrl_c)
    assert signal.getsignal(name) == before


def test_who_does_not_ask_for_objects_gets_none(here: Here) -> None:
    code, out, _ = here("league", "missing.yaml")
    assert (code, out) == (cli.EXIT_BAD_INPUT, "")


def test_a_reader_that_goes_away_stops_nothing(tmp_path: Path) -> None:
    """It says so by a pipe that nobody reads any more."""
    code = (
        "from arena.cli.views.events import write_event\n"
        "for i in range(3): write_event('note', text='x' * 100_000)\n"
        "open('done', 'w')\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait() == 0
    assert (tmp_path / "done").exists()

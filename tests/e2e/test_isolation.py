"""The isolation level of a league: chosen, required, recorded and shown."""

import json
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from commands import (
    BY_CHANCE,
    CAREFUL,
    TIMEOUT_S,
    Course,
    Done,
    victims,
    wait_for,
    write_files,
)
from matrix import divided
from sandboxes import best_level, why_not

GAME = {"game": "zombie_dice", "fixtures": 2}
LEVELS = ("namespaces", "filters", "limits", "process")
TRUSTED = "run only bots you trust"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    course = Course(tmp_path_factory.mktemp("isolation") / "course")
    course.write_bot("ana", CAREFUL)
    course.write_bot("ben", BY_CHANCE)
    course.write_league(GAME, bots=["bots/ana.py", "bots/ben.py"])
    return course


Play = Callable[[str], Done]


@pytest.fixture(scope="module")
def played(course: Course) -> Play:
    """Play the league at a level, once; return what it has said."""

    @cache
    def play(level: str) -> Done:
        if reason := why_not(level):
            pytest.skip(f"no {level} here: {reason}")
        words = ("--isolation", level, "--results", f"results/{level}")
        return course.arena("league", "small.yaml", "--workers", "1", *words)

    return play


QUICK = ("namespaces", "limits")


@pytest.mark.parametrize("level", divided(LEVELS, lambda level: level in QUICK))
def test_a_level_is_printed_recorded_and_shown(
    course: Course, played: Play, level: str
) -> None:
    done = played(level)
    assert done.code == 0
    assert f"isolation: {level} (" in done.err
    assert (TRUSTED in done.err) == (level in LEVELS[2:])
    folder = course.results(level)
    assert json.loads((folder / "leaderboard.json").read_text())["isolation"] == level
    page = (folder / "leaderboard.md").read_text()
    assert f"Isolation of the bots: {level}." in page


@pytest.mark.parametrize("levels", divided((2, 4), lambda levels: levels == 2))
def test_the_level_changes_no_result(course: Course, played: Play, levels: int) -> None:
    names = QUICK if levels == 2 else LEVELS
    there = [level for level in names if not why_not(level) and played(level)]
    games = [course.export(level, "--moves") for level in there]
    assert all(other == games[0] for other in games)


# They are played already, so that the dry run has nothing to try.
DRY = ("--dry-run", "--results", "results/limits")


def test_the_file_chooses_and_the_command_line_overrules(
    course: Course, played: Play
) -> None:
    played("limits")
    course.write_league(
        GAME, bots=["bots/ana.py", "bots/ben.py"], name="weak", isolation="limits"
    )
    said = course.arena("league", "weak.yaml", *DRY).err
    assert "isolation is limits only" in said
    over = course.arena("league", "weak.yaml", *DRY, "--isolation", "auto").err
    assert ("only" in over) == (best_level() in LEVELS[2:])


@pytest.mark.exhaustive
def test_a_level_of_another_machine_stops_only_those_who_would_play_there(
    course: Course, played: Play
) -> None:
    played("limits")
    file = course.write_league(
        GAME, bots=["bots/ana.py", "bots/ben.py"], name="other", isolation="bunker"
    )
    told = f"arena: {file}: isolation: no such isolation 'bunker'; known are auto, "
    for words in (("league", file, *DRY), ("check", "bots/ana.py", "--league", file)):
        done = course.arena(*words)
        assert (done.code, done.err[: len(told)]) == (2, told)
    for words in (
        ("league", file, *DRY, "--isolation", "limits"),
        ("report", "results/limits", "--config", file),
        ("rules", "--league", file),
        ("bots", file),
    ):
        assert course.arena(*words).code == 0


def test_a_weaker_level_than_is_required_plays_nothing(course: Course) -> None:
    words = ("--isolation", "limits", "--require-isolation", "filters")
    done = course.arena("league", "small.yaml", *words, "--results", "r/none")
    assert done.code == 3
    assert done.err == (
        "arena: isolation filters is required, and limits is weaker; ask for the "
        "level itself, or for auto\n"
    )
    assert not course.recorded("none")


def test_games_of_a_weaker_level_do_not_count_where_more_is_required(
    course: Course, played: Play
) -> None:
    if reason := why_not("filters"):
        pytest.skip(f"no filters here: {reason}")
    played("limits")
    words = ("--results", "results/limits", "--require-isolation", "filters")
    done = course.arena("league", "small.yaml", *words)
    assert done.code == 2
    assert done.err.splitlines()[-1].startswith(
        "arena: results/limits/league.sqlite: 4 of its games were played at isolation "
        "limits, and filters is required"
    )


LEVEL_NAMES = ", ".join(LEVELS)


@pytest.mark.parametrize(
    ("option", "level", "known"),
    [
        ("--isolation", "chains", f"auto, {LEVEL_NAMES}"),
        ("--require-isolation", "chains", LEVEL_NAMES),
        ("--require-isolation", "auto", LEVEL_NAMES),
    ],
)
def test_an_unknown_level(course: Course, option: str, level: str, known: str) -> None:
    done = course.arena("league", "small.yaml", option, level)
    said = f"arena: {option}: no such isolation {level!r}; known are {known}\n"
    assert (done.code, done.err) == (2, said)


def test_without_bubblewrap_auto_says_why_and_goes_on(
    course: Course, played: Play, tmp_path: Path
) -> None:
    played("limits")
    if reason := why_not("filters"):
        pytest.skip(f"no filters here: {reason}")
    path, course.environment["PATH"] = os.environ["PATH"], str(tmp_path)
    try:
        done = course.arena("league", "small.yaml", *DRY)
    finally:
        course.environment["PATH"] = path
    assert done.code == 0
    assert "note: isolation namespaces: bubblewrap is not installed" in done.err
    assert "isolation is" not in done.err


@pytest.mark.exhaustive
def test_a_bot_that_is_changed_while_the_league_is_played(course: Course) -> None:
    """What was read at the beginning is played to the end, and a note says so."""
    for stem in ("cid", "dan"):
        course.write_bot(stem, "sum(range(200_000))", CAREFUL)
    game = {"game": "zombie_dice", "fixtures": 10}
    bots = ["bots/cid.py", "bots/dan.py"]
    course.write_league(game, name="changing", restart="game", bots=bots)
    words = ("league", "changing.yaml", "--workers", "1")
    with course.running(*words) as league:
        wait_for(league, lambda: course.recorded("changing") > 0)
        course.write_bot("dan", "return obs.legal_actions[-1]")
        _, err = league.communicate(timeout=TIMEOUT_S)
    assert league.returncode == 0
    assert "dan.py: was changed while the league was played; the new version" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("level", divided(LEVELS[:2], lambda x: x == LEVELS[0]))
def test_a_package_of_the_league_may_come_late_and_no_folder_is_listed(
    course: Course, level: str
) -> None:
    """To find a module Python lists folders; what lies there is no business of bots."""
    if reason := why_not(level):
        pytest.skip(f"no {level} here: {reason}")
    course.write_bot(
        "eve",
        "import importlib, os, sys",
        "gamma = importlib.import_module('scipy.special').gamma(3)",
        "seen = []",
        "for folder in [f for f in sys.path if os.path.isdir(f)]:",
        "    try: seen += [n for n in os.listdir(folder) if n in ('pytest', 'tests')]",
        "    except PermissionError: pass",
        "return f'leaked: {seen}' if seen or gamma != 2 else 'stop'",
        method="zombie_dice",
    )
    course.write_league(
        "zombie_dice",
        name="late",
        bots=["bots/ana.py", "bots/eve.py"],
        packages=["scipy"],
    )
    results = f"r/late_{level}"
    course.league("late.yaml", "--isolation", level, "--results", results)
    done = course.arena("export", results)
    games = [json.loads(line) for line in done.out.splitlines()]
    assert {game["termination"] for game in games} == {"natural"}


TEAM = """
import json, os
from arena import Bot

with open("weights.json") as file:
    WANTED = json.load(file)["brains"]
for name in ("weights.json", "log.txt"):
    try:
        open(name, "w").write("spoilt")
    except OSError:
        pass

class Team(Bot):
    def zombie_dice(self, obs):
        return "stop" if obs.brains >= WANTED else "roll"
"""
GUEST = """
import zombiedice

class Guest:
    def __init__(self, name):
        self.name = name
    def turn(self, gameState):
        zombiedice.roll()

zombiedice.runTournament(zombies=(Guest("guest"),), numGames=10)
"""
PROGRAM = """
import json, sys

assert open("answer.txt").read() == "the last"
for line in sys.stdin:
    request = json.loads(line)
    reply = {"id": request["id"], "games": ["zombie_dice"]}
    if request["type"] == "act":
        reply["action"] = request["legal_actions"][-1]
    print(json.dumps(reply), flush=True)
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize("level", LEVELS)
def test_every_kind_of_bot_plays_at_every_level_again_and_again(
    tmp_path: Path, level: str
) -> None:
    """What one writes where it starts is gone, and what was handed in is kept."""
    if reason := why_not(level):
        pytest.skip(f"no {level} here: {reason}")
    course = Course(tmp_path / "course")
    course.write_bot("ana", CAREFUL)
    files = {
        "bots/team/bot.py": TEAM,
        "bots/team/weights.json": '{"brains": 2}',
        "bots/guest.py": GUEST,
        "programs/last/program.py": PROGRAM,
        "programs/last/answer.txt": "the last",
    }
    write_files(files, course.folder)
    program = {"file": "programs/last", "command": f"{sys.executable} -IS program.py"}
    for fixtures in (1, 2):
        game = {"game": "zombie_dice", "fixtures": fixtures}
        course.write_league(game, bots=["bots", program], restart="game")
        done = course.arena("league", "small.yaml", "--isolation", level)
        notes = [x for x in done.err.splitlines() if x.startswith("note: ")]
        assert (done.code, [x for x in notes if TRUSTED not in x]) == (0, [])
        games = course.export()
        assert len(games) == 6 * 2 * fixtures
        assert {game["termination"] for game in games} == {"natural"}
        kept = course.results() / "hand_ins"
        (weights,) = kept.glob("*/team/team/weights.json")
        assert weights.read_text() == files["bots/team/weights.json"]
        assert not [*kept.rglob("log.txt")]
        assert not course.temporary_files()


@pytest.mark.exhaustive
@pytest.mark.parametrize("level", LEVELS[2:])
@pytest.mark.parametrize("kind", ["coordinator", "referee"])
def test_whoever_is_killed_no_folder_of_a_bot_is_left(
    course: Course, level: str, kind: str
) -> None:
    course.write_league(
        {"game": "zombie_dice", "fixtures": 10},
        bots=["bots/ana.py", "bots/ben.py"],
        name=f"killed_{level}_{kind}",
        restart="game",
    )
    name = f"killed_{level}_{kind}"
    words = ("league", f"{name}.yaml", "--workers", "1", "--isolation", level)
    with course.running(*words) as league:
        # Those of the probe are over by then.
        wait_for(league, lambda: course.recorded(name) and course.temporary_files())
        wait_for(league, lambda: victims(league.pid, kind))
        with suppress(ProcessLookupError):
            os.kill(victims(league.pid, kind)[0], signal.SIGKILL)
        league.communicate(timeout=TIMEOUT_S)
    assert not course.temporary_files()

"""Files in the shapes that people write for `zombiedice`: what becomes of each."""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from guest_games import BOTS, GENEROUS, ask, entry, play, unit, write
from msgspec.structs import replace

from arena.referee.misconduct import Misconduct
from arena.referee.record import GameRecord, Limits, Termination

T = Termination
GOOD = {
    "asks_at_end.py": {"Waiter": "waiter"},
    "cheats.py": {"Cheat": "cheat"},
    "class_memory.py": {"Elephant": "elephant"},
    "enters_a_stranger.py": {"Deed": "deed"},
    "exits_at_end.py": {"Leaver": "leaver2", "Leaver_2": "leaver"},
    "global_through_turn.py": {"Accountant": "accountant"},
    "in_a_thread.py": {"Threaded": "threaded"},
    "lazy_import.py": {"Lazy": "Lazy"},
    "logs.py": {"Diarist": "diarist"},
    "name_error_after.py": {"Late": "late", "Late_2": "later"},
    "name_property.py": {"Formal": "Dr. Formal"},
    "never_rolls.py": {"Sleeper": "sleeper"},
    "night-shift": {"Nurse": "nurse", "Porter": "porter"},
    "reads_state.py": {"Inspector": "inspector"},
    "same_name_a.py": {"MyZombie": "My Zombie Bot"},
    "same_name_b.py": {"MyZombie": "My Zombie Bot"},
    "script.py": {"Timid": "one gun", "Timid_2": "two guns"},
    "star.py": {"Astronomer": "astronomer"},
    "subclass.py": {"Bold": "bold"},
    "three in one.py": {
        "NoName": "NoName",
        "Labelled": "with a label",
        "Numbered": "Numbered",
    },
    "tournament.py": {"One_Shot": "one shot", "Greedy": "greedy"},
    "two-names.py": {"Patient": "early", "Patient_2": "late"},
    "under_main.py": {"Lurker": "Lurker"},
    "web_gui.py": {"CarefulCarl": "Careful Carl"},
    "with_helpers.py": {"Planner": "Planner"},
}
"""Files that play without a fault: names of their bots, by class."""
BAD = {
    "forgets_none.py": {"Hasty": "hasty"},
    "only_examples.py": {
        "MinNumShotgunsThenStopsZombie": "Stop at 2",
        "MinNumShotgunsThenStopsZombie_2": "Stop at 1",
        "MonteCarloZombie": "Monte Carlo",
        "HumanPlayerZombie": "Me",
    },
    "prints_a_lot.py": {"Chatterbox": "chatterbox"},
    "catches_all.py": {"Stubborn": "stubborn"},
    "rolls_on.py": {"Endless": "endless"},
    "type_error.py": {"Adder": "adder"},
    "wrong_key.py": {"Plural": "plural"},
}
"""Files with bots that forfeit."""
LATENESS = r"\d\.\d\d s of CPU time( in \d\.\d\d s)?"
UNREADABLE = {
    "demo.py": "demo.py: no bot found; it imports zombiedice, but starts no tournament "
    "with an object that has a method turn, and has no class with one (found nothing)",
    "name_error_before.py": "name_error_before.py:13: NameError: name 'zombeis' is not "
    "defined (did you mean 'zombies'?)",
    "needs_more.py": "needs_more.py:2: ModuleNotFoundError: No module named "
    "'random_print': bots of this league may import Python's own modules and numpy "
    "(a file of your own must lie beside the bot; ask for others with packages: in the "
    "league's file)",
    "rolls_at_import.py": "rolls_at_import.py:3: RuntimeError: roll() can be called in "
    "a bot's turn() only",
    "syntax_error.py": "syntax_error.py:7: SyntaxError: expected ':', in \"def "
    'turn(self, gameState)" (put a colon at the end of the line)',
    "tactics.py": "tactics.py: no bot found; it imports zombiedice, but starts no "
    "tournament with an object that has a method turn, and has no class with one "
    "(found class Hand)",
}
"""Files that can't be read, or have no bot, and what is said of them."""
FAULTS = {
    "forgets_none.py:Hasty": (
        T.CRASH,
        "forgets_none.py:12: TypeError: 'NoneType' object is not subscriptable "
        "(roll() returns None once the turn is over, after the third shotgun)",
    ),
    "only_examples.py:HumanPlayerZombie": (
        T.CRASH,
        "EOFError: HumanPlayerZombie asks somebody at a keyboard: nobody is there",
    ),
    "prints_a_lot.py:Chatterbox": (
        T.OUTPUT_FLOOD,
        "prints_a_lot.py:9: printed more than 1000000 bytes in one game (print less "
        "there)",
    ),
    "catches_all.py:Stubborn": (
        T.TIMEOUT,
        "catches_all.py:9: it had not decided after N s of CPU time (does this "
        "while loop ever end?)",
    ),
    "rolls_on.py:Endless": (
        T.CRASH,
        "rolls_on.py:10: RuntimeError: roll() has returned None 10000 times: the turn "
        "is over, and the loop around it has no end",
    ),
    "type_error.py:Adder": (
        T.CRASH,
        'type_error.py:10: TypeError: can only concatenate str (not "int") to str',
    ),
    "wrong_key.py:Plural": (
        T.CRASH,
        "wrong_key.py:10: KeyError: 'shotguns' (did you mean 'shotgun'?)",
    ),
}
"""How each of those that forfeit does."""
ONCE = """
from arena import Bot


class Once(Bot):
    def zombie_dice(self, obs):
        return "stop"
"""
TWICE = """
from arena import Bot


class Twice(Bot):
    def start(self, obs):
        self.turns = set()

    def zombie_dice(self, obs):
        new = obs.round not in self.turns
        self.turns.add(obs.round)
        return "roll" if new else "stop"
"""
ALIKE = {
    "once": [
        "enters_a_stranger.py:Deed",
        "exits_at_end.py:Leaver",
        "exits_at_end.py:Leaver_2",
        "in_a_thread.py:Threaded",
        "lazy_import.py:Lazy",
        "name_error_after.py:Late",
        "name_error_after.py:Late_2",
        "name_property.py:Formal",
        "never_rolls.py:Sleeper",
        "night-shift:Porter",
        "three in one.py:NoName",
    ],
    "twice": ["cheats.py:Cheat", "night-shift:Nurse", "three in one.py:Labelled"],
}
"""Bots that play as a native one does, whatever else they try."""
ENDLESS = ("catches_all.py:Stubborn",)
"""Those that never come to an end."""
IMPATIENT = Limits(start=60.0, move=0.1, bank=0.0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the files, with what programs leave beside them gone."""
    folder = tmp_path_factory.mktemp("course") / "bots"
    shutil.copytree(BOTS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_each_file_has_the_bots_that_it_shows(folder: Path) -> None:
    files = sorted(path for path in folder.iterdir() if not path.name.startswith("_"))
    assert {path.name for path in files} == {*GOOD, *BAD, *UNREADABLE}
    bots, reasons = {}, {}
    for path, said in zip(files, ask(files), strict=True):
        if isinstance(said, Misconduct):
            assert said.termination is T.START_FAILURE
            reasons[path.name] = said.message
        else:
            bots[path.name] = {info.bot: info.name for info in said}
            assert {info.games for info in said} == {("zombie_dice",)}
    assert bots == GOOD | BAD
    assert reasons == UNREADABLE


@pytest.fixture(scope="module")
def records(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[GameRecord]]:
    """The games of each guest, and of two native bots, against one opponent."""
    native = tmp_path_factory.mktemp("native")
    opponent = write(native, "Once", ONCE)
    once = replace(opponent, id="once")
    twice = replace(write(native, "Twice", TWICE), id="twice")
    guests = [
        entry(folder / file, bot)
        for file, bots in (GOOD | BAD).items()
        for bot in bots
        if bot != "MonteCarloZombie"  # It takes its time.
    ]
    endless = [guest for guest in guests if guest.id in ENDLESS]
    patient = [once, twice, *(guest for guest in guests if guest.id not in ENDLESS)]
    games = []
    for players, limits in ((patient, GENEROUS), (endless, IMPATIENT)):
        tables = [(number, 0) for number in range(1, len(players) + 1)]
        games += play(unit([opponent, *players], tables, fixtures=2, limits=limits))
    found: dict[str, list[GameRecord]] = {}
    for record in games:
        for name in set(record.seats) - {opponent.id}:
            found.setdefault(name, []).append(record)
    return found


def test_those_that_can_play_do(records: dict[str, list[GameRecord]]) -> None:
    for file, bots in GOOD.items():
        for bot in bots:
            games = records[f"{file}:{bot}"]
            assert [game.faults for game in games] == [()] * 4
            assert {game.termination for game in games} == {"natural"}


def test_those_that_fail_are_told_why(records: dict[str, list[GameRecord]]) -> None:
    for name, (termination, message) in FAULTS.items():
        faults = [fault for game in records[name] for fault in game.faults]
        assert {fault.entry for fault in faults} == {name}
        assert {fault.termination for fault in faults} == {termination}
        # How late a referee looks depends on the machine.
        told = {re.sub(LATENESS, "N s of CPU time", fault.message) for fault in faults}
        assert told == {message}
    forfeiters = {name for name in records if any(r.faults for r in records[name])}
    assert forfeiters == set(FAULTS)


def test_faults_show_the_lines_of_the_file(
    records: dict[str, list[GameRecord]],
) -> None:
    (fault, *_) = records["type_error.py:Adder"][0].faults
    assert fault.traceback == (
        '  File "type_error.py", line 10, in turn\n'
        '    total += zombiedice.roll()["brains"]\n'
        'TypeError: can only concatenate str (not "int") to str\n'
    )
    assert fault.legal_actions == ("roll", "stop")


@pytest.mark.parametrize("native", ALIKE)
def test_whatever_else_they_do_they_play_alike(
    native: str, records: dict[str, list[GameRecord]]
) -> None:
    expected = [record.history for record in records[native]]
    for name in ALIKE[native]:
        assert [record.history for record in records[name]] == expected, name


League = tuple[Path, "subprocess.CompletedProcess[str]"]
LEAGUE = """
name: guests
games: [{game: zombie_dice, fixtures: 1}]
limits: {start: 60, move: 60, bank: 60}
luck_adjustment: false
"""
ENTERED = [
    "_odds.py",
    "class_memory.py",
    "demo.py",
    "exits_at_end.py",
    "forgets_none.py",
    "global_through_turn.py",
    "name_error_before.py",
    "night-shift",
    "reads_state.py",
    "same_name_a.py",
    "same_name_b.py",
    "star.py",
    "subclass.py",
    "syntax_error.py",
    "tactics.py",
    "two-names.py",
    "with_helpers.py",
]
"""Files that a course has thrown together."""


@pytest.fixture(scope="module")
def league(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> League:
    """The results of a league of guests and native bots, and what it has said."""
    course = tmp_path_factory.mktemp("league")
    bots = course / "bots"
    bots.mkdir()
    for name in ENTERED:
        if (folder / name).is_dir():
            shutil.copytree(folder / name, bots / name)
        else:
            shutil.copy(folder / name, bots / name)
    write(bots, "Once", ONCE)
    write(bots, "Twice", TWICE)
    (course / "guests.yaml").write_text(LEAGUE + "bots: bots\n")
    done = subprocess.run(
        [sys.executable, "-m", "arena", "league", "guests.yaml"],
        cwd=course,
        env=os.environ | {"COLUMNS": "100"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return course / "results" / "guests", done


def test_a_course_throws_them_together(league: League) -> None:
    results, done = league
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    rows = json.loads((results / "leaderboard.json").read_bytes())["rows"]
    entered = [name for name in ENTERED if name in GOOD or name in BAD]
    expected = [
        (file, name) for file in entered for name in (GOOD | BAD)[file].values()
    ]
    expected += [("name_error_before.py", "Typo"), ("syntax_error.py", "Unfinished")]
    expected += [("once.py", "Once"), ("twice.py", "Twice")]
    shown = [(row["file"], row["bot"].partition(" (")[0]) for row in rows]
    assert sorted(shown) == sorted(expected)
    assert len(rows) >= 12 + 2
    forfeiters = {row["bot"] for row in rows if row["forfeits"]}
    assert forfeiters == {"hasty", "Typo", "Unfinished"}


def test_namesakes_are_told_apart(league: League) -> None:
    rows = json.loads((league[0] / "leaderboard.json").read_bytes())["rows"]
    names = {row["bot"] for row in rows if row["bot"].startswith("My Zombie Bot")}
    assert names == {"My Zombie Bot (same_name_a)", "My Zombie Bot (same_name_b)"}


def test_every_forfeit_has_its_sentence(league: League) -> None:
    results, _ = league
    text = (results / "faults.csv").read_text()
    rows = list(csv.DictReader(io.StringIO(text)))
    told = {(r["file"], r["termination"], r["message"]) for r in rows if r["game_id"]}
    termination, message = FAULTS["forgets_none.py:Hasty"]
    failed = {("forgets_none.py", str(termination), message)}
    for file in ("name_error_before.py", "syntax_error.py"):
        failed.add((file, "start_failure", UNREADABLE[file]))
    assert {row for row in told if row[1] != "quarantine"} == failed


def test_what_does_not_play_is_named_unless_others_import_it(league: League) -> None:
    _, done = league
    notes = [line for line in done.stderr.splitlines() if ".py: " in line]
    assert notes == [
        f"note: {file}: {what}: {UNREADABLE[file]}"
        for file, what in (
            ("demo.py", "not entered"),
            ("name_error_before.py", "forfeits all games"),
            ("syntax_error.py", "forfeits all games"),
        )
    ] + [
        "note: same_name_a.py, same_name_b.py: the name 'My Zombie Bot' is taken more "
        "than once; the tables say My Zombie Bot (same_name_a), My Zombie Bot "
        "(same_name_b); give each bot a name of its own"
    ]

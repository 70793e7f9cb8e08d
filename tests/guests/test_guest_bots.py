"""Files in the shapes that people write for `zombiedice`: what becomes of each."""

import csv
import io
import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from guest_games import BOTS, GENEROUS, ask, entry, play, unit, write
from msgspec.structs import replace

from arena.cli import cli
from arena.referee.misconduct import Misconduct
from arena.referee.record import GameRecord, Limits, Termination

T = Termination
GOOD = {
    "asks_at_end.py": {"Waiter": "waiter"},
    "cheats.py": {"Cheat": "cheat"},
    "class_memory.py": {"Elephant": "elephant"},
    "exits_at_end.py": {"Leaver": "leaver2", "Leaver_2": "leaver"},
    "global_through_turn.py": {"Accountant": "accountant"},
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
ABSENT = (
    "no bot found; it imports zombiedice, but starts no tournament with an object that "
    "has a method turn, and has no class with one"
)
UNREADABLE = {
    "demo.py": f"{ABSENT} (found nothing)",
    "name_error_before.py": "11: NameError: name 'zombeis' is not defined (did you "
    "mean 'zombies'?)",
    "needs_more.py": "2: ModuleNotFoundError: No module named 'random_print'...",
    "rolls_at_import.py": "3: RuntimeError: roll() can be called in a bot's turn() "
    "only",
    "syntax_error.py": "5: SyntaxError: expected ':'...",
    "tactics.py": f"{ABSENT} (found class Hand)",
}
"""Files that can't be read, or have no bot, and what is said of them."""
FAULTS = {
    "forgets_none.py:Hasty": (
        T.CRASH,
        "11: TypeError: 'NoneType' object is not subscriptable (roll() returns None "
        "once the turn is over, after the third shotgun)",
    ),
    "only_examples.py:HumanPlayerZombie": (T.CRASH, "EOFError: HumanPlayerZombie..."),
    "prints_a_lot.py:Chatterbox": (T.OUTPUT_FLOOD, "7: printed more than 1000000..."),
    "catches_all.py:Stubborn": (T.TIMEOUT, "7: it had not decided..."),
    "rolls_on.py:Endless": (
        T.CRASH,
        "8: RuntimeError: roll() has returned None 10000 times: the turn is over, and "
        "the loop around it has no end",
    ),
    "type_error.py:Adder": (T.CRASH, "8: TypeError: can only concatenate..."),
    "wrong_key.py:Plural": (
        T.CRASH,
        "8: KeyError: 'shotguns' (did you mean 'shotgun'?)",
    ),
}
"""How each of those that forfeit does; dots stand for what is told elsewhere."""
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
    "once": (
        *("exits_at_end.py:Leaver", "exits_at_end.py:Leaver_2", "lazy_import.py:Lazy"),
        *("name_error_after.py:Late", "name_error_after.py:Late_2"),
        *("name_property.py:Formal", "never_rolls.py:Sleeper"),
        *("night-shift:Porter", "three in one.py:NoName"),
    ),
    "twice": ("cheats.py:Cheat", "night-shift:Nurse", "three in one.py:Labelled"),
}
"""Bots that play as a native one does, whatever else they try."""
ENDLESS = ("catches_all.py:Stubborn",)
"""Those that never come to an end."""
IMPATIENT = Limits(start=60.0, move=0.1, bank=0.0)


def is_told(message: str, file: str, told: str) -> bool:
    """Say whether a message about a file is as told; dots stand for any words."""
    begin, dots, _ = told.partition("...")
    return any(
        message.startswith(f"{place}{begin}") if dots else message == f"{place}{begin}"
        for place in (f"{file}:", f"{file}: ", "")
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the files, with what programs leave beside them gone."""
    folder = tmp_path_factory.mktemp("course") / "bots"
    shutil.copytree(BOTS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_each_file_has_the_bots_that_it_shows(folder: Path) -> None:
    files = sorted(path for path in folder.iterdir() if not path.name.startswith("_"))
    bots, unreadable = {}, set()
    for path, said in zip(files, ask(files), strict=True):
        if isinstance(said, Misconduct):
            assert said.termination is T.START_FAILURE
            assert is_told(said.message, path.name, UNREADABLE[path.name])
            unreadable.add(path.name)
        else:
            bots[path.name] = {info.bot: info.name for info in said}
            assert {info.games for info in said} == {("zombie_dice",)}
    assert (bots, unreadable) == (GOOD | BAD, set(UNREADABLE))


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
        games += play(unit([opponent, *players], tables, limits=limits))
    found: dict[str, list[GameRecord]] = {}
    for record in games:
        for name in set(record.seats) - {opponent.id}:
            found.setdefault(name, []).append(record)
    return found


def test_those_that_can_play_do(records: dict[str, list[GameRecord]]) -> None:
    for file, bots in GOOD.items():
        for bot in bots:
            games = records[f"{file}:{bot}"]
            assert [game.faults for game in games] == [()] * 2
            assert {game.termination for game in games} == {"natural"}


def test_those_that_fail_are_told_why(records: dict[str, list[GameRecord]]) -> None:
    for name, (termination, told) in FAULTS.items():
        faults = [fault for game in records[name] for fault in game.faults]
        assert {(f.entry, f.termination) for f in faults} == {(name, termination)}
        for fault in faults:
            assert is_told(fault.message, name.partition(":")[0], told), fault.message
    forfeiters = {name for name in records if any(r.faults for r in records[name])}
    assert forfeiters == set(FAULTS)


def test_faults_show_the_lines_of_the_file(
    records: dict[str, list[GameRecord]],
) -> None:
    (fault, *_) = records["type_error.py:Adder"][0].faults
    assert fault.traceback == (
        '  File "type_error.py", line 8, in turn\n'
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


League = tuple[Path, Result]
SYNTAX = "syntax_error.py"
LEAGUE = """
name: guests
games: [{game: zombie_dice, fixtures: 1}]
limits: {start: 60, move: 60, bank: 60}
luck_adjustment: false
"""
ENTERED = (
    *("_odds.py", "demo.py", "exits_at_end.py", "forgets_none.py"),
    *("name_error_before.py", "night-shift", "same_name_a.py", "same_name_b.py"),
    *("star.py", "syntax_error.py", "tactics.py", "with_helpers.py"),
)
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
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(course)
        patch.setenv("COLUMNS", "100")
        done = CliRunner().invoke(cli, ["league", "guests.yaml"])
    return course / "results" / "guests", done


def test_a_course_throws_them_together(league: League) -> None:
    results, done = league
    assert (done.exit_code, "Traceback" in done.stderr) == (0, False), done.stderr
    rows = json.loads((results / "leaderboard.json").read_bytes())["rows"]
    entered = [name for name in ENTERED if name in GOOD or name in BAD]
    expected = [
        (file, name) for file in entered for name in (GOOD | BAD)[file].values()
    ]
    expected += [("name_error_before.py", "Typo"), ("syntax_error.py", "Unfinished")]
    expected += [("once.py", "Once"), ("twice.py", "Twice")]
    shown = [(row["file"], row["bot"].partition(" (")[0]) for row in rows]
    assert sorted(shown) == sorted(expected)
    forfeiters = {row["bot"] for row in rows if row["forfeits"]}
    assert forfeiters == {"hasty", "Typo", "Unfinished"}


def test_namesakes_are_told_apart(league: League) -> None:
    rows = json.loads((league[0] / "leaderboard.json").read_bytes())["rows"]
    names = {row["bot"] for row in rows if row["bot"].startswith("My Zombie Bot")}
    assert names == {"My Zombie Bot (same_name_a)", "My Zombie Bot (same_name_b)"}


def test_every_forfeit_has_its_sentence(league: League) -> None:
    text = (league[0] / "faults.csv").read_text()
    rows = list(csv.DictReader(io.StringIO(text)))
    told = {file: UNREADABLE[file] for file in ("name_error_before.py", SYNTAX)}
    told["forgets_none.py"] = FAULTS["forgets_none.py:Hasty"][1]
    failed = [r for r in rows if r["game_id"] and r["termination"] != "quarantine"]
    assert {row["file"] for row in failed} == set(told)
    for row in failed:
        assert is_told(row["message"], row["file"], told[row["file"]])
        ended = "crash" if row["file"] == "forgets_none.py" else "start_failure"
        assert row["termination"] == ended


def test_what_does_not_play_is_named_unless_others_import_it(league: League) -> None:
    *files, namesakes = [x for x in league[1].stderr.splitlines() if ".py: " in x]
    for note, (file, what) in zip(
        files,
        (
            ("demo.py", "not entered"),
            ("name_error_before.py", "forfeits all games"),
            (SYNTAX, "forfeits all games"),
        ),
        strict=True,
    ):
        begin = f"note: {file}: {what}: "
        assert note.startswith(begin)
        assert is_told(note.removeprefix(begin), file, UNREADABLE[file])
    assert namesakes.startswith("note: same_name_a.py, same_name_b.py: the name 'My Z")

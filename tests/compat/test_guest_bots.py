"""Files in the shapes that people write for `zombiedice`: what becomes of each."""

import csv
import io
import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import golden_files
import pytest
from click.testing import CliRunner, Result
from guest_games import BOTS, GENEROUS, ask, entry, play, unit, write
from matrix import divided
from msgspec.structs import replace
from sandboxes import why_not

from arena.cli import cli
from arena.games import Table, derive_seed, get_game
from arena.records.game_record import GameRecord, Termination
from arena.referee.bot_seat import BotSeat
from arena.referee.contestant.misconduct import Misconduct
from arena.referee.sandbox import LEVELS
from arena.referee.work_unit import EntrySpec, Limits
from arena.reports.replay.story import fault_lines
from arena.text import behind
from arena.worker.compat import GUESTS
from arena.worker.protocol import BotInfo

Described = Mapping[str, tuple[BotInfo, ...] | Misconduct]
LATENESS = r":\d+: it had not decided after .*"
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
ENDLESS = "catches_all.py:Stubborn"
IMPATIENT = Limits(start=60.0, move=0.1, bank=0.0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the files, with what programs leave beside them gone."""
    folder = tmp_path_factory.mktemp("course") / "bots"
    shutil.copytree(BOTS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(
    scope="module",
    params=divided(("", *LEVELS[1:]), lambda level: not level),
    ids=lambda level: level or "strongest",
)
def level(request: pytest.FixtureRequest) -> str:
    """The level of isolation that they are tried at; empty for the strongest."""
    if request.param and (reason := why_not(request.param)):
        pytest.skip(f"no {request.param} here: {reason}")
    return str(request.param)


@pytest.fixture(scope="module")
def described(folder: Path, level: str) -> Described:
    """The bots of each file, or the reason why it has none or can't be read."""
    files = sorted(path for path in folder.iterdir() if path.name[0] != "_")
    names = [path.name for path in files]
    return dict(zip(names, ask(files, level), strict=True))


@pytest.fixture(scope="module")
def records(
    folder: Path,
    described: Described,
    level: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, list[GameRecord]]:
    """The games of each guest, and of two native bots, against one opponent."""
    native = tmp_path_factory.mktemp("native")
    opponent = write(native, "Once", ONCE)
    once = replace(opponent, id="once")
    twice = replace(write(native, "Twice", TWICE), id="twice")
    guests = [
        replace(entry(folder / file, info.bot), guest=GUESTS[info.guest])
        for file, said in described.items()
        if not isinstance(said, Misconduct)
        for info in said
        if info.bot != "MonteCarloZombie"  # It takes its time.
    ]
    endless = [guest for guest in guests if guest.id == ENDLESS]
    patient = [once, twice, *(guest for guest in guests if guest.id != ENDLESS)]
    games = []
    for players, limits in ((patient, GENEROUS), (endless, IMPATIENT)):
        tables = [(number, 0) for number in range(1, len(players) + 1)]
        games += play(unit([opponent, *players], tables, limits=limits), level)
    found: dict[str, list[GameRecord]] = {}
    for record in games:
        for name in set(record.seats) - {opponent.id}:
            found.setdefault(name, []).append(record)
    return found


def outcome(games: list[GameRecord], natives: Mapping[str, list[GameRecord]]) -> str:
    """Return the result of one: no fault, the same as a native bot, or a fault."""
    for name, theirs in natives.items():
        if [game.history for game in games] == [game.history for game in theirs]:
            return f"plays as {name}"
    faults = [fault for game in games for fault in game.faults]
    if not faults:
        assert {game.termination for game in games} == {"natural"}
        return "plays"
    assert len(faults) == len(games)
    # When a referee looks, and so at which line, depends on the machine.
    (told,) = {
        f"{fault.termination}: {re.sub(LATENESS, ': late', fault.message)}"
        for fault in faults
    }
    return told


def test_what_becomes_of_each_file(
    described: Described, records: dict[str, list[GameRecord]]
) -> None:
    natives = {name: records[name] for name in ("once", "twice")}
    told = ""
    for file, said in described.items():
        if isinstance(said, Misconduct):
            told += f"{said.termination}: {said.message}\n"
            continue
        for info in said:
            assert info.games == ("zombie_dice",)
            games = records.get(f"{file}:{info.bot}")
            came = outcome(games, natives) if games else "is not asked"
            told += f"{file}:{info.bot} ({info.name}) {came}\n"
    golden_files.check(told, "guests/files.txt")


def test_faults_show_the_lines_of_the_file(
    records: dict[str, list[GameRecord]],
) -> None:
    (fault, *_) = records["type_error.py:Adder"][0].faults
    assert fault.traceback == (
        '  File "type_error.py", line 8, in turn\n'
        '    total += zombiedice.roll()["brains"]\n'
    )
    assert fault.legal_actions == ("roll", "stop")


def test_faults_show_the_game_state_as_it_was(
    records: dict[str, list[GameRecord]],
) -> None:
    """Also where its code has gone on after its turn, when others had theirs."""
    for record in records["forgets_none.py:Hasty"]:
        (fault,) = record.faults
        seen = json.loads(fault.observation)
        assert seen["CURRENT_ZOMBIE"] == seen["ORDER"][fault.seat] == "you"
        assert seen["SHOTGUNS_ROLLED"] >= 3
        assert set(seen["CURRENT_CUP"]) <= {"green", "yellow", "red"}
        assert fault.legal_actions == ("roll", "stop")
        # A replay shows a decision as arena's own bots see it, and this beside it.
        assert "CURRENT_ZOMBIE" in "".join(fault_lines(fault, "hasty"))
        native = replace(fault, observation='{"seat":0}')
        assert "what it saw" not in "".join(fault_lines(native, "hasty"))


GUEST = GUESTS["zombiedice"]


@pytest.mark.parametrize(
    ("game", "guest", "moment", "rolls"),
    [
        ("zombie_dice", GUEST, 0, 0),
        ("zombie_dice", GUEST, 1, 1),
        ("zombie_dice", GUEST, -1, 2),
        ("zombie_dice", GUEST, 4, 2),
        ("zombie_dice", GUEST, 2**63, 2),
        ("zombie_dice", "", 1, None),
        ("ox_blocks", GUEST, 1, None),
    ],
)
def test_what_a_process_says_chooses_but_the_moment(
    game: str, guest: str, moment: int, rolls: int | None
) -> None:
    """And who says that it is a guest in another game sees that game."""
    table = Table(get_game(game, 2), derive_seed("x", 0))
    if game == "zombie_dice":
        for text in ("green brain, green brain, green feet", "roll"):
            table.happen(text)
        table.happen("green brain, green feet, yellow feet")
    else:
        while table.advance() != 0:
            table.act(table.state.legal_actions()[0])
    contestant: Any = SimpleNamespace(entry=EntrySpec("x", "x", "x", guest=guest))
    seat = BotSeat(contestant, GENEROUS, 0)
    crash = Misconduct(Termination.CRASH, "x", moment=moment)
    seen = json.loads(seat.fault(crash, table).observation)
    if rolls is None:
        assert seen["seat"] == 0
    else:
        assert seen["BRAINS_ROLLED"] == (0, 2, 3)[rolls]
        assert sum(seen["CURRENT_CUP"].values()) == (13, 10, 8)[rolls]


League = tuple[Path, Result]
SYNTAX = "syntax_error.py"
LEAGUE = """
name: guests
games: [{game: zombie_dice, fixtures: 1}]
limits: {start: 60, move: 60, bank: 60}
luck_adjustment: false
"""
ENTERED = (
    *("demo.py", "exits_at_end.py", "forgets_none.py"),
    *("name_error_before.py", "night-shift", "same_name_a.py", "same_name_b.py"),
    *("syntax_error.py", "with_helpers.py"),
)
"""Files that a course has thrown together."""
SHARED = ("_odds.py", "tactics.py")
"""Files that all of them may import."""


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
    for name in SHARED:
        shutil.copy(folder / name, course / name)
    write(bots, "Once", ONCE)
    write(bots, "Twice", TWICE)
    (course / "guests.yaml").write_text(LEAGUE + f"bots: bots\nshared: {[*SHARED]}\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(course)
        # So wide that notes have a line each.
        patch.setenv("COLUMNS", "500")
        done = CliRunner().invoke(cli, ["league", "guests.yaml"])
    return course / "results" / "guests", done


@pytest.mark.exhaustive
def test_a_course_throws_them_together(league: League, described: Described) -> None:
    results, done = league
    assert (done.exit_code, "Traceback" in done.stderr) == (0, False), done.stderr
    rows = json.loads((results / "leaderboard.json").read_bytes())["rows"]
    expected = [("name_error_before.py", "Typo"), (SYNTAX, "Unfinished")]
    expected += [("once.py", "Once"), ("twice.py", "Twice")]
    for file in ENTERED:
        said = described.get(file)
        if said is not None and not isinstance(said, Misconduct):
            expected += [(file, info.name) for info in said]
    # Two bots of one name go by what tells their files apart.
    namesakes = {f"same_name_{x}.py": x for x in "ab"}
    assert {file for file, name in expected if name == "My Zombie Bot"} == {*namesakes}
    expected = [(file, namesakes.get(file, name)) for file, name in expected]
    assert sorted((row["file"], row["bot"]) for row in rows) == sorted(expected)
    forfeiters = {row["bot"] for row in rows if row["forfeits"]}
    assert forfeiters == {"hasty", "Typo", "Unfinished"}


def test_every_forfeit_has_its_sentence(league: League, described: Described) -> None:
    text = (league[0] / "faults.csv").read_text("utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    told = {(r["file"], r["termination"], r["message"]) for r in rows if r["game_id"]}
    (hasty,) = (row for row in told if row[0] == "forgets_none.py" and "11: " in row[2])
    failed = {hasty}
    for file in ("name_error_before.py", SYNTAX):
        said = described[file]
        assert isinstance(said, Misconduct)
        failed.add((file, "start_failure", said.message))
    assert {row for row in told if row[1] != "quarantine"} == failed


def test_what_does_not_play_is_named(league: League, described: Described) -> None:
    said_of_all = league[1].stderr.splitlines()
    notes = [x for x in said_of_all if ".py: " in x]
    (namesakes,) = [x for x in said_of_all if "is taken more than once" in x]
    expected = []
    for file in ("demo.py", "name_error_before.py", SYNTAX):
        said = described[file]
        assert isinstance(said, Misconduct)
        what = "not entered" if file == "demo.py" else "forfeits all games"
        expected.append(f"note: {file}: {what}: {behind(file, said.message)}")
    assert notes == expected
    assert namesakes.startswith("note: the name 'My Z")

"""Programs at play: as good as bots in Python, and blamed as they are."""

import json
import os
import re
import sys
from functools import partial
from pathlib import Path
from typing import Any

import play_units
import pytest
from matrix import divided
from msgspec.structs import replace
from play_units import (
    GENEROUS,
    ZOO,
    bot_at,
    unit_of,
    without_seconds,
)
from sandboxes import why_not

from arena.games import derive_seed
from arena.records.game_record import Termination
from arena.referee.contestant.misconduct import Misconduct
from arena.referee.sandbox import LEVELS
from arena.referee.unit_player import _games_at_once
from arena.referee.work_unit import (
    EntrySpec,
    GameTask,
    Limits,
    Restart,
    WorkUnit,
)
from arena.worker.protocol import BotInfo

PYTHON = os.path.realpath(sys.executable)
PROGRAM = ZOO / "programs" / "misbehaves.py"
TWIN = bot_at(ZOO / "programs" / "by_events.py", "ByEvents")
OTHER = bot_at(ZOO / "honest.py", "Honest")
HASTY = Limits(start=20.0, move=0.3, bank=0.0, margin=0.05, memory=256)


def program(path: Path, *command: str, **params: Any) -> EntrySpec:
    """Return an entry for a program in Python, or for another command."""
    return EntrySpec(
        id="Culprit",
        path=str(path),
        bot="program",
        params=params,
        files=(str(path),),
        command=command or (PYTHON, "-IS", path.name),
    )


SHOWN: list[str] = []
"""Folders of all programs here, for the sandbox that the tests share."""
play = partial(play_units.play, folders=SHOWN)
play_together = partial(play_units.play_together, folders=SHOWN)


@pytest.fixture(scope="module", autouse=True)
def shown(tmp_path_factory: pytest.TempPathFactory) -> None:
    SHOWN[:] = [str(tmp_path_factory.getbasetemp()), str(PROGRAM.parent), PYTHON]


def written(folder: Path, text: str) -> EntrySpec:
    """Return an entry for a program of this text."""
    path = folder / "written.py"
    path.write_text(text)
    return program(path)


@pytest.mark.parametrize(
    ("game", "most"),
    [
        ("zombie_dice", 300),
        ("ox_blocks", 300),
        ("zombie_run", 60),
        ("zombie_mania", 60),
    ],
)
def test_program_plays_as_a_bot_in_python_does(game: str, most: int) -> None:
    records, expected = (
        play(
            unit_of(
                first,
                replace(TWIN, id="other"),
                game=game,
                limits=GENEROUS,
                max_decisions=most,
            )
        )
        for first in (program(PROGRAM), replace(TWIN, id="Culprit"))
    )
    assert without_seconds(records) == without_seconds(expected)
    assert {record.faults for record in records} == {()}


def test_program_is_told_what_a_bot_in_python_is(tmp_path: Path) -> None:
    text = """
import json, sys
told = []
for line in sys.stdin:
    request = json.loads(line)
    reply = {"id": request.pop("id"), "games": ["ox_blocks"]}
    told.append(request)
    if request["type"] == "act":
        reply["action"] = request["legal_actions"][0]
    if request["type"] == "begin" and len(told) > 2:
        print(json.dumps([told[1], told[2], told[-2]]), file=sys.stderr)
        reply["error"] = "this is all"
    print(json.dumps(reply), flush=True)
"""
    entry = replace(written(tmp_path, text), params={"depth": 3})
    unit = unit_of(entry, TWIN, game="ox_blocks", games=2, in_flight=1)
    first, second = play(replace(unit, restart=Restart.LEAGUE))
    assert (first.termination, second.termination) == ("natural", "crash")
    (fault,) = second.faults
    assert fault.message == "its process says 'this is all'"
    begin, act, end = json.loads(fault.output)
    assert begin["type"] == "begin"
    assert begin["params"] == {"depth": 3}
    assert begin["seed"] == seed_of(unit.games[0], 0)
    assert begin["game"]["name"] == "ox_blocks"
    assert begin["observation"]["events"] == []
    assert act["type"] == "act"
    texts = [event["text"] for event in act["observation"]["events"]]
    assert texts == list(first.history[: len(texts)])
    result = end["result"]
    assert end["type"] == "end"
    assert end["table"] == begin["table"] == act["table"]
    assert (result["seat"], result["termination"]) == (0, "natural")
    assert tuple(result["returns"]) == first.returns
    assert tuple(result["scores"]) == first.scores
    # What happened since its last decision, to the end.
    texts = [event["text"] for event in result["events"]]
    assert texts == list(first.history[-len(texts) :])


def seed_of(game: GameTask, seat: int) -> int:
    """Return the seed that a program is told at a seat of a game."""
    data = derive_seed(game.seed, "bot", seat)[:8]
    return int.from_bytes(data, "little") % 2**53


T = Termination
MISDEEDS: tuple[tuple[str, Termination, str], ...] = (
    # On a busy machine the wall ends the first.
    ("hang", T.TIMEOUT, r'had not answered "act" after .* s of (CPU time$|waiting)'),
    ("sleep", T.TIMEOUT, r".* s of waiting \(does it flush its output"),
    ("half_a_line", T.TIMEOUT, r".* s of waiting \(its line has no end yet\)$"),
    ("exit_3", T.EXIT, r'exited with status 3 before it had answered "act"$'),
    ("segfault", T.CRASH, "its process was ended by SIGSEGV$"),
    ("raise_error", T.EXIT, "exited with status 1"),
    ("report", T.CRASH, "its process says 'no idea'$"),
    ("nonsense", T.INVALID_REPLY, ".* can't be read as JSON: 'I roll the dice!' "),
    ("list_", T.INVALID_REPLY, r'.* no object: .\[\d+, "\w+"\].$'),
    ("no_id", T.INVALID_REPLY, r'.* without its "id": .\{"action": "\w+"\}.$'),
    ("wrong_id", T.INVALID_REPLY, r'.* is not the request\'s: .\{"id": \d+, '),
    ("no_action", T.INVALID_REPLY, r'.* without an "action": .\{"id": \d+\}.$'),
    ("number", T.INVALID_REPLY, '.* with an "action" that is no text: '),
    ("illegal", T.ILLEGAL_ACTION, "played 'bite'; legal were 'roll', 'stop' "),
    ("flood_stdout", T.INVALID_REPLY, "sent more than 262144 bytes without an end"),
    ("flood_stderr", T.OUTPUT_FLOOD, "printed more than 4 MiB to stderr$"),
    ("close_stdout", T.INVALID_REPLY, "closed its stdout$"),
    ("flood_and_exit", T.OUTPUT_FLOOD, "printed more than 4 MiB to stderr$"),
)
"""By the deed of a program in one game: its end, and the message to its author."""
LATER: tuple[tuple[str, Termination, str], ...] = (
    ("end_twice", T.INVALID_REPLY, '(sent a line nobody .*: .{|answered "begin" with)'),
    ("end_unasked", T.INVALID_REPLY, '(sent|answered "begin" with) a line .*: .I won!'),
)
"""The same, at the end of a game: that costs the next one."""


def test_each_misdeed_costs_one_game_and_is_explained() -> None:
    # Those that take their time do so beside each other; nobody else is in a hurry.
    late = [misdeed for misdeed in MISDEEDS if misdeed[1] is Termination.TIMEOUT]
    others = [misdeed for misdeed in (*MISDEEDS, *LATER) if misdeed not in late]
    groups = [*([misdeed] for misdeed in late), others]
    units = [
        unit_with([name for name, _, _ in group], limits)
        for group, limits in zip(groups, [HASTY] * len(late) + [GENEROUS], strict=True)
    ]
    longest = max(units, key=lambda unit: len(unit.games))
    decent = replace(
        longest, limits=GENEROUS, entries=(program(PROGRAM), TWIN), in_flight=32
    )
    expected, *played = play_together([decent, *units])
    outputs = {}
    for group, records in zip(groups, played, strict=True):
        for number, (name, termination, message) in enumerate(group):
            hit, clean = records[2 * number : 2 * number + 2]
            if name.startswith("end"):
                hit, clean = clean, hit
            (honest,) = (r for r in expected if r.game_id == clean.game_id)
            assert without_seconds([clean]) == without_seconds([honest]), name
            assert [fault.entry for fault in hit.faults] == ["Culprit"], name
            (fault,) = hit.faults
            assert fault.termination == hit.termination == termination, (name, fault)
            assert re.match(message, fault.message), (name, fault.message)
            assert hit.forfeits[fault.seat]
            assert hit.returns[fault.seat] == 0.0
            outputs[name] = fault.output
    assert outputs["exit_3"] == "goodbye\n"
    assert outputs["report"] == "what now?\n"
    assert outputs["raise_error"].endswith("KeyError: 'shotguns'\n")


def unit_with(misdeeds: list[str], limits: Limits = GENEROUS) -> WorkUnit:
    """Return a unit in which a program does one thing in every other game.

    Its process goes on, so that it matters to the next game what it does at an end.
    """
    unit = unit_of(
        program(PROGRAM), TWIN, games=2 * len(misdeeds), limits=limits, in_flight=1
    )
    # Both games of a pair are of one fixture, but seeds differ by seat.
    params = {
        str(seed_of(game, game.seats.index(0))): name
        for game, name in zip(unit.games[::2], misdeeds, strict=True)
    }
    entries = (replace(unit.entries[0], params=params), TWIN)
    return replace(unit, entries=entries, restart=Restart.LEAGUE)


def test_what_a_program_does_at_the_end_costs_nothing() -> None:
    for record in play(unit_with(["end_badly"])):
        assert (record.termination, record.faults) == ("natural", ())


@pytest.mark.parametrize("level", divided(("", *LEVELS), lambda level: not level))
def test_what_a_program_does_to_its_output_stops_nobody(level: str) -> None:
    if level and (reason := why_not(level)):
        pytest.skip(reason)
    unit = unit_with(["lose_its_place", "grow_its_output", ""])
    for record in play(unit, level=level):
        assert (record.termination, record.faults) == ("natural", ())


def test_other_games_go_on_in_a_new_process() -> None:
    """One fault costs one game, however many are played at once."""
    unit = unit_with(["nonsense"] + [""] * 7)
    unit = replace(unit, in_flight=16, limits=GENEROUS)
    decent = replace(unit, entries=(program(PROGRAM), TWIN))
    (first, *others), (_, *expected) = play_together([unit, decent])
    assert first.termination == Termination.INVALID_REPLY
    assert without_seconds(others) == without_seconds(expected)


def test_numbers_of_tables_are_as_small_as_is_promised() -> None:
    unit = unit_of(program(PROGRAM), TWIN, in_flight=64)
    for others in ((TWIN,) * 14, (TWIN,) * 2, ()):
        entries = (*unit.entries, *others)
        wide = replace(unit, entries=entries)
        sole = replace(wide, entries=(TWIN,) * len(entries))
        assert _games_at_once(sole) == 64 * (len(entries) // 2)
        assert _games_at_once(wide) == min(256, 64 * (len(entries) // 2))
    wide = replace(unit, in_flight=256)
    assert _games_at_once(wide) == 256


def test_modest_prints_of_many_games_are_nobodys_fault(tmp_path: Path) -> None:
    """But no more than the confinement lets into the file is kept of them."""
    text = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if request["type"] == "begin":
        sys.stderr.write(500_000 * "a")
    print(json.dumps({"id": request["id"], "games": request.get("games"),
                      "action": "stop" if request.get("observation", {}).get("rolls")
                      else "roll"}), flush=True)
"""
    unit = unit_of(written(tmp_path, text), OTHER, games=24, in_flight=2)
    records = play(unit)
    assert [record.faults for record in records] == [()] * 24


def described(entry: EntrySpec, limits: Limits = HASTY) -> BotInfo | Misconduct:
    """Return the bot that a program reports, or its misconduct."""
    games = ("ox_blocks", "zombie_run")
    found = play_units.described(entry, games, limits, SHOWN)
    if isinstance(found, Misconduct):
        return found
    (info,) = found
    return info


def test_description_of_a_program() -> None:
    assert described(program(PROGRAM)) == BotInfo(
        bot="program",
        name="",
        version="",
        games=("ox_blocks", "zombie_run"),
        parameters=("**",),
        looks_back=True,
    )


@pytest.mark.parametrize(
    ("text", "message", "output"),
    [
        (
            "print(input().replace('ox_blocks', 'chess').replace('zombie_run', 'go'))",
            "plays 'chess, go'; the games here are ox_blocks, zombie_run$",
            "",
        ),
        (
            "import sys; input(); sys.exit('no board')",
            'exited with status 1 before it had answered "load"$',
            "no board\n",
        ),
        (
            "print('Ready to play!')",
            r'answered "load" with a line that .* JSON: \'Ready to play!\' ',
            "",
        ),
    ],
    ids=["games", "exit", "chat"],
)
def test_why_a_program_can_not_be_started(
    tmp_path: Path, text: str, message: str, output: str
) -> None:
    fault = described(written(tmp_path, text))
    assert isinstance(fault, Misconduct)
    assert fault.termination is Termination.START_FAILURE
    assert re.match(message, fault.message), fault.message
    assert fault.output == output


def test_program_that_never_gets_ready(tmp_path: Path) -> None:
    limits = replace(HASTY, start=0.2)
    fault = described(written(tmp_path, "while True: pass"), limits)
    assert isinstance(fault, Misconduct)
    assert fault.termination is Termination.START_FAILURE
    message = r'had not answered "load" after \d\.\d\d s of (CPU time$|waiting)'
    assert re.match(message, fault.message), fault.message


def test_what_is_no_program_says_so(tmp_path: Path) -> None:
    path = tmp_path / "program"
    path.write_bytes(b"no program at all")
    path.chmod(0o755)
    fault = described(program(path, str(path)))
    assert isinstance(fault, Misconduct)
    assert fault.termination is Termination.START_FAILURE
    assert fault.message == 'exited with status 127 before it had answered "load"'
    assert fault.output == f"{path} can't be started: Exec format error\n"

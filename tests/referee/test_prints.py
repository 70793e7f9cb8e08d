"""What a bot prints stands under the decision in which it has printed it."""

from collections.abc import Sequence
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace
from play_units import (
    GENEROUS,
    HONEST,
    bot,
    nothing_left,
    shared_sandbox,
    unit_of,
    without_seconds,
)
from test_programs import PYTHON, program

from arena.games import TERMINAL, Table, derive_seed, get_game
from arena.records.game_record import GameRecord
from arena.records.prints import Printed
from arena.referee.ask_bot import ask_bot
from arena.referee.unit_player import play_unit
from arena.referee.work_unit import EntrySpec, WorkUnit
from arena.worker.protocol import Answer, Done, frame

CHATTERS = bot("chatters.py")
SAID = 4096
"""Characters that a referee takes of a decision."""
Prints = dict[str, list[Printed]]


def heard(
    unit: WorkUnit, folders: Sequence[str] = ()
) -> tuple[list[GameRecord], Prints]:
    """Play a unit; return its records in their order, and what was printed by game."""
    prints: Prints = {}

    def take(game_id: str, printed: Sequence[Printed]) -> None:
        assert game_id not in prints
        prints[game_id] = [*printed]

    async def run() -> list[GameRecord]:
        return await play_unit(unit, sandbox, deliver_prints=take)

    with shared_sandbox(folders=folders) as sandbox, nothing_left():
        records = trio.run(run)
    records.sort(key=lambda record: record.game_id)
    return records, prints


def seen_by(record: GameRecord, seat: int) -> list[tuple[int, str]]:
    """Return the steps of a seat's decisions, and what `Culprit.seen` prints there."""
    table = Table(get_game("zombie_dice"), b"")
    found = []
    for x in record.history:
        if table.state.current_player() == seat:
            obs = table.state.observation(seat)
            found.append((table.decisions, f"{seat} {obs.brains} {obs.shotguns}\n"))
        (table.act if x in ("roll", "stop") else table.happen)(x)
    return found


def test_each_decision_has_what_was_printed_in_it() -> None:
    """Of many games in flight in one process; `start` is of the first decision."""
    unit = unit_of(CHATTERS, HONEST, limits=GENEROUS)
    records, prints = heard(unit)
    assert prints.keys() == {record.game_id for record in records}
    for record in records:
        seat = record.seats.index("Culprit")
        expected = seen_by(record, seat)
        step, first = expected[0]
        expected[0] = step, f"init\nstart\n{first}"
        expected.append((record.decisions, "end natural\n"))
        assert prints[record.game_id] == [Printed(seat, *pair) for pair in expected]


def test_a_new_process_says_nothing_twice() -> None:
    """One that takes over games is asked for the same decisions again."""
    dies = bot("chatters.py", dies_after=3)
    records, prints = heard(unit_of(dies, HONEST, limits=GENEROUS))
    assert {record.termination for record in records} == {"natural", "exit"}
    for record in records:
        seat = record.seats.index("Culprit")
        steps = [x.step for x in prints[record.game_id]]
        assert len(steps) == len(set(steps))
        decided = [step for step, _ in seen_by(record, seat)]
        end = [record.decisions] if record.termination == "natural" else []
        assert steps == decided + end


def test_printing_changes_no_record() -> None:
    silent = replace(bot("chatters.py", "Silent"), id="Culprit")
    loud = heard(unit_of(CHATTERS, HONEST, limits=GENEROUS))[0]
    quiet, prints = heard(unit_of(silent, HONEST, limits=GENEROUS))
    assert without_seconds(loud) == without_seconds(quiet)
    assert prints == {}


@pytest.mark.parametrize(
    ("deed", "text"),
    [
        ("both_streams", "error, bytes, print\n"),
        ("some", "x" * 1500 + "\n"),
        ("more_than_it_may_tell", "…" + "y" * (SAID - 2) + "\n"),
    ],
)
def test_all_ways_to_print_come_within_limits(deed: str, text: str) -> None:
    """Even if its process tells more than it should."""
    limits = replace(GENEROUS, output=2**30)
    unit = unit_of(bot("chatters.py", deed=deed), HONEST, games=1, limits=limits)
    (record,), prints = heard(unit)
    assert record.faults == ()
    _, second, *_ = prints[record.game_id]
    assert second.text == text


def test_a_game_is_no_way_to_fill_the_memory_of_a_referee() -> None:
    loud = bot("chatters.py", deed="more_than_it_may_tell")
    limits = replace(GENEROUS, output=2**30)
    (record,), prints = heard(unit_of(loud, HONEST, games=1, limits=limits))
    assert sum(len(x.text) for x in prints[record.game_id]) < 2**16 + 2 * SAID
    assert record.termination == "natural"


def test_a_forfeit_shows_what_was_printed_last_and_no_decision_does() -> None:
    unit = unit_of(bot("chatters.py", deed="illegal"), HONEST, games=2, limits=GENEROUS)
    records, prints = heard(unit)
    for record in records:
        (fault,) = record.faults
        assert fault.output == "init\nstart\ndecision 1\ndecision 2\n"
        (printed,) = prints[record.game_id]
        assert printed.text == "init\nstart\ndecision 1\n"
        assert printed.step < fault.step


@pytest.mark.parametrize("message", [Answer(1, "roll"), Done(1)])
def test_a_silent_bot_sends_one_byte_for_it(message: Answer | Done) -> None:
    assert frame(message)[-1:] == b"\xa0"
    assert len(frame(Answer(2**31, "roll"))) == 23


def test_a_bot_that_is_asked_alone_is_heard_too() -> None:
    game = get_game("zombie_dice")
    seed = derive_seed("test", 0)

    async def run() -> list[str]:
        table = Table(game, seed)
        found = []
        async with ask_bot(CHATTERS, game, 0, seed, GENEROUS, sandbox) as who:
            while len(found) < 3 and table.advance() != TERMINAL:
                action = "stop"
                if table.state.current_player() == 0:
                    decision = await who.act(table)
                    action = decision.action
                    found.append(decision.printed)
                table.act(action)
        return found

    with shared_sandbox() as sandbox, nothing_left():
        first, second, _ = trio.run(run)
    assert first.startswith("init\nstart\n0 ")
    assert second.startswith("0 ")


PROGRAM = """
import json, sys
print("ready", file=sys.stderr)
for line in sys.stdin:
    request = json.loads(line)
    reply = {"id": request["id"], "games": ["zombie_dice"]}
    if request["type"] == "act":
        obs = request["observation"]
        if not SILENT:
            print(obs["seat"], obs["brains"], obs["shotguns"], file=sys.stderr)
        reply["action"] = "stop" if obs["shotguns"] >= 2 else "roll"
    print(json.dumps(reply), flush=True)
"""


def written(folder: Path, text: str) -> EntrySpec:
    path = folder / "talks.py"
    path.write_text(text)
    return program(path)


def test_a_program_is_heard_as_far_as_can_be_told(tmp_path: Path) -> None:
    """What it prints while it has several requests may be of any of them."""
    entry = written(tmp_path, PROGRAM.replace("SILENT", "False"))
    unit = unit_of(entry, HONEST, limits=GENEROUS)
    records, prints = heard(unit, [str(tmp_path), PYTHON])
    told = decided = 0
    for record in records:
        seat = record.seats.index("Culprit")
        expected = [Printed(seat, *pair) for pair in seen_by(record, seat)]
        found = prints.get(record.game_id, [])
        assert [x for x in found if x not in expected] == []
        told += len(found)
        decided += len(expected)
    # In each of two phases a process may have been asked to begin other games while
    # it took its first decision.
    assert told >= decided - 2


def test_a_program_that_speaks_only_at_its_start_is_asked_as_ever(
    tmp_path: Path,
) -> None:
    entry = written(tmp_path, PROGRAM.replace("SILENT", "True"))
    _, prints = heard(unit_of(entry, HONEST, limits=GENEROUS), [str(tmp_path), PYTHON])
    assert prints == {}

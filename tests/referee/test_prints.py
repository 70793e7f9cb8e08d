"""What a bot prints stands under the decision in which it has printed it."""

from collections.abc import Sequence
from pathlib import Path
from typing import cast

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
from arena.referee.bot_seat import BotSeat
from arena.referee.contestant.clock import Spent
from arena.referee.contestant.contestant import Contestant
from arena.referee.contestant.wire import BotRequest, RequestKind
from arena.referee.unit_player import play_unit
from arena.referee.work_unit import WorkUnit
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
        expected = seen_by(record, seat)
        step, first = expected[0]
        expected[0] = step, f"init\nstart\n{first}"
        if record.termination == "natural":
            expected.append((record.decisions, "end natural\n"))
        found = [(x.step, x.text) for x in prints[record.game_id]]
        # Who wins by a forfeit looks back too.
        assert found[: len(expected)] == expected


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
    seat = BotSeat(cast("Contestant", None), GENEROUS, 0)
    taken = ""
    for serial in range(100):
        pending = BotRequest(RequestKind.ACT, serial, b"", 1.0)
        seat.note_reply(pending, Answer(serial, "roll", "y" * 200_000), Spent())
        taken += seat.take_printed()
    assert 2**16 <= len(taken) <= 2**16 + SAID
    assert taken.endswith("\n…")


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
acts = 0
for line in sys.stdin:
    request = json.loads(line)
    reply = {"id": request["id"], "games": ["zombie_dice"]}
    if request["type"] == "act":
        obs = request["observation"]
        if acts >= SILENT:
            print(obs["seat"], obs["brains"], obs["shotguns"], file=sys.stderr)
        acts += 1
        reply["action"] = "stop" if obs["shotguns"] >= 2 else "roll"
    print(json.dumps(reply), flush=True)
"""


def heard_program(folder: Path, silent: int, games: int) -> tuple[Prints, Prints]:
    """Play a program that prints after so many decisions; return what is heard, and
    what it may have printed."""
    path = folder / "talks.py"
    path.write_text(PROGRAM.replace("SILENT", str(silent)))
    unit = unit_of(program(path), HONEST, games=games, limits=GENEROUS)
    records, prints = heard(unit, [str(folder), PYTHON])
    possible = {}
    for record in records:
        seat = record.seats.index("Culprit")
        possible[record.game_id] = [Printed(seat, *x) for x in seen_by(record, seat)]
    return prints, possible


def test_a_program_is_heard_as_far_as_can_be_told(tmp_path: Path) -> None:
    found_by_game, possible = heard_program(tmp_path, 0, games=6)
    for game_id, found in found_by_game.items():
        assert [x for x in found if x not in possible[game_id]] == []
    # In each of two phases a process may have been asked to begin other games while
    # it took its first decision.
    missing = sum(len(possible[x]) - len(found_by_game.get(x, [])) for x in possible)
    assert missing <= 2


def test_what_a_program_prints_while_it_has_several_requests_is_left_out(
    tmp_path: Path,
) -> None:
    """It may be of any of them."""
    found_by_game, possible = heard_program(tmp_path, 60, games=40)
    assert found_by_game
    for game_id, found in found_by_game.items():
        assert [x for x in found if x not in possible[game_id]] == []


def test_what_a_program_prints_at_its_start_is_of_no_decision(tmp_path: Path) -> None:
    assert heard_program(tmp_path, 10**6, games=2)[0] == {}

"""A bot that is asked by itself does what it does in a unit, faults included."""

import pytest
import trio
from msgspec.structs import replace
from play_units import HONEST, QUICK, bot, nothing_left, play, shared_sandbox, unit_of

from arena.games import Table, derive_seed, get_game
from arena.records.game_record import Termination
from arena.referee.ask_bot import Decision, ask_bot
from arena.referee.work_unit import EntrySpec, Limits

SHORT = replace(QUICK, move=0.1, bank=0.1)
CULPRITS = [
    (bot("raises.py"), Termination.CRASH),
    (bot("returns.py", deed="nonsense"), Termination.ILLEGAL_ACTION),
    (bot("loops.py"), Termination.TIMEOUT),
    (bot("import_fails.py"), Termination.START_FAILURE),
]


def ask(
    entry: EntrySpec, seat: int, most: int, limits: Limits = QUICK
) -> list[Decision]:
    """Return the answers of a bot in a game with itself, up to so many decisions."""
    game = get_game("zombie_dice")
    seed = derive_seed("test", 0)

    async def run() -> list[Decision]:
        table = Table(game, seed)
        found: list[Decision] = []
        async with ask_bot(entry, game, seat, seed, limits, sandbox) as who:
            while len(found) < most:
                if table.advance() == seat:
                    found.append(await who.act(table))
                    if found[-1].fault is not None:
                        return [*found, await who.act(table)]
                table.act(found[-1].action if found else "stop")
        return found

    with shared_sandbox() as sandbox, nothing_left():
        return trio.run(run)


@pytest.mark.parametrize(("entry", "termination"), CULPRITS)
def test_a_fault_is_that_of_a_match(entry: EntrySpec, termination: Termination) -> None:
    decision, again = ask(entry, 0, 1, SHORT)
    fault = decision.fault
    assert fault is not None
    assert (fault.termination, fault.step, fault.seat) == (termination, 0, 0)
    # It is asked no more.
    assert again.fault == fault
    (record,) = play(unit_of(entry, HONEST, games=1, limits=SHORT))
    (theirs,) = record.faults
    if termination is Termination.TIMEOUT:
        # Where it was just then is no matter of the bot's.
        fault = replace(fault, message=theirs.message, traceback=theirs.traceback)
    assert fault == theirs


def test_decisions_are_those_of_a_match() -> None:
    (record,) = play(unit_of(HONEST, HONEST, games=1))
    actions = [x for x in record.history if x in ("roll", "stop")]
    game = get_game("zombie_dice")
    table = Table(game, derive_seed("test", 0))

    async def run() -> list[str]:
        found: list[str] = []
        async with (
            ask_bot(HONEST, game, 0, derive_seed("test", 0), QUICK, sandbox) as one,
            ask_bot(HONEST, game, 1, derive_seed("test", 0), QUICK, sandbox) as two,
        ):
            while len(found) < len(actions):
                who = (one, two)[table.advance()]
                decision = await who.act(table)
                found.append(decision.action)
                assert decision.seconds >= 0.0
                table.act(decision.action)
        return found

    with shared_sandbox() as sandbox, nothing_left():
        assert trio.run(run) == actions


def test_a_bot_that_is_refused_already_is_never_started() -> None:
    entry = replace(HONEST, refused="it is not here", path="/nowhere.py", files=())
    decision, _ = ask(entry, 0, 1)
    assert decision.fault is not None
    assert decision.fault.message == "it is not here"
    assert decision.fault.termination == Termination.START_FAILURE

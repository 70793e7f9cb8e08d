"""Plays units in tests, and makes sure that nothing is left behind."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import trio
from hand_ins import spec_of
from processes import no_process_left
from sandboxes import best_level, sandbox_of
from zoo_cases import FORKING
from zoo_ground import open_descriptors

from arena.games import derive_seed, game_paths
from arena.records.game_record import GameRecord
from arena.referee.ask_bot import ask_for_bots
from arena.referee.contestant.misconduct import Misconduct
from arena.referee.contestant.wire import Packed
from arena.referee.sandbox import Sandbox
from arena.referee.sandbox.library import Library
from arena.referee.unit_player import UnitPlayer
from arena.referee.work_unit import EntrySpec, GameTask, Limits, WorkUnit
from arena.worker.protocol import BotInfo, GameSpec

ZOO = Path(__file__).parents[1] / "zoo"
QUICK = Limits(start=10.0, move=1.0, bank=0.2, memory=256, output=200_000)
"""For units in which a fault is awaited; no honest decision comes near to them."""
GENEROUS = Limits(start=60.0, move=20.0, bank=20.0)
"""For units in which a fault of the clock would be a fault of the machine."""
_TIMEOUT_S = 120.0
"""Seconds after which a unit that does not end has failed its test."""


def bot(file: str, name: str = "Culprit", **params: Any) -> EntrySpec:
    """Return an entry for a bot of the zoo."""
    return bot_at(ZOO / file, name, **params)


def bot_at(path: Path, name: str, **params: Any) -> EntrySpec:
    """Return an entry for a bot of any file, called after the class."""
    return spec_of(name, path, name, params=params)


HONEST = bot("honest.py", "Honest")
WIRE = Packed(HONEST, ("zombie_dice",), QUICK, Library((), (), ()))
"""To a bot in Python."""


def unit_of(
    *entries: EntrySpec,
    games: int = 6,
    limits: Limits = QUICK,
    in_flight: int = 32,
    max_decisions: int = 2000,
    game: str = "zombie_dice",
) -> WorkUnit:
    """Return a unit in which all rotations of the seats share their luck."""
    players = len(entries)
    return WorkUnit(
        label="label",
        game=GameSpec(game, game_paths()[game], players, {}),
        entries=entries,
        games=tuple(
            GameTask(
                game_id=f"game {i}",
                fixture_id=f"fixture {i // players}",
                match_id="match",
                seed=derive_seed("test", i // players),
                seats=tuple((seat + i) % players for seat in range(players)),
            )
            for i in range(games)
        ),
        limits=limits,
        max_decisions=max_decisions,
        in_flight=in_flight,
    )


def play(unit: WorkUnit, **how: Any) -> list[GameRecord]:
    """Play a unit, at the strongest level unless another is named.

    Returns its records in the order of the task.  Nothing may be left behind.
    """
    (records,) = play_together([unit], **how)
    return records


def play_together(
    units: Sequence[WorkUnit], *, level: str = "", folders: Sequence[str] = ()
) -> list[list[GameRecord]]:
    """Play units at the same time, as `play` does each.

    `folders` are those of the sandbox, if not what these entries consist of.
    """
    found: list[dict[str, GameRecord]] = [{} for _ in units]
    entries = [entry for unit in units for entry in unit.entries]
    if not folders:
        folders = [e.folder or e.path for e in entries if e.command or e.folder]
        folders += [entry.command[0] for entry in entries if entry.command]

    async def run() -> None:
        with trio.fail_after(_TIMEOUT_S):
            async with trio.open_nursery() as nursery:
                for unit, records in zip(units, found, strict=True):
                    deliver = partial(_put, records)
                    nursery.start_soon(UnitPlayer(unit, sandbox, deliver).play)

    with shared_sandbox(level, folders) as sandbox, nothing_left():
        trio.run(run)
    return [
        [records[unit_of.game_id] for unit_of in unit.games]
        for unit, records in zip(units, found, strict=True)
    ]


def described(
    entry: EntrySpec,
    games: tuple[str, ...],
    limits: Limits = GENEROUS,
    folders: Sequence[str] = (),
) -> tuple[BotInfo, ...] | Misconduct:
    """Return the bots that a contestant reports, or why it has none."""

    async def run() -> tuple[BotInfo, ...] | Misconduct:
        with trio.fail_after(_TIMEOUT_S):
            return await ask_for_bots(entry, games, limits, sandbox)

    with shared_sandbox(folders=folders) as sandbox, nothing_left():
        return trio.run(run)


_shared: dict[tuple[str, tuple[str, ...]], Sandbox] = {}
_stack = ExitStack()


@contextmanager
def shared_sandbox(level: str = "", folders: Sequence[str] = ()) -> Iterator[Sandbox]:
    """Take a sandbox for a while, at the strongest level unless another is named.

    Where contestants are forked, it stays open for the next test of the file that
    wants the same: to start the process that they are forked from takes longer than
    many a unit.  That process is there already when this is entered.
    """
    level = level or best_level()
    if level not in FORKING:
        with sandbox_of(level, folders) as sandbox:
            yield sandbox
        return
    key = (level, tuple(folders))
    if key not in _shared:
        _shared[key] = _stack.enter_context(sandbox_of(level, folders))
        trio.run(_shared[key].spawn).close()
    yield _shared[key]


def close_shared_sandboxes() -> None:
    """Close what `shared_sandbox` has left open."""
    _shared.clear()
    _stack.close()


def _put(records: dict[str, GameRecord], record: GameRecord) -> None:
    assert record.game_id not in records
    records[record.game_id] = record


def without_seconds(records: Sequence[GameRecord]) -> list[dict[str, Any]]:
    """Return all of the records that may not depend on the machine."""
    return [
        {
            name: getattr(record, name)
            for name in record.__struct_fields__
            if name not in ("seconds", "times")
        }
        for record in records
    ]


@contextmanager
def nothing_left() -> Iterator[None]:
    """Make sure that no process and no descriptor is left."""
    if sys.platform != "linux":
        yield
        return
    descriptors = open_descriptors()
    with no_process_left(timeout_s=1.0):
        yield
    assert open_descriptors() == descriptors

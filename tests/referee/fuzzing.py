"""Sends spoilt replies to the referee's decoder, and to a referee at play."""

import os
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import trio
from msgspec.structs import replace
from play_units import HONEST, WIRE, ZOO, bot, unit_of
from zoo_ground import descendants

sys.path.append(str(ZOO))
from mutations import mutated, replies

from arena.games import derive_seed
from arena.records.game_record import GameRecord, Termination
from arena.referee.contestant.wire import BotRequest, ReplyError, RequestKind, Wire
from arena.referee.sandbox import Sandbox
from arena.referee.unit_player import UnitPlayer
from arena.referee.work_unit import Limits, Restart
from arena.worker.protocol import (
    Answer,
    BotInfo,
    Done,
    Failed,
    FrameError,
    Place,
    Ready,
    Reply,
)

SERIAL = 0x1234ABCD
LIMITS = Limits(start=20.0, move=0.2, bank=0.0, margin=0.05, memory=256, output=10_000)
FORFEITS = {
    Termination.INVALID_REPLY,
    Termination.ILLEGAL_ACTION,
    Termination.TIMEOUT,
    Termination.EXIT,
    Termination.CRASH,
}
"""How a game may end for who speaks in spoilt replies."""
OUTCOMES = {
    "Answer",
    "Done",
    "Failed",
    "Ready",
    "too long",
    "not complete",
    "where a reply was expected",
    "sent a reply nobody had asked for",
    "sent a reply to something else",
}
"""All that may come of a spoilt reply."""


def decode(count: int, seed: int) -> Counter[str]:
    """Decode so many spoilt replies; return how often each outcome came.

    Whatever else comes than a reply of the exact types or one of two errors is raised.
    """
    spoil = partial(mutated, replies(SERIAL), Random(seed))
    return outcomes_of(WIRE, count, spoil, _parse)


def _parse(body: bytes, pending: BotRequest) -> str:
    try:
        reply = WIRE.parse(body, pending)
    except ReplyError as error:
        return next(outcome for outcome in OUTCOMES if outcome in str(error))
    check(reply)
    return type(reply).__name__


def outcomes_of(
    wire: Wire,
    count: int,
    spoil: Callable[[], bytes],
    parse: Callable[[bytes, BotRequest], str],
) -> Counter[str]:
    """Read so many spoilt replies, of which every second one comes in two parts.

    Returns how often each outcome came: those of `parse`, and of cutting into replies.
    """
    pending = [BotRequest(asked, SERIAL, b"", 1.0) for asked in RequestKind]
    outcomes: Counter[str] = Counter()
    for number in range(count):
        reader = wire.reader()
        data = spoil()
        half = number % 2 * len(data) // 2
        bodies: list[bytes] = []
        try:
            bodies += reader.feed(data[:half])
            bodies += reader.feed(data[half:])
        except FrameError as error:
            bodies += error.before
            outcomes["too long"] += 1
        else:
            outcomes["not complete"] += reader.has_partial()
        for body in bodies:
            outcomes[parse(body, pending[number % len(pending)])] += 1
    return outcomes


def check(reply: Reply) -> None:
    """Make sure that a reply is made of nothing but what it says.

    Raises:
        AssertionError: it is not.
    """
    assert type(reply.serial) is int
    assert reply.serial == SERIAL
    texts: list[object] = []
    places: list[Place | None] = []
    if type(reply) is Answer:
        texts = [reply.action, reply.printed]
    elif type(reply) is Failed:
        texts = [reply.termination, reply.message, reply.output]
        places = [reply.place, *reply.calls]
    elif type(reply) is Ready:
        assert type(reply.bots) is tuple
        for info in reply.bots:
            assert type(info) is BotInfo
            assert type(info.games) is type(info.parameters) is tuple
            assert type(info.looks_back) is bool
            texts += [info.bot, info.name, info.version]
            texts += [*info.games, *info.parameters]
    else:
        assert type(reply) is Done
        texts = [reply.printed]
        places = [reply.method]
    for place in filter(None, places):
        assert type(place) is Place
        assert all(type(x) is int for x in (place.line, *place.columns))
        texts += [place.file, place.function]
    assert all(type(value) is str for value in texts)
    for value in texts:
        value.encode()  # type: ignore[attr-defined]


def peak_memory() -> int:
    """Return the most bytes that this process has used since `forget_peak`."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("expected a line VmHWM")


def forget_peak() -> None:
    """Let `peak_memory` begin with what is used now."""
    Path("/proc/self/clear_refs").write_text("5")


async def play_beside(
    games: int,
    sandbox: Sandbox,
    restart: Restart,
    on_record: Callable[[GameRecord], None],
    first: int = 0,
) -> None:
    """Play a bot that speaks in spoilt replies, and at the same time honest ones.

    `on_record` hears of every game of the former; they are others for each `first`.
    """
    culprit = bot("speaks_bytes.py")
    spoilt = unit_of(culprit, HONEST, games=games, limits=LIMITS, in_flight=4)
    others = [
        replace(game, seed=derive_seed("spoilt", first + number))
        for number, game in enumerate(spoilt.games)
    ]
    spoilt = replace(spoilt, games=tuple(others), restart=restart)
    twin = replace(HONEST, id="twin")
    beside: list[GameRecord] = []
    expected: list[GameRecord] = []
    decent = unit_of(HONEST, twin, games=40)
    await UnitPlayer(decent, sandbox, expected.append).play()

    async def play_decent() -> None:
        for _ in range(1 + games // 40):
            beside.clear()
            await UnitPlayer(decent, sandbox, beside.append).play()
            assert histories(beside) == histories(expected)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(play_decent)
        await UnitPlayer(spoilt, sandbox, on_record).play()


def check_spoilt(record: GameRecord) -> None:
    """Make sure that a game of a bot that speaks in spoilt replies ended as it may.

    Some are valid after all, the whole of a short game among them; what it said then
    beyond its answer is no part of a game.

    Raises:
        AssertionError: it did not.
    """
    culprit = record.seats.index("Culprit")
    assert not record.forfeits[1 - culprit], record
    if record.termination == Termination.NATURAL:
        assert record.faults == (), record
    else:
        assert record.forfeits[culprit], record
        assert record.termination in FORFEITS, record
        assert record.returns[culprit] == 0.0, record
        assert record.faults[0].message, record


def histories(records: list[GameRecord]) -> list[tuple[object, ...]]:
    """Return the outcomes of games, in their order."""
    return sorted((r.game_id, r.history, r.returns, r.faults) for r in records)


def household() -> tuple[int, int]:
    """Return the numbers of descriptors and of descendants of this process."""
    return len(os.listdir("/proc/self/fd")), len(descendants())

"""A referee process: plays the units it is sent, until its input is closed."""

import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

import msgspec
import trio

from arena.errors import find_error
from arena.records.batch import Batch, to_batches
from arena.records.game_record import GameRecord
from arena.records.prints import Printed, kept
from arena.referee.contestant.contestant import IdleProcesses
from arena.referee.sandbox import Sandbox, SandboxSpec, open_sandbox
from arena.referee.unit_player import UnitPlayer
from arena.referee.work_unit import GameTask, WorkUnit
from arena.worker.confinement import make_undumpable
from arena.worker.protocol import FrameReader, frame

_MAX_UNSENT_BYTES = 2**22
"""They may be left to be sent later.  Play goes on: what waits in all is a unit's
games at the most."""
_SEND_EVERY_S = 0.05
_REPORT_STALL_EVERY_S = 5.0
_END_TIMEOUT_S = 10
"""A referee without a coordinator ends after this in any case."""


class Setup(msgspec.Struct, frozen=True):
    """The first message to a referee."""

    sandbox: SandboxSpec
    busy: int
    """Contestants that may compute at the same time."""
    core: int | None = None
    """On which all of them compute, and the referee too: to wake a process on another
    core takes longer than a decision.  None for wherever the system likes."""


class Delivery(msgspec.Struct, frozen=True, tag=True):
    """Games of the unit being played that are over, those of a fixture together."""

    batches: tuple[Batch, ...]
    """None if some are over, but no fixture is whole."""


class UnitDone(msgspec.Struct, frozen=True, tag=True):
    """The unit is over, and all its games have been delivered."""


class Stalled(msgspec.Struct, frozen=True, tag=True):
    """No game has ended for a while."""

    what: str
    """Describes what play waits for."""


class Trouble(msgspec.Struct, frozen=True, tag=True):
    """The referee can't play on, and no bot is to blame; it ends."""

    reason: str


News = Delivery | UnitDone | Stalled | Trouble
decode_news: Callable[[bytes], News] = msgspec.msgpack.Decoder(News).decode
_decode_setup = msgspec.msgpack.Decoder(Setup).decode
_decode_unit = msgspec.msgpack.Decoder(WorkUnit).decode


class _Sender:
    """Writes frames to the coordinator without ever blocking the referee's loop."""

    def __init__(self, fd: int) -> None:
        os.set_blocking(fd, False)
        self._fd = fd
        self._unsent = bytearray()

    def queue(self, message: msgspec.Struct) -> None:
        self._unsent += frame(message)

    async def flush(self, keep: int = 0) -> None:
        """Send what the pipe takes; wait until no more than `keep` bytes are unsent."""
        while self._unsent:
            try:
                sent = os.write(self._fd, self._unsent)
                del self._unsent[:sent]
            except BlockingIOError:
                if len(self._unsent) <= keep:
                    return
                await trio.lowlevel.wait_writable(self._fd)


class WholeFixtures:
    """Holds finished games back until all games of their fixture are finished.

    So if a referee dies, or the league is interrupted, no part of a fixture has been
    recorded, and it is played again whole.
    """

    def __init__(self, games: Sequence[GameTask]) -> None:
        """Begin with all games of a unit, none of them finished."""
        self._missing = Counter(game.fixture_id for game in games)
        self._held: dict[str, list[GameRecord]] = {}

    def whole(self, records: Iterable[GameRecord]) -> list[GameRecord]:
        """Add finished games; return those of all fixtures that are now whole."""
        found = []
        for record in records:
            fixture = record.fixture_id
            self._held.setdefault(fixture, []).append(record)
            self._missing[fixture] -= 1
            if not self._missing[fixture]:
                found += self._held.pop(fixture)
        return found

    def parts(self) -> list[GameRecord]:
        """Return the games of fixtures whose other games will not be played."""
        return [record for records in self._held.values() for record in records]


async def serve(read_fd: int, write_fd: int) -> None:
    """Play the units that arrive at `read_fd`, one after another."""
    # Bots of the same user could read the seeds of fixtures in its memory.
    make_undumpable()
    sender = _Sender(write_fd)
    bodies_in, bodies_out = trio.open_memory_channel[bytes](1)
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_receive, read_fd, bodies_in, nursery.cancel_scope)
            await _play_all(bodies_out, sender)
    except BaseExceptionGroup as group:
        error = find_error(group, OSError)
        if error is None:
            raise
        sender.queue(Trouble(str(error) or type(error).__name__))
        await sender.flush()


async def _play_all(bodies: trio.MemoryReceiveChannel[bytes], sender: _Sender) -> None:
    setup = _decode_setup(await bodies.receive())
    if setup.core is not None:
        with suppress(OSError):
            os.sched_setaffinity(0, {setup.core})
    with open_sandbox(setup.sandbox) as sandbox:
        idle = IdleProcesses()
        try:
            async for body in bodies:
                await _play(_decode_unit(body), sandbox, setup.busy, idle, sender)
        finally:
            idle.close()


async def _play(
    unit: WorkUnit, sandbox: Sandbox, busy: int, idle: IdleProcesses, sender: _Sender
) -> None:
    finished: list[GameRecord] = []
    fixtures = WholeFixtures(unit.games)
    prints: dict[str, list[Printed]] = {}
    """What was printed in games that are not sent yet, by their ids."""

    def take_prints(game_id: str, printed: Iterable[Printed]) -> None:
        prints[game_id] = [*kept(printed)]

    player = UnitPlayer(unit, sandbox, finished.append, busy, idle, take_prints)

    async def send_now_and_then() -> None:
        last = time.monotonic()
        while True:
            await trio.sleep(_SEND_EVERY_S)
            if finished:
                last = time.monotonic()
                send()
            elif time.monotonic() - last > _REPORT_STALL_EVERY_S:
                last = time.monotonic()
                sender.queue(Stalled(player.situation()))
            await sender.flush(keep=_MAX_UNSENT_BYTES)

    def send() -> None:
        whole = fixtures.whole(finished)
        finished.clear()
        sender.queue(Delivery(tuple(to_batches(whole, prints))))
        for record in whole:
            prints.pop(record.game_id, None)

    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(send_now_and_then)
            await player.play()
            nursery.cancel_scope.cancel()
    finally:
        if finished:
            send()
    if parts := fixtures.parts():
        sender.queue(Delivery(tuple(to_batches(parts, prints))))
    sender.queue(UnitDone())
    await sender.flush()


async def _receive(
    fd: int, bodies: trio.MemorySendChannel[bytes], everything: trio.CancelScope
) -> None:
    """Pass frames on; when the coordinator is gone, stop everything."""
    os.set_blocking(fd, False)
    reader = FrameReader()
    while True:
        await trio.lowlevel.wait_readable(fd)
        try:
            data = os.read(fd, 1 << 20)
        except BlockingIOError:
            continue
        if not data:
            # It ends even if something keeps it from ending its contestants.
            signal.alarm(_END_TIMEOUT_S)
            everything.cancel()
            return
        for body in reader.feed(data):
            await bodies.send(body)

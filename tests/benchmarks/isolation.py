"""Measures what isolation costs, beside plain processes in the same run.

    python tests/benchmarks/isolation.py [--json] [--rounds N] [SECTION ...]

What is compared takes turns, so that a busy machine slows all of it alike.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from math import log2
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch

sys.path += [str(Path(__file__).parents[1] / name) for name in ("", "referee")]

import msgspec
import trio
from msgspec import Raw
from msgspec.structs import replace
from play_units import HONEST, bot, nothing_left, unit_of
from sandboxes import spec_of
from tabulate import tabulate
from timing import Row, command_line, milliseconds, take_turns, usable

from arena.games import game_paths, get_game
from arena.records.game_record import GameRecord
from arena.referee.contestant.bot_code import read_sources
from arena.referee.contestant.clock import ProcessClock
from arena.referee.contestant.request_pipe import ComputeSlots, RequestPipe
from arena.referee.contestant.wire import BotRequest
from arena.referee.sandbox import LEVELS, Process, Sandbox, open_sandbox
from arena.referee.unit_player import UnitPlayer
from arena.referee.work_unit import EntrySpec, Limits
from arena.worker.protocol import (
    MAX_REPLY_BYTES,
    ActRequest,
    Answer,
    BeginRequest,
    Failed,
    FrameReader,
    GameSpec,
    LoadRequest,
    Reply,
    frame,
    pack,
    pack_spec,
)

Way = Callable[[], Awaitable[Callable[[], object]]]
"""Starts something, and returns what ends it again."""
ZYGOTES = LEVELS[:2]
DRAWING = bot("drawing.py", "FromNumpy")
MEMORY = 512 * 2**20
BY_CORE, BY_FILES = "a busy core", "files read"
WAYS = {
    "thread ids": 16,
    "pipe numbers": 256,
    "socket numbers": 256,
    "socket cookies": 256,
    BY_CORE: 2,
    BY_FILES: 2,
}
"""How accomplices whisper, as `murmurs.py` does it, and how many numbers there are."""
_FILES = 400
_REPLY = msgspec.msgpack.Decoder(Reply)
REQUESTS = 1000
GAME = "zombie_dice"
SPEC = pack_spec(GameSpec(GAME, game_paths()[GAME], 2, {}))
HASTY = Limits(start=60.0, move=0.05, bank=0.0, margin=0.0, memory=256)
CULPRITS = {
    "busy loop": bot("hangs.py", deed="forever"),
    "GIL held": bot("hangs.py", deed="within_one_instruction"),
    "asleep": bot("hangs.py", deed="asleep"),
}
PLAIN_WORKER = """
import sys, msgspec
read, write = map(int, sys.argv[1:])
import os
os.write(write, b"ready")
os.read(read, 1)
"""
ECHO = """
import os, sys
read, write = map(int, sys.argv[1:])
while data := os.read(read, 65536):
    os.write(write, data)
"""


def measure_start(rounds: int) -> list[Row]:
    """Time from nothing to a confined process, and on to a bot that has been read."""
    return trio.run(_measure_start, 3 * rounds)


async def _measure_start(rounds: int) -> list[Row]:
    with ExitStack() as stack:
        ways: dict[str, Way] = {
            "Popen([python, '-c', 'pass']), to its end": _plain_start,
            "plain Python worker with msgspec": _plain_worker,
        }
        for level in usable(LEVELS):
            how = "zygote" if level in ZYGOTES else "cold"
            sandbox = stack.enter_context(open_sandbox(spec_of(level)))
            ways[f"{level}, {how}"] = partial(_start, sandbox)
            ways[f"{level}, {how}, bot read"] = partial(_start, sandbox, HONEST)
            ways[f"{level}, {how}, bot with numpy read"] = partial(
                _start, sandbox, DRAWING
            )
        for level in usable(ZYGOTES):
            spec = spec_of(level, preload=("numpy",))
            sandbox = stack.enter_context(open_sandbox(spec))
            name = f"{level}, zygote with numpy"
            ways[name] = partial(_start, sandbox)
            ways[f"{name}, bot with numpy read"] = partial(_start, sandbox, DRAWING)
        for level in usable(ZYGOTES):
            ways[f"{level}, a zygote for one"] = partial(_start_zygote, level)
        times = await _take_turns(ways, rounds)
    return [{"start": name, **milliseconds(seconds)} for name, seconds in times.items()]


async def _take_turns(ways: dict[str, Way], rounds: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds + 1):
        for name, way in ways.items():
            started = time.perf_counter()
            end = await way()
            times[name].append(time.perf_counter() - started)
            end()
    # The first of each starts zygotes and fills the system's caches.
    return {name: seconds[1:] for name, seconds in times.items()}


async def _plain_start() -> Callable[[], object]:
    subprocess.Popen([sys.executable, "-c", "pass"]).wait()
    return lambda: None


async def _plain_worker() -> Callable[[], object]:
    stack = ExitStack()
    read_fd, _, _ = stack.enter_context(_plain(PLAIN_WORKER))
    os.read(read_fd, 5)
    return stack.close


async def _start(
    sandbox: Sandbox, entry: EntrySpec | None = None
) -> Callable[[], object]:
    process = await sandbox.spawn(MEMORY)
    if entry is not None:
        Caller(process).ask(_load(sandbox, entry))
    return process.close


async def _start_zygote(level: str) -> Callable[[], object]:
    stack = ExitStack()
    sandbox = stack.enter_context(open_sandbox(spec_of(level)))
    stack.callback(await _start(sandbox))
    return stack.close


def _load(sandbox: Sandbox, entry: EntrySpec) -> bytes:
    sources = read_sources(entry)
    modules = sandbox.spec.library.modules
    return frame(LoadRequest(1, entry.path, sources, modules, (GAME,), 1000))


class Caller:
    """Asks a contestant and waits for its reply, without an event loop."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._reader = FrameReader(MAX_REPLY_BYTES)
        os.set_blocking(process.read_fd, True)

    def ask(self, request: bytes) -> bytes:
        """Ask, and return the body of the reply."""
        self.send(request)
        return self.reply()

    def send(self, request: bytes) -> None:
        """Ask, and don't wait."""
        os.write(self._process.write_fd, request)

    def reply(self) -> bytes:
        """Wait for the reply to what was sent."""
        while not (bodies := self._reader.feed(os.read(self._process.read_fd, 65536))):
            pass
        return bodies[0]


@contextmanager
def _plain(program: str, *, pair: bool = False) -> Iterator[tuple[int, int, int]]:
    """Start a Python process; yield what is read from, written to, and its id."""
    if pair:
        ours, theirs = socket.socketpair()
        fds = [ours.detach(), theirs.detach()]
        read_fd = write_fd = fds[0]
        child_read = child_write = fds[1]
    else:
        child_read, write_fd = os.pipe()
        read_fd, child_write = os.pipe()
        fds = [child_read, write_fd, read_fd, child_write]
    words = [sys.executable, "-I", "-c", program, str(child_read), str(child_write)]
    process = subprocess.Popen(words, pass_fds=(child_read, child_write))
    try:
        yield read_fd, write_fd, process.pid
    finally:
        process.kill()
        process.wait()
        for fd in fds:
            os.close(fd)


def measure_round_trip(rounds: int) -> list[Row]:
    """Time of one request and its reply, and the CPU time of both sides."""
    return trio.run(_measure_round_trip, rounds)


async def _measure_round_trip(rounds: int) -> list[Row]:
    begin = frame(BeginRequest(1, 0, "Honest", {}, SPEC, 1, _observation()))
    act = frame(ActRequest(1, 0, _observation()))
    with ExitStack() as stack:
        ways: dict[str, tuple[Callable[[], None], int]] = {}
        for name, pair in (("pipes", False), ("a socket pair", True)):
            read_fd, write_fd, pid = stack.enter_context(_plain(ECHO, pair=pair))
            ways[f"two plain processes, {name}, echo"] = (
                partial(_echo, read_fd, write_fd, act),
                pid,
            )
        for level in usable(reversed(LEVELS)):
            sandbox = stack.enter_context(open_sandbox(spec_of(level)))
            process = await sandbox.spawn(MEMORY)
            stack.callback(process.close)
            caller = Caller(process)
            caller.ask(_load(sandbox, HONEST))
            caller.ask(begin)
            ways[f"{level}, a bot's decision"] = (partial(caller.ask, act), process.pid)
        trips: dict[str, list[tuple[float, float, float]]] = {name: [] for name in ways}
        for _ in range(rounds + 1):
            for name, (ask, pid) in ways.items():
                trips[name].append(_time_trips(ask, ProcessClock(pid)))
    rows = []
    for name, each in trips.items():
        wall, ours, theirs = (
            round(1e6 * median(column), 1) for column in zip(*each[1:], strict=True)
        )
        row = {"median, us": wall, "CPU of asker, us": ours, "CPU of asked, us": theirs}
        rows.append({"round trip": name, **row, "runs": f"{rounds} x {REQUESTS}"})
    return rows


def _echo(read_fd: int, write_fd: int, data: bytes) -> None:
    os.write(write_fd, data)
    left = len(data)
    while left:
        left -= len(os.read(read_fd, 65536))


def _time_trips(
    ask: Callable[[], None], clock: ProcessClock
) -> tuple[float, float, float]:
    before = time.perf_counter(), time.process_time(), clock.now()
    for _ in range(REQUESTS):
        ask()
    after = time.perf_counter(), time.process_time(), clock.now()
    wall, ours, theirs = (b - a for a, b in zip(before, after, strict=True))
    return wall / REQUESTS, ours / REQUESTS, theirs / REQUESTS


def measure_end(rounds: int) -> list[Row]:
    """Time from a deadline to the end of the process that has missed it."""
    ways = {
        f"{level}, {what}": partial(trio.run, _overrun, level, culprit)
        for level in usable(LEVELS)
        for what, culprit in CULPRITS.items()
    }
    return [
        {"deadline to reaped": name, **milliseconds(seconds)}
        for name, seconds in take_turns(ways, rounds).items()
    ]


async def _overrun(level: str, culprit: EntrySpec) -> float:
    """Return the seconds from a deadline of 50 ms to the end of the process."""
    noticed: list[tuple[float, float]] = []
    reaped: list[float] = []
    wait_until_late, wait = RequestPipe.wait_until_late, Process.wait

    async def note_lateness(self: RequestPipe) -> tuple[BotRequest, float, float]:
        late = await wait_until_late(self)
        head, cpu, wall = late
        over = cpu - head.allowance
        if over < 0.0:
            # A sleeper's wall time counts half, after a second.
            over = wall - 1.0 - 2.0 * head.allowance
        noticed.append((time.perf_counter(), over))
        return late

    async def note_wait(self: Process) -> int:
        code = await wait(self)
        if code == -signal.SIGKILL:
            reaped.append(time.perf_counter())
        return code

    records: list[GameRecord] = []
    with (
        patch.object(RequestPipe, "wait_until_late", note_lateness),
        patch.object(Process, "wait", note_wait),
        open_sandbox(spec_of(level)) as sandbox,
    ):
        unit = unit_of(culprit, HONEST, games=1, limits=HASTY)
        await UnitPlayer(unit, sandbox, records.append).play()
    assert records[0].termination == "timeout"
    at, over = noticed[0]
    return over + reaped[0] - at


def measure_overhead(rounds: int) -> list[Row]:
    """CPU time of the referee per decision, with and without some of what it does."""

    def begin(self: RequestPipe) -> None:
        self._is_busy = True
        self._start_clock(self._idle_cpu)

    slots = {"take": lambda self, line: True, "release": lambda self, line: None}
    ways: dict[str, tuple[type, dict[str, Any]]] = {
        "all of it": (RequestPipe, {"_begin": RequestPipe._begin}),
        "no slots": (ComputeSlots, slots),
        "no clock while idle": (RequestPipe, {"_begin": begin}),
    }

    def play(cls: type, members: dict[str, Any]) -> float:
        with patch.multiple(cls, **members):
            return trio.run(_cpu_per_decision)

    found = take_turns(
        {name: partial(play, *way) for name, way in ways.items()}, rounds
    )
    return [
        {
            "referee, one game in flight": name,
            "median, us per decision": round(1e6 * median(each), 2),
            "least": round(1e6 * min(each), 2),
            "runs": rounds,
        }
        for name, each in found.items()
    ]


async def _cpu_per_decision() -> float:
    level = usable(LEVELS)[0]
    with open_sandbox(spec_of(level)) as sandbox:
        twin = replace(HONEST, id="twin")
        unit = unit_of(HONEST, twin, games=200, in_flight=1)
        records: list[GameRecord] = []
        started = time.process_time()
        await UnitPlayer(unit, sandbox, records.append).play()
        seconds = time.process_time() - started
    return seconds / sum(record.decisions for record in records)


def measure_whispers(rounds: int) -> list[Row]:
    """Bits a second that two cooperating bots pass at each level, on one core."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        return [
            {
                "level": level,
                "whispered by": way,
                **trio.run(_whisper, level, way, 1 if way == BY_FILES else 20 * rounds),
            }
            for level in usable(LEVELS)
            for way in WAYS
        ]
    finally:
        os.sched_setaffinity(0, cores)


async def _whisper(level: str, way: str, times: int) -> Row:
    """Have one bot say numbers and another hear them, by turns or at the same time."""
    folder = Path(os.__file__).parent
    files = [str(path) for path in folder.glob("*/*.py") if "-" not in path.parent.name]
    for path in (files := sorted(files)[:_FILES]):
        _push_out(path)
    said: list[int] = []
    heard: list[int] = []
    seconds = 0.0
    with ExitStack() as stack:
        sandbox = stack.enter_context(open_sandbox(spec_of(level)))
        teller, hearer = [
            await _accomplice(name, way, files, sandbox, stack)
            for name in ("Teller", "Hearer")
        ]
        act = frame(ActRequest(2, 0, _observation()))
        # The first of the two would not know from where to count.
        replies = [hearer.ask(act)] if way not in (BY_CORE, BY_FILES) else []
        started = time.perf_counter()
        for _ in range(times):
            teller.send(act)
            if way != BY_CORE:
                said += _numbers(replies, teller.reply())
            hearer.send(act)
            if way == BY_CORE:
                said += _numbers(replies, teller.reply())
            heard += _numbers(replies, hearer.reply())
        seconds = time.perf_counter() - started
    if any(_REPLY.decode(reply).__class__ is Failed for reply in replies):
        return {"bits/s": "refused"}
    right = sum(a == b for a, b in zip(said, heard, strict=True)) / len(said)
    bits = _bits(right, WAYS[way]) * len(said)
    return {"bits/s": round(bits / seconds), "right": f"{right:.0%}", "of": len(said)}


async def _accomplice(
    name: str, way: str, files: list[str], sandbox: Sandbox, stack: ExitStack
) -> Caller:
    process = await sandbox.spawn(MEMORY)
    stack.callback(process.close)
    caller = Caller(process)
    caller.ask(_load(sandbox, bot("murmurs.py", name)))
    params = {"way": way, "files": files}
    caller.ask(frame(BeginRequest(1, 0, name, params, SPEC, 1, _observation())))
    return caller


def _observation() -> Raw:
    return pack(get_game(GAME).new_state().observation(0))


def _numbers(replies: list[bytes], reply: bytes) -> list[int]:
    """Return the numbers in a reply, and note it; none where it has failed."""
    replies.append(reply)
    answer = _REPLY.decode(reply)
    return [*map(int, answer.action.split())] if isinstance(answer, Answer) else []


def _push_out(path: str) -> None:
    """Have the system forget what it has read of a file."""
    descriptor = os.open(path, os.O_RDONLY)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


def _bits(right: float, values: int) -> float:
    """Return the bits that a number out of so many carries if it is often right.

    It is the capacity of a symmetric channel: Cover and Thomas, Elements of
    Information Theory, section 7.2.
    """
    if right <= 1 / values:
        return 0.0
    wrong = 1 - right
    bits = log2(values) + right * log2(right)
    return bits + (wrong * log2(wrong / (values - 1)) if wrong else 0.0)


SECTIONS = {
    "whispers": measure_whispers,
    "start": measure_start,
    "round_trip": measure_round_trip,
    "end": measure_end,
    "overhead": measure_overhead,
}


def main() -> None:
    """Measure what the command line names, or all."""
    parser = command_line(__doc__, rounds=10)
    parser.add_argument("section", nargs="*", choices=[[], *SECTIONS])
    arguments = parser.parse_args()
    usable(LEVELS)
    found = {}
    for name in arguments.section or SECTIONS:
        with nothing_left():
            found[name] = SECTIONS[name](arguments.rounds)
        if not arguments.json:
            print(tabulate(found[name], headers="keys"), "\n")
    if arguments.json:
        print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()

"""From a deadline to the end of whoever missed it, and what a decision costs.

Part of `isolation.py`.
"""

import signal
import time
from collections.abc import Callable
from statistics import median

import trio
from matches import HONEST, bot, task
from msgspec.structs import replace
from sandboxes import spec_of
from timing import Row, milliseconds, usable

from arena.referee.line import Line, Permits
from arena.referee.matches import Matches
from arena.referee.record import GameRecord, Limits
from arena.referee.requests import Pending
from arena.referee.sandbox import LEVELS, Process, open_sandbox

HASTY = Limits(start=60.0, move=0.05, bank=0.0, margin=0.0, memory=256)
CULPRITS = {
    "busy loop": "loops.py",
    "GIL held": "holds_the_gil.py",
    "asleep": "sleeps.py",
}


def measure_end(rounds: int) -> list[Row]:
    """Time from a deadline to the end of the process that has missed it."""
    times: dict[str, list[float]] = {}
    for _ in range(rounds):
        for level in usable(LEVELS):
            for what, file in CULPRITS.items():
                late = trio.run(_overrun, level, file)
                times.setdefault(f"{level}, {what}", []).append(late)
    return [
        {"deadline to reaped": name, **milliseconds(seconds)}
        for name, seconds in times.items()
    ]


async def _overrun(level: str, file: str) -> float:
    """Return the seconds from a deadline of 50 ms to the end of the process."""
    noticed: list[tuple[float, float]] = []
    reaped: list[float] = []
    lateness, wait = Line.lateness, Process.wait

    async def note_lateness(self: Line) -> tuple[Pending, float, float]:
        late = await lateness(self)
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

    Line.lateness, Process.wait = note_lateness, note_wait  # type: ignore[method-assign]
    records: list[GameRecord] = []
    try:
        with open_sandbox(spec_of(level)) as sandbox:
            match = task(bot(file), HONEST, games=1, limits=HASTY)
            await Matches(match, sandbox, records.append).play()
    finally:
        Line.lateness, Process.wait = lateness, wait  # type: ignore[method-assign]
    assert records[0].termination == "timeout"
    at, over = noticed[0]
    return over + reaped[0] - at


def measure_overhead(rounds: int) -> list[Row]:
    """CPU time of the referee per decision, with and without some of what it does."""
    ways: dict[str, Callable[[], None]] = {
        "all of it": lambda: None,
        "no permits": _without_permits,
        "no clock while idle": _without_idle_clock,
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, take_away in ways.items():
            kept = dict(vars(Line)), dict(vars(Permits))
            take_away()
            try:
                times[name].append(trio.run(_cpu_per_decision))
            finally:
                for cls, members in zip((Line, Permits), kept, strict=True):
                    for key in ("_begin", "_rest", "take", "give_back"):
                        if key in members:
                            setattr(cls, key, members[key])
    rows = [
        {
            "referee, one game in flight": name,
            "median, us per decision": round(1e6 * median(each), 2),
            "least": round(1e6 * min(each), 2),
            "runs": rounds,
        }
        for name, each in times.items()
    ]
    return rows


def _without_permits() -> None:
    Permits.take = lambda self, line: True  # type: ignore[method-assign]
    Permits.give_back = lambda self: None  # type: ignore[method-assign]


def _without_idle_clock() -> None:
    def begin(self: Line) -> None:
        self._is_busy = True
        self._start_clock()

    def rest(self: Line) -> None:
        self._is_busy = False
        self._permits.give_back()

    Line._begin, Line._rest = begin, rest  # type: ignore[method-assign]


async def _cpu_per_decision() -> float:
    level = usable(LEVELS)[0]
    with open_sandbox(spec_of(level)) as sandbox:
        twin = replace(HONEST, id="twin")
        match = task(HONEST, twin, games=200, in_flight=1)
        records: list[GameRecord] = []
        started = time.process_time()
        await Matches(match, sandbox, records.append).play()
        seconds = time.process_time() - started
    return seconds / sum(record.decisions for record in records)

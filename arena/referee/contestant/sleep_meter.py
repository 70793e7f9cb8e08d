"""How long a process has slept of its own will, told from waiting for a processor.

The kernel says of each thread how long it has run, and how long it was runnable and
did not run (`/proc/PID/task/TID/schedstat`).  The second number grows only when the
wait is over, so a thread's state (`stat`) is read too: one that is runnable now may
have waited since it was last looked at.  What is counted too generously that way is
corrected when it has run or is asleep.  See Documentation/scheduler/sched-stats.rst of
Linux, and proc(5).
"""

import os
import sys
from typing import NamedTuple

_RUNNABLE = "R"
_CLEAR_STATES = frozenset("RSZX")
"""Runnable, asleep, and ended: so is the first thread until the last has ended."""
_NANOSECOND = 1e-9
_MAX_GAP_S = 0.5
"""The longest sleep that is counted between two readings: if these lie further apart,
the referee itself was held up or stopped, and perhaps the contestant with it."""
_MAX_STAT_BYTES = 1024


class ThreadTimes(NamedTuple):
    """What the kernel knows of a thread."""

    state: str
    """`R` runnable, `S` asleep; others are told in proc(5)."""
    runnable: float
    """Seconds that it has run, or waited for a processor until it had one."""


class Reading(NamedTuple):
    """The threads of a process at one moment, or nearly so."""

    begun: float
    """Seconds, by any clock that does not jump, when reading began."""
    done: float
    """The same when it was done: the reader may have waited for a processor too."""
    cpu: float
    """Seconds of CPU time of the process."""
    threads: dict[int, ThreadTimes] | None
    """By number; None if they can't be read."""


def read_threads(pid: int) -> dict[int, ThreadTimes] | None:
    """Return the threads of a process by number; None if they can't be read."""
    if sys.platform != "linux":
        return None
    folder = f"/proc/{pid}/task"
    found: dict[int, ThreadTimes] = {}
    try:
        for name in os.listdir(folder):
            try:
                # In this order: who waits now, and runs before its times are read, has
                # its wait counted twice, and not never.
                stat = _read(f"{folder}/{name}/stat")
                times = _read(f"{folder}/{name}/schedstat").split()
            except (FileNotFoundError, ProcessLookupError):
                continue  # It has ended meanwhile.
            # The name of a thread may hold any bytes, so the last bracket ends it.
            state = stat[stat.rindex(b")") + 2 :][:1].decode()
            seconds = (int(times[0]) + int(times[1])) * _NANOSECOND
            found[int(name)] = ThreadTimes(state, seconds)
    except (OSError, ValueError, IndexError):
        return None
    # The first thread has run, so zeros are those of a kernel that does not count.
    first = found.get(pid)
    return None if first is not None and not first.runnable else found


def count_threads(pid: int) -> int:
    """Return the number of threads of a process; 0 if it can't be told."""
    if sys.platform != "linux":
        return 0
    try:
        # Each is a folder in there, with a link to the one above.
        return os.stat(f"/proc/{pid}/task").st_nlink - 2
    except OSError:
        return 0


def _read(path: str) -> bytes:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, _MAX_STAT_BYTES)
    finally:
        os.close(descriptor)


class SleepMeter:
    """Adds up the sleep of a process over readings, from the first one on.

    It sleeps while none of its threads runs or could run.
    """

    def __init__(self) -> None:
        self.unclear = 0.0
        """Seconds that were sleep or something else: waits for a disk, what threads did
        that have ended, waits of several threads that may have been one after another
        or at the same time, all that can't be read."""
        self._last: Reading | None = None
        self._pending: dict[int, float] = {}
        """By thread that is runnable now: seconds for which it was taken to wait, until
        the kernel has counted them."""
        self._said: dict[int, float] = {}
        """By thread: seconds for which it could run between the last two readings."""
        self._doubt = 0.0
        """The most of these; unclear if no thread has waited as it was taken to."""
        self._sure = 0.0
        """CPU seconds between the last two readings."""
        self._surplus = 0.0
        """Of waits at the same time: perhaps the rest of one that is not over."""
        self._wall = 0.0
        self._cpu = 0.0
        self._runnable = 0.0

    @property
    def slept(self) -> float:
        """Seconds that were sleep for sure."""
        return max(0.0, self._wall - max(self._runnable, self._cpu))

    def note(self, reading: Reading) -> bool:
        """Add a reading; return True if the process has slept since the last one."""
        last, self._last = self._last, reading
        if last is None:
            return False
        # What was counted while it was read belongs to the times before and after it.
        wall = max(0.0, reading.begun - last.done)
        cpu = reading.cpu - last.cpu
        self._wall += wall
        self._cpu += cpu
        least, most = self._runnable_seconds(last, reading, wall, cpu)
        # If the referee was held up or stopped, the contestant may have been, too.
        self._runnable += max(most, wall - _MAX_GAP_S)
        self.unclear += max(0.0, most - max(least, cpu))
        return wall > 0.0 and cpu <= 0.0 and most <= 0.0

    def _runnable_seconds(
        self, last: Reading, reading: Reading, wall: float, cpu: float
    ) -> tuple[float, float]:
        """Return how long any thread could run, at the least and at the most."""
        pending, self._pending = self._pending, {}
        said, self._said = self._said, {}
        if last.threads is None or reading.threads is None:
            self._doubt = 0.0
            return 0.0, wall
        is_single = len(reading.threads) == 1
        confirmed = self._sure
        for number, thread in reading.threads.items():
            before = last.threads.get(number)
            known = thread.runnable - (before.runnable if before else 0.0)
            taken = pending.get(number, 0.0)
            more = known - taken
            confirmed = max(confirmed, said.get(number, 0.0) + min(0.0, more))
            waits = 0.0
            if thread.state == _RUNNABLE:
                # If it has run meanwhile, it waits for less long than that.
                new = max(0.0, wall - max(0.0, more))
                waits = new if known > 0.0 else wall + taken
                self._pending[number] = waits
            self._said[number] = (
                more + waits if is_single else min(wall, max(0.0, more) + waits)
            )
        least = max(self._said.values(), default=0.0)
        if is_single or not (self._said and _is_clear(last, reading)):
            self._doubt = 0.0
            return least, least if is_single and _is_clear(last, reading) else wall
        self.unclear += max(0.0, self._doubt - confirmed)
        self._doubt, self._sure = least, cpu
        total = self._surplus + sum(self._said.values())
        most = max(least, min(wall, total))
        self._surplus = max(0.0, min(wall, total - most))
        return least, most


def _is_clear(last: Reading, reading: Reading) -> bool:
    """Say whether idle time between two readings can only be sleep."""
    before, now = last.threads or {}, reading.threads or {}
    states = {thread.state for thread in (*before.values(), *now.values())}
    return before.keys() <= now.keys() and states <= _CLEAR_STATES

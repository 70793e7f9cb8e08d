"""What a command takes, with all the processes below it: time, and memory.

A process that ends is counted by its parent, so a contestant's time reaches us by way
of zygote, sandbox, referee and coordinator.  Processes that have lost their parent
become children of this one, and are waited for here.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from ctypes import CDLL
from dataclasses import dataclass
from pathlib import Path

from timing import peak_memory

from arena.referee.contestant.clock import ProcessClock

_PR_SET_CHILD_SUBREAPER = 36
_LOOK_EVERY = 0.02
_PATIENCE = 60.0
"""Seconds in which orphans are gone."""
_REFEREE = b"arena.referee"


class CommandError(Exception):
    """A command has failed; the text is what it said last."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What a command has taken; times in seconds, memory in bytes."""

    wall: float
    cpu: float
    """Of all its processes."""
    coordinator: float
    """CPU time of the process that was started."""
    referees: float
    """CPU time, as it was last seen, at most 20 ms before their end."""
    until_play: float | None
    """Wall time from the start until the first referee was seen."""
    peak_in_play: int
    """Most memory of the coordinator until the last referee was seen."""
    peak: int
    """The same until its end."""
    said: str
    """What it has printed."""

    @property
    def contestants(self) -> float:
        """CPU time of all others: contestants, what they are forked from, sandboxes."""
        return self.cpu - self.coordinator - self.referees


def run(command: Sequence[str], folder: Path) -> Spent:
    """Run a command to its end, and look what it takes meanwhile.

    Raises:
        CommandError: it has failed.
    """
    ours = _children(os.getpid())
    CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)
    try:
        with tempfile.TemporaryFile() as out:
            before = _cpu_of_children()
            started = time.perf_counter()
            process = subprocess.Popen(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
            )
            watch = _Watch(process.pid, started)
            while not _has_ended(process.pid):
                watch.look()
                time.sleep(_LOOK_EVERY)
            wall = time.perf_counter() - started
            # Until it is waited for, its clock can still be read.
            coordinator = ProcessClock(process.pid).now()
            code = process.wait()
            _bury_orphans(ours)
            cpu = _cpu_of_children() - before
            out.seek(0)
            said = out.read().decode(errors="replace")
            if code:
                words = said.strip()[-2000:]
                raise CommandError(f"{' '.join(command)} ended with {code}: {words}")
    finally:
        CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 0)
    return Spent(
        wall=wall,
        cpu=cpu,
        coordinator=coordinator,
        referees=sum(watch.referees.values()),
        until_play=watch.until_play,
        peak_in_play=watch.peak_in_play,
        peak=watch.peak,
        said=said,
    )


class _Watch:
    """Looks at a coordinator and its referees now and then."""

    def __init__(self, pid: int, started: float) -> None:
        self.referees: dict[int, float] = {}
        """CPU time so far, by process id."""
        self.until_play: float | None = None
        self.peak_in_play = 0
        self.peak = 0
        self._pid = pid
        self._started = started
        self._clocks: dict[int, ProcessClock | None] = {}

    def look(self) -> None:
        """Note what there is to see."""
        self.peak = max(self.peak, peak_memory(self._pid))
        in_play = False
        for pid in _children(self._pid):
            if pid not in self._clocks:
                words = _words(pid)
                if not words or words == _words(self._pid):
                    continue  # It is still to become the program that it will be.
                is_referee = _REFEREE in words
                self._clocks[pid] = ProcessClock(pid) if is_referee else None
            clock = self._clocks[pid]
            if clock is not None:
                in_play = True
                self.referees[pid] = clock.now()
        if in_play:
            self.peak_in_play = self.peak
            if self.until_play is None:
                self.until_play = time.perf_counter() - self._started


def _has_ended(pid: int) -> bool:
    options = os.WEXITED | os.WNOWAIT | os.WNOHANG
    return os.waitid(os.P_PID, pid, options) is not None


def _cpu_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def cpu_with_children() -> float:
    """Return the CPU seconds of this process and of all it has waited for."""
    return time.process_time() + _cpu_of_children()


def _bury_orphans(ours: set[int]) -> None:
    """Wait for those who have become children of this process since."""
    deadline = time.monotonic() + _PATIENCE
    while orphans := _children(os.getpid()) - ours:
        for pid in orphans:
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        if time.monotonic() > deadline:
            raise CommandError(f"processes have outlived their command: {orphans}")
        time.sleep(0.001)


def _children(pid: int) -> set[int]:
    """Return the children of the threads of a process."""
    found: set[int] = set()
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError):
                text = Path(f"/proc/{pid}/task/{thread}/children").read_text()
                found.update(map(int, text.split()))
    return found


def _words(pid: int) -> list[bytes]:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    return []


def arena() -> list[str]:
    """Return the words that run `arena`."""
    script = Path(sys.executable).parent / "arena"
    return [str(script)] if script.exists() else [sys.executable, "-m", "arena"]

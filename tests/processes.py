"""The processes of a test, none of which may be left behind."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ctypes import CDLL
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36


@contextmanager
def no_process_left(timeout_s: float = 20.0) -> Iterator[None]:
    """Check that no process outlives a block for longer, nor any that it has left."""
    before = children(os.getpid())
    # Whoever loses its parent becomes a child of ours, where it can be seen.
    CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)
    try:
        yield
    finally:
        left = _still_alive(before, timeout_s)
        words = [_words(pid) for pid in left]
        CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 0)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    assert not left, words


def _words(pid: int) -> str:
    """Return the command of a process, and what it waits for."""
    parts = []
    for name in ("cmdline", "status", "wchan", "stack"):
        with suppress(OSError):
            parts.append(Path(f"/proc/{pid}/{name}").read_text().replace("\0", " "))
    return " | ".join(parts)


def _still_alive(before: set[int], timeout_s: float) -> set[int]:
    """Return the new processes that do not end by themselves; reap the others."""
    pids = children(os.getpid()) - before
    deadline = time.monotonic() + timeout_s
    while pids and time.monotonic() < deadline:
        for pid in list(pids):
            with suppress(ChildProcessError):
                if os.waitpid(pid, os.WNOHANG) == (0, 0):
                    continue
            pids.remove(pid)
            pids |= children(os.getpid()) - before
        time.sleep(0.005)
    return pids


def children(parent: int) -> set[int]:
    """Return the processes whose parent is `parent`."""
    return {
        pid
        for pid in map(int, filter(str.isdigit, os.listdir("/proc")))
        if parent_of(pid) == parent
    }


def parent_of(pid: int) -> int | None:
    """Return the process that another was forked from, or that took it in.

    There is none if it is gone.  No number stands for that: a signal to -1 goes to all.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    return int(stat.rpartition(")")[2].split()[1])

"""Limits that a contestant's process puts on itself before it reads a bot."""

import ctypes
import signal
import sys
from contextlib import suppress

_PR_SET_PDEATHSIG = 1
_FILE_SIZE = 4 * 1024 * 1024


def die_with_parent() -> None:
    """Ask the kernel to kill this process once the referee is gone (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def limit_resources(memory: int, cpu: int) -> None:
    """Cap memory (bytes), CPU time (seconds), files and processes; 0 is no cap.

    Where the system does not know a limit it is left out.
    """
    if sys.platform == "win32":
        return
    import resource

    caps = [
        ("RLIMIT_CORE", 0),
        ("RLIMIT_FSIZE", _FILE_SIZE),
        ("RLIMIT_NOFILE", 64),
        ("RLIMIT_NPROC", 0),
        ("RLIMIT_MSGQUEUE", 0),
        ("RLIMIT_AS", memory or None),
        ("RLIMIT_CPU", cpu or None),
    ]
    for name, value in caps:
        number = getattr(resource, name, None)
        if number is None or value is None:
            continue
        with suppress(ValueError, OSError):
            resource.setrlimit(number, (value, value))

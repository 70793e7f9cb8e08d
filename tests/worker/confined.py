"""Runs something in a process of its own, confined or not, and says how it ended."""

import errno
import os
import signal
import subprocess
import sys
import sysconfig
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from arena.worker.confinement import confine, landlock_abi
from arena.worker.confinement.syscalls import MACHINES
from arena.worker.protocol import Confinement

needs_filters = pytest.mark.skipif(
    not landlock_abi() or os.uname().machine not in MACHINES,
    reason="the kernel has no Landlock, or nobody has written down its calls",
)

PYTHON = (
    *{sysconfig.get_path(name): None for name in ("stdlib", "purelib", "platlib")},
    os.path.join(sys.base_prefix, "lib"),
    str(Path(__file__).parents[2] / "arena"),
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/etc/ld.so.cache",
    "/etc/alternatives",
)
"""What a Python needs to read to import its own modules."""


LIMITS = Confinement(filters=False, limits=True, memory=2**30, cpu=100)
FULL = Confinement(
    filters=True,
    limits=True,
    memory=2**30,
    cpu=100,
    read=(*PYTHON, "/usr/share/zoneinfo"),
)


def filters(*read: str | Path) -> Confinement:
    """Return the filters alone: a fork of the tests may have used up the limits."""
    paths = (*PYTHON, *map(str, read))
    return Confinement(filters=True, limits=False, read=paths)


def fork() -> int:
    """Fork, whatever threads other tests have left running: the fork has one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def outcome(
    attempt: Callable[[], object], before: Callable[[], object] | None = None
) -> str:
    """Return `done`, or the name of the error or signal that `attempt` ended with.

    `before` is called before it in the same fork.
    """
    pid = fork()
    if pid == 0:
        code = 255
        try:
            if before is not None:
                before()
            attempt()
            code = 0
        except OSError as error:
            code = error.errno or 255
            if code == 255:
                traceback.print_exc()
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(code)
    status = os.waitpid(pid, 0)[1]
    if os.WIFSIGNALED(status):
        return signal.Signals(os.WTERMSIG(status)).name
    code = os.WEXITSTATUS(status)
    return "done" if code == 0 else errno.errorcode.get(code, "failed")


def confined(attempt: Callable[[], object], confinement: Confinement) -> str:
    """Return the outcome of `attempt` under a confinement."""
    return outcome(attempt, before=lambda: confine(confinement))


_PROLOGUE = """
import sys, msgspec
from arena.worker.confinement import confine
from arena.worker.protocol import Confinement
confine(msgspec.json.decode(sys.stdin.read(), type=Confinement))
"""


def run(program: str, confinement: Confinement) -> str:
    """Return what a program prints that confines a process of its own."""
    done = subprocess.run(
        [sys.executable, "-s", "-P", "-B", "-c", _PROLOGUE + program],
        input=msgspec.json.encode(confinement).decode(),
        env={"OPENBLAS_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0
    return done.stdout.strip()

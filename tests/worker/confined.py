"""Runs something in a process of its own, confined or not, and says how it ended."""

import errno
import functools
import os
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
import traceback
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import pytest
from given import Given, confine

from arena.worker.confinement import landlock_abi
from arena.worker.confinement.syscalls import MACHINES
from arena.worker.protocol import Confinement

needs_filters = pytest.mark.skipif(
    not landlock_abi() or os.uname().machine not in MACHINES,
    reason="the kernel has no Landlock, or nobody has written down its calls",
)
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it is not")

PYTHON = (
    *{sysconfig.get_path(name): None for name in ("stdlib", "purelib", "platlib")},
    os.path.join(sys.base_prefix, "lib"),
    str(Path(__file__).parents[2] / "arena"),
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64"),
    *("/etc/ld.so.cache", "/etc/alternatives"),
)
"""Paths that Python reads to import its own modules."""

NOTHING = Confinement(filters=False, limits=False)
LIMITS = Confinement(filters=False, limits=True, memory=2**30, cpu=100)
FULL = Given(
    filters=True,
    limits=True,
    memory=LIMITS.memory,
    cpu=LIMITS.cpu,
    read=(*PYTHON, "/usr/share/zoneinfo"),
)

Attempt = Callable[[], object]


def filters(*read: str | Path) -> Confinement:
    """Return the filters alone: a fork of the tests may have used up the limits."""
    paths = (*PYTHON, *map(str, read))
    return Given(filters=True, limits=False, read=paths)


def fork() -> int:
    """Fork, whatever threads other tests have left running: the fork has one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def outcomes(
    attempts: Mapping[str, Attempt], before: Attempt = lambda: None
) -> dict[str, str]:
    """Make one attempt after the other in a fork; return how each has ended.

    That is `done`, or the name of the error, or of the signal that has ended the fork;
    it begins with `before`.
    """
    read_fd, write_fd = os.pipe()
    pid = fork()
    if pid == 0:
        try:
            begun = _ending(before)
            for attempt in attempts.values():
                ended = _ending(attempt) if begun == "done" else begun
                os.write(write_fd, f"{ended}\n".encode())
        finally:
            os._exit(0)
    os.close(write_fd)
    with open(read_fd) as heard:
        endings = heard.read().split()
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if code or len(endings) < len(attempts):
        # That one has ended the fork, or has made another program of it.
        endings.append("done" if code == 0 else signal.Signals(-code).name)
    return dict(zip(attempts, endings, strict=False))


def _ending(attempt: Attempt) -> str:
    try:
        attempt()
    except OSError as error:
        if error.errno in errno.errorcode:
            return errno.errorcode[error.errno]
        traceback.print_exc()
    except BaseException:
        traceback.print_exc()
    else:
        return "done"
    return "failed"


def outcome(attempt: Attempt, before: Attempt = lambda: None) -> str:
    """Return the ending of a single attempt."""
    return outcomes({"": attempt}, before)[""]


def confined(attempt: Attempt, confinement: Confinement) -> str:
    """Return the outcome of `attempt` under a confinement."""
    return outcome(attempt, before=lambda: confine(confinement))


_FORKS = """
import json, os, signal, socket, sys, traceback
sys.path += json.loads(sys.argv[1])
import msgspec
from given import Given, confine

requests = socket.socket(fileno=os.dup(0))
while True:
    data, descriptors, _, _ = socket.recv_fds(requests, 1 << 18, 3)
    if not data:
        break
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            requests.close()
            for target, descriptor in enumerate(descriptors):
                os.dup2(descriptor, target)
                os.close(descriptor)
            program, given = msgspec.json.decode(data, type=tuple[str, Given])
            # It only ends a test that has failed.
            signal.alarm(60)
            exec(program, {"__name__": "__main__", "given": given, "confine": confine})
            sys.stdout.flush()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    for descriptor in descriptors:
        os.close(descriptor)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    requests.send(str(code).encode())
"""


@functools.cache
def _forks() -> tuple[socket.socket, object]:
    """Start a Python as contestants have it, to be forked for each program."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    path = msgspec.json.encode([entry for entry in sys.path if entry])
    with its:
        process = subprocess.Popen(
            [sys.executable, "-s", "-S", "-P", "-B", "-c", _FORKS, path],
            stdin=its,
            env={"OPENBLAS_NUM_THREADS": "1"},
            start_new_session=True,
        )
    return ours, process


def begin(program: str, given: Confinement, *descriptors: int) -> Callable[[], int]:
    """Run a program in a process of its own; return what waits for its exit code.

    It knows `given`, which is still to be put on, and has these standard files.
    """
    forks, _ = _forks()
    socket.send_fds(forks, [msgspec.json.encode((program, given))], descriptors)
    return lambda: int(forks.recv(100))


def run(program: str, confinement: Confinement | None = None) -> str:
    """Return the output of a program that confines a process of its own."""
    if confinement is not None:
        program = f"confine(given)\n{program}"
    with tempfile.TemporaryFile("w+") as out, open(os.devnull) as nothing:
        code = begin(
            program, confinement or NOTHING, nothing.fileno(), out.fileno(), 2
        )()
        out.seek(0)
        said = out.read().strip()
    assert code == 0, said
    return said

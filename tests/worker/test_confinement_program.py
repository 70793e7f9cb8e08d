"""What a process is that has confined itself and become a program."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from confined import fork, needs_filters
from msgspec.structs import replace
from programs import compiled, needs_cc

from arena.worker.confinement import confine, die_with_parent
from arena.worker.program import NOT_STARTED, become
from arena.worker.protocol import CONFINED, Confinement

pytestmark = [
    needs_cc,
    pytest.mark.skipif(sys.platform != "linux", reason="its limits are Linux's"),
]

SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache")
MEMORY = 256 * 2**20
PROLOGUE = """
import os, signal, sys, msgspec
from arena.worker.confinement import confine
from arena.worker.program import become
from arena.worker.protocol import Confinement
given = msgspec.json.decode(sys.argv[1], type=Confinement)
signal.signal(signal.SIGUSR1, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
os.set_inheritable(os.open("/", os.O_RDONLY), True)
confine(given)
become(given, os.dup(0), os.dup(1))
"""


@pytest.fixture(scope="module")
def tries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled("tries.c", tmp_path_factory.mktemp("program"))


def given_for(program: Path, *read: str, filters: bool = True) -> Confinement:
    return Confinement(
        filters=filters,
        limits=True,
        memory=MEMORY,
        cpu=100,
        read=(*SYSTEM, str(program), *read),
        command=(str(program), "first"),
        folder=str(program.parent),
    )


def run(given: Confinement, *lines: str) -> subprocess.CompletedProcess[str]:
    """Say lines to a program, one when the one before has been answered."""
    environment = {"HOME": "/nowhere", "PATH": os.defpath, "PYTHONHASHSEED": "0"}
    with subprocess.Popen(
        [sys.executable, "-s", "-B", "-c", PROLOGUE, msgspec.json.encode(given)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        text=True,
    ) as started:
        assert started.stdin
        assert started.stdout
        assert started.stderr
        heard = started.stdout.read(len(CONFINED))
        for line in lines:
            started.stdin.write(f"{line}\n")
            started.stdin.flush()
            heard += started.stdout.readline()
        started.stdin.close()
        heard += started.stdout.read()
        said = started.stderr.read()
    assert heard.startswith(CONFINED.decode())
    heard = heard.removeprefix(CONFINED.decode())
    return subprocess.CompletedProcess([], started.returncode, heard, said)


def answers(given: Confinement, *lines: str) -> list[str]:
    done = run(given, *lines)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@needs_filters
def test_program_starts_with_nothing_of_ours(tries: Path) -> None:
    names, descriptors, changed, folder, who = answers(
        given_for(tries), "environment", "descriptors", "signals", "folder", "who"
    )
    expected = {"HOME", "PATH", "OPENSSL_CONF", "LD_ORIGIN_PATH"}
    # A Python that is told no language may say which it has taken.
    assert expected <= set(names.split()) <= {*expected, "LC_CTYPE"}
    assert descriptors.split() == ["0", "1", "2"]
    assert changed == "done"
    assert folder == str(tries.parent)
    assert who == "first"


@pytest.mark.parametrize("filters", [False, True])
def test_memory_of_a_program_is_what_it_can_write_to(
    tries: Path, filters: bool
) -> None:
    given = given_for(tries, filters=filters)
    (limits, *tried) = answers(given, "limits", "memory 200", "memory 257", "raise")
    space = MEMORY + 4 * 2**30
    assert limits.split() == [
        *map(str, (MEMORY, 8 * 2**20, space, 4 * 2**20)),
        "0",
    ]
    assert tried == ["done", "ENOMEM", "EPERM"]


@needs_filters
def test_memory_that_is_not_counted_can_not_be_had(tries: Path) -> None:
    """What is made unwritable is counted no longer: it has another limit."""
    kinds = ["shared 1", "growing 1", "frozen 1024", "frozen 8192"]
    given = given_for(tries)
    assert answers(given, *kinds) == ["EPERM", "EPERM", "done", "ENOMEM"]


@needs_filters
def test_what_programs_need_they_have(tries: Path) -> None:
    needed = ["thread", "wait", f"read {tries}", "read /dev/urandom"]
    needed += ["read /dev/random", "read /dev/zero", "write /dev/null"]
    assert answers(given_for(tries), *needed) == ["done"] * len(needed)


@needs_filters
def test_nothing_is_gained_by_becoming_another_program(tries: Path) -> None:
    attempts = ["read /etc/passwd", "fork", "socket", "raise", "memory 257", "limits"]
    attempts += [f"signal {os.getpid()}", f"write {tries}", "environment"]
    heard = answers(given_for(tries), *attempts, f"exec {tries}", *attempts)
    first, (again, *second) = heard[: len(attempts)], heard[len(attempts) :]
    assert again == "again"
    assert second == first
    assert "done" not in first


@needs_filters
def test_program_becomes_no_other_than_it_may_read(tries: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_bytes(tries.read_bytes())
    other.chmod(0o755)
    assert answers(given_for(tries), f"exec {other}") == ["EACCES"]
    assert answers(given_for(tries, str(other)), f"exec {other}") == ["again"]


@needs_filters
@pytest.mark.parametrize(
    ("name", "text", "mode", "problem"),
    [
        ("missing", None, 0, "No such file or directory"),
        ("no_program", b"\x7fnothing", 0o755, "Exec format error"),
        ("closed", b"\x7fELF", 0o644, "Permission denied"),
        ("script", b"#!/usr/bin/env python3\n", 0o755, "Permission denied"),
    ],
)
def test_what_is_no_program_is_said_so(
    name: str, text: bytes | None, mode: int, problem: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    if text is not None:
        path.write_bytes(text)
        path.chmod(mode)
    done = run(given_for(path))
    assert (done.returncode, done.stdout) == (NOT_STARTED, "")
    assert done.stderr == f"{path} can't be started: {problem}\n"


@needs_filters
def test_program_that_prints_too_much_is_ended(tries: Path, tmp_path: Path) -> None:
    with (tmp_path / "output").open("w+b") as output:
        given = given_for(tries)
        # As the referee's, it is open already.
        prologue = f"import os; os.dup2({output.fileno()}, 2)\n{PROLOGUE}"
        done = subprocess.run(
            [sys.executable, "-s", "-B", "-c", prologue, msgspec.json.encode(given)],
            input=b"print 10000000\n",
            stdout=subprocess.PIPE,
            pass_fds=[output.fileno()],
            check=False,
        )
        assert done.returncode == -signal.SIGXFSZ
        assert os.fstat(output.fileno()).st_size == 4 * 2**20


@needs_filters
@pytest.mark.parametrize("kind", ["nothing", "limits", "filters"])
def test_program_dies_with_who_started_it(tries: Path, kind: str) -> None:
    given = given_for(tries)
    if kind != "filters":
        given = replace(given, filters=False, limits=kind == "limits")
    (their_in, say), (hear, their_out), (held, holder) = (os.pipe() for _ in range(3))
    middle = fork()
    if middle == 0:
        os.close(holder)
        if fork() == 0:
            signal.alarm(30)
            die_with_parent()
            confine(given)
            become(given, their_in, their_out)
        os.close(their_out)
        os.read(held, 1)
        os._exit(0)
    os.close(their_out)
    os.write(say, b"who\n")
    heard = b""
    while not heard.endswith(b"\n"):
        heard += os.read(hear, 100)
    assert heard == CONFINED + b"first\n"
    os.close(holder)
    assert os.waitpid(middle, 0)[1] == 0
    # It could still read; the alarm only ends a test that has failed.
    assert select.select([hear], [], [], 20)[0]
    assert os.read(hear, 1) == b""
    for descriptor in (their_in, say, hear, held):
        os.close(descriptor)

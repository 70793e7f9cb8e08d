"""A process that has confined itself and become a program."""

import os
import select
import signal
import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest
from confined import begin, fork, needs_filters, on_linux
from given import Given, confine
from msgspec.structs import replace
from programs import compiled, needs_cc

from arena.worker.confinement import die_with_parent
from arena.worker.program import NOT_STARTED, become_program
from arena.worker.protocol import CONFINED, Confinement

pytestmark = [needs_cc, on_linux]

SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache")
MEMORY_BYTES = 256 * 2**20
BECOME = """
import os, signal
from arena.worker.program import become_program
os.environ.clear()
os.environ.update(HOME="/nowhere", PATH=os.defpath, PYTHONHASHSEED="0", PWD="/")
signal.signal(signal.SIGUSR1, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
os.set_inheritable(os.open("/", os.O_RDONLY), True)
confine(given)
become_program(given, os.dup(0), os.dup(1))
"""


@pytest.fixture(scope="module")
def tries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled("tries.c", tmp_path_factory.mktemp("program"))


def given_for(program: Path, *read: str, filters: bool = True) -> Confinement:
    return Given(
        filters=filters,
        limits=True,
        memory=MEMORY_BYTES,
        cpu=100,
        read=(*SYSTEM, str(program), *read),
        command=(str(program), "first"),
        folder=str(program.parent),
    )


class Done(NamedTuple):
    """How a program has ended, and what it has said."""

    code: int
    out: str
    err: str


def run(given: Confinement, *lines: str) -> Done:
    """Say lines to a program, one when the one before has been answered."""
    (their_in, ours_out), (ours_in, their_out) = os.pipe(), os.pipe()
    with tempfile.TemporaryFile("w+") as err:
        end = begin(BECOME, given, their_in, their_out, err.fileno())
        os.close(their_in)
        os.close(their_out)
        with open(ours_in) as hear, open(ours_out, "w", buffering=1) as say:
            heard = hear.read(len(CONFINED))
            for line in lines:
                print(line, file=say)
                heard += hear.readline()
            say.close()
            heard += hear.read()
        code = end()
        err.seek(0)
        said = err.read()
    assert heard.startswith(CONFINED.decode())
    return Done(code, heard.removeprefix(CONFINED.decode()), said)


def answers(given: Confinement, *lines: str) -> list[str]:
    done = run(given, *lines)
    assert (done.code, done.err) == (0, "")
    return done.out.splitlines()


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
    space = MEMORY_BYTES + 4 * 2**30
    assert limits.split() == [
        *map(str, (MEMORY_BYTES, 8 * 2**20, space, 4 * 2**20)),
        "0",
    ]
    assert tried == ["done", "ENOMEM", "EPERM"]


@needs_filters
def test_memory_that_is_not_counted_can_not_be_had(tries: Path) -> None:
    """Memory that is made read-only counts no longer: it has another limit."""
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
    assert done == (NOT_STARTED, "", f"{path} can't be started: {problem}\n")


@needs_filters
def test_program_that_prints_too_much_is_ended(tries: Path) -> None:
    done = run(given_for(tries), "print 10000000")
    assert done == (-signal.SIGXFSZ, "", "x" * 4 * 2**20)


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
            become_program(given, their_in, their_out)
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

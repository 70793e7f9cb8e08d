"""A confined process tries all that it must not do, each by the shortest way.

Attempts that are harmless and open to everybody are made without confinement too,
to see that they are attempts.  Signals are all number 0, which only asks whether
one could be sent.
"""

import ctypes
import mmap
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest
from attempts import ATTEMPTS, FREE, World, raw
from confined import confined, filters, fork, needs_filters, outcome, outcomes
from given import confine
from msgspec.structs import replace

from arena.worker import confinement
from arena.worker.confinement import kernel, landlock, seccomp

pytestmark = needs_filters


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with ExitStack() as stack:
        yield World(tmp_path, stack)


def made(name: str, world: World) -> Callable[[], object]:
    return lambda: ATTEMPTS[name](world)


REFUSED = {"EPERM", "EACCES", "ENOSYS"}
OTHERWISE = {
    "ask a device": {"ENOTTY"},
    "terminal": {"ENOTTY"},
    "terminal settings": {"ENOTTY"},
    "wake through a file": {"EAGAIN"},
    "push a file out of memory": {"EINVAL"},
    "keep a file less in memory": {"EINVAL"},
    "merge memory with others'": {"EINVAL"},
}


def check_refused(
    names: Iterable[str], world: World, before: Callable[[], None]
) -> None:
    """Make all attempts in one process: what is refused changes nothing for others."""
    ended = outcomes({name: made(name, world) for name in names}, before)
    assert {
        name: ended.get(name)
        for name in names
        if ended.get(name) not in OTHERWISE.get(name, REFUSED)
    } == {}


def test_everything_is_refused(world: World) -> None:
    given = filters(world.folder)
    check_refused(ATTEMPTS, world, lambda: confine(given))


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", FREE)
def test_attempt_is_one(name: str, world: World) -> None:
    assert outcome(made(name, world)) == "done"


@pytest.mark.parametrize("call", ["kill", "tgkill"])
@pytest.mark.parametrize("name", ["KILL", "STOP", "TSTP", "TTIN", "TTOU"])
def test_no_process_kills_or_stops_itself(call: str, name: str) -> None:
    """That would be taken for the deed of the system, or for waiting."""
    number = signal.Signals[f"SIG{name}"]
    pid = fork()
    if pid == 0:
        itself = os.getpid()
        try:
            confine(filters())
            if call == "kill":
                os.kill(itself, number)
            else:
                raw("tgkill", itself, itself, number)
        except PermissionError:
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(pid, os.WUNTRACED)
    if os.WIFSTOPPED(status):
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    assert status == 0


def test_a_second_way_to_number_calls_kills() -> None:
    if os.uname().machine != "x86_64":
        pytest.skip("other machines have one way")
    getpid = 0x40000000 + 39
    assert confined(lambda: kernel.call(getpid), filters()) == "SIGSYS"


def test_calls_of_another_machine_kill() -> None:
    """A 64-bit process can make 32-bit calls, whose numbers mean something else."""
    if os.uname().machine != "x86_64":
        pytest.skip("other machines have one way")

    def attempt() -> None:
        # mov eax, 20 (getpid); int 0x80; ret
        code = b"\xb8\x14\x00\x00\x00\xcd\x80\xc3"
        protection = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
        memory = mmap.mmap(-1, len(code), prot=protection)
        memory.write(code)
        place = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        ctypes.CFUNCTYPE(ctypes.c_int)(place)()

    # A kernel without 32-bit calls takes it for a wrong instruction.
    assert confined(attempt, filters()) in {"SIGSYS", "SIGSEGV"}


ABI = landlock.landlock_abi()
# Attempts that Landlock refuses by itself, and since which ABI.
SINCE = {
    "read another file": 1,
    "write": 1,
    "unlink": 1,
    "mkfifo": 1,
    "truncate": 3,
    "truncate by reading": 3,
    "bind": 4,
    "connect": 4,
    "ask a device": 5,
    "kill the parent": 6,
    "send to another": 6,
}
GAPS = (
    "truncate by neither",
    "truncate by an old call",
    "tgkill the parent",
    "terminal",
)


def restrict(world: World, abi: int) -> None:
    kernel.forbid_new_privileges()
    ruleset = landlock.open_ruleset([str(world.folder)], abi)
    landlock.restrict_files(ruleset, abi)


@pytest.mark.parametrize("abi", range(1, ABI + 1))
def test_landlock_refuses_what_its_abi_knows(abi: int, world: World) -> None:
    attempts = {name: made(name, world) for name in SINCE}
    ended = outcomes(attempts, partial(restrict, world, abi))
    done = {name for name, how in ended.items() if how == "done"}
    assert set(ended) == set(SINCE)
    assert done == {name for name, since in SINCE.items() if since > abi}


def test_oldest_landlock_leaves_no_gap(world: World) -> None:
    """The filter denies what an old Landlock lacks."""

    def before() -> None:
        restrict(world, abi=1)
        seccomp.install_filter(seccomp.build_filter(os.uname().machine, os.getpid()))

    check_refused([*SINCE, *GAPS], world, before)


def test_landlock_lets_only_programs_become_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Though for bots the filter does not get so far."""
    monkeypatch.setattr(confinement, "install_filter", lambda code: None)
    given = filters("/bin", "/usr/bin")
    for command, ended in [((), "EACCES"), (("/bin/true",), "done")]:
        as_asked = replace(given, command=command)
        assert confined(lambda: os.execv("/bin/true", ["true"]), as_asked) == ended

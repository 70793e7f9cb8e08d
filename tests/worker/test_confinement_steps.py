"""The steps of a confinement: each is taken, and none can be left out."""

import ctypes
import os
import select
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from confined import (
    LIMITS,
    NOTHING,
    confined,
    filters,
    fork,
    needs_filters,
    on_linux,
    outcome,
)
from given import confine

import arena.worker.confinement as confinement
from arena.worker.confinement import (
    ConfinementError,
    die_with_parent,
    kernel,
    make_undumpable,
)
from arena.worker.protocol import Confinement


def status(confinement: Confinement) -> dict[str, str]:
    """Return the kernel's report on a process that has confined itself."""
    read_fd, write_fd = os.pipe()

    def attempt() -> None:
        # It could not be opened any more, but is written when it is read.
        with open("/proc/self/status", "rb", buffering=0) as file:
            confine(confinement)
            os.write(write_fd, file.read())

    assert outcome(attempt) == "done"
    text = os.read(read_fd, 1 << 16).decode()
    os.close(read_fd)
    os.close(write_fd)
    return dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)


@needs_filters
@pytest.mark.parametrize("given", [LIMITS, filters()], ids=["limits", "filters"])
def test_gotcha_1_root_keeps_no_capability(given: Confinement) -> None:
    said = status(given)
    kept = {name: said[f"Cap{name}"] for name in ("Prm", "Eff", "Inh", "Amb")}
    assert {int(value, 16) for value in kept.values()} == {0}
    if os.geteuid() == 0:
        assert int(said["CapBnd"], 16) == 0


@needs_filters
def test_only_the_filters_filter() -> None:
    expected = [(NOTHING, "1", "0"), (LIMITS, "1", "0"), (filters(), "1", "2")]
    for given, privileges, seccomp in expected:
        said = status(given)
        assert (said["NoNewPrivs"], said["Seccomp"]) == (privileges, seccomp)


@needs_filters
def test_landlock_is_left_out_where_it_is_not_wanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The kernel need not have it then."""
    monkeypatch.setattr(confinement, "landlock_abi", lambda: 0)
    given = Confinement(filters=True, limits=False, landlock=False)
    assert confined(lambda: os.listdir("/"), given) == "done"
    assert confined(lambda: os.mkdir("/tmp/new"), given) == "EPERM"
    assert confined(os.fork, given) == "EPERM"


@on_linux
@pytest.mark.parametrize("given", [NOTHING, LIMITS], ids=["nothing", "limits"])
def test_it_is_never_dumpable(given: Confinement) -> None:
    def attempt() -> None:
        libc = ctypes.CDLL(None)
        assert libc.prctl(3, 0, 0, 0, 0) == 1
        confine(given)
        assert libc.prctl(3, 0, 0, 0, 0) == 0

    assert outcome(attempt) == "done"


@needs_filters
@pytest.mark.parametrize("guarded", [False, True])
def test_undumpable_keeps_siblings_out(guarded: bool) -> None:
    """Memory and descriptors are closed to others as the environment is."""
    (ready, tell), (held, holder) = os.pipe(), os.pipe()
    pid = fork()
    if pid == 0:
        os.close(holder)
        kernel.drop_capabilities()
        if guarded:
            make_undumpable()
        os.write(tell, b"!")
        os.read(held, 1)
        os._exit(0)
    os.read(ready, 1)
    environment = Path(f"/proc/{pid}/environ")
    ended = outcome(environment.read_bytes, before=kernel.drop_capabilities)
    for descriptor in (ready, tell, held, holder):
        os.close(descriptor)
    os.waitpid(pid, 0)
    assert ended == ("EACCES" if guarded else "done")


def start_and_wait(before: Callable[[], object]) -> int:
    """Start a process that dies with this one, and waits; return it once it does."""
    ready, tell = os.pipe()
    pid = fork()
    if pid == 0:
        # It only ends a test that has failed.
        signal.alarm(30)
        die_with_parent()
        before()
        os.write(tell, b"!")
        select.poll().poll()
    os.read(ready, 1)
    os.close(ready)
    os.close(tell)
    return pid


@needs_filters
@pytest.mark.parametrize("given", [NOTHING, LIMITS, filters()])
def test_it_dies_with_its_parent(given: Confinement) -> None:
    """Confining takes away nothing of it; it is said before."""
    held, holder = os.pipe()
    middle = fork()
    if middle == 0:
        os.close(held)
        start_and_wait(lambda: confine(given))
        os._exit(0)
    os.close(holder)
    assert os.waitpid(middle, 0)[1] == 0
    # The end of the file is the end of the last process that could write to it.
    assert select.select([held], [], [], 20)[0]
    assert os.read(held, 1) == b""
    os.close(held)


@needs_filters
def test_gotcha_5_parent_is_the_thread() -> None:
    """So whoever starts a contestant does so from a thread that stays."""
    started: list[int] = []
    thread = threading.Thread(
        target=lambda: started.append(start_and_wait(lambda: None))
    )
    thread.start()
    thread.join()
    assert os.waitpid(started[0], 0)[1] == signal.SIGKILL


def refuse(number: int, text: str) -> Callable[..., None]:
    def refused(*_: object, **__: object) -> None:
        raise OSError(number, text)

    return refused


NAMES = os.uname()
CAUSES: dict[str, tuple[ModuleType, str, object, str]] = {
    "no Landlock": (confinement, "landlock_abi", lambda: 0, "Landlock .*found none"),
    "threads": (confinement, "has_one_thread", lambda: False, "a single thread, found"),
    "system": (sys, "platform", "darwin", "expected Linux, found darwin"),
    "bits": (sys, "maxsize", 2**31 - 1, "a 64-bit Python on x86_64 or aarch64, found"),
    "machine": (
        os,
        "uname",
        lambda: os.uname_result((*NAMES[:4], "riscv64")),
        "aarch64, found riscv64",
    ),
    "ruleset": (
        confinement,
        "restrict_files",
        refuse(22, "Invalid"),
        r"the system refused a step \(.*Invalid\)",
    ),
    "privileges": (kernel, "_prctl", refuse(1, "Not permitted"), "Not permitted"),
}


@needs_filters
@pytest.mark.parametrize("cause", CAUSES)
def test_filters_are_had_whole_or_not_at_all(
    cause: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, name, value, problem = CAUSES[cause]

    def attempt() -> None:
        monkeypatch.setattr(module, name, value)
        with pytest.raises(ConfinementError, match=problem) as caught:
            confine(filters())
        assert str(caught.value).count("\n") == 0

    assert outcome(attempt) == "done"


@needs_filters
def test_second_thread_is_noticed() -> None:
    """Landlock would bind the thread that asks for it and no other."""

    def attempt() -> None:
        threading.Thread(target=threading.Event().wait).start()
        with pytest.raises(ConfinementError, match="expected a single thread"):
            confine(filters())

    assert outcome(attempt) == "done"

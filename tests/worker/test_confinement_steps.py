"""The steps of a confinement: each is taken, and none can be left out."""

import ctypes
import os
import select
import signal
import sys
import threading
from pathlib import Path
from types import ModuleType

import pytest
from confined import LIMITS, confined, filters, fork, needs_filters, outcome

import arena.worker.confinement as confinement
from arena.worker.confinement import (
    ConfinementError,
    confine,
    die_with_parent,
    kernel,
    make_undumpable,
)
from arena.worker.protocol import Confinement

ARENA = Path(__file__).parents[2]

NOTHING = Confinement(filters=False, limits=False)


def status(confinement: Confinement) -> dict[str, str]:
    """Return what the kernel says about a process that has confined itself."""
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
    expected = [(NOTHING, "0", "0"), (LIMITS, "0", "0"), (filters(), "1", "2")]
    for given, privileges, seccomp in expected:
        said = status(given)
        assert (said["NoNewPrivs"], said["Seccomp"]) == (privileges, seccomp)


@needs_filters
def test_landlock_is_left_out_where_it_is_not_wanted() -> None:
    given = Confinement(filters=True, limits=False, landlock=False)
    assert confined(lambda: os.listdir("/"), given) == "done"
    assert confined(lambda: os.mkdir("/tmp/new"), given) == "EPERM"
    assert confined(os.fork, given) == "EPERM"


@pytest.mark.skipif(sys.platform != "linux", reason="Linux knows it")
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
    """What holds for the environment holds for memory and descriptors."""
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


@needs_filters
@pytest.mark.parametrize("given", [NOTHING, LIMITS, filters()])
def test_it_dies_with_its_parent(given: Confinement) -> None:
    """Confining takes away nothing of it; it is said before."""
    held, holder = os.pipe()
    middle = fork()
    if middle == 0:
        os.close(held)
        ready, tell = os.pipe()
        if fork() == 0:
            signal.alarm(30)
            die_with_parent()
            confine(given)
            os.write(tell, b"!")
            select.poll().poll()
        os.read(ready, 1)
        os._exit(0)
    os.close(holder)
    assert os.waitpid(middle, 0)[1] == 0
    # The end of the file is the end of the last process that could write to it; the
    # alarm only ends a test that has failed.
    assert select.select([held], [], [], 20)[0]
    assert os.read(held, 1) == b""
    os.close(held)


@needs_filters
def test_gotcha_5_parent_is_the_thread() -> None:
    """So whoever starts a contestant does so from a thread that stays."""
    held, holder = os.pipe()
    started = []

    def start() -> None:
        ready, tell = os.pipe()
        pid = fork()
        if pid == 0:
            signal.alarm(30)
            die_with_parent()
            os.write(tell, b"!")
            select.poll().poll()
        started.append(pid)
        os.read(ready, 1)
        os.close(ready)
        os.close(tell)

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    os.close(holder)
    assert os.waitpid(started[0], 0)[1] == signal.SIGKILL
    assert os.read(held, 1) == b""
    os.close(held)


@pytest.mark.parametrize(
    ("module", "name", "value", "problem"),
    [
        (
            confinement,
            "landlock_abi",
            0,
            "expected a kernel with Landlock .*found none",
        ),
        (confinement, "has_one_thread", False, "expected a single thread, found more"),
        (sys, "platform", "darwin", "expected Linux, found darwin"),
        (sys, "maxsize", 2**31 - 1, "expected a 64-bit Python on x86_64 or aarch64"),
        (
            confinement,
            "restrict_files",
            OSError(22, "Invalid"),
            r"a step \(.*Invalid\)",
        ),
        (kernel, "_prctl", OSError(1, "Not permitted"), r"a step \(.*Not permitted\)"),
    ],
    ids=["no Landlock", "threads", "system", "bits", "ruleset", "privileges"],
)
@needs_filters
def test_filters_are_had_whole_or_not_at_all(
    module: ModuleType,
    name: str,
    value: object,
    problem: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object, **__: object) -> None:
        assert isinstance(value, OSError)
        raise value

    def attempt() -> None:
        answer = refuse if isinstance(value, OSError) else lambda: value
        plain = isinstance(value, str | int) and module is sys
        monkeypatch.setattr(module, name, value if plain else answer)
        with pytest.raises(ConfinementError, match=problem) as caught:
            confine(filters())
        assert str(caught.value).count("\n") == 0

    assert outcome(attempt) == "done"


@needs_filters
def test_unknown_machine_has_no_filters(monkeypatch: pytest.MonkeyPatch) -> None:
    other = os.uname_result((*os.uname()[:4], "riscv64"))

    def attempt() -> None:
        monkeypatch.setattr(os, "uname", lambda: other)
        with pytest.raises(ConfinementError, match=r"aarch64, found riscv64"):
            confine(filters())

    assert outcome(attempt) == "done"


@needs_filters
def test_second_thread_is_noticed() -> None:
    """Landlock would bind the thread that asks for it and no other."""

    def attempt() -> None:
        threading.Thread(target=threading.Event().wait).start()
        with pytest.raises(ConfinementError, match="expected a single thread"):
            confine(filters())

    assert outcome(attempt) == "done"

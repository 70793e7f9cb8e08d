"""Limits on the resources of a confined process."""

import resource
import sys

import pytest
from confined import FULL, LIMITS, needs_filters, outcome, run
from given import confine
from msgspec.structs import replace

from arena.worker.confinement import ConfinementError

LIMITED = {
    "bytearray(2**30)": "MemoryError None",
    "[os.pipe() for _ in range(40)]": "OSError 24",
    "resource.setrlimit(resource.RLIMIT_NOFILE, (64, 65))": "ValueError None",
    "resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**31))": "ValueError None",
    "os.ftruncate(1, 2**22 + 1)": "OSError 27",
}


@pytest.mark.parametrize("attempt", LIMITED)
def test_resources_are_limited(attempt: str) -> None:
    program = (
        "import os, resource\n"
        f"try: {attempt}\n"
        "except (OSError, ValueError, MemoryError) as error:\n"
        "    print(type(error).__name__, getattr(error, 'errno', None))"
    )
    assert run(program, LIMITS) == LIMITED[attempt]


def test_limits_are_set_as_asked() -> None:
    program = (
        "import resource\n"
        "for name in 'CORE FSIZE NOFILE AS CPU'.split():\n"
        "    print(*resource.getrlimit(getattr(resource, 'RLIMIT_' + name)))"
    )
    printed = run(program, LIMITS).splitlines()
    sizes = ["0 0", f"{2**22} {2**22}", "64 64", f"{2**30} {2**30}", "100 101"]
    assert printed == sizes
    for given, last in [
        (replace(LIMITS, memory=0, cpu=0), "-1 -1"),
        (replace(LIMITS, cpu=0), f"{2**30} {2**30}"),
    ]:
        assert run(program.replace("AS CPU", "AS"), given).endswith(f"\n{last}")


@pytest.mark.skipif(sys.platform != "linux", reason="Linux knows these")
@pytest.mark.parametrize("tasks", [None, 0, 20])
def test_processes_are_limited_as_asked(tasks: int | None) -> None:
    """With the filters the limit would only take threads, as it counts them too."""
    before = resource.getrlimit(resource.RLIMIT_NPROC)[0]
    program = (
        "import resource\n"
        "for name in 'NPROC MSGQUEUE SIGPENDING MEMLOCK'.split():\n"
        "    print(*resource.getrlimit(getattr(resource, 'RLIMIT_' + name))[:1])"
    )
    printed = run(program, replace(LIMITS, tasks=tasks)).split()
    limit = before if tasks is None else tasks
    assert printed == [str(limit), "0", "0", "65536"]


def test_stricter_limits_stay() -> None:
    def stricter() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (40, 50))

    def attempt() -> None:
        confine(LIMITS)
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (50, 50)

    assert outcome(attempt, stricter) == "done"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere limits may not exist")
def test_limit_that_cannot_be_set_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise ValueError("not allowed")

    def attempt() -> None:
        monkeypatch.setattr(resource, "setrlimit", refuse)
        with pytest.raises(ConfinementError, match=r"RLIMIT_CORE: not allowed"):
            confine(LIMITS)

    assert outcome(attempt) == "done"


@needs_filters
def test_thread_bomb_stops_at_the_memory() -> None:
    """No figure is promised: as many as fit, and the process lives on."""
    program = (
        "import threading\n"
        "stop, count = threading.Event(), 0\n"
        "try:\n"
        "    while count < 5000:\n"
        "        threading.Thread(target=stop.wait).start(); count += 1\n"
        "except (RuntimeError, MemoryError): pass\n"
        "stop.set()\n"
        "print(0 < count < 5000)"
    )
    assert run(program, FULL) == "True"

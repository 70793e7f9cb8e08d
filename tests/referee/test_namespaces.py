"""Contestants in namespaces of their own: what each sees, and what it can have."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
from ordinary_user import ROOT, can_be_ordinary_user, run_as_ordinary_user
from play_units import (
    GENEROUS,
    bot,
    close_shared_sandboxes,
    nothing_left,
    play,
    shared_sandbox,
    unit_of,
)
from sandboxes import sandbox_of, why_not

from arena.records.game_record import Termination
from arena.referee.sandbox import Process, bubblewrap
from arena.referee.sandbox.level import MAX_THREADS

pytestmark = pytest.mark.exhaustive
POOLED = bot("hoards_threads.py", "Pooled")


@pytest.fixture(autouse=True)
def namespaces() -> None:
    if reason := why_not("namespaces"):
        pytest.skip(reason)


@pytest.fixture
def without_capability(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have bubblewrap give the zygote no power over namespaces, as AppArmor may."""
    close_shared_sandboxes()
    command = bubblewrap.command

    def weaker(*arguments: list[str]) -> list[str]:
        words = command(*arguments)
        at = words.index("--cap-add")
        return words[:at] + words[at + 2 :]

    monkeypatch.setattr(bubblewrap, "command", weaker)
    yield
    close_shared_sandboxes()


def status(process: Process) -> dict[str, str]:
    """Return what the kernel says of a process, by name."""
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return {name: rest.strip() for name, _, rest in (x.partition(":") for x in lines)}


def limit_on_threads(process: Process) -> int | None:
    lines = Path(f"/proc/{process.pid}/limits").read_text().splitlines()
    (line,) = (line for line in lines if line.startswith("Max processes"))
    number = line.split()[2]
    return int(number) if number.isdigit() else None


def test_no_number_of_a_process_tells_of_another() -> None:
    async def run() -> None:
        with trio.fail_after(60):
            for process in [await sandbox.spawn() for _ in range(2)]:
                assert status(process)["NSpid"].split()[2:] == ["2"]
                process.close()

    with shared_sandbox("namespaces") as sandbox, nothing_left():
        assert "in common" not in sandbox.parts()
        trio.run(run)


def test_threads_of_one_are_no_others_business() -> None:
    """An honest pool of threads works, whatever an opponent has left running.

    The kernel does not count root's threads, but the referee does.
    """
    hoarder = bot("hoards_threads.py", "Hoarder", gives_up=False)
    (record,) = play(unit_of(hoarder, POOLED, games=1, limits=GENEROUS))
    is_root = os.geteuid() == 0
    assert record.termination == (Termination.MEMORY if is_root else "natural")
    assert record.forfeits == (is_root, False)


def test_who_wants_more_threads_than_there_are_is_to_blame() -> None:
    hoarder = bot("hoards_threads.py", "Hoarder", gives_up=True)
    (record,) = play(unit_of(hoarder, POOLED, games=1, limits=GENEROUS))
    assert record.forfeits == (True, False)
    message = record.faults[0].message
    assert "can't start new thread" in message or "more than 128 threads" in message


@pytest.mark.usefixtures("without_capability")
def test_level_without_them_says_so_and_limits_nobody_together() -> None:
    async def run() -> None:
        with trio.fail_after(60):
            process = await sandbox.spawn()
            assert len(status(process)["NSpid"].split()) == 2
            assert limit_on_threads(process) != MAX_THREADS
            process.close()

    with nothing_left(), sandbox_of("namespaces") as sandbox:
        trio.run(run)
        assert sandbox.parts().endswith(", process ids in common")


@pytest.mark.skipif(
    os.geteuid() != 0 or bool(can_be_ordinary_user()),
    reason="only root can become another user",
)
def test_it_is_the_same_for_an_ordinary_user() -> None:
    arguments = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", __file__]
    arguments += ["-k", "not ordinary", "-m", "exhaustive", "--rootdir", str(ROOT)]
    done = run_as_ordinary_user(arguments, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "skipped" not in done.stdout

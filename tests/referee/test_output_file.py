"""The file that a contestant prints to: what it does to it is nobody's but its own."""

import fcntl
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import cast

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.referee.sandbox.process import ColdProcess, Pipes

END_OF_THE_WORLD = 2**63 - 1
MOST = 2**16


class Unkillable:
    """Stands in for a process that has become another user's, and does not end."""

    pid = 2**22 + 1
    """Larger than any process id."""

    def send_signal(self, number: int) -> None:
        raise PermissionError

    def wait(self, timeout: float) -> None:
        raise subprocess.TimeoutExpired("unkillable", timeout)


@contextmanager
def opened() -> Iterator[tuple[ColdProcess, int]]:
    """Open pipes and a file; yield the referee's side, and the contestant's output."""
    pipes = Pipes.open()
    process = ColdProcess(cast(subprocess.Popen[bytes], Unkillable()), pipes)
    try:
        yield process, pipes.child_output
    finally:
        pipes.close_childs()
        pipes.close()


def test_last_lines_are_kept_whatever_position_and_flags_the_other_has() -> None:
    with opened() as (process, output):
        os.write(output, b"a" * MOST + b"b" * 4096)
        fcntl.fcntl(output, fcntl.F_SETFL, 0)
        os.lseek(output, END_OF_THE_WORLD, os.SEEK_SET)
        process.shorten_output(MOST)
        assert process.printed() == "b" * 4096
        assert process.printed_size() == 4096


def test_what_is_printed_next_comes_behind_what_was_kept() -> None:
    with opened() as (process, output):
        os.write(output, b"a" * (MOST + 1))
        process.shorten_output(MOST)
        os.write(output, b"brains!")
        assert process.printed_size() == 4096 + 7
        assert process.printed().endswith("aaabrains!")


def test_little_output_is_left_alone() -> None:
    with opened() as (process, output):
        os.write(output, b"a" * MOST)
        process.shorten_output(MOST)
        assert process.printed_size() == MOST


STATES = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.integers(0, 2 * MOST)),
        st.tuples(st.just("seek"), st.integers(0, END_OF_THE_WORLD)),
        st.tuples(st.just("cut"), st.integers(0, END_OF_THE_WORLD)),
        st.tuples(st.just("flags"), st.sampled_from([0, os.O_APPEND, os.O_NONBLOCK])),
        st.tuples(st.just("shorten"), st.just(MOST)),
    ),
    max_size=8,
)


@example([("cut", END_OF_THE_WORLD)])
@example([("flags", 0), ("seek", 2**40), ("write", 9), ("shorten", MOST)])
@given(STATES)
@settings(max_examples=50)
def test_no_state_of_the_file_raises(deeds: list[tuple[str, int]]) -> None:
    with opened() as (process, output):
        for deed, number in deeds:
            with suppress(OSError):
                do(process, output, deed, number)
            assert len(process.printed()) <= 4096
        process.shorten_output(MOST)
        assert process.printed_size() <= MOST


def do(process: ColdProcess, output: int, deed: str, number: int) -> None:
    """Do something as the contestant, but for `shorten`."""
    if deed == "write":
        os.write(output, b"x" * number)
    elif deed == "seek":
        os.lseek(output, number, os.SEEK_SET)
    elif deed == "cut":
        os.ftruncate(output, number)
    elif deed == "flags":
        fcntl.fcntl(output, fcntl.F_SETFL, number)
    else:
        try:
            process.shorten_output(number)
        except OSError as error:
            raise AssertionError("the referee failed") from error


@pytest.mark.skipif(not hasattr(fcntl, "F_ADD_SEALS"), reason="needs Linux")
def test_sealed_file_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system can be set up so that contestants may seal it."""
    create = os.memfd_create
    flags = os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING
    monkeypatch.setattr(os, "memfd_create", lambda name: create(name, flags))
    seals = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW
    with opened() as (process, output):
        os.write(output, b"a" * (MOST + 1))
        fcntl.fcntl(output, fcntl.F_ADD_SEALS, seals)
        process.shorten_output(MOST)
        assert process.printed() == "a" * 4096


def without_memory_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "memfd_create")


def without_proc(monkeypatch: pytest.MonkeyPatch) -> None:
    exists = os.path.exists
    monkeypatch.setattr(
        os.path, "exists", lambda path: path != "/proc/self/fd" and exists(path)
    )


@pytest.mark.parametrize("poorer", [without_memory_files, without_proc])
def test_poorer_systems_have_a_file_for_each_too(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    poorer: Callable[[pytest.MonkeyPatch], None],
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    poorer(monkeypatch)
    with opened() as (process, output):
        assert list(tmp_path.iterdir()) == []
        os.write(output, b"a" * (MOST + 1))
        os.lseek(output, 2**40, os.SEEK_SET)
        process.shorten_output(MOST)
        assert process.printed() == "a" * 4096


def test_who_can_not_be_killed_does_not_stop_the_league() -> None:
    with opened() as (process, _):
        process.kill()
        process._bury()

"""Sleep is told from waiting for a processor, by readings that a test makes up."""

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.referee.contestant.sleep_meter import (
    Reading,
    SleepMeter,
    ThreadTimes,
    count_threads,
    read_threads,
)

LOOK = 0.02


class Span(NamedTuple):
    """A part of a thread's life: `run`, `wait` or `sleep`."""

    what: str
    seconds: float


class Thread:
    """A thread as the kernel counts it: waits once they are over."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._spans = spans

    def times(self, wall: float) -> ThreadTimes:
        runnable = begun = 0.0
        for what, seconds in self._spans:
            end = begun + seconds
            if wall < end:
                if what == "run":
                    runnable += wall - begun
                return ThreadTimes("S" if what == "sleep" else "R", runnable)
            runnable += seconds if what != "sleep" else 0.0
            begun = end
        return ThreadTimes("S", runnable)

    def of(self, what: str, start: float, end: float) -> float:
        """Return its seconds of one kind between two moments."""
        begun = found = 0.0
        for kind, seconds in self._spans:
            if kind == what:
                found += max(0.0, min(end, begun + seconds) - max(start, begun))
            begun += seconds
        return found


def metered(threads: Sequence[Thread], moments: Sequence[float]) -> SleepMeter:
    """Return a meter that has read some threads at some moments."""
    meter = SleepMeter()
    for moment in moments:
        cpu = sum(thread.of("run", 0.0, moment) for thread in threads)
        times = {n: thread.times(moment) for n, thread in enumerate(threads)}
        meter.note(reading(moment, cpu, times))
    return meter


def reading(
    moment: float, cpu: float, threads: dict[int, ThreadTimes] | None
) -> Reading:
    """Return what is read at once."""
    return Reading(moment, moment, cpu, threads)


def every_look(end: float) -> list[float]:
    return [LOOK * n for n in range(int(end / LOOK) + 1)]


@pytest.mark.parametrize(
    ("spans", "slept"),
    [
        ([Span("run", 5.0)], 0.0),
        ([Span("wait", 5.0), Span("run", 0.1)], 0.0),
        ([Span("sleep", 5.0)], 5.0),
        ([Span("run", 1.0), Span("sleep", 2.0), Span("run", 2.0)], 2.0),
        ([Span("run", 0.5), Span("wait", 3.0), Span("run", 1.5)], 0.0),
        ([Span("sleep", 1.0), Span("wait", 3.0), Span("run", 1.0)], 1.0),
        # The kernel counts nothing yet of a wait that goes on.
        ([Span("run", 0.1), Span("wait", 100.0)], 0.0),
    ],
)
def test_only_sleep_is_sleep(spans: list[Span], slept: float) -> None:
    meter = metered([Thread(spans)], every_look(5.0))
    assert meter.slept == pytest.approx(slept, abs=1e-9)
    assert meter.unclear == pytest.approx(0.0, abs=1e-9)


def test_who_is_awake_at_each_look_has_slept_in_between() -> None:
    """A bot that knew when it is looked at could be runnable just then."""
    nap = [Span("sleep", LOOK - 0.0002), Span("run", 0.0001), Span("wait", 0.0001)]
    start = [Span("run", 0.00005)]
    meter = metered([Thread(start + nap * 250)], every_look(5.0))
    assert meter.slept == pytest.approx(5.0, abs=0.1)


def test_who_is_awake_at_each_look_gains_nothing_by_a_second_thread() -> None:
    nap = [Span("sleep", LOOK - 0.0002), Span("run", 0.0001), Span("wait", 0.0001)]
    threads = [Thread([Span("run", 0.00005)] + nap * 250), Thread([Span("sleep", 9.0)])]
    meter = metered(threads, every_look(5.0))
    assert meter.slept + meter.unclear == pytest.approx(5.0, abs=0.1)


def test_a_crowd_that_waits_for_a_moment_does_not_hide_sleep() -> None:
    """The waits of threads that wait together are not one after another."""
    crowd = []
    for number in range(60):
        own = [Span("wait", number * 1e-5), Span("run", 1e-5)]
        rest = LOOK - sum(span.seconds for span in own)
        crowd.append(Thread([*own, Span("sleep", rest)] * 60))
    meter = metered(crowd, [0.001 + moment for moment in every_look(1.1)])
    assert meter.slept + meter.unclear > 1.0


def test_threads_that_take_turns_are_not_asleep() -> None:
    """Where one waits for the other and both for a processor, it is at most unclear."""
    turn = [Span("run", 0.001), Span("sleep", 0.009), Span("wait", 0.008)]
    first = Thread(turn * 200)
    second = Thread([Span("sleep", 0.001), Span("wait", 0.008), *turn * 200])
    meter = metered([first, second], every_look(3.0))
    assert meter.slept < 0.02


def test_two_threads_that_compute_in_turns_are_charged_once() -> None:
    turn = [Span("run", 0.001), Span("sleep", 0.001)]
    threads = [Thread(turn * 1000), Thread([Span("sleep", 0.001), *turn * 1000])]
    meter = metered(threads, every_look(1.0))
    assert meter.slept == pytest.approx(0.0, abs=0.002)
    assert meter.unclear < 0.002


@given(
    st.lists(
        st.tuples(
            st.sampled_from(("run", "sleep")), st.integers(1, 200), st.integers(0, 300)
        ),
        min_size=1,
        max_size=20,
    ),
    st.lists(st.integers(1, 60), min_size=2, max_size=60),
)
def test_sleep_of_one_thread_is_exact_once_it_has_run_or_sleeps(
    parts: list[tuple[str, int, int]], pauses: list[int]
) -> None:
    spans = [Span("run", 0.0001)]
    for what, size, wait in parts:
        waits = [Span("wait", wait / 1000)] if what == "run" else []
        spans += [*waits, Span(what, size / 1000)]
    thread = Thread(spans)
    moments = [0.0]
    for pause in pauses:
        moments.append(moments[-1] + pause / 1000)
    end = moments[-1]
    meter = metered([thread], moments)
    true = thread.of("sleep", 0.0, end) + max(0.0, end - sum(s.seconds for s in spans))
    assert meter.slept <= true + 1e-9
    assert meter.unclear <= 1e-9
    if thread.times(end).state == "S":
        assert meter.slept == pytest.approx(true, abs=1e-9)


def test_first_thread_that_has_ended_hides_nothing() -> None:
    meter = SleepMeter()
    for moment in every_look(1.0):
        ended, asleep = ThreadTimes("Z", 0.5), ThreadTimes("S", 0.5)
        meter.note(reading(moment, 0.0, {1: ended, 2: asleep}))
    assert meter.slept == pytest.approx(1.0)
    assert meter.unclear == 0.0


def test_a_helper_that_is_awake_now_and_then_makes_nothing_unclear() -> None:
    """As of node or Java: one thread computes, and others run for a moment."""
    computes = Thread([Span("run", 5.0)])
    nap = [Span("sleep", LOOK - 0.0002), Span("wait", 0.0001), Span("run", 0.0001)]
    helper = Thread([Span("sleep", 0.00015), *nap * 250])
    meter = metered([computes, helper], every_look(4.9))
    assert meter.slept == 0.0
    assert meter.unclear < 0.05


@pytest.mark.parametrize("state", ["D", "T", "t", "I"])
def test_waits_for_a_disk_and_stops_are_unclear(state: str) -> None:
    meter = SleepMeter()
    for moment in every_look(1.0):
        meter.note(reading(moment, 0.0, {1: ThreadTimes(state, 0.5)}))
    assert meter.slept == 0.0
    assert meter.unclear == pytest.approx(1.0)


def test_what_can_not_be_read_is_unclear() -> None:
    meter = SleepMeter()
    for moment in every_look(1.0):
        meter.note(reading(moment, moment / 4, None))
    assert meter.slept == 0.0
    assert meter.unclear == pytest.approx(0.75)


def test_what_a_thread_did_that_has_ended_is_unclear() -> None:
    meter = SleepMeter()
    asleep = ThreadTimes("S", 1.0)
    meter.note(reading(0.0, 0.0, {1: asleep, 2: asleep}))
    meter.note(reading(0.02, 0.005, {1: asleep}))
    assert meter.slept == 0.0
    assert meter.unclear == pytest.approx(0.015)
    # Of one that is new it is known what it did.
    meter.note(reading(0.04, 0.005, {1: asleep, 3: ThreadTimes("S", 0.008)}))
    assert meter.slept == pytest.approx(0.012)


def test_a_referee_that_was_stopped_charges_half_a_second_at_most() -> None:
    meter = SleepMeter()
    for moment in (0.0, 1000.0):
        meter.note(reading(moment, 0.0, {1: ThreadTimes("S", 1.0)}))
    assert meter.slept == 0.5


def test_who_reads_slowly_takes_no_wait_for_sleep() -> None:
    """The reader waits for a processor while the one that it reads of has one."""
    meter = SleepMeter()
    # It waits for 0.13 s, runs and waits again before it is read.
    meter.note(Reading(0.0, 0.14, 0.005, {1: ThreadTimes("R", 0.135)}))
    meter.note(Reading(0.16, 0.16, 0.010, {1: ThreadTimes("S", 0.155)}))
    assert meter.slept == pytest.approx(0.0, abs=1e-9)


def test_a_process_is_asleep_if_nothing_of_it_could_run() -> None:
    meter = SleepMeter()
    asleep, other = ThreadTimes("S", 1.0), ThreadTimes("S", 2.0)
    assert not meter.note(reading(0.0, 1.0, {1: asleep, 2: other}))
    assert meter.note(reading(0.02, 1.0, {1: asleep, 2: other}))
    assert not meter.note(reading(0.02, 1.0, {1: asleep, 2: other}))
    assert not meter.note(reading(0.04, 1.001, {1: ThreadTimes("S", 1.001), 2: other}))
    assert not meter.note(reading(0.06, 1.001, {1: ThreadTimes("R", 1.001), 2: other}))


only_linux = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux counts how long threads wait"
)


@only_linux
def test_threads_are_read_from_the_kernel() -> None:
    program = (
        "import threading\nthreading.Thread(target=input).start()\nprint(flush=True)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        threads = read_threads(process.pid)
        assert count_threads(process.pid) == 2
        process.communicate(b"\n")
    assert threads is not None
    assert len(threads) == 2
    assert threads[process.pid].runnable > 0.001
    assert {thread.state for thread in threads.values()} <= {"R", "S"}


@only_linux
def test_who_is_gone_can_not_be_read() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    assert read_threads(process.pid) is None
    assert count_threads(process.pid) == 0


@only_linux
@pytest.mark.parametrize("text", ["0 0 0\n", "", "x y z\n"])
def test_zeros_are_no_reading(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Where the kernel does not count, it says that nobody has ever run."""

    def read(path: str) -> bytes:
        return text.encode() if path.endswith("schedstat") else b"1 (x) S 1"

    monkeypatch.setattr("arena.referee.contestant.sleep_meter._read", read)
    assert read_threads(os.getpid()) is None

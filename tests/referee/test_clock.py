"""The time that a seat may use, and that a process has used."""

import os
import subprocess
import sys
import time

import pytest

from arena.referee.contestant.clock import (
    ProcessClock,
    SeatClock,
    charged,
    until_charged,
)
from arena.referee.work_unit import Limits

LIMITS = Limits(move=1.0, bank=2.0, margin=0.5)

CHARGES = [
    # seconds of each decision, seconds left in the bank, whether all were in time
    ((0.0,), 2.0, True),
    ((1.0,), 2.0, True),
    ((1.5,), 2.0, True),  # Lateness within the margin is not charged.
    ((1.75,), 1.75, True),  # Beyond it the bank pays, but not for the margin.
    ((3.5,), 0.0, True),
    ((3.5625,), -0.0625, False),
    ((0.25, 0.25, 0.25), 2.0, True),  # What is left of a move is not saved up.
    ((2.5, 2.5), 0.0, True),
    ((2.5, 2.5, 1.5), 0.0, True),  # Without a bank there still are limit and margin.
    ((2.5, 2.5, 1.5625), -0.0625, False),
]


@pytest.mark.parametrize(("decisions", "bank", "in_time"), CHARGES)
def test_bank_pays_for_what_the_move_limit_does_not_cover(
    decisions: tuple[float, ...], bank: float, in_time: bool
) -> None:
    clock = SeatClock(LIMITS)
    verdicts = [clock.charge(seconds) for seconds in decisions]
    assert clock.bank == bank
    assert clock.used == sum(decisions)
    assert verdicts == [True] * (len(decisions) - 1) + [in_time]


@pytest.mark.parametrize(("cpu", "wall"), [(0.1, 0.1), (0.1, 1.75), (0.0, 2.0)])
def test_who_computes_from_now_on_is_late_when_it_is_looked_at_again(
    cpu: float, wall: float
) -> None:
    left = until_charged(0.5, cpu, wall)
    assert left >= 0.0
    assert charged(cpu + left, wall + left) == pytest.approx(0.5)


def test_margin_is_allowed_but_not_promised() -> None:
    clock = SeatClock(LIMITS)
    assert clock.time_left() == 3.0
    assert clock.allowance() == 3.5
    clock.charge(2.5)
    assert clock.time_left() == 2.0
    assert clock.allowance() == 2.5


def test_every_decision_is_timed_and_pondering_is_not() -> None:
    clock = SeatClock(LIMITS)
    for seconds in (0.5, 2.5, 0.5):
        clock.charge(seconds)
    clock.ponder(0.25)
    clock.ponder(0.5)
    assert clock.used == 3.5
    assert clock.times.decisions == 3
    assert (clock.times.slowest, clock.times.pondered) == (2.5, 0.75)


@pytest.mark.parametrize("decisions", [(), (2.0,), (2.0, 1.75)])
def test_allowance_is_the_last_moment_in_time(decisions: tuple[float, ...]) -> None:
    on_time, late = SeatClock(LIMITS), SeatClock(LIMITS)
    for seconds in decisions:
        on_time.charge(seconds)
        late.charge(seconds)
    assert on_time.charge(on_time.allowance())
    assert not late.charge(late.allowance() + 2.0**-10)


@pytest.mark.skipif(sys.platform != "linux", reason="the wall stands in elsewhere")
@pytest.mark.parametrize(
    ("cpu", "wall", "seconds"),
    [
        (0.1, 0.1, 0.1),
        (0.1, 1.2, 0.1),
        (0.4, 1.8, 0.4),
        (0.1, 3.0, 1.0),
        (0.0, 61.0, 30.0),
        (2.0, 2.1, 2.0),
    ],
)
def test_a_busy_machine_is_free_and_sleep_is_not(
    cpu: float, wall: float, seconds: float
) -> None:
    assert charged(cpu, wall) == pytest.approx(seconds)


def test_process_clock_counts_work_and_not_waiting() -> None:
    program = (
        "import time\n"
        "while time.process_time() < 0.1: pass\n"
        "print(flush=True)\n"
        "input()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        clock = ProcessClock(process.pid)
        assert process.stdout is not None
        process.stdout.readline()
        worked = clock.now()
        time.sleep(0.05)
        waited = clock.now()
        process.communicate(b"\n")
        gone = clock.now()
    assert 0.1 <= worked <= waited < worked + 0.05
    assert gone == waited


@pytest.mark.skipif(sys.platform != "linux", reason="the wall stands in elsewhere")
def test_process_clock_is_that_of_the_kernel() -> None:
    clock = ProcessClock(os.getpid())
    before = time.process_time()
    now = clock.now()
    assert before <= now <= time.process_time()

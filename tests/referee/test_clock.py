"""The time that a seat may use, and that a process has used."""

import os
import subprocess
import sys
import time

import pytest

from arena.referee.contestant.clock import ProcessClock, SeatClock, Spent
from arena.referee.work_unit import Limits

LIMITS = Limits(move=1.0, bank=2.0, margin=0.5, game=1000.0)

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
    lateness = [clock.charge(Spent(seconds)) for seconds in decisions]
    assert clock.bank == bank
    assert clock.used == sum(decisions)
    assert lateness == [0.0] * (len(decisions) - 1) + [0.0 if in_time else -bank]


def test_sleep_is_charged_like_computing_and_waiting_is_not() -> None:
    assert Spent(cpu=0.25, slept=0.5, wall=10.0).charged == 0.75
    clock = SeatClock(LIMITS)
    assert not clock.charge(Spent(cpu=0.25, slept=2.25, wall=100.0))
    assert clock.bank == 1.0
    times = clock.times.total()
    assert (times.charged, times.slept, times.wall) == (2.5, 2.25, 100.0)


def test_what_is_unclear_is_charged_only_where_it_is_said() -> None:
    spent = Spent(cpu=0.25, slept=0.5, wall=10.0, unclear=1.0)
    assert spent.charged == 0.75
    assert spent.with_unclear() == Spent(cpu=0.25, slept=1.5, wall=10.0)


def test_unclear_time_of_a_game_is_free_for_as_long_as_two_decisions_may_take() -> None:
    clock = SeatClock(LIMITS)
    spent = Spent(0.25, wall=3.25, unclear=2.5)
    weighed = [clock.weigh(spent) for _ in range(4)]
    assert [s.charged for s in weighed] == [0.25, 0.25, 1.75, 2.75]
    assert [s.unclear for s in weighed] == [2.5, 2.5, 1.0, 0.0]


def test_replies_that_come_together_have_equal_parts() -> None:
    spent = Spent(cpu=1.0, slept=2.0, wall=4.0, unclear=0.5)
    assert spent.divided(1) is spent
    assert spent.divided(2) == Spent(0.5, 1.0, 2.0, 0.25)


def test_all_decisions_of_a_game_have_a_limit_together() -> None:
    clock = SeatClock(Limits(move=1.0, bank=2.0, margin=0.5, game=2.0))
    assert clock.time_left() == 2.0
    assert clock.is_game_limited
    assert clock.charge(Spent(1.0)) == 0.0
    assert (clock.time_left(), clock.allowance()) == (1.0, 1.5)
    # The margin is there for the whole game, and not for each decision.
    assert clock.charge(Spent(1.25)) == 0.0
    assert (clock.time_left(), clock.allowance()) == (0.0, 0.25)
    assert clock.charge(Spent(0.375)) == 0.125


def test_limit_of_a_game_is_not_met_by_who_keeps_the_others() -> None:
    clock = SeatClock(Limits(move=1.0, bank=0.0, margin=0.0))
    assert not any(clock.charge(Spent(1.0)) for _ in range(100))
    assert not clock.is_game_limited


def test_beginning_and_end_of_a_game_are_told_and_not_limited() -> None:
    """Who sleeps there makes the league wait too."""
    clock = SeatClock(Limits(move=1.0, bank=0.0, margin=0.0, game=2.0))
    clock.note(Spent(cpu=1.0, slept=8.0, wall=10.0))
    assert clock.charge(Spent(1.0, wall=1.0)) == 0.0
    assert (clock.used, clock.time_left()) == (1.0, 1.0)
    times = clock.times.total()
    assert (times.charged, times.slept, times.wall) == (10.0, 8.0, 11.0)
    assert clock.times.decisions == 1


def test_what_is_asked_again_is_used_and_is_no_decision() -> None:
    clock = SeatClock(LIMITS)
    may_repeat = [clock.repeat(Spent(0.5, 0.25)) for _ in range(3)]
    assert may_repeat == [True, True, False]
    # The third is charged as what it is: a decision, or its end.
    assert clock.used == 1.5
    assert clock.bank == 2.0
    assert clock.times.decisions == 0
    assert clock.times.total().repeated == 2


def test_a_new_process_may_take_half_as_long_again_and_a_little() -> None:
    clock = SeatClock(LIMITS)
    clock.note(Spent(1.0))
    clock.charge(Spent(0.5))
    for _ in range(2):  # Each new process may.
        clock.begin_replay()
        assert clock.replay_allowance() == 2.5 + 2.0 + 0.5
        clock.replay(Spent(1.5))
        assert clock.replay_allowance() == 1.0 + 2.0 + 0.5
        clock.replay(Spent(0.5, 0.5))
        assert (clock.bank, clock.used) == (2.0, 0.5)
    clock.begin_replay()
    clock.replay(Spent(3.5))
    assert (clock.bank, clock.used) == (1.0, 1.5)
    clock.replay(Spent(1.25))
    assert clock.bank == -0.25
    # That is found at the next decision.
    assert clock.charge(Spent(0.125)) == 0.25


def test_margin_is_allowed_but_not_promised() -> None:
    clock = SeatClock(LIMITS)
    assert clock.time_left() == 3.0
    assert clock.allowance() == 3.5
    clock.charge(Spent(2.5))
    assert clock.time_left() == 2.0
    assert clock.allowance() == 2.5


def test_every_decision_is_timed_and_pondering_is_not() -> None:
    clock = SeatClock(LIMITS)
    for seconds in (0.5, 2.5, 0.5):
        clock.charge(Spent(seconds))
    clock.ponder(0.25)
    clock.ponder(0.5)
    assert clock.used == 3.5
    assert clock.times.decisions == 3
    assert (clock.times.slowest, clock.times.pondered) == (2.5, 0.75)


@pytest.mark.parametrize("decisions", [(), (2.0,), (2.0, 1.75)])
def test_allowance_is_the_last_moment_in_time(decisions: tuple[float, ...]) -> None:
    on_time, late = SeatClock(LIMITS), SeatClock(LIMITS)
    for seconds in decisions:
        on_time.charge(Spent(seconds))
        late.charge(Spent(seconds))
    assert not on_time.charge(Spent(on_time.allowance()))
    assert late.charge(Spent(late.allowance() + 2.0**-10)) == 2.0**-10


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

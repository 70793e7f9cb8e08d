"""Times by size: what is said of many decisions is right, however they are added."""

from collections.abc import Sequence
from math import ceil

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.records.decision_times import DecisionTimes, TimesCounter

SECONDS = st.floats(1e-6, 1e5)


def times_of(decisions: Sequence[float]) -> TimesCounter:
    times = TimesCounter()
    for seconds in decisions:
        times.count(seconds)
    return times


@given(st.lists(SECONDS, min_size=1), st.floats(0.001, 1.0))
def test_a_quantile_is_right_to_4_5_percent(
    decisions: list[float], part: float
) -> None:
    exact = sorted(decisions)[ceil(part * len(decisions)) - 1]
    assert times_of(decisions).quantile(part) == pytest.approx(exact, rel=0.045)


@given(st.lists(st.lists(st.floats(0.0, 1e5))))
def test_games_add_up(games: list[list[float]]) -> None:
    together = times_of([seconds for game in games for seconds in game])
    added = TimesCounter(times_of(game).total() for game in games)
    assert added.total().counts == together.total().counts
    # Each game is rounded to a microsecond.
    assert added.charged == pytest.approx(together.charged, abs=1e-6 * len(games))
    assert added.decisions == sum(map(len, games))
    assert added.slowest == pytest.approx(together.slowest, abs=1e-6)


@pytest.mark.parametrize("seconds", [-1.0, 0.0, 1e-9, 1e-6])
def test_no_time_is_too_short(seconds: float) -> None:
    times = times_of([seconds])
    assert times.total().counts == ((0, 1),)
    assert 0.0 <= times.quantile(0.5) <= 1.1e-6


def test_without_decisions_nothing_can_be_said() -> None:
    assert times_of([]).total() == DecisionTimes()
    with pytest.raises(ValueError, match="no decisions"):
        times_of([]).quantile(0.5)


def test_pondering_adds_up_and_is_no_decision() -> None:
    times = TimesCounter([DecisionTimes(pondered=0.25), DecisionTimes(pondered=0.5)])
    assert times.total() == DecisionTimes(pondered=0.75)


def test_a_long_game_takes_few_bytes_of_a_record() -> None:
    times = times_of([10 ** (-6 + i % 700 / 100) for i in range(100_000)])
    assert len(times.total().counts) < 200
    assert len(msgspec.msgpack.encode(times.total())) < 1200

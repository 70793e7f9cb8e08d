"""The crosstable, counted by hand, and its intervals against an inverted test."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import sqrt
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matrix import divided
from rated import crosstable, crosstables
from scipy.stats import t as student
from simulated import every_pair, fixture, match, pairings, play_lucky_fixtures

from arena.ratings.match_ups.crosstable import Scores
from arena.ratings.match_ups.crosstable import crosstables as crosstables_of
from arena.ratings.result import Result

FAIR = (False, False)
RESULTS = [
    Result("one", "1", ("A", "B"), (1, 2), FAIR),
    Result("one", "1", ("B", "A"), (1, 2), FAIR),
    Result("one", "2", ("A", "B"), (1, 1), FAIR),
    Result("one", "3", ("B", "A"), (2, 1), (True, False)),
    Result("two", "4", ("C", "A", "B"), (1, 2, 2), (False, False, False)),
]


@pytest.mark.parametrize(
    ("label", "games", "score"),
    [
        (
            None,
            ((0, 5, 1), (5, 0, 1), (1, 1, 0)),
            ((None, 0.6, 0.0), (0.4, None, 0.0), (1.0, 1.0, None)),
        ),
        ("one", ((0, 4), (4, 0)), ((None, 0.625), (0.375, None))),
        (
            "two",
            ((0, 1, 1), (1, 0, 1), (1, 1, 0)),
            ((None, 0.5, 0.0), (0.5, None, 0.0), (1.0, 1.0, None)),
        ),
        ("three", (), ()),
    ],
)
def test_every_ordered_pair_is_counted(
    label: str | None,
    games: tuple[tuple[int, ...], ...],
    score: tuple[tuple[float | None, ...], ...],
) -> None:
    table = crosstable(RESULTS, label)

    assert table.entries == ("A", "B", "C")[: len(games)]
    assert table.games == games
    assert table.score == score
    assert crosstable(RESULTS[::-1], label) == table


def test_entries_come_in_the_order_asked_for() -> None:
    table = crosstable(RESULTS, entries=["C", "Z", "A"])

    assert table.entries == ("C", "Z", "A")
    assert table.games == ((0, 0, 1), (0, 0, 0), (1, 0, 0))
    assert table.score == ((None, None, 1.0), (None, None, None), (0.0, None, None))


def cell(results: Sequence[Result]) -> tuple[float, float, float, float]:
    """Return score, low, high and superiority of A against B."""
    return of_a(crosstable(results, "g"))


def of_a(table: Scores) -> tuple[float, float, float, float]:
    found = [n[0][1] for n in (table.score, table.low, table.high, table.superiority)]
    score, low, high, superiority = (n for n in found if n is not None)
    return score, low, high, superiority


def limits(shares: Sequence[float]) -> tuple[float, float]:
    """Return where the score test just does not reject, found by bisection."""
    c = len(shares)
    p = sum(shares) / c
    scatter = sum((share - p) ** 2 for share in shares) + 1 / 8
    trials = c * ((c - 1) * p * (1 - p) + 1 / 8) / scatter
    quantile = student.ppf(0.975, c)

    def edge(inside: float, outside: float) -> float:
        for _ in range(60):
            middle = (inside + outside) / 2
            error = sqrt(middle * (1 - middle) / trials)
            if abs(p - middle) <= quantile * error:
                inside = middle
            else:
                outside = middle
        return inside

    return edge(p, 0.0), edge(p, 1.0)


@pytest.mark.parametrize(
    ("wins", "games"),
    [
        ((2, 1, 1, 2, 0), 2),
        ((1, 1, 1, 1), 2),
        ((2, 2, 2, 1, 2, 2), 2),
        ((3, 1, 4, 4, 2, 0, 3), 4),
        ((1, 0, 1), 1),
    ],
)
def test_the_interval_is_where_the_score_test_does_not_reject(
    wins: tuple[int, ...], games: int
) -> None:
    score, low, high, _ = cell(match(wins, games))

    assert score == pytest.approx(sum(wins) / len(wins) / games)
    assert (low, high) == pytest.approx(limits([w / games for w in wins]))


@pytest.mark.parametrize("fixtures", [1, 2, 5, 40])
def test_a_clean_record_counts_one_trial_a_fixture(fixtures: int) -> None:
    square = student.ppf(0.975, fixtures) ** 2

    assert cell(match([2] * fixtures))[:3] == pytest.approx(
        (1.0, fixtures / (fixtures + square), 1.0)
    )


def test_five_fixtures_won_are_not_enough_and_six_are() -> None:
    five, six = (crosstable(match([2] * n), "g") for n in (5, 6))

    assert not five.is_better(0, 1)
    assert six.is_better(0, 1)
    assert not six.is_better(1, 0)
    assert not six.is_better(0, 0)


def test_games_that_share_their_luck_count_for_less() -> None:
    alike, apart = (
        crosstable(match([2, 0] * 6 + [2] * 5)),
        crosstable(match([1] * 12 + [2] * 5)),
    )

    assert of_a(alike)[0] == of_a(apart)[0]
    assert not alike.is_better(0, 1)
    assert apart.is_better(0, 1)


@st.composite
def matches(draw: st.DrawFn) -> list[Result]:
    size = draw(st.integers(1, 3))
    return match(draw(st.lists(st.integers(0, size), min_size=1, max_size=12)), size)


@settings(max_examples=40)
@given(matches(), st.randoms(use_true_random=False))
def test_a_cell_is_sound_whatever_was_played(
    results: list[Result], rng: Random
) -> None:
    table = crosstable(results, "g")
    score, low, high, superiority = cell(results)

    assert 0.0 <= low < high <= 1.0
    assert low <= score <= high
    assert (superiority > 0.975) == (low > 0.5) == table.is_better(0, 1)
    assert (superiority < 0.025) == (high < 0.5) == table.is_better(1, 0)
    mirrored = [n[1][0] for n in (table.score, table.high, table.low)]
    assert mirrored == pytest.approx([1 - score, 1 - low, 1 - high])
    assert table.superiority[1][0] == pytest.approx(1 - superiority)
    assert table.low[0][0] is table.superiority[1][1] is None
    rng.shuffle(results)
    assert crosstable(results, "g") == table


@pytest.mark.parametrize("bots", divided((18, 36), lambda n: n == 18))
@pytest.mark.parametrize("fixtures", [5, 20])
@pytest.mark.parametrize("shared", [-0.6, 0.0, 0.4])
def test_intervals_cover(fixtures: int, shared: float, bots: int) -> None:
    """Of two games with shared luck, or with luck turned round."""
    rng = Random(f"{fixtures} {shared}")
    pairs = list(combinations([f"{number:02}" for number in range(bots)], 2))
    for chance in (0.5, 0.9):
        even = dict.fromkeys(pairs, chance)
        table = crosstable(pairings(rng, even, fixtures, shared))
        covered = [
            table.low[int(a)][int(b)] <= chance <= table.high[int(a)][int(b)]  # type: ignore[operator]
            for a, b in pairs
        ]

        # As promised, .932 at the least, less two standard errors.
        error = sqrt(0.05 * 0.95 / len(pairs))
        assert sum(covered) / len(pairs) >= 0.932 - 2.0 * error


LUCKS = (0.25, -0.125, 0.0625, 0.5, -0.25)


def lucky(wins: Sequence[int], lucks: Sequence[float]) -> list[Result]:
    """Return a match of single games; A had the given luck."""
    results = []
    for number, (won, luck) in enumerate(zip(wins, lucks, strict=True)):
        seats = ("A", "B") if number % 2 else ("B", "A")
        sign = 1.0 if number % 2 else -1.0
        (result,) = fixture(number, won, 1)
        places = (1, 2) if bool(won) == (seats[0] == "A") else (2, 1)
        results.append(replace(result, seats=seats, places=places, luck=(sign * luck,)))
    return results


def test_luck_is_taken_out_of_the_scores() -> None:
    wins = (1, 0, 1, 1, 0)
    table = crosstable(lucky(wins, LUCKS), "g")
    shares = [won - luck for won, luck in zip(wins, LUCKS, strict=True)]
    mean = sum(shares) / 5
    scatter = sum((share - mean) ** 2 for share in shares) + 1 / 8
    # The games that were won say how near the end it is.
    trials = 5 * (4 * 0.6 * 0.4 + 1 / 8) / scatter

    assert of_a(table) == cell(match(wins, 1))
    assert table.adjusted is not None
    score, low, high, superiority = of_a(table.adjusted)
    assert score == pytest.approx(mean)
    quantile = student.ppf(0.975, 5)
    for end in (low, high):
        error = sqrt(end * (1 - end) / trials)
        assert abs(score - end) == pytest.approx(quantile * error)
    z = (mean - 0.5) / sqrt(0.25 / trials)
    assert superiority == pytest.approx(student.cdf(z, 5))


def test_a_score_beyond_1_has_an_interval_below() -> None:
    table = crosstable(lucky((1,) * 8, (-0.25,) * 8), "g")

    assert table.adjusted is not None
    assert of_a(table.adjusted)[0] == pytest.approx(1.25)
    # Luck that is the same in all games leaves a clean record what it was.
    assert of_a(table.adjusted)[1:] == of_a(table)[1:]


@pytest.mark.parametrize("chance", divided((0.9, 0.5, 0.98), lambda p: p == 0.9))
def test_intervals_without_luck_cover(chance: float) -> None:
    rng = np.random.default_rng(round(100 * chance))
    bots, fixtures = 24, 10
    chances = np.full((bots, bots), chance)
    pairs = every_pair(bots)
    played = play_lucky_fixtures(
        rng,
        np.repeat(pairs, fixtures, axis=0),
        chances,
        np.full(chances.shape, 0.4),
        0.9,
    )
    (games,) = played.tables
    assert games.luck is not None
    # A part of the luck, as is taken where one of two wins nearly always.
    part = games._replace(luck=0.3 * 4.0 * chance * (1.0 - chance) * games.luck)
    (table,) = crosstables_of({"g": played._replace(tables=(part,))}, [])
    assert table.adjusted is not None
    low, high = np.array(table.adjusted.low), np.array(table.adjusted.high)
    covered = [low[i, j] <= chance <= high[i, j] for i, j in pairs]

    error = sqrt(0.05 * 0.95 / len(pairs))
    assert np.mean(covered) >= 0.939 - 2.0 * error


def test_luck_that_is_not_known_is_left_in() -> None:
    known, unknown = lucky((1, 1), (0.5, 0.25)), fixture(7, 2)
    table = crosstable([*known, *unknown], "g")

    assert table.adjusted is not None
    assert of_a(table.adjusted)[0] == pytest.approx((0.5 + 0.75 + 2.0) / 4)
    assert crosstable(unknown, "g").adjusted is None
    both = crosstable([*known, Result("g", "8", ("A", "C"), (1, 2), FAIR)])
    assert both.adjusted is not None
    assert both.adjusted.score[0][2] is both.adjusted.low[2][0] is None


def test_no_interval_rests_on_games_that_explore() -> None:
    fixed = match((2, 1, 0, 2, 2))
    exploring = [
        replace(result, explores=True)
        for n in range(10, 30)
        for result in fixture(n, 2)
    ]
    table = crosstable([*fixed, *exploring], "g")

    assert table.games[0][1] == 50
    assert of_a(table)[0] == pytest.approx(47 / 50)
    assert of_a(table)[1:] == cell(fixed)[1:]
    alone = crosstable(exploring, "g")
    assert alone.score[0][1] == 1.0
    assert alone.low[0][1] is alone.high[0][1] is alone.superiority[0][1] is None
    assert not alone.is_better(0, 1)


def test_all_tables_come_at_once() -> None:
    tables = crosstables(RESULTS, ["two", "one", "three"])

    assert tables == tuple(
        crosstable(RESULTS, label) for label in (None, "two", "one", "three")
    )
    order = ["Z", "B", "A"]
    assert crosstables(RESULTS[::-1], ["one"], order) == tuple(
        crosstable(RESULTS, label, order) for label in (None, "one")
    )


def test_fixtures_of_two_labels_are_two_even_if_they_share_a_name() -> None:
    same = [*fixture(1, 2), *fixture(1, 0, label="h")]
    other = [*fixture(1, 2), *fixture(2, 0, label="h")]

    assert crosstable(same) == crosstable(other)


def test_nobody_has_played() -> None:
    (table,) = crosstables([], [], ["A", "B"])

    assert table.games == ((0, 0), (0, 0))
    assert table.score == table.low == table.superiority == ((None, None),) * 2
    assert crosstables([], [])[0].entries == ()

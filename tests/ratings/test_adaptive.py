"""Where the next games are worth most: the pairs whose order is open, by how much."""

from collections.abc import Mapping
from itertools import combinations
from math import sqrt
from random import Random
from statistics import NormalDist

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.ratings import Result, fit
from arena.ratings.claims import cut
from arena.ratings.next_games import Budget, Pair, next_batch, share_out, undecided

AB, AC, BC = ("a", "b"), ("a", "c"), ("b", "c")


@pytest.mark.parametrize(
    ("fixtures", "chances", "shares"),
    [
        (8, {AB: 0.5, AC: 0.25, BC: 0.25}, {AB: 4, AC: 2, BC: 2}),
        # Quotas of 2.5, 1.25 and 1.25: the half is the largest remainder.
        (5, {AB: 0.5, AC: 0.25, BC: 0.25}, {AB: 3, AC: 1, BC: 1}),
        (7, {AB: 0.5, AC: 0.25, BC: 0.25}, {AB: 3, AC: 2, BC: 2}),
        # Equal remainders go by the alphabet, however the pairs came.
        (2, {BC: 0.3, AC: 0.3, AB: 0.3}, {AB: 1, AC: 1}),
        (4, {BC: 0.3, AC: 0.3, AB: 0.3}, {AB: 2, AC: 1, BC: 1}),
        # What differs by rounding alone is equal.
        (1, {AB: 0.3, AC: 0.3 + 1e-15, BC: 0.3 + 2e-15}, {AB: 1}),
        (3, {AB: 1e-12}, {AB: 3}),
        (0, {AB: 0.5}, {}),
        (5, {}, {}),
    ],
)
def test_fixtures_are_shared_out_by_the_largest_remainders(
    fixtures: int, chances: Mapping[Pair, float], shares: Mapping[Pair, int]
) -> None:
    found = share_out(fixtures, chances)
    assert found == shares
    assert list(found) == sorted(found)


PAIRS = st.sampled_from([*combinations("abcdefg", 2)])


@settings(max_examples=30)
@given(
    fixtures=st.integers(0, 500),
    chances=st.dictionaries(PAIRS, st.floats(1e-6, 0.5), min_size=1),
)
def test_every_share_is_its_quota_rounded_up_or_down(
    fixtures: int, chances: dict[Pair, float]
) -> None:
    shares = share_out(fixtures, chances)
    assert sum(shares.values()) == fixtures
    assert 0 not in shares.values()
    assert shares.keys() <= chances.keys()
    whole = sum(chances.values())
    for pair, chance in chances.items():
        assert abs(shares.get(pair, 0) - fixtures * chance / whole) < 1 + 1e-3


@pytest.mark.parametrize(
    ("pairs", "fixtures", "confirmation", "exploring", "batches"),
    [
        (6, 5, 2, 18, [2, 2, 2]),
        # A quarter of a round is three: seven looks share 20 out.
        (10, 6, 2, 40, [2, 3, 3, 3, 3, 3, 3]),
        (10, 21, 5, 160, [14] * 10),
        (28, 4, 2, 56, []),
    ],
)
def test_a_budget_is_that_of_a_round_robin(
    pairs: int, fixtures: int, confirmation: int, exploring: int, batches: list[int]
) -> None:
    budget = Budget(pairs, fixtures)
    assert (budget.confirmation, budget.exploring) == (confirmation, exploring)
    found = [budget.batch(look) for look in range(1, budget.looks + 1)]
    assert found == batches
    assert sum(found) + pairs * (budget.first + confirmation) == pairs * fixtures


def league(
    scores: Mapping[Pair, float], fixtures: int, seed: int = 1, label: str = "dice"
) -> list[Result]:
    """Return the results of a round robin; a score is what a win's chance is."""
    luck = Random(seed)
    return [
        Result(
            label,
            f"{label} {a} {b} {fixture}",
            seats,
            (1, 2) if (luck.random() < score) == (seats[0] == a) else (2, 1),
            (False, False),
        )
        for (a, b), score in scores.items()
        for fixture in range(fixtures)
        for seats in ((a, b), (b, a))
    ]


LOPSIDED = {AB: 0.5, AC: 0.97, BC: 0.97}
"""Two who are equal, and one who is far behind."""


def test_what_is_open_is_what_the_fit_says() -> None:
    results = league({AB: 0.6, AC: 0.7, BC: 0.55, ("a", "d"): 0.9}, 20)
    found = fit(results, "dice")
    names = [rating.entry for rating in found.ratings]
    expected = {}
    for i, j in combinations(range(4), 2):
        gap = abs(found.ratings[i].elo - found.ratings[j].elo)
        ratio = gap / sqrt(found.variance()[i, j])
        if ratio < cut(4, found.df, 7):
            expected[names[i], names[j]] = NormalDist().cdf(-ratio)
    assert undecided(results, "dice", 7) == pytest.approx(expected, abs=1e-12)
    assert 0 < len(expected) < 6
    assert 0 < min(expected.values()) < max(expected.values()) < 0.5


@pytest.mark.parametrize(
    ("scores", "fixtures", "out", "pairs"),
    [
        (LOPSIDED, 60, "", [AB]),
        # Where all is decided nobody gets games, nor does who is out.
        ({**LOPSIDED, AB: 0.9}, 60, "", []),
        ({AB: 0.5, AC: 0.5, BC: 0.5}, 4, "", [AB, AC, BC]),
        ({AB: 0.5, AC: 0.5, BC: 0.5}, 4, "b", [AC]),
        ({AB: 0.5, AC: 0.5, BC: 0.5}, 4, "bc", []),
    ],
)
def test_only_open_pairs_get_games(
    scores: Mapping[Pair, float], fixtures: int, out: str, pairs: list[Pair]
) -> None:
    batch = next_batch(league(scores, fixtures), "dice", 9, 10, set(out))
    assert list(batch) == pairs
    assert sum(batch.values()) == (9 if pairs else 0)


def test_more_looks_take_more_to_be_sure() -> None:
    results = league({AB: 0.5, AC: 0.66, BC: 0.66}, 30, 6)
    assert list(undecided(results, "dice", 1)) == [AB]
    assert list(undecided(results, "dice", 10)) == [AB, AC, BC]


def test_who_is_nearer_gets_more() -> None:
    batch = next_batch(league({AB: 0.5, AC: 0.6, BC: 0.6}, 20, 4), "dice", 60, 10)
    assert batch[AB] > batch[AC] > 0


def test_those_who_only_drew_share_alike() -> None:
    drawn = [
        Result("dice", f"{a} {b} {n}", seats, (1, 1), (False, False))
        for a, b in combinations("abcd", 2)
        for n in range(2)
        for seats in ((a, b), (b, a))
    ]
    assert next_batch(drawn, "dice", 12, 10) == dict.fromkeys(
        combinations("abcd", 2), 2
    )


def test_nobody_and_somebody_alone_get_no_games() -> None:
    assert next_batch([], "dice", 9, 10) == {}
    assert next_batch(league({AB: 0.5}, 2, label="other"), "dice", 9, 10) == {}


@settings(max_examples=6)
@given(
    scores=st.fixed_dictionaries(
        dict.fromkeys(combinations("abcd", 2), st.floats(0.0, 1.0))
    ),
    fixtures=st.sampled_from([1, 2, 8]),
    batch=st.integers(0, 40),
    seed=st.integers(0, 2**32),
)
def test_the_order_of_the_results_makes_no_difference(
    scores: dict[Pair, float], fixtures: int, batch: int, seed: int
) -> None:
    results = league(scores, fixtures, seed)
    found = next_batch(results, "dice", batch, 10)
    others = league({("a", "z"): 1.0}, 5, seed, label="other")
    mixed = [*results, *others]
    Random(seed).shuffle(mixed)
    assert next_batch(mixed, "dice", batch, 10) == found
    chances = undecided(mixed, "dice", 10)
    assert list(chances.items()) == list(undecided(results, "dice", 10).items())
    assert found.keys() <= chances.keys()
    assert sum(found.values()) == (batch if chances else 0)

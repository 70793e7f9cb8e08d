"""Claims by hand, recomputed slowly, and counted against simulated truth."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, product
from math import ceil, inf, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matrix import divided
from numpy.typing import NDArray
from scipy.stats import norm, studentized_range, t

from arena.ratings import studentized_range as _studentized_range
from arena.ratings.claims import MOST_GAMES, Claim, Strengths, claims, cut, look_level
from arena.ratings.studentized_range import probability, quantile

Z80 = 0.8416212335729143


def strengths(
    elo: Sequence[float],
    variance: float | NDArray[np.float64] = 400.0,
    games: int | Sequence[int] = 100,
    **more: Any,
) -> Strengths:
    """Return entries A, B, …; one variance is that of every difference."""
    k = len(elo)
    if isinstance(variance, float):
        matrix = np.full((k, k), variance)
        np.fill_diagonal(matrix, 0.0)
    else:
        matrix = variance
    names = tuple(f"{chr(65 + i % 26)}{i // 26 or ''}" for i in range(k))
    counted = np.broadcast_to(np.array(games), (k,))
    return Strengths(names, np.array(elo), matrix, counted, **more)


def differences(covariance: NDArray[np.float64]) -> NDArray[np.float64]:
    own = np.diag(covariance)
    return np.maximum(own[:, None] + own - 2.0 * covariance, 0.0)


def ranks(table: Sequence[Claim]) -> list[tuple[str, int, int]]:
    return [(row.entry, row.rank_low, row.rank_high) for row in table]


@pytest.mark.parametrize(
    ("k", "df"),
    divided(
        product([2, 12, 300], [1, 3, 40, inf]),
        lambda case: case[0] < 300 or case[1] in {3, inf},
    ),
)
def test_the_studentised_range_is_the_librarys(k: int, df: float) -> None:
    q = quantile(0.9894, k, df)
    assert probability(q, k, df) == pytest.approx(0.9894, abs=1e-10)
    for part in (q, q / 2.0):
        # The library's own integral is good to some 1e-7 only.
        expected = studentized_range.cdf(part, k, df)
        assert probability(part, k, df) == pytest.approx(expected, abs=2e-6)


@pytest.mark.parametrize(("k", "df"), [(2, 1.0), (40, 9.0), (300, 3.0), (600, inf)])
def test_a_finer_quadrature_changes_no_decimal(
    k: int, df: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    coarse = quantile(0.95, k, df)
    monkeypatch.setattr(_studentized_range, "_VALUE_NODES", 400)
    monkeypatch.setattr(_studentized_range, "_ERROR_NODES", 200)
    assert quantile(0.95, k, df) == pytest.approx(coarse, abs=1e-8)


def test_many_degrees_of_freedom_are_nearly_infinite() -> None:
    # The library takes them for infinite.
    assert quantile(0.95, 20, 1e7) == pytest.approx(quantile(0.95, 20, inf), abs=1e-5)
    assert quantile(0.95, 20, 1e7) > quantile(0.95, 20, inf)


# Printed tables of the studentised range, upper 5 % points: q(k, df).
@pytest.mark.parametrize(
    ("k", "df", "q"),
    [
        (2, inf, 2.772),
        (2, 1.0, 17.97),
        (8, inf, 4.286),
        (20, inf, 5.012),
        (3, 10.0, 3.877),
        (5, 20.0, 4.232),
        (10, 5.0, 6.995),
    ],
)
def test_the_cut_is_the_printed_quantile(k: int, df: float, q: float) -> None:
    assert cut(k, df) * sqrt(2.0) == pytest.approx(q, abs=6e-4 if q < 10.0 else 6e-3)


def test_two_entries_are_told_apart_by_the_plain_quantiles() -> None:
    assert cut(2) == pytest.approx(norm.ppf(0.975), abs=1e-6)
    assert cut(2, 7.0) == pytest.approx(t.ppf(0.975, 7.0), abs=1e-5)
    assert cut(2, level=0.01) == pytest.approx(norm.ppf(0.995), abs=1e-6)


@pytest.mark.parametrize(
    ("looks", "boundary"), [(1, 1.960), (2, 2.178), (5, 2.413), (10, 2.555)]
)
def test_looks_have_the_level_of_pococks_boundary(looks: int, boundary: float) -> None:
    assert norm.isf(look_level(looks) / 2.0) == pytest.approx(boundary, abs=5e-4)
    assert cut(2, looks=looks) == pytest.approx(boundary, abs=5e-4)


def test_a_walk_crosses_the_boundary_of_its_looks_one_time_in_twenty() -> None:
    steps = np.random.default_rng(1).standard_normal((100_000, 4))
    walks = np.abs(steps.cumsum(axis=1)) / np.sqrt(np.arange(1, 5))
    crossed = (walks.max(axis=1) > norm.isf(look_level(4) / 2.0)).mean()
    assert crossed == pytest.approx(0.05, abs=0.0021)


def test_the_cut_grows_with_entries_looks_and_fewer_degrees_of_freedom() -> None:
    assert cut(2) < cut(3) < cut(20) < cut(1000)
    assert cut(8) < cut(8, looks=2) < cut(8, looks=10)
    assert cut(8) < cut(8, 100.0) < cut(8, 3.0) < cut(8, 1.0)
    assert cut(1) == cut(0) == cut(8, 0.5) == cut(8, -2.0) == inf


def test_a_table_by_hand() -> None:
    # Of four entries, 2.569 standard errors of 20: 51.4 Elo tell two apart.
    assert cut(4) * 20.0 == pytest.approx(51.38, abs=0.01)
    table = claims(strengths([960.0, 1000.0, 1040.0, 1092.0]))
    assert ranks(table) == [("D", 1, 1), ("C", 2, 3), ("B", 2, 4), ("A", 3, 4)]
    assert [row.group for row in table] == [1, 2, 2, 3]
    assert [row.is_separated for row in table] == [True, False, False, None]
    assert [row.more_games for row in table] == [None, 200, 200, None]


def test_a_group_ends_where_its_first_row_is_told_apart() -> None:
    # Each is near the next; what counts is the distance to the head of the group.
    table = claims(strengths([1100.0, 1060.0, 1030.0, 1010.0, 970.0]))
    assert cut(5) * 20.0 == pytest.approx(54.56, abs=0.01)
    assert [row.group for row in table] == [1, 1, 2, 2, 3]
    assert not any(row.is_separated for row in table[:-1])


def test_how_many_more_games_are_needed() -> None:
    table = claims(strengths([1030.0, 1000.0], 400.0, [50, 80]))
    # (20 (1.96 + 0.84) / 30)² = 3.488 times the games of who has more.
    assert (20.0 * (norm.ppf(0.975) + Z80) / 30.0) ** 2 == pytest.approx(
        3.488, abs=1e-3
    )
    assert table[0].more_games == 200 == ceil(2.488 * 80 / 10) * 10


def test_who_has_played_on_is_told_apart_four_times_in_five() -> None:
    found = strengths([1030.0, 1000.0], 400.0, 1000)
    more = claims(found)[0].more_games
    assert more is not None
    variance = 400.0 * 1000 / (1000 + more)
    rng = np.random.default_rng(5)
    gaps = rng.normal(30.0, sqrt(variance), 20_000)
    assert (gaps / sqrt(variance) > cut(2)).mean() == pytest.approx(0.8, abs=0.01)


@pytest.mark.parametrize(
    ("elo", "variance", "games"),
    [
        ([1000.0, 1000.0], 400.0, 10),
        ([1000.04, 999.96], 400.0, 10),
        ([1000.2, 1000.0], 1e6, 1000),
        ([1010.0, 1000.0], inf, 10),
        ([1010.0, 1000.0], 400.0, 0),
    ],
    ids=["equal", "printed-equal", "absurd", "unknown", "without-games"],
)
def test_where_no_number_of_games_can_be_named(
    elo: list[float], variance: float, games: int
) -> None:
    first, last = claims(strengths(elo, variance, games))
    assert not first.is_separated
    assert first.more_games is None
    assert ranks([first, last]) == [("A", 1, 2), ("B", 1, 2)]


def test_more_games_are_counted_to_the_end_of_what_is_sensible() -> None:
    found = strengths([1010.0, 1000.0], 400.0, 300)
    more = claims(found)[0].more_games
    assert more is not None
    assert more > MOST_GAMES / 2
    assert claims(replace(found, games=found.games * 2))[0].more_games is None
    assert more <= MOST_GAMES


def test_an_error_of_zero_tells_apart_whatever_differs() -> None:
    table = claims(strengths([1000.0, 1000.1, 1000.1 + 1e-9, 900.0], 0.0))
    assert ranks(table) == [("B", 1, 2), ("C", 1, 2), ("A", 3, 3), ("D", 4, 4)]
    assert [row.rank for row in table] == [1, 1, 3, 4]
    assert [row.is_separated for row in table] == [True, True, True, None]
    assert [row.group for row in table] == [1, 1, 2, 3]


def test_ranks_follow_what_is_not_printed() -> None:
    table = claims(strengths([1000.04, 1000.01], 100.0))
    assert [(row.entry, row.rank) for row in table] == [("A", 1), ("B", 2)]


def test_the_zero_of_the_scale_changes_no_claim() -> None:
    elo = [1000.04, 1000.01, 970.0, 969.96, 800.0]
    table = claims(strengths(elo, 64.0))
    for zero in (-3.07, 0.05, 412.3, 1e4):
        assert claims(strengths([x + zero for x in elo], 64.0)) == table


def test_each_pair_has_its_own_degrees_of_freedom() -> None:
    """That a third is badly known blurs nothing between two others."""
    found = strengths([1055.0, 1000.0, 900.0])
    plain = claims(found)
    df = np.full((3, 3), inf)
    df[2] = df[:, 2] = 2.0
    own = claims(replace(found, df=df))
    assert plain[0].is_separated
    assert own[0].is_separated
    assert not claims(replace(found, df=2.0))[0].is_separated


def test_an_entry_of_unknown_strength_may_have_any_rank() -> None:
    variance = np.full((3, 3), 100.0)
    variance[0] = variance[:, 0] = inf
    np.fill_diagonal(variance, 0.0)
    table = claims(strengths([1200.0, 1100.0, 1000.0], variance))
    assert ranks(table) == [("A", 1, 3), ("B", 1, 2), ("C", 2, 3)]


def test_tables_without_anything_to_claim() -> None:
    assert claims(strengths([])) == ()
    assert claims(strengths([1000.0])) == (Claim("A", 1, 1, 1, 1, None, None),)
    equal = claims(strengths([1000.0] * 5))
    assert ranks(equal) == [(name, 1, 5) for name in "ABCDE"]
    assert {row.group for row in equal} == {1}
    assert {row.more_games for row in equal} == {None}
    few = claims(strengths([2000.0, 1000.0, 0.0], 1.0, df=0.0))
    assert ranks(few) == [(name, 1, 3) for name in "ABC"]
    assert {row.more_games for row in few} == {None}


def test_few_degrees_of_freedom_and_many_looks_claim_less() -> None:
    found = strengths([1045.0, 1000.0])
    assert claims(found)[0].is_separated
    assert not claims(replace(found, df=4.0))[0].is_separated
    assert not claims(replace(found, looks=10))[0].is_separated


def slow_claims(found: Strengths) -> list[Claim]:
    """Recompute the claims pair by pair, from what they are said to be."""
    k = len(found.entries)
    needed = cut(k, found.df, found.looks)

    def shown(i: int) -> float:
        return round(float(found.elo[i]), 6)

    def is_better(i: int, j: int) -> bool:
        gap = float(found.elo[i]) - float(found.elo[j])
        return shown(i) > shown(j) and gap > needed * sqrt(found.variance[i, j])

    rows = sorted(range(k), key=lambda i: (-shown(i), found.entries[i]))
    levels = sorted({shown(i) for i in rows}, reverse=True)
    at = {level: [i for i in rows if shown(i) == level] for level in levels}
    group = {}
    head: list[int] = []
    number = 0
    for level in levels:
        if all(is_better(i, j) for i in head for j in at[level]):
            number, head = number + 1, at[level]
        group[level] = number
    made = []
    for i in rows:
        lower = [level for level in levels if level < shown(i)]
        next_ones = at[lower[0]] if lower else []
        is_separated = all(is_better(i, j) for j in next_ones)
        more = None
        if not is_separated:
            worst = max(next_ones, key=lambda j: float(found.variance[i, j]))
            gap = float(found.elo[i]) - float(found.elo[worst])
            games = max(int(found.games[i]), int(found.games[worst]))
            goal = gap / (needed + Z80)
            if games:
                exact = games * (float(found.variance[i, worst]) / goal**2 - 1.0)
                if exact <= MOST_GAMES:
                    more = two_digits(exact)
        made.append(
            Claim(
                found.entries[i],
                1 + sum(shown(j) > shown(i) for j in rows),
                1 + sum(is_better(j, i) for j in rows),
                k - sum(is_better(i, j) for j in rows),
                group[shown(i)],
                is_separated if next_ones else None,
                more,
            )
        )
    return made


def two_digits(exact: float) -> int:
    step = max(1, 10 ** (len(str(int(exact))) - 2))
    return int(step * ceil(exact / step))


@st.composite
def pools(draw: st.DrawFn) -> Strengths:
    # Few sizes, as every cut takes its time.
    k = draw(st.sampled_from([1, 2, 4, 8]))
    elo = draw(st.lists(st.integers(-300, 300), min_size=k, max_size=k))
    scale = draw(st.sampled_from([0.0625, 1.0, 4.0]))
    noise = st.lists(st.integers(-20, 20), min_size=k * k, max_size=k * k)
    root = np.array(draw(noise), np.float64).reshape(k, k)
    variance = differences(root @ root.T)
    games = draw(st.lists(st.integers(0, 500), min_size=k, max_size=k))
    return strengths(
        [1000.0 + scale * x for x in elo],
        variance,
        games,
        df=draw(st.sampled_from([inf, 5.0])),
        looks=draw(st.sampled_from([1, 4])),
    )


@settings(max_examples=40)
@given(pools())
def test_claims_are_what_they_are_said_to_be(found: Strengths) -> None:
    assert list(claims(found)) == slow_claims(found)


@settings(max_examples=30)
@given(pools(), st.randoms(use_true_random=False))
def test_claims_hang_together(found: Strengths, random: Any) -> None:
    table = claims(found)
    k = len(table)
    for place, row in enumerate(table, 1):
        assert 1 <= row.rank_low <= place <= row.rank_high <= k
        assert not row.is_separated or (row.more_games is None and row.rank_high < k)
    below = sum(k - row.rank_high for row in table)
    assert sum(row.rank_low - 1 for row in table) == below
    groups = [row.group for row in table]
    assert groups[0] == 1
    assert all(b - a in (0, 1) for a, b in pairwise(groups))

    order = list(range(k))
    random.shuffle(order)
    shuffled = replace(
        found,
        entries=tuple(found.entries[i] for i in order),
        elo=found.elo[order],
        variance=found.variance[np.ix_(order, order)],
        games=found.games[order],
    )
    assert claims(shuffled) == table

    # Larger errors claim no more.
    wider = claims(replace(found, variance=2.0 * found.variance))
    for row, wide in zip(table, wider, strict=True):
        assert wide.rank_low <= row.rank_low
        assert wide.rank_high >= row.rank_high
        assert bool(wide.is_separated) <= bool(row.is_separated)

    # Equal errors give ranks in the order of the table.
    even = claims(replace(found, variance=400.0 * (1.0 - np.eye(k))))
    for above, row in pairwise(even):
        assert above.rank_low <= row.rank_low
        assert above.rank_high <= row.rank_high


def wrong_tables(
    truth: NDArray[np.float64], covariance: NDArray[np.float64], seed: int, count: int
) -> float:
    """Return the share of so many simulated tables with any wrong claim in them.

    A claim is wrong if the true rank of an entry is outside its interval, however
    those of equal strength are counted.
    """
    k = len(truth)
    rng = np.random.default_rng(seed)
    root = np.linalg.cholesky(covariance + 1e-9 * np.eye(k))
    found = strengths(truth.tolist(), differences(covariance))
    best = 1 + (truth[:, None] < truth).sum(axis=1)
    worst = k - (truth[:, None] > truth).sum(axis=1)
    wrong = 0
    for errors in rng.standard_normal((count, k)) @ root.T:
        rows = sorted(claims(replace(found, elo=truth + errors)), key=lambda x: x.entry)
        low, high = np.array([(row.rank_low, row.rank_high) for row in rows]).T
        wrong += bool((low > best).any() or (high < worst).any())
    return wrong / count


def uneven_covariance(k: int, seed: int) -> NDArray[np.float64]:
    """Return that of a fit in which some met ten times as often as others."""
    drawn = np.random.default_rng(seed).integers(5, 50, (k, k))
    games = (drawn + drawn.T).astype(np.float64)
    np.fill_diagonal(games, 0.0)
    laplacian = np.diag(games.sum(axis=1)) - games
    inverse = np.linalg.pinv(laplacian)
    return (4.0 * 173.7**2 * inverse).astype(np.float64)


TABLES = divided((300, 1200), lambda count: count == 300)


@pytest.mark.parametrize("count", TABLES)
def test_equal_entries_are_told_apart_in_one_table_of_twenty(count: int) -> None:
    equal = np.full(8, 1000.0)
    error = sqrt(0.05 * 0.95 / count)
    # Exact where all errors are alike.
    wrong = wrong_tables(equal, 200.0 * np.eye(8), 2, count)
    assert wrong == pytest.approx(0.05, abs=3.0 * error)
    # Correlated errors keep the level.
    assert wrong_tables(equal, uneven_covariance(8, 3), 4, count) <= 0.05
    hub = np.full((8, 8), 300.0) + 60.0 * np.eye(8)
    assert wrong_tables(equal, hub, 5, count) <= 0.05 + 3.0 * error


@pytest.mark.parametrize("count", TABLES)
def test_a_league_of_spread_strengths_hardly_ever_holds_a_wrong_claim(
    count: int,
) -> None:
    truth = np.linspace(800.0, 1200.0, 12)
    assert wrong_tables(truth, uneven_covariance(12, 6), 7, count) <= 0.005

"""What a plan promises, against closed forms and leagues that are fitted."""

from itertools import combinations, permutations
from math import ceil, inf, sqrt
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matrix import divided
from scipy.stats import norm
from simulated import LOGIT, pairings

from arena.ratings import Result, fit
from arena.ratings.claims import Strengths, claims, cut
from arena.ratings.elo.pool import Floats
from arena.ratings.elo.standard_errors import PLENTY_PER_PARAMETER
from arena.ratings.power import (
    Precision,
    label_precision,
    overall_precision,
    power,
    spread,
)


def planned_variance(entries: int, seats: int, fixtures: float, **how: Any) -> float:
    return label_precision(entries, seats, fixtures, **how).variance


def even_league(k: int, seats: int, fixtures: int, seed: int) -> list[Result]:
    """Return so many fixtures of every group of `seats`; any order is as likely."""
    rng = Random(seed)
    return [
        Result(
            "g",
            f"{''.join(group)}{number}",
            (*group[turn:], *group[:turn]),
            tuple(rng.sample(range(1, seats + 1), seats)),
            (False,) * seats,
        )
        for group in combinations("ABCDEFGH"[:k], seats)
        for number in range(fixtures)
        for turn in range(seats)
    ]


def mean_variance(covariance: Floats, k: int) -> float:
    """Return the mean variance of a difference of the first `k`, in Elo²."""
    matrix = covariance[:k, :k]
    own = np.diag(matrix)
    return float((own[:, None] + own - 2.0 * matrix).sum() / (k * (k - 1)))


@pytest.mark.parametrize(
    ("entries", "seats", "fixtures", "expected"),
    [
        # Two entries, one fixture: two comparisons of information 1/4 each.
        (2, 2, 1, 2.0),
        (2, 2, 10, 0.2),
        (8, 2, 20, 4.0 / 160.0),
        (6, 3, 9, 4.0 / 54.0 * 8.0 / 9.0),
        (7, 4, 4, 4.0 / 28.0 * 5.0 / 6.0),
    ],
)
def test_the_variance_of_a_difference(
    entries: int, seats: int, fixtures: int, expected: float
) -> None:
    found = planned_variance(entries, seats, fixtures)
    assert found == pytest.approx(LOGIT**2 * expected, rel=1e-12)
    halved = planned_variance(entries, seats, fixtures, factor=0.5)
    assert halved == pytest.approx(found / 2.0, rel=1e-12)


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
@pytest.mark.parametrize("winner_only", [False, True])
def test_scores_of_a_table_hang_together(seats: int, winner_only: bool) -> None:
    """Recompute one fixture of `seats` entries from all orders they may finish in."""
    places = np.array(list(permutations(range(1, seats + 1))))
    ahead = places[:, :, None] < places[:, None, :]
    made = np.ones_like(ahead)
    if winner_only:
        won = places == 1
        made = won[:, :, None] | won[:, None, :]
    surprise = np.where(made, ahead - 0.5, 0.0)
    surprise[:, range(seats), range(seats)] = 0.0
    scores = surprise.sum(axis=2)
    meat = scores.T @ scores / len(places)
    met = made.mean(axis=0) / 4.0
    np.fill_diagonal(met, 0.0)
    inverse = np.linalg.pinv(np.diag(met.sum(axis=1)) - met)
    expected = mean_variance(inverse @ meat @ inverse / seats, seats)
    found = planned_variance(seats, seats, 1, winner_only=winner_only)
    assert found == pytest.approx(LOGIT**2 * expected, rel=1e-9)


@pytest.mark.parametrize("leagues", divided((4, 12), lambda n: n == 4))
@pytest.mark.parametrize(("seats", "fixtures"), [(2, 20), (4, 2)])
def test_the_fit_has_the_errors_that_were_planned(
    seats: int, fixtures: int, leagues: int
) -> None:
    k = 8
    shared = fixtures if seats == 2 else fixtures * 15  # tables of 4 with a given pair
    planned = planned_variance(k, seats, shared)
    together = 2.0 * (seats + 1.0) / (3.0 * seats)
    fits = [fit(even_league(k, seats, fixtures, seed), "g") for seed in range(leagues)]
    curved = np.mean([mean_variance(found.curvature, k) for found in fits])
    robust = np.mean([mean_variance(found.covariance, k) for found in fits])
    near = 0.05 * sqrt(12 / leagues)
    assert sqrt(curved * together) == pytest.approx(sqrt(planned), rel=0.05)
    assert sqrt(robust) == pytest.approx(sqrt(planned), rel=near)


def test_power_against_the_closed_form() -> None:
    # Two entries: the plain test at 5 %, of which 80 % want 2.80 standard errors.
    found = power(2, Precision(400.0), 56.032)
    assert found.probability == pytest.approx(0.8, abs=1e-4)
    assert found.smallest == pytest.approx(56.03, abs=0.01)
    equal = power(2, Precision(400.0), 0.0)
    assert equal.probability == pytest.approx(0.025, abs=1e-6)
    many = power(20, Precision(400.0), 50.0)
    assert many.probability == pytest.approx(norm.cdf(2.5 - cut(20)), abs=1e-12)
    assert many.smallest == pytest.approx(20.0 * (cut(20) + 0.841621), abs=1e-3)


@pytest.mark.parametrize("tables", divided((600, 4000), lambda n: n == 600))
def test_power_is_how_often_claims_are_made(tables: int) -> None:
    k, difference = 8, 50.0
    variance = planned_variance(k, 2, 40)
    expected = power(k, Precision(variance), difference).probability
    assert 0.2 < expected < 0.8
    rng = np.random.default_rng(1)
    truth = np.array([1000.0 + difference, *[1000.0] * (k - 1)])
    matrix = variance * (1.0 - np.eye(k))
    told = 0
    for errors in rng.normal(0.0, sqrt(variance / 2.0), (tables, k)):
        found = Strengths(tuple("ABCDEFGH"), truth + errors, matrix, np.full(k, 280))
        best = next(row for row in claims(found) if row.entry == "A")
        told += k - best.rank_high
    share = told / (tables * (k - 1))
    assert share == pytest.approx(expected, abs=0.02 * sqrt(4000 / tables))


@settings(max_examples=30)
@given(
    st.sampled_from([2, 3, 20, 200]),
    st.floats(1.0, 1e5),
    st.floats(0.0, 1000.0),
    st.floats(0.0, 1000.0),
)
def test_power_grows_with_the_difference_and_reaches_what_it_says(
    entries: int, variance: float, one: float, other: float
) -> None:
    low, high = sorted((one, other))
    worse, better = (power(entries, Precision(variance), x) for x in (low, high))
    assert worse.probability <= better.probability
    assert worse.smallest == better.smallest
    reached = power(entries, Precision(variance), worse.smallest).probability
    assert reached == pytest.approx(0.8, abs=1e-9)


def test_more_looks_and_fewer_clusters_tell_less() -> None:
    plain = power(8, Precision(400.0))
    for less in (
        power(8, Precision(400.0), looks=10),
        power(8, Precision(400.0, 5.0)),
    ):
        assert less.probability < plain.probability
        assert less.smallest > plain.smallest


@pytest.mark.parametrize(("seats", "fixtures"), [(2, 1), (2, 2), (2, 3), (4, 1)])
def test_degrees_of_freedom_are_those_of_the_fit(seats: int, fixtures: int) -> None:
    found = fit(even_league(8, seats, fixtures, 1), "g")
    shared = fixtures if seats == 2 else fixtures * 15
    assert label_precision(8, seats, shared).df == found.df
    assert found.clusters == {2: 28, 4: 70}[seats] * fixtures


def test_with_plenty_of_fixtures_errors_are_normal() -> None:
    # 8 entries and a seat are 9 parameters; 28 fixtures make a cycle.
    cycles = ceil(9 * PLENTY_PER_PARAMETER / 28)
    assert label_precision(8, 2, cycles).df == inf
    assert label_precision(8, 2, cycles - 1).df == 28 * (cycles - 1) - 1
    assert label_precision(2, 2, 1).df == 1.0


def test_plans_that_tell_nothing_or_everything() -> None:
    assert planned_variance(1, 2, 10) == planned_variance(8, 2, 0) == inf
    assert power(8, Precision(inf)).probability == 0.0
    assert power(8, Precision(inf)).smallest == inf
    assert power(1, Precision(400.0)).probability == 0.0
    assert power(8, Precision(0.0)).probability == 1.0
    assert power(8, Precision(0.0), 0.0).probability == 0.0
    assert power(8, Precision(0.0)).smallest == 0.0


@pytest.mark.parametrize(
    ("labels", "variance", "df"),
    [
        ([(1.0, 400.0, inf)], 400.0, inf),
        ([(2.0, 400.0, inf), (2.0, 400.0, inf)], 200.0, inf),
        ([(3.0, 100.0, inf), (1.0, 900.0, inf)], 112.5, inf),
        # A label that nobody plays halves all differences in the mean, and errors.
        ([(1.0, 400.0, inf), (1.0, 0.0, inf)], 100.0, inf),
        ([(1.0, 400.0, inf), (1.0, inf, inf)], inf, inf),
        ([(1.0, 400.0, 10.0)], 400.0, 10.0),
        # Half the variance is of the first label: (1 + 1)² / (1²/10 + 1²/df).
        ([(1.0, 400.0, 10.0), (1.0, 400.0, 10.0)], 200.0, 20.0),
        ([(1.0, 400.0, 10.0), (1.0, 400.0, inf)], 200.0, 40.0),
        ([(1.0, 400.0, 10.0), (1.0, 0.0, inf)], 100.0, 10.0),
    ],
)
def test_the_overall_variance_is_that_of_a_weighted_mean(
    labels: list[tuple[float, float, float]], variance: float, df: float
) -> None:
    found = overall_precision((w, Precision(v, n)) for w, v, n in labels)
    assert found == pytest.approx((variance, df))


def met(groups: list[str], fixtures: float = 3.0) -> dict[tuple[str, str], float]:
    """Return who shares fixtures if all of a group meet, each pair once."""
    return {
        (a, b): fixtures for group in groups for a, b in combinations(sorted(group), 2)
    }


def variance(shared: dict[tuple[str, str], float], between: str) -> float:
    """Return the mean variance of a difference, in squared log-odds."""
    k = len({name for pair in shared for name in pair})
    evenly = sum(shared.values()) / (k * (k - 1) / 2)
    factor = spread(shared, between)
    return planned_variance(k, 2, evenly, factor=factor) / LOGIT**2


def test_where_all_meet_alike_nothing_is_lost() -> None:
    assert spread(met(["ABCDE"]), "ABCDE") == pytest.approx(1.0)
    assert spread(met(["ABCDE"], 7.0), "AB") == pytest.approx(1.0)
    # Between one alone there is nothing: it is taken of all.
    gauntlet = met(["AXY", "BXY", "CXY"])
    assert spread(gauntlet, "A") == pytest.approx(spread(gauntlet, "ABCXY"))


def test_bots_of_a_gauntlet_are_compared_by_way_of_the_references() -> None:
    """Those of two bots with R references have the variance 4/(R f)."""
    gauntlet = met(["AXY", "BXY", "CXY", "DXY"])
    assert variance(gauntlet, "ABCD") == pytest.approx(4 / (2 * 3))
    assert variance(met(["AX", "BX", "CX"]), "ABC") == pytest.approx(4 / 3)


@pytest.mark.parametrize("references", ["X", "XYZ"])
def test_bots_of_divisions_are_compared_as_the_page_says(references: str) -> None:
    """With R references 1 + 1/R times the variance of their own division."""
    divisions = met([f"ABC{references}", f"DEF{references}"])
    within = 4 / (3 * (3 + len(references)))
    across = within * (1 + 1 / len(references))
    assert variance(divisions, "AB") == pytest.approx(within)
    assert variance(divisions, "AD") == pytest.approx(across)
    both = (6 * within + 9 * across) / 15
    assert variance(divisions, "ABCDEF") == pytest.approx(both)


def test_who_has_never_met_even_by_way_of_others_is_not_compared() -> None:
    assert spread(met(["ABC", "DEF"]), "ABCDEF") == inf
    assert planned_variance(6, 2, 1.0, factor=inf) == inf


def test_a_gauntlet_is_as_precise_as_planned() -> None:
    """As a fit of many games of even bots has it, from the curvature."""
    shared = met(["AXY", "BXY", "CXY"], 200.0)
    results = pairings(Random(3), dict.fromkeys(shared, 0.5), 200)
    planned = variance(shared, "ABC") * LOGIT**2
    found = mean_variance(fit(results, "g").curvature, 3)
    assert found == pytest.approx(planned, rel=0.03)

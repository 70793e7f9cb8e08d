"""What the fit misses: against plain sums, games with known solutions, simulations."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import exp, log
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matrix import divided
from rated import intransitivity
from scipy.stats import f as fisher
from simulated import logistic, pairings

from arena.ratings.elo.fit import Fit, fit
from arena.ratings.elo.pool import Floats
from arena.ratings.match_ups.intransitivity import (
    MAX_CYCLES,
    Intransitivity,
)
from arena.ratings.match_ups.nash import equilibrium
from arena.ratings.result import Result

FAIR = (False, False)
ROCK = {("P", "R"): 0.65, ("R", "S"): 0.65, ("S", "P"): 0.65}


def game(fixture: str, a: str, b: str, won: bool) -> Result:
    return Result("g", fixture, (a, b), (1, 2) if won else (2, 1), FAIR)


def exactly(
    scores: Mapping[tuple[str, str], float], fixtures: int = 40
) -> list[Result]:
    """Return seat-swapped fixtures with just these scores, won whole or lost whole."""
    results = []
    for (a, b), score in scores.items():
        for number in range(fixtures):
            won = number < round(score * fixtures)
            name = f"{a}{b}{number}"
            results += [game(name, a, b, won), game(name, b, a, not won)]
    return results


def judge(results: Sequence[Result]) -> Intransitivity:
    return intransitivity(results, fit(results, "g"))


def nash(found: Intransitivity) -> dict[str, tuple[float, float]]:
    assert found.nash is not None
    return {share.entry: (share.weight, share.payoff) for share in found.nash}


def by_formula(
    results: Sequence[Result], found: Fit
) -> tuple[dict[tuple[str, str], tuple[float, float]], tuple[float, int, float, float]]:
    """Return residuals with errors, and the test, from the documented formulas.

    Pair by pair, with whole matrices; for tables of two and no seat terms.
    """
    theta = {r.entry: r.elo * log(10.0) / 400.0 for r in found.ratings}
    names = list(theta)
    shares: dict[tuple[str, str], dict[str, list[float]]] = {}
    for result in results:
        a, b = sorted(result.seats)
        ahead = float(result.places[result.seats.index(a)] == 1)
        if found.adjusted and result.luck:
            ahead -= result.luck[0] if result.seats[0] == a else -result.luck[0]
        shares.setdefault((a, b), {}).setdefault(result.fixture, []).append(ahead)
    pairs = sorted(shares)
    count = {q: len(shares[q]) for q in pairs}
    size = {q: sum(map(len, shares[q].values())) for q in pairs}
    mean = {p: sum(map(sum, shares[p].values())) / size[p] for p in pairs}
    p = {(a, b): 1.0 / (1.0 + exp(theta[b] - theta[a])) for a, b in pairs}
    alone = {q: p[q] * (1.0 - p[q]) / size[q] for q in pairs}
    scatter = {}
    for q in pairs:
        c = count[q]
        squares = sum(
            (sum(games) - len(games) * mean[q]) ** 2 for games in shares[q].values()
        )
        scatter[q] = c / (c - 1) * squares / size[q] ** 2
    trials = {q: count[q] * (count[q] - 1) for q in pairs}
    factor = (sum(trials[q] * scatter[q] for q in pairs) + 1 / 8) / (
        sum(trials[q] * alone[q] for q in pairs) + 1 / 8
    )
    d, v = {}, {}
    for q in pairs:
        kurtosis = (1.0 / (p[q] * (1.0 - p[q])) - 6.0) * count[q] / size[q]
        own = 2.0 / max(
            2.0 / (count[q] - 1) + kurtosis / count[q], 2.0 / (count[q] - 1)
        )
        lent = 12
        if found.adjusted:
            lent, own = 4, count[q] - 1
        d[q] = lent + own
        v[q] = (lent * factor * alone[q] + own * scatter[q]) / d[q]

    residual = np.array([mean[q] - p[q] for q in pairs])
    variance = np.diag([v[q] for q in pairs])
    slopes = np.zeros((len(pairs), len(names)))
    for row, (a, b) in enumerate(pairs):
        slopes[row, names.index(a)] = p[a, b] * (1.0 - p[a, b])
        slopes[row, names.index(b)] = -p[a, b] * (1.0 - p[a, b])
    weight = np.linalg.inv(variance)
    hat = slopes @ np.linalg.pinv(slopes.T @ weight @ slopes) @ slopes.T
    left = weight - weight @ hat @ weight
    free = (left @ variance).diagonal()
    df1 = len(pairs) - int(np.linalg.matrix_rank(slopes))
    extra = sum(free[i] ** 2 / d[q] for i, q in enumerate(pairs))
    c = df1 + 2 * extra - 6 * extra / (df1 + 2)
    statistic = float(residual @ left @ residual) / c
    df2 = float(df1 * (df1 + 2) / (3 * extra))
    error = np.sqrt((variance - hat).diagonal())
    return (
        dict(zip(pairs, zip(residual, error, strict=True), strict=True)),
        (statistic, df1, df2, float(fisher.sf(statistic, df1, df2))),
    )


@pytest.mark.parametrize("adjusted", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_the_numbers_are_those_of_the_formulas(seed: int, adjusted: bool) -> None:
    rng = Random(seed)
    names = "ABCDEF"
    strong = logistic({name: -150.0 * n for n, name in enumerate(names)})
    scores = {pair: p + rng.uniform(-0.3, 0.05) for pair, p in strong.items()}
    del scores["A", "F"]
    results = [
        replace(result, luck=(rng.randint(-8, 8) / 32,))
        for result in pairings(rng, scores, 5 + seed, -0.4)
    ]
    # Every fixture has each seating once, so that a seat term has no part in this.
    rated = replace(fit(results, "g", adjusted=adjusted), seat_terms=())
    found = intransitivity(results, rated)
    pairs, test = by_formula(results, rated)

    assert found.pairs == tuple(pairs)
    assert found.residuals == pytest.approx([r for r, _ in pairs.values()], abs=1e-12)
    assert found.se == pytest.approx([se for _, se in pairs.values()])
    assert (found.statistic, found.df1, found.df2, found.p) == pytest.approx(test)
    assert found.df1 == 14 - 5
    assert found.rejects == (test[3] < 0.05)
    rng.shuffle(results)
    assert intransitivity(results, rated) == found


def test_rock_paper_scissors_is_found_out() -> None:
    scores = ROCK | {(name, "weak"): 0.8 for name in "PRS"}
    found = judge(exactly(scores, 80))

    assert found.rejects
    residual = dict(zip(found.pairs, found.residuals, strict=True))
    assert residual["P", "R"] == pytest.approx(0.15)
    assert residual["P", "S"] == pytest.approx(-0.15)
    (cycle,) = found.cycles
    assert cycle.entries == ("P", "R", "S")
    assert cycle.scores == pytest.approx((0.65, 0.65, 0.65))
    third = pytest.approx((1 / 3, 0.0))
    weak = pytest.approx((0.0, -0.3))
    assert nash(found) == dict.fromkeys("PRS", third) | {"weak": weak}


def test_a_clone_shares_what_its_original_had() -> None:
    clone = {("Rock", "R"): 0.5, ("P", "Rock"): 0.65, ("Rock", "S"): 0.65}
    found = judge(exactly(ROCK | clone, 80))

    weights = {"P": 1 / 3, "R": 1 / 6, "Rock": 1 / 6, "S": 1 / 3}
    assert nash(found) == {
        name: pytest.approx((weight, 0.0), abs=1e-6) for name, weight in weights.items()
    }
    assert [c.entries for c in found.cycles] == [("P", "R", "S"), ("P", "Rock", "S")]


def test_what_strength_explains_is_not_called_a_cycle() -> None:
    scores = logistic({"A": 300.0, "B": 200.0, "C": 100.0, "D": 0.0})
    found = judge(pairings(Random(2), scores, 40))

    assert not found.rejects
    assert found.p is not None
    assert found.p > 0.05
    assert found.cycles == ()
    assert found.nash is None
    assert found.reason is None


def test_a_best_entry_has_all_the_weight() -> None:
    """It lets others beat each other in circles, and it beats them all."""
    found = judge(exactly(ROCK | {("best", name): 0.6 for name in "PRS"}, 80))

    assert nash(found) == {
        "best": pytest.approx((1.0, 0.0)),
        **{name: pytest.approx((0.0, -0.1)) for name in "PRS"},
    }


def test_a_link_that_may_be_luck_makes_no_cycle() -> None:
    links = {("P", "R"): 0.9, ("R", "S"): 0.9}
    even = dict.fromkeys(combinations("PRSXYZ", 2), 0.5)
    del even["P", "S"]

    # The least clear of three links must be clear by itself, but not three times so.
    cycles = [judge(exactly(links | {("S", "P"): p})).cycles for p in (0.6, 0.65)]
    assert list(map(bool, cycles)) == [False, True]
    # Of fifteen pairs one will look like that.
    found = judge(exactly(even | links | {("S", "P"): 0.7}))
    assert found.rejects
    assert found.cycles == ()
    assert judge(exactly(even | links | {("S", "P"): 0.8})).cycles


@pytest.mark.parametrize("first", ["a", "a{}"])
def test_the_clearest_cycles_come_first(first: str) -> None:
    scores: dict[tuple[str, str], float] = {}
    for n in range(MAX_CYCLES + 2):
        a, b, c = first.format(n), f"b{n}", f"c{n}"
        scores |= dict.fromkeys([(a, b), (b, c), (c, a)], 0.7 + 0.04 * n)
    names = sorted({name for pair in scores for name in pair})
    for a, b in combinations(names, 2):
        if (a, b) not in scores and (b, a) not in scores:
            scores[a, b] = 0.5
    found = judge(exactly(scores, 100))

    assert [cycle.entries for cycle in found.cycles] == [
        (first.format(n), f"b{n}", f"c{n}") for n in range(MAX_CYCLES + 1, 1, -1)
    ]


def rejected(leagues: Sequence[Sequence[Result]]) -> float:
    return sum(judge(results).rejects for results in leagues) / len(leagues)


@pytest.mark.parametrize("leagues", divided((20, 60), lambda n: n == 20))
@pytest.mark.parametrize("shared", [-0.5, 0.4])
def test_luck_alone_is_rarely_taken_for_more(shared: float, leagues: int) -> None:
    rng = Random(f"size {shared}")
    scores = logistic({name: 60.0 * n for n, name in enumerate("ABCDEFGH")})
    found = rejected([pairings(rng, scores, 5, shared) for _ in range(leagues)])

    assert found <= 0.05 + 2.0 * (0.05 * 0.95 / leagues) ** 0.5


@pytest.mark.parametrize("leagues", divided((12, 40), lambda n: n == 12))
def test_so_is_luck_at_tables_of_four(leagues: int) -> None:
    """Of twelve; whoever is ahead of one is often ahead of another as well."""
    rng = Random("tables")
    found = []
    for _ in range(leagues):
        results = []
        for fixture in range(60):
            seats = rng.sample("ABCDEFGHIJKL", 4)
            for turn in range(4):
                order = (*seats[turn:], *seats[:turn])
                places = tuple(rng.sample(range(1, 5), 4))
                results.append(Result("g", str(fixture), order, places, (False,) * 4))
        found.append(judge(results))

    assert sum(one.rejects for one in found) <= leagues / 10
    mean = sum(one.statistic or 0.0 for one in found) / leagues
    assert mean == pytest.approx(1.0, abs=0.95 / leagues**0.5)


@pytest.mark.parametrize("leagues", divided((15, 50), lambda n: n == 15))
def test_rock_paper_scissors_is_seen_in_forty_games_a_pair(leagues: int) -> None:
    rng = Random("power")
    scores = ROCK | {(name, "weak"): 0.7 for name in "PRS"}
    played = [pairings(rng, scores, 20, -0.35) for _ in range(leagues)]

    # In nine of ten.
    assert rejected(played) >= 0.9 - 2.4 * (0.9 * 0.1 / leagues) ** 0.5


def test_a_seat_that_is_worth_much_is_not_lack_of_fit() -> None:
    rng = Random(3)
    results = [
        game(f"{a}{b}{number}", *seats, rng.random() < 0.8)
        for a, b in combinations("ABCDE", 2)
        for number in range(20)
        for seats in ((a, b), (b, a))
    ]
    found = judge(results)

    assert not found.rejects
    assert found.df1 == 10 - 4
    # Where A always sits first and the others swap, the seat is one thing more that
    # may make the difference.
    mixed = [r for r in results if r.seats[1] != "A"]
    assert judge(mixed).df1 == 5


@pytest.mark.parametrize(
    ("pairs", "fixtures", "reason"),
    [
        (("AB", "BC"), 20, "no pair met beyond"),
        (("AB", "BC", "AC"), 1, "3 pairs have met in 3 fixtures; it takes 15"),
        (("AB", "BC", "AC"), 4, "3 pairs have met in 12 fixtures; it takes 15"),
        ((), 1, "no pair met"),
    ],
)
def test_too_little_is_said_to_be_so(
    pairs: tuple[str, ...], fixtures: int, reason: str
) -> None:
    found = judge(exactly({(p[0], p[1]): 1.0 for p in pairs}, fixtures))

    assert found.reason is not None
    assert found.reason.startswith(reason)
    assert found.statistic is found.df1 is found.df2 is found.p is None
    assert not found.rejects
    assert len(found.residuals) == len(found.se) == len(pairs)
    assert judge(exactly({("A", "B"): 1.0, ("A", "C"): 0.5, ("B", "C"): 0.4}, 5)).p


def test_games_that_explore_are_left_out() -> None:
    fixed = exactly(ROCK | {(name, "weak"): 0.8 for name in "PRS"}, 40)
    rated = fit(fixed, "g")
    exploring = [
        replace(result, fixture=f"x{result.fixture}", explores=True)
        for result in exactly({("P", "R"): 0.1, ("weak", "S"): 0.9}, 10)
    ]

    assert intransitivity([*fixed, *exploring], rated) == intransitivity(fixed, rated)


def test_luck_is_taken_out_where_the_fit_has_done_so() -> None:
    """It made even entries beat each other in a circle."""
    results = [
        replace(result, luck=(0.15 if result.seats in ROCK else -0.15,))
        for result in exactly(ROCK, 80)
    ]
    adjusted = intransitivity(results, fit(results, "g", adjusted=True))

    assert judge(results).rejects
    assert adjusted.residuals == pytest.approx([0.0] * 3, abs=1e-8)
    assert not adjusted.rejects


def test_groups_that_never_met_have_no_common_average() -> None:
    other = {(f"{a}'", f"{b}'"): score for (a, b), score in ROCK.items()}
    found = judge(exactly(ROCK | other, 80))

    assert found.df1 == 6 - 4
    assert found.rejects
    assert len(found.cycles) == 2
    assert found.nash is None


def payoffs(rows: Sequence[Sequence[float]]) -> Floats:
    upper: Floats = np.array(rows, float)
    return upper - upper.T


@pytest.mark.parametrize(
    ("upper", "weights"),
    [
        ([[0.0]], [1.0]),
        ([[0, 1], [0, 0]], [1.0, 0.0]),
        ([[0, -1, 1], [0, 0, -1], [0, 0, 0]], [1 / 3] * 3),
        # Each has in proportion to what the other two gain against each other.
        ([[0, -1, 3], [0, 0, -2], [0, 0, 0]], [1 / 3, 1 / 2, 1 / 6]),
        ([[0, 0, 0], [0, 0, 0], [0, 0, 0]], [1 / 3] * 3),
        # The third would gain if the first had more than a quarter.
        ([[0, 0, -3], [0, 0, 1], [0, 0, 0]], [1 / 4, 3 / 4, 0.0]),
    ],
)
def test_the_equilibrium_is_known(
    upper: list[list[float]], weights: list[float]
) -> None:
    assert equilibrium(payoffs(upper)) == pytest.approx(weights, abs=1e-6)


@st.composite
def matrices(draw: st.DrawFn) -> Floats:
    k = draw(st.integers(2, 7))
    upper = [[0.0] * k for _ in range(k)]
    for a, b in combinations(range(k), 2):
        upper[a][b] = draw(st.integers(-4, 4)) / 8
    return payoffs(upper)


@settings(max_examples=12)
@given(matrices(), st.randoms(use_true_random=False))
def test_nobody_beats_the_equilibrium(matrix: Floats, rng: Random) -> None:
    weights = equilibrium(matrix)
    order = list(range(len(matrix)))
    rng.shuffle(order)
    copy = rng.randrange(len(matrix))
    both = [*range(len(matrix)), copy]
    shared = equilibrium(matrix[np.ix_(both, both)])

    assert weights.min() >= 0.0
    assert weights.sum() == pytest.approx(1.0)
    assert (matrix @ weights).max() <= 1e-6
    assert equilibrium(matrix[np.ix_(order, order)]) == pytest.approx(
        weights[order], abs=1e-4
    )
    assert shared[copy] == pytest.approx(shared[-1], abs=1e-4)

"""What the formulas say of a league, recomputed from scratch."""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from math import inf
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

sys.path.append(str(Path(__file__).parents[1] / "reports"))

import leagues
import numpy as np
import pytest
import recompute
from msgspec import structs
from numpy.typing import NDArray
from simulated import LOGIT, game, match, played, same

from arena.league.config.settings import Overall, Placing, RatedBy
from arena.league.results.store import Store
from arena.ratings import Fit, Result, fit
from arena.reports.export import export_lines
from arena.reports.files import leaderboard_json
from arena.reports.report import Report, read_report

Floats = NDArray[np.floating[Any]]


class Dense(NamedTuple):
    """All comparisons of a league, one a row, and the fit that was found."""

    rows: Floats
    weight: Floats
    surprise: Floats
    luck: Floats
    cluster: list[str]
    chance: Floats
    prior: Floats
    """Diagonal of the phantoms' part in the Hessian."""

    @property
    def hessian(self) -> Floats:
        return self.information(np.ones(len(self.weight), bool)) + np.diag(self.prior)

    def information(self, chosen: NDArray[np.bool_]) -> Floats:
        rows = self.rows[chosen]
        slopes = self.weight * self.chance * (1.0 - self.chance)
        total: Floats = rows.T @ (slopes[chosen][:, None] * rows)
        return total

    def score(self, chosen: NDArray[np.bool_]) -> Floats:
        amounts = (self.weight * self.surprise)[chosen]
        total: Floats = amounts @ self.rows[chosen]
        return total

    def clusters(self) -> Iterator[NDArray[np.bool_]]:
        names = np.array(self.cluster)
        for name in sorted(set(self.cluster)):
            yield names == name


def dense(results: Iterable[Result], found: Fit, *, winner_only: bool = False) -> Dense:
    """Write down every comparison, at the published ratings."""
    names = [rating.entry for rating in found.ratings]
    terms = {(t.players, t.seat): i for i, t in enumerate(found.seat_terms)}
    k = len(names)
    (phantom,) = found.phantoms
    x = [(rating.elo - phantom) / LOGIT for rating in found.ratings]
    x += [term.elo / LOGIT for term in found.seat_terms]
    rows, weight, score, luck, cluster = [], [], [], [], []
    for result in results:
        n = len(result.seats)
        given = result.luck or (0.0,) * (n * (n - 1) // 2)
        for (s, t), lucky in zip(combinations(range(n), 2), given, strict=True):
            p, q = result.places[s], result.places[t]
            if winner_only and n > 2 and min(p, q) > 1:
                continue
            row = np.zeros(len(x))
            row[names.index(result.seats[s])] += 1.0
            row[names.index(result.seats[t])] -= 1.0
            if (n, s) in terms:
                row[k + terms[n, s]] += 1.0
            if (n, t) in terms:
                row[k + terms[n, t]] -= 1.0
            rows.append(row)
            weight.append(2.0 / n)
            score.append((p < q) + 0.5 * (p == q) - lucky * found.adjusted)
            luck.append(lucky)
            cluster.append(result.fixture)
    matrix, point = np.array(rows), np.array(x)
    chance = 1.0 / (1.0 + np.exp(-matrix @ point))
    even = 1.0 / (1.0 + np.exp(-point))
    return Dense(
        matrix,
        np.array(weight),
        np.array(score) - chance,
        np.array(luck),
        cluster,
        chance,
        even * (1.0 - even),
    )


def from_mean(found: Fit, covariance: Floats) -> Floats:
    """Return the covariance of log-odds as that of Elo against the mean."""
    k = len(found.ratings)
    contrast = np.eye(len(covariance))
    contrast[:k, :k] -= 1.0 / k
    return LOGIT**2 * contrast @ covariance @ contrast.T


FEW = [
    pytest.param([2], 25, None, id="pairs"),
    pytest.param([3], 15, None, id="tables of three"),
    pytest.param([4], 20, None, id="tables of four"),
    pytest.param([2, 3, 4], 40, None, id="mixed"),
    pytest.param([2, 4], 45, 1, id="single games"),
]


@pytest.mark.parametrize("luck", [None, 0.3], ids=["raw", "adjusted"])
@pytest.mark.parametrize(("sizes", "fixtures", "seatings"), FEW)
def test_errors_of_few_clusters_are_those_of_leaving_each_out(
    sizes: list[int], fixtures: int, seatings: int | None, luck: float | None
) -> None:
    results = played(Random(fixtures), sizes, fixtures, luck=luck, seatings=seatings)
    found = fit(results, "g", adjusted=luck is not None)
    whole = dense(results, found)
    moved = [
        np.linalg.solve(whole.hessian - whole.information(own), whole.score(own))
        for own in whole.clusters()
    ]
    number = len(moved)
    assert number == found.clusters < 100 * len(whole.prior)
    assert found.df == number - 1
    meat = np.array(moved).T @ np.array(moved)
    expected = from_mean(found, (number - 1) / number * meat)
    assert found.covariance == pytest.approx(expected, rel=1e-6, abs=1e-4)
    curvature = from_mean(found, np.linalg.inv(whole.hessian))
    assert found.curvature == pytest.approx(curvature, rel=1e-6, abs=1e-4)


def test_errors_of_many_clusters_are_the_sandwich() -> None:
    results = played(Random(2), [2, 2, 3], 700, "ABC", luck=0.2)
    for adjusted in (False, True):
        found = fit(results, "g", adjusted=adjusted)
        whole = dense(results, found)
        scores = np.array([whole.score(own) for own in whole.clusters()])
        number = len(scores)
        assert number >= 100 * len(whole.prior)
        assert found.df == inf
        bread = np.linalg.inv(whole.hessian)
        meat = number / (number - 1) * scores.T @ scores
        expected = from_mean(found, bread @ meat @ bread)
        assert found.covariance == pytest.approx(expected, rel=1e-6, abs=1e-4)
        se = [rating.se for rating in found.ratings]
        assert se == pytest.approx(np.sqrt(np.diag(expected)[: len(se)]), rel=1e-8)


def test_leaving_a_cluster_out_is_nearly_fitting_without_it() -> None:
    """One step of Newton's from a fit that is near comes very close."""
    results = played(Random(3), [2, 3], 200, "ABCD")
    found = fit(results, "g")
    whole = dense(results, found)
    elo = np.array([rating.elo for rating in found.ratings])
    for number, own in enumerate(whole.clusters()):
        if number % 40:
            continue
        step = np.linalg.solve(whole.hessian - whole.information(own), whole.score(own))
        shift = LOGIT * (step[: len(elo)] - step[: len(elo)].mean())
        rest = [r for r in results if r.fixture != f"f{number:04}"]
        without = np.array([rating.elo for rating in fit(rest, "g").ratings])
        assert elo - without == pytest.approx(shift, abs=0.02)
        assert np.abs(shift).max() > 0.2


@pytest.mark.parametrize(("losses", "hidden"), [(0, True), (2, True), (3, False)])
def test_an_error_rests_on_three_clusters_that_surprise(
    losses: int, hidden: bool
) -> None:
    assert fit(match([2] * 400 + [0] * losses), "g").few == (hidden, hidden)


# Seats.


def test_a_seat_that_strength_explains_leaves_the_others_alone() -> None:
    """At tables of three C never leaves the last seat: only the other two differ."""
    results = [
        game(f"{n}", seats, places)
        for n, places in enumerate([(1, 2, 3), (2, 1, 3), (1, 3, 2), (3, 1, 2)])
        for seats in ("ABC", "BAC")
    ]
    found = fit(results, "g")
    assert [(t.players, t.seat) for t in found.seat_terms] == [(3, 1)]
    expected = from_mean(found, np.linalg.inv(dense(results, found).hessian))
    assert found.curvature == pytest.approx(expected, rel=1e-9)
    turned = [game(f"x{n}", seats, (1, 2, 3)) for n, seats in enumerate(("BCA", "CAB"))]
    both = fit(results + turned, "g").seat_terms
    assert [(t.players, t.seat) for t in both] == [(3, 1), (3, 2)]


# Luck.


@pytest.mark.parametrize("sizes", [[2], [2, 3, 4]])
def test_without_luck_there_is_nothing_to_take_out(sizes: list[int]) -> None:
    results = played(Random(4), sizes, 40, luck=0.0)
    raw, adjusted = fit(results, "g"), fit(results, "g", adjusted=True)
    assert adjusted.ratings == raw.ratings
    assert adjusted.seat_terms == raw.seat_terms
    assert np.array_equal(adjusted.covariance, raw.covariance)
    assert (raw.adjusted, adjusted.adjusted) == (False, True)


@pytest.mark.parametrize("sizes", [[2], [3], [2, 3, 4]])
def test_a_little_luck_moves_the_fit_as_weighted_least_squares_would(
    sizes: list[int],
) -> None:
    results = played(Random(5), sizes, 60, luck=1e-3)
    raw, adjusted = fit(results, "g"), fit(results, "g", adjusted=True)
    whole = dense(results, raw)
    pull = (whole.weight * whole.luck) @ whole.rows
    step = -np.linalg.solve(whole.hessian, pull)
    k = len(raw.ratings)
    expected = LOGIT * (step[:k] - step[:k].mean())
    before, after = (np.array([r.elo for r in f.ratings]) for f in (raw, adjusted))
    assert np.abs(expected).max() > 0.01
    assert after - before == pytest.approx(expected, abs=1e-4)
    terms = zip(adjusted.seat_terms, raw.seat_terms, strict=True)
    moved = [now.elo - was.elo for now, was in terms]
    assert moved == pytest.approx(LOGIT * step[k:], abs=1e-4)


# Only the winner counts.


def winners(results: Iterable[Result]) -> Fit:
    return fit(results, "g", winner_only=True)


def test_places_below_the_first_say_nothing_where_only_the_winner_counts() -> None:
    seatings = ("ABCD", "BCDA", "CDAB", "DABC")
    one = [game(n, seats, (1, 2, 3, 4)) for n, seats in enumerate(seatings)]
    other = [game(n, seats, (1, 4, 2, 2)) for n, seats in enumerate(seatings)]
    assert same(winners(one), winners(other))
    assert not same(fit(one, "g"), fit(other, "g"))
    pairs = [*played(Random(12), [2], 20), game("x", "AB", (2, 2), forfeits="AB")]
    assert same(winners(pairs), fit(pairs, "g"))


def test_a_winner_of_three_by_hand() -> None:
    """A beats B and C, who are not compared: two comparisons of weight 2/3."""
    found = winners([game(1, "ABC", (1, 2, 3))])
    (phantom,) = found.phantoms
    a, b, c = ((rating.elo - phantom) / LOGIT for rating in found.ratings)
    missed = 2.0 / 3.0 / (1.0 + np.exp(a - b))
    # Each has one drawn game against the phantom.
    assert 2.0 * missed == pytest.approx(1.0 / (1.0 + np.exp(-a)) - 0.5)
    assert missed == pytest.approx(0.5 - 1.0 / (1.0 + np.exp(-b)))
    assert b == pytest.approx(c, abs=1e-12)


def test_three_wins_of_five_against_two_by_hand() -> None:
    """A is ahead of B three times, B of A once, and C has beaten both: 3 to 1."""
    turns = ("ABC", "BCA", "CAB")
    results = [
        game(f"{number}{winner}{tag}", seats, [1 if s == winner else 2 for s in seats])
        for number in range(150)
        for tag, winner in enumerate("AAABC")
        for seats in turns
    ]
    elo = {rating.entry: rating.elo for rating in winners(results).ratings}
    assert elo["B"] == pytest.approx(elo["C"])
    assert elo["A"] - elo["B"] == pytest.approx(400.0 * np.log10(3.0), abs=0.5)


def test_winners_who_share_have_drawn_and_beaten_the_rest() -> None:
    shared = game(1, "ABCD", (1, 1, 3, 4))
    found = winners([shared])
    a, b, c, d = (rating.elo for rating in found.ratings)
    assert a == pytest.approx(b)
    assert c == pytest.approx(d)
    assert a > c
    # Of six pairs five are compared: not the two who have lost.
    whole = dense([shared], found, winner_only=True)
    gradient = whole.score(np.ones(5, bool))
    (phantom,) = found.phantoms
    x = np.array([rating.elo - phantom for rating in found.ratings]) / LOGIT
    assert gradient == pytest.approx(1.0 / (1.0 + np.exp(-x)) - 0.5, abs=1e-9)


# A league, from the lines of its export alone.

EXPLORING = 30
"""Games that an adaptive schedule has planned because of results."""


def of_a_league(rng: Random) -> list[Result]:
    """Return the games of four labels, in the order of the plan."""
    labels = {
        "pairs": played(rng, [2], 30, "ABCDEF", luck=0.4),
        "trios": played(rng, [3], 15, luck=0.3),
        "fours": played(rng, [4], 8, "ABCDEF"),
        "crowd": played(rng, [3], 12),
    }
    found = []
    for label, results in labels.items():
        for number, result in enumerate(results):
            # F is in few games of the first label, and forfeits all of another.
            if label == "pairs" and number >= EXPLORING and "F" in result.seats:
                continue
            fails = [label == "fours" and name == "F" for name in result.seats]
            if label == "trios" and number < 2:
                fails = [place == max(result.places) for place in result.places]
            fixture = f"{label} {result.fixture}"
            found.append(
                replace(result, label=label, fixture=fixture, forfeits=tuple(fails))
            )
    return found


def reported(
    folder: Path, results: Sequence[Result], **changed: Any
) -> tuple[Report, list[dict[str, Any]]]:
    """Return the report of a league of these games, and its exported lines."""
    names = sorted({name for result in results for name in result.seats})
    owners = {"A": ("one",), "B": ("one", "two"), "D": ("two",)}
    who = {
        name: structs.replace(leagues.bot(name), code=name, owners=owners.get(name, ()))
        for name in names
    }
    own = {"pairs": {"weight": 2.0}, "crowd": {"placing": Placing.WINNER}}
    labels = [
        structs.replace(leagues.label_info(label), **own.get(label, {}))
        for label in dict.fromkeys(result.label for result in results)
    ]
    info = structs.replace(leagues.league(who.values(), labels), **changed)
    records, luck = leagues.records_of(results, who)
    values = [leagues.value_of(label.label) for label in labels]
    leagues.fill(folder, info, records, luck, values)
    with Store.read(folder) as store:
        return read_report(store), [*map(json.loads, export_lines(store))]


@pytest.mark.parametrize(
    "changed",
    [
        {"anchor": ("c:C", 1100.0), "exploring": (0, EXPLORING)},
        {"anchor": ("f:F", 1100.0), "overall": Overall.ANY},
        {"by": RatedBy.RESULTS, "exploring": (0, EXPLORING)},
    ],
    ids=["anchored", "any", "by results"],
)
def test_every_elo_follows_from_the_export_alone(
    tmp_path: Path, changed: dict[str, Any]
) -> None:
    report, games = reported(tmp_path, of_a_league(Random(7)), **changed)
    rows = json.loads(leaderboard_json(report))["rows"]
    assert recompute.check_rows(rows, games) > 60
    seats = recompute.rate_league(games).seats
    for board, size in zip(report.boards, (2, 3, 4, 3), strict=True):
        assert board.fits is not None
        terms = {(x.players, x.seat): x.elo for x in board.fits.fit.seat_terms}
        assert terms == pytest.approx(seats[board.label.label], abs=0.01)
        assert len(terms) == size - 1


@pytest.mark.parametrize("size", [2, 3])
def test_a_library_for_such_models_finds_the_same_strengths(size: int) -> None:
    """Where all seatings come out alike, so that no seat is worth anything."""
    results = [
        replace(result, seats=seats, places=places)
        for result in played(Random(size), [size], 12, "ABCDE", seatings=1)
        for order in permutations(range(size))
        for seats in [tuple(result.seats[i] for i in order)]
        for places in [tuple(result.places[i] for i in order)]
    ]
    found = fit(results, "g")
    names = [rating.entry for rating in found.ratings]
    # With one for the phantom, which has drawn a game with each.
    wins = np.zeros((len(names) + 1, len(names) + 1))
    wins[-1, :-1] = wins[:-1, -1] = 0.5
    for result in results:
        for a, b in combinations(range(size), 2):
            i, j = (names.index(result.seats[seat]) for seat in (a, b))
            ahead = (1 + np.sign(result.places[b] - result.places[a])) / 2
            wins[i, j] += 2.0 / size * ahead
            wins[j, i] += 2.0 / size * (1.0 - ahead)
    strengths = LOGIT * recompute.bradley_terry(wins)
    elo = np.array([rating.elo for rating in found.ratings])
    assert elo - found.phantoms == pytest.approx(
        strengths[:-1] - strengths[-1], abs=0.01
    )
    assert [term.elo for term in found.seat_terms] == pytest.approx([0.0] * (size - 1))
    assert np.ptp(elo) > 100.0

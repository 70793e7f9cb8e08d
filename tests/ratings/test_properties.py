"""What must not matter does not; what the formulas say, recomputed from scratch."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations
from math import inf, log
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

sys.path.append(str(Path(__file__).parents[1] / "league"))

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from plans import entry, league, league_game

from arena.league.plan import make_plan
from arena.league.store import EntryInfo, LabelInfo, LabelValue, LeagueInfo, Store
from arena.ratings import (
    MEAN_ELO,
    Fit,
    Result,
    Standings,
    crosstable,
    fit,
    standings,
)
from arena.ratings._labels import fit_label
from arena.ratings._pool import Pool, build_pool, select
from arena.referee.record import DecisionTimes, GameRecord

Floats = NDArray[np.floating[Any]]

LOGIT = 400.0 / log(10.0)
"""Elo of one natural log-odds."""


def game(
    fixture: object,
    seats: str,
    places: Sequence[int] = (1, 2),
    luck: Sequence[float] | None = None,
    forfeits: str = "",
    explores: bool = False,
    label: str = "g",
) -> Result:
    """Return a game of entries with names of one letter; the first seat wins."""
    return Result(
        label,
        str(fixture),
        tuple(seats),
        tuple(places),
        tuple(name in forfeits for name in seats),
        None if luck is None else tuple(luck),
        explores,
    )


def played(
    rng: Random,
    sizes: Sequence[int],
    fixtures: int,
    names: str = "ABCDE",
    luck: float | None = None,
    seatings: int | None = None,
) -> list[Result]:
    """Return fixtures of random entries and outcomes, with every rotation of the seats.

    Or with `seatings` of them.  The earlier a name in the alphabet, the better.  Luck
    is as it comes, up to `luck`.
    """
    results = []
    for number in range(fixtures):
        size = rng.choice(sizes)
        group = rng.sample(names, size)
        for turn in range(seatings or size):
            seats = group[turn:] + group[:turn]
            performed = [rng.gauss(0.4 * names.index(name), 1.0) for name in seats]
            places = [1 + sum(p < own for p in performed) for own in performed]
            if rng.random() < 0.2:
                places = [min(place, 2) for place in places]
            pairs = size * (size - 1) // 2
            given = None
            if luck is not None:
                # In units that no rounding changes.
                most = round(luck * 2**24)
                given = [rng.randint(-most, most) / 2**24 for _ in range(pairs)]
            results.append(game(f"f{number:04}", "".join(seats), places, given))
    return results


def with_forfeits(rng: Random, results: Iterable[Result]) -> list[Result]:
    """Return the results with a forfeit of some who came last, and some exploring."""
    found = []
    for result in results:
        last = max(result.places)
        if rng.random() < 0.1 and result.places.count(last) == 1:
            lost = tuple(place == last for place in result.places)
            result = replace(result, forfeits=lost)
        found.append(replace(result, explores=len(result.seats) == 2))
    return found


def a_league() -> list[Result]:
    """Return a league with all there is: two labels, luck, forfeits, exploring."""
    rng = Random(31)
    results = with_forfeits(rng, played(rng, [2, 2, 3, 4], 60, "ABCDEF", luck=0.3))
    other = played(rng, [2], 30, "ABCDXY")
    return results + [replace(r, label="h", fixture=f"h{r.fixture}") for r in other]


def rated(results: Iterable[Result]) -> Standings:
    return standings(results, ["g", "h"], {"g": 2.0}, anchor=("C", 1100.0))


# What must not matter.


def test_the_order_of_the_games_changes_no_bit() -> None:
    results = a_league()
    table, scores = rated(results), crosstable(results)
    assert any(row.labels[0].adjusted_elo is not None for row in table.rows)
    assert any(row.clean_elo is not None for row in table.rows)
    assert table.fits[0].confirmed is not None
    rng = Random(32)
    for _ in range(3):
        rng.shuffle(results)
        assert rated(results) == table
        assert crosstable(results) == scores
        for again, before in zip(rated(results).fits, table.fits, strict=True):
            for name in ("fit", "confirmed", "adjusted", "clean"):
                assert same(getattr(again, name), getattr(before, name))


def same(one: Fit | None, other: Fit | None) -> bool:
    """Return whether two fits are the same to the last bit."""
    if one is None or other is None:
        return one is other
    return (
        (one.ratings, one.seat_terms, one.components, one.phantoms, one.few, one.df)
        == (
            other.ratings,
            other.seat_terms,
            other.components,
            other.phantoms,
            other.few,
            other.df,
        )
        and np.array_equal(one.covariance, other.covariance)
        and np.array_equal(one.curvature, other.curvature)
    )


def test_a_league_in_two_files_is_the_same_league(tmp_path: Path) -> None:
    results = [
        replace(result, luck=result.luck or (0.25,), explores=False)
        for result in a_league()
    ]
    parts = results[::2], results[1::2]
    for number, part in enumerate(parts):
        write(tmp_path / str(number), part)
    back = list(chain.from_iterable(read(tmp_path / n) for n in "10"))
    assert sorted(back, key=repr) == sorted(results, key=repr)
    assert rated(back) == rated(results)
    assert crosstable(back) == crosstable(results)


def write(folder: Path, results: Sequence[Result]) -> None:
    """Write the games into a results folder, with their luck."""
    value = LabelValue(label="g", game="zombie_dice", version="1", digest="d")
    labels = tuple(
        LabelInfo(
            label=label,
            game="zombie_dice",
            title="Zombie Dice",
            players=2,
            options={},
            changed=(),
            house_rules=(),
            weight=1.0,
        )
        for label in "gh"
    )
    info = LeagueInfo(
        name="split",
        seed=7,
        isolation="process",
        move_limit=0.5,
        anchor=None,
        labels=labels,
        entries=tuple(
            EntryInfo(name, name, f"{name}.py", ("g", "h"), "") for name in "ABCDEFXY"
        ),
    )
    records = [record_of(result, number) for number, result in enumerate(results)]
    with Store.open(folder) as store:
        store.begin(info, [record.game_id for record in records])
        store.add(records)
        store.add_luck(
            value.id,
            (
                (record.game_id, result.luck)
                for record, result in zip(records, results, strict=True)
                if result.luck is not None
            ),
        )
        values = [
            value,
            LabelValue(label="h", game=value.game, version="1", digest="d"),
        ]
        store.set_label_values(values)


def record_of(result: Result, number: int) -> GameRecord:
    size = len(result.seats)
    return GameRecord(
        game_id=f"{result.fixture}-{number}",
        fixture_id=result.fixture,
        match_id="m",
        label=result.label,
        seats=result.seats,
        returns=(0.0,) * size,
        places=result.places,
        scores=(0.0,) * size,
        termination="natural",
        forfeits=result.forfeits,
        decisions=2,
        seconds=(0.0,) * size,
        history=("roll",),
        faults=(),
        times=(DecisionTimes(0.0, ()),) * size,
        isolation="process",
    )


def read(folder: Path) -> Iterator[Result]:
    """Yield the results of the games in a folder."""
    with Store.read(folder) as store:
        for record, luck in store.records_with_luck():
            yield Result(
                record.label,
                record.fixture_id,
                record.seats,
                record.places,
                record.forfeits,
                luck,
            )


@settings(max_examples=30)
@given(
    st.sets(st.sampled_from(["ana", "ben", "cid", "dot", "eva"]), min_size=2),
    st.sampled_from(["aaa", "bob", "zoe"]),
)
def test_another_bot_leaves_every_game_of_the_others_as_it_was(
    names: set[str], newcomer: str
) -> None:
    """The same ids, fixtures, seats and luck, in the same order."""
    config = league(league_game("zombie_dice"), league_game("ox_blocks", fixtures=2))
    others = [entry(name) for name in sorted(names)]
    more = sorted([*others, entry(newcomer)], key=lambda e: e.id)
    before, after = make_plan(config, others), make_plan(config, more)
    kept = [
        match
        for match in after.matches
        if newcomer not in {spec.id.partition(":")[0] for spec in match.entries}
    ]
    assert kept == list(before.matches)
    assert len(after.matches) == len(kept) + 2 * len(others)


def test_a_bot_in_another_game_changes_nothing_in_this_one() -> None:
    results = a_league()
    more = [
        replace(r, label="h", fixture=f"new{r.fixture}")
        for r in played(Random(5), [2], 12, "AZ")
    ]
    before, after = rated(results), rated(results + more)
    for row in before.rows:
        (now,) = (new for new in after.rows if new.entry == row.entry)
        assert now.labels[0] == row.labels[0]
    assert same(after.fits[0].fit, before.fits[0].fit)


def test_whoever_joins_changes_no_cell_of_the_others() -> None:
    rng = Random(6)
    results = played(rng, [2], 40, "ABCD", luck=0.3)
    more = [
        replace(r, fixture=f"new{r.fixture}")
        for r in played(rng, [2], 30, "ABCDZ", luck=0.3)
        if "Z" in r.seats
    ]
    before, after = crosstable(results), crosstable(results + more)
    assert after.entries == (*before.entries, "Z")
    assert before.adjusted is not None
    assert after.adjusted is not None
    for name in ("score", "low", "high", "superiority"):
        for old, new in ((before, after), (before.adjusted, after.adjusted)):
            cells = tuple(row[:-1] for row in getattr(new, name)[:-1])
            assert cells == getattr(old, name)
    assert tuple(row[:-1] for row in after.games[:-1]) == before.games


def test_pools_that_never_met_each_have_their_own_mean() -> None:
    rng = Random(8)
    results = played(rng, [2], 20, "ABC") + [
        replace(r, fixture=f"x{r.fixture}") for r in played(rng, [2], 20, "XYZ")
    ]
    free = {r.entry: r.elo for r in fit(results, "g").ratings}
    held = fit(results, "g", anchor=("Y", 1234.0))
    fixed = {r.entry: r.elo for r in held.ratings}

    for pool in ("ABC", "XYZ"):
        assert sum(free[name] for name in pool) == pytest.approx(3.0 * MEAN_ELO)
    assert sum(fixed[name] for name in "ABC") == pytest.approx(3.0 * 1234.0)
    assert fixed["Y"] == 1234.0
    assert fixed["X"] - 1234.0 == pytest.approx(free["X"] - free["Y"])
    assert np.isinf(held.variance()[0, 3:]).all()
    table = standings(results, ["g"])
    assert table.weights == (0.0,)
    assert {row.labels[0].pool for row in table.rows} == {0, 1}
    for row in table.rows:
        assert row.labels[0].rank in (1, 2, 3)
        assert (row.labels[0].rank_high or 9) <= 3


# Errors, from the formulas as they are in the books.


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


@pytest.mark.parametrize(
    ("wins", "losses", "hidden"), [(400, 0, True), (400, 2, True), (400, 3, False)]
)
def test_an_error_rests_on_three_clusters_that_surprise(
    wins: int, losses: int, hidden: bool
) -> None:
    results = [
        game(f"{n}", seats, (1, 2) if (seats == "AB") == (n < wins) else (2, 1))
        for n in range(wins + losses)
        for seats in ("AB", "BA")
    ]
    found = fit(results, "g")
    assert found.few == (hidden, hidden)


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


def test_luck_is_taken_out_of_all_games_or_of_none() -> None:
    results = played(Random(6), [2, 3], 40, luck=0.3)
    assert fit_label("g", build_pool(results), None, winner_only=False).adjusted
    results[7] = replace(results[7], luck=None)
    pool = build_pool(results)
    fits = fit_label("g", pool, None, winner_only=False)
    assert not pool.knows_luck
    assert fits.adjusted is None
    assert same(fits.fit, fit(results, "g"))
    with pytest.raises(ValueError, match="g: expected the luck of every game"):
        fit(results, "g", adjusted=True)
    for row in standings(results, ["g"]).rows:
        assert row.labels[0].adjusted_elo is None


# Which games are fitted.


def test_games_are_selected_as_if_there_were_no_others() -> None:
    rng = Random(9)
    results = with_forfeits(rng, played(rng, [2, 3, 4], 50, "ABCDEF", luck=0.3))
    pool = build_pool(results)
    by_size = [[r for r in results if len(r.seats) == n] for n in (2, 3, 4)]
    chosen = [["F" not in r.seats and rng.random() < 0.7 for r in x] for x in by_size]
    chosen[1] = [False] * len(chosen[1])
    kept = [
        result
        for games, marks in zip(by_size, chosen, strict=True)
        for result, mark in zip(games, marks, strict=True)
        if mark
    ]
    found = select(pool, [np.array(marks, bool) for marks in chosen])
    expected = build_pool(kept)
    assert (found.entries, found.clusters) == (expected.entries, expected.clusters)
    assert "F" not in found.entries
    assert found.games == len(kept) > 10
    assert rows_of(found) == rows_of(expected)


def rows_of(pool: Pool) -> list[object]:
    return [
        None if column is None else (column.shape, column.tolist())
        for table in pool.tables
        for column in table
    ]


def test_games_that_explore_sharpen_the_elo_but_no_interval() -> None:
    rng = Random(10)
    certain = played(rng, [2], 30, "ABCD", luck=0.2)
    more = [
        replace(r, fixture=f"x{r.fixture}", explores=True)
        for r in played(rng, [2], 40, "ABCD", luck=0.2)
    ]
    fits = fit_label("g", build_pool(certain + more), None, winner_only=False)
    assert same(fits.fit, fit(certain + more, "g"))
    assert same(fits.confirmed, fit(certain, "g"))
    assert same(fits.adjusted, fit(certain, "g", adjusted=True))
    before, after = (standings(x, ["g"]).rows for x in (certain, certain + more))
    now = {row.entry: row for row in after}
    for row in before:
        new = now[row.entry]
        assert (new.confirmed_elo, new.elo_low, new.elo_high) == (
            row.elo,
            row.elo_low,
            row.elo_high,
        )
        assert new.elo != row.elo
        assert new.games > row.games


def test_the_clean_elo_is_that_of_the_fixtures_without_a_forfeit() -> None:
    rng = Random(11)
    results = played(rng, [2, 3], 40, "ABCD")
    spoilt = {results[n].fixture for n in (3, 20, 50)}
    results = [
        replace(r, forfeits=tuple(p == max(r.places) for p in r.places))
        if number in (3, 20, 50)
        else r
        for number, r in enumerate(results)
    ]
    rest = [r for r in results if r.fixture not in spoilt]
    assert 0 < len(rest) < len(results) - 3
    expected = {r.entry: r.elo for r in fit(rest, "g").ratings}
    for row in standings(results, ["g"]).rows:
        assert row.labels[0].clean_elo == expected[row.entry]
        assert row.elo == pytest.approx(row.labels[0].elo)
        assert row.elo != row.clean_elo


# Only the winner counts.


def winners(results: Iterable[Result]) -> Fit:
    return fit(results, "g", winner_only=True)


def test_places_below_the_first_say_nothing_where_only_the_winner_counts() -> None:
    seatings = ("ABCD", "BCDA", "CDAB", "DABC")
    one = [game(n, seats, (1, 2, 3, 4)) for n, seats in enumerate(seatings)]
    other = [game(n, seats, (1, 4, 2, 2)) for n, seats in enumerate(seatings)]
    assert same(winners(one), winners(other))
    assert not same(fit(one, "g"), fit(other, "g"))
    pairs = played(Random(12), [2], 20)
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
    assert len(whole.weight) == 5
    gradient = whole.score(np.ones(5, bool))
    (phantom,) = found.phantoms
    x = np.array([rating.elo - phantom for rating in found.ratings]) / LOGIT
    assert gradient == pytest.approx(1.0 / (1.0 + np.exp(-x)) - 0.5, abs=1e-9)


def test_luck_says_nothing_of_winners_at_larger_tables() -> None:
    of_three = build_pool(played(Random(13), [3], 20, luck=0.2))
    of_two = build_pool(played(Random(13), [2], 20, luck=0.2))
    assert fit_label("g", of_three, None, winner_only=True).adjusted is None
    assert fit_label("g", of_three, None, winner_only=False).adjusted is not None
    assert fit_label("g", of_two, None, winner_only=True).adjusted is not None

"""The overall table: every game counts alike, and nothing else counts."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from math import sqrt
from random import Random

import numpy as np
import pytest
from many_games import Pattern, limits_of, patterns, play, true_overall
from matrix import divided
from rated import standings
from scipy.optimize import brentq
from simulated import LABEL, chances, evenly, logistic, pairings, play_with_luck

from arena.ratings import MEAN_ELO, Fit, Result, Standing, Standings
from arena.ratings.claims import better
from arena.ratings.elo.pool import select
from arena.ratings.leaderboard import standings as rate
from arena.ratings.overall import field_of, fit_overall

NAMES = "ABCDE"


def game_of(
    label: str, elo: Mapping[str, float], fixtures: int = 6, seed: int = 1
) -> list[Result]:
    """Return a round robin of bots of these strengths."""
    rng = Random(f"{label} {seed}")
    results = pairings(rng, logistic(elo), fixtures)
    return [replace(r, label=label, fixture=f"{label} {r.fixture}") for r in results]


def order(table: Standings) -> list[tuple[int | None, str]]:
    return [(row.rank, row.entry) for row in table.rows]


def claimed(table: Standings) -> list[tuple[object, ...]]:
    """Return all that is claimed of each row, but no number of Elo."""
    return [
        (
            *(row.rank, row.entry, row.rank_low, row.rank_high, row.group),
            *(row.is_separated, row.more_games, row.missing),
            *((x.rank, x.rank_low, x.rank_high, x.group) for x in row.labels),
        )
        for row in table.rows
    ]


def by_name(table: Standings) -> dict[str, Standing]:
    return {row.entry: row for row in table.rows}


def is_better(table: Standings, one: str, other: str) -> bool:
    """Return whether overall one bot is distinctly better than another."""
    if table.overall is None or not {one, other} <= {*table.overall.entries}:
        return False
    entries = table.overall.entries
    return bool(better(table.overall)[entries.index(one), entries.index(other)])


SPREAD = {
    "one": dict(zip(NAMES, (1600.0, 900.0, 700.0, 200.0, 0.0), strict=True)),
    "two": dict(zip(NAMES, (0.0, 130.0, 80.0, 100.0, 60.0), strict=True)),
    "three": dict(zip(NAMES, (50.0, 20.0, 90.0, 60.0, 0.0), strict=True)),
}


def spread_out() -> list[Result]:
    """Return a league in which one game spreads far more than the others."""
    return [r for label, elo in SPREAD.items() for r in game_of(label, elo)]


def test_no_anchor_changes_an_order_or_a_claim() -> None:
    results = spread_out()
    table = standings(results, list(SPREAD))
    assert {row.rank for row in table.rows} == {1, 2, 3, 4, 5}
    for name, elo in product(NAMES, (1000.0, 1317.03)):
        anchored = standings(results, list(SPREAD), anchor=(name, elo))
        assert claimed(anchored) == claimed(table)
        assert by_name(anchored)[name].elo == pytest.approx(elo)
        assert by_name(anchored)[name].elo_low == pytest.approx(elo)
        gaps = [
            (a.elo or 0.0) - (b.elo or 0.0)
            for a, b in zip(anchored.rows, table.rows, strict=True)
        ]
        assert gaps == pytest.approx([gaps[0]] * 5)


def test_who_has_no_clean_fixture_moves_no_clean_elo_of_the_others() -> None:
    """It is in one field and not in the other, and the zero is their mean."""
    results = [
        replace(
            r,
            places=(1, 2) if r.seats[1] == "E" else (2, 1),
            forfeits=(r.seats[0] == "E", r.seats[1] == "E"),
        )
        if r.label == "two" and "E" in r.seats
        else r
        for r in spread_out()
    ]
    rows = by_name(standings(results, list(SPREAD)))
    assert rows["E"].clean_elo is None
    gaps = [(rows[x].clean_elo or 0.0) - (rows[x].elo or 0.0) for x in "ABCD"]
    assert sum(gaps) == pytest.approx(0.0, abs=1e-6)


def test_the_elo_scores_against_the_field_what_is_to_be_expected() -> None:
    """By another way: the roots of one equation for each bot."""
    table = standings(spread_out(), list(SPREAD), {"two": 2.5})
    weights = np.array([1.0, 2.5, 1.0]) / 4.5
    expected = np.zeros(5)
    for weight, found in zip(weights, table.fits, strict=True):
        elo = np.array([rating.elo for rating in found.fit.ratings])
        expected += weight * chances(elo).mean(axis=1)
    own = np.array([by_name(table)[name].elo for name in NAMES], np.float64)
    for i in range(5):

        def missing(elo: float, i: int = i) -> float:
            chance = 1.0 / (1.0 + 10.0 ** ((own - elo) / 400.0))
            chance[i] = 0.5
            return float(chance.mean() - expected[i])

        assert brentq(missing, -3000.0, 5000.0) == pytest.approx(own[i], abs=1e-5)
    assert own.mean() == pytest.approx(MEAN_ELO)
    by_expectation = [NAMES[i] for i in np.argsort(-expected)]
    assert [row.entry for row in table.rows] == by_expectation


def test_a_spread_no_wider_than_certain_wins_counts_no_more() -> None:
    """Who wins always in one game and is last in two is not the best of all."""
    table = standings(spread_out(), list(SPREAD))
    means = {
        name: np.mean([row.elo for row in by_name(table)[name].labels])
        for name in NAMES
    }
    # By the mean of Elos A would be first by hundreds of Elo.
    assert max(means, key=lambda name: means[name]) == "A"
    rows = by_name(table)
    assert rows["A"].elo is not None
    assert rows["C"].elo is not None
    assert rows["A"].elo - rows["C"].elo < 100.0


def test_a_game_in_which_all_are_equal_moves_no_order() -> None:
    two = [*game_of("one", SPREAD["one"]), *game_of("three", SPREAD["three"])]
    drawn = [
        Result("four", f"{a}{b}", (a, b), (1, 1), (False, False))
        for a in NAMES
        for b in NAMES
        if a < b
    ]
    assert order(standings(two, ["one", "three"])) == order(
        standings([*two, *drawn], ["one", "three", "four"])
    )


def test_one_label_is_the_same_overall() -> None:
    results = game_of("three", SPREAD["three"], 12)
    table = standings(results, ["three"], anchor=("D", 1200.0))
    (found,) = table.fits
    overall = fit_overall(field_of(NAMES, {}), [found.fit], [3.0], "D")
    for name in ("elo", "low", "high"):
        own = "elo" if name == "elo" else f"elo_{name}"
        expected = [getattr(rating, own) - 1200.0 for rating in found.fit.ratings]
        assert getattr(overall, name) == pytest.approx(expected)
    assert overall.variance == pytest.approx(found.fit.variance())
    assert overall.df[0, 1] == pytest.approx(found.fit.df)
    assert not (overall.open_above | overall.open_below).any()


@pytest.mark.parametrize("anchor", [None, "B", "E"])
def test_who_loses_everything_has_no_lower_end(anchor: str | None) -> None:
    """E lost every game of both labels: results say no more than that it is far off."""
    weak = dict(zip(NAMES, (100.0, 50.0, 0.0, 60.0, -9000.0), strict=True))
    results = [*game_of("one", weak), *game_of("two", weak)]
    table = standings(results, ["one", "two"], anchor=anchor and (anchor, MEAN_ELO))
    rows = by_name(table)
    assert table.rows[-1].entry == "E"
    for name, row in rows.items():
        assert row.elo is not None
        assert row.elo_low is not None
        assert row.elo_high is not None
        if anchor == "E" and name != "E":
            assert (row.open_above, row.open_below) == (True, False)
            assert row.elo_low < row.elo
        elif anchor != "E" and name == "E":
            assert (row.open_above, row.open_below) == (False, True)
            assert row.elo_high > row.elo
            # 48 fixtures: less than 4 of 100 points are certain.
            assert rows["B"].elo is not None
            assert 300.0 < rows["B"].elo - row.elo_high < 700.0
        else:
            assert not row.open_above
            assert not row.open_below
    assert all(is_better(table, name, "E") for name in "ABCD")


def test_who_loses_everything_in_one_game_is_not_open_overall() -> None:
    weak = dict(zip(NAMES, (100.0, 50.0, 0.0, 60.0, -9000.0), strict=True))
    results = [*game_of("one", weak), *game_of("three", SPREAD["three"])]
    table = standings(results, ["one", "three"])
    assert by_name(table)["E"].labels[0].open_below
    assert not any(row.open_above or row.open_below for row in table.rows)


# Who is ranked.


def test_who_misses_a_game_is_not_ranked() -> None:
    results = spread_out()
    results = [r for r in results if r.label != "two" or "E" not in r.seats]
    table = standings(results, list(SPREAD), entries=["Z"])
    rows = by_name(table)
    assert order(table)[-2:] == [(None, "E"), (None, "Z")]
    assert rows["E"].missing == ("two",)
    assert rows["Z"].missing == ("one", "two", "three")
    for name in "EZ":
        row = rows[name]
        assert (row.elo, row.rank_low, row.group, row.is_separated) == (None,) * 4
    assert rows["E"].games == 2 * 2 * 6 * 4
    assert rows["E"].labels[0].rank is not None
    assert {row.entry for row in table.rows if row.rank} == {*"ABCD"}


def test_with_fewer_than_two_full_bots_nobody_is_ranked() -> None:
    results = game_of("one", {"A": 0.0, "B": 50.0})
    results += game_of("two", {"A": 100.0, "C": 0.0})
    table = standings(results, ["one", "two"])
    assert order(table) == [(None, "A"), (None, "B"), (None, "C")]
    assert table.overall is None
    assert not is_better(table, "A", "B")
    both = standings(results, ["one", "two"], ranks_any=True)
    assert {row.rank for row in both.rows} == {1, 2, 3}
    assert both.rows[0].entry == "A"


def test_to_leave_a_game_out_never_pays() -> None:
    """Not even the one that a bot is worst at; with `any` it is lost."""
    results = spread_out()
    whole = standings(results, list(SPREAD), ranks_any=True)
    rank = {row.entry: row.rank or 0 for row in whole.rows}
    assert order(whole) == order(standings(results, list(SPREAD)))
    for name, label in product(NAMES, SPREAD):
        less = [r for r in results if r.label != label or name not in r.seats]
        table = standings(less, list(SPREAD), ranks_any=True)
        row = by_name(table)[name]
        assert row.missing == (label,)
        assert (row.rank or 0) >= rank[name]


def test_two_that_miss_a_game_are_even_in_it() -> None:
    one = game_of("one", {"A": 100.0, "B": 0.0, "C": 0.0, "D": 60.0})
    two = game_of("two", {"A": 0.0, "B": 0.0})
    table = standings([*one, *two], ["one", "two"], ranks_any=True)
    found = fit_overall(
        field_of("ABCD", {}), [x.fit for x in table.fits], [1.0, 1.0], None
    )
    in_one = chances(np.array([r.elo for r in table.fits[0].fit.ratings]))
    in_two = chances(np.array([r.elo for r in table.fits[1].fit.ratings]))
    c = (in_one[2].sum() + 0.0 + 0.0 + 0.5 + 0.5) / 8.0
    a = (in_one[0].sum() + in_two[0].sum() + 1.0 + 1.0) / 8.0
    assert found.expected[[0, 2]] == pytest.approx([a, c])
    assert found.expected.mean() == pytest.approx(0.5)


# The field.


def test_copies_weigh_once_in_the_field() -> None:
    """Ten copies of a bot that only beats one other lift nobody but once."""

    def shares(owners: dict[str, list[str]]) -> list[float]:
        return list(field_of("ABCD", owners).shares)

    assert shares({}) == pytest.approx([0.25] * 4)
    assert shares({"A": ["x"], "B": ["x"]}) == pytest.approx(
        [1 / 6, 1 / 6, 1 / 3, 1 / 3]
    )
    # By way of a third.
    linked = {"A": ["x"], "B": ["x", "y"], "C": ["y"]}
    assert shares(linked) == pytest.approx([1 / 6, 1 / 6, 1 / 6, 1 / 2])


def test_a_copy_of_anybody_moves_nobody_else() -> None:
    def league(copies: str) -> dict[str, float]:
        """Return the overall Elo of A to D, as if all that meet were known exactly."""
        names = [*"ABCD", *copies]
        fits = []
        for elo in ((300.0, 0.0, 150.0, 50.0), (0.0, 60.0, 500.0, 40.0)):
            of = dict(zip("ABCD", elo, strict=True)) | dict.fromkeys(copies, elo[1])
            fits.append(exactly(names, of))
        owners = {name: ["b"] for name in ("B", *copies)}
        found = fit_overall(field_of(names, owners), fits, [1.0, 1.0], "A")
        return dict(zip(names, found.elo.tolist(), strict=True))

    alone, crowded = league(""), league("EFGH")
    for name in "ABCD":
        assert crowded[name] == pytest.approx(alone[name])
    assert crowded["E"] == pytest.approx(alone["B"])


def exactly(names: list[str], elo: Mapping[str, float]) -> Fit:
    """Return a fit that knows these strengths."""
    results = game_of("g", {name: elo[name] for name in names}, 1)
    (found,) = (x.fit for x in standings(results, ["g"]).fits)
    ratings = tuple(replace(r, elo=elo[r.entry]) for r in found.ratings)
    return replace(found, ratings=ratings)


# Claims.


def test_what_others_do_not_play_blurs_nothing_between_them() -> None:
    """A second bot with two fixtures of a game that nobody else plays."""
    results = [
        r
        for label in ("one", "two")
        for r in game_of(label, {n: 150.0 * i for i, n in enumerate("ABCDEF")}, 40)
    ]
    before = standings(results, ["one", "two"])
    more = [
        Result("three", f"f{n}", seats, (1, 2), (False, False))
        for n in range(2)
        for seats in (("F", "X"), ("X", "F"))
    ]
    labels = ["one", "two", "three"]
    after = standings([*results, *more], labels, ranks_any=True)
    for a, b in product("ABCDE", repeat=2):
        assert is_better(after, a, b) == is_better(before, a, b)
    assert [row.group for row in before.rows] == [1, 2, 3, 4, 5, 6]


def test_what_one_owner_plays_alone_does_not_count() -> None:
    """A student's two bots can't take the ranks of all others away."""
    results = [
        r
        for label in ("one", "two")
        for r in game_of(label, {n: 150.0 * i for i, n in enumerate("ABCDEF")})
    ]
    alone = game_of("three", {"F": 0.0, "X": 0.0}, 2)
    labels = ["one", "two", "three"]
    before = standings(results, labels[:2])
    after = standings([*results, *alone], labels, owners={"F": ["f"], "X": ["f"]})
    assert after.weights == (1.0, 1.0, 0.0)
    assert [(row.entry, row.rank, row.elo) for row in after.rows] == [
        *((row.entry, row.rank, row.elo) for row in before.rows),
        ("X", None, None),
    ]
    # Where there is nobody else, there is nobody to be left out.
    own = {name: ["f"] for name in "ABCDEFX"}
    table = standings([*results, *alone], labels, owners=own)
    assert table.weights == (1.0, 1.0, 1.0)


def test_who_loses_everything_blurs_nothing_between_the_others() -> None:
    """Their scores, without luck, scatter far less than independent games do."""
    chance = chances(np.append(evenly(6, 300.0), -9000.0))
    every = {
        label: play_with_luck(np.random.default_rng([1, i]), chance, 8, 0.8)
        for i, label in enumerate((LABEL, "two"))
    }
    rest = {
        label: select(pool, [(table.seats < 6).all(axis=1) for table in pool.tables])
        for label, pool in every.items()
    }
    known = []
    for pools in (rest, every):
        found = rate(pools, list(pools)).overall
        assert found is not None
        own = [found.entries.index(f"bot{i:04}") for i in range(6)]
        known.append(found.variance[np.ix_(own, own)][np.triu_indices(6, 1)])
    assert 0.7 < (known[1] / known[0]).mean() < 1.1


def test_each_difference_has_the_degrees_of_freedom_of_its_labels() -> None:
    results = [*game_of("one", SPREAD["one"], 3), *game_of("two", SPREAD["two"], 9)]
    table = standings(results, ["one", "two"])
    one, two = (found.fit for found in table.fits)
    assert one.df < two.df < float("inf")
    assert table.overall is not None
    df = np.asarray(table.overall.df)[np.triu_indices(5, 1)]
    assert (df >= one.df - 1e-9).all()
    assert (df <= one.df + two.df + 1e-9).all()
    assert len(np.unique(df.round(6))) == 10


# Leagues whose truth is known; `tests/benchmarks/ratings.py overall` does more.

QUICK = "spreads of 1400 to 50", "one that loses all", "few fixtures"


@pytest.mark.parametrize(
    ("pattern", "count"),
    divided(
        product(patterns(), (12, 40)),
        lambda case: case[0].name in QUICK and case[1] == 12,
    ),
    ids=lambda value: getattr(value, "name", value),
)
def test_intervals_hold_the_truth_and_claims_do_not_deny_it(
    pattern: Pattern, count: int
) -> None:
    truth = true_overall(pattern.truth)
    covered, wrong = [], 0
    for seed in range(count):
        table = play(pattern, seed)
        low, high, tied = limits_of(table)
        # Who is tied to nobody is beside the mean.
        elo = MEAN_ELO + truth - truth[tied].mean()
        held = (low <= elo) & (elo <= high)
        covered.append(held[tied].mean())
        assert held[~tied].all()
        assert table.overall is not None
        apart = better(table.overall)
        wrong += bool((apart & (truth[:, None] <= truth + 1e-9)).any())
    # Bots of one league have errors in common.
    error = np.std(covered) / sqrt(count)
    assert np.mean(covered) > 0.95 - 3.0 * max(error, 0.01)
    assert wrong <= 0.05 * count + 3.0 * sqrt(0.05 * count)

"""Small leagues whose truth is known: intervals hold it, claims don't deny it.

`tests/benchmarks/ratings.py` does the same at length, and with many more scenarios.
"""

from collections.abc import Callable
from functools import cache, partial
from math import sqrt

import numpy as np
import pytest
from matrix import divided
from simulated import (
    LABEL,
    chances,
    correlation,
    even_luck,
    evenly,
    play_round_robin,
    play_tables,
    play_with_luck,
    projected,
    sequential_elo,
)

from arena.ratings import MEAN_ELO
from arena.ratings.claims import better as surely_better
from arena.ratings.claims import cut
from arena.ratings.elo.pool import Floats, Pool, select
from arena.ratings.labels import LabelFits, fit_label, label_rows, label_strengths

TRUTH = evenly(20, 400.0)
FEWER = evenly(12, 400.0)
EQUAL = np.zeros(12)

Play = Callable[[np.random.Generator], Pool]


def round_robin(truth: Floats, fixtures: int, rho: float) -> Play:
    chance = chances(truth)
    shared = even_luck(chance, rho)
    return partial(play_round_robin, chance=chance, fixtures=fixtures, shared=shared)


PLAYS: dict[str, tuple[Floats, Play]] = {
    "opposite luck": (TRUTH, round_robin(TRUTH, 20, -0.35)),
    "few games of like luck": (TRUTH, round_robin(TRUTH, 2, 0.41)),
    "tables of four": (
        FEWER,
        partial(play_tables, strengths=FEWER, groups=60, size=4, shared=0.5),
    ),
    "equals": (EQUAL, round_robin(EQUAL, 5, 0.0)),
}

LEAGUES = divided((10, 40), lambda count: count == 10)


@cache
def leagues(name: str, count: int) -> list[LabelFits]:
    """Return the fits of so many leagues, each played with luck of its own."""
    _, play = PLAYS[name]
    return [
        fit_label(LABEL, play(np.random.default_rng(seed)), None, winner_only=False)
        for seed in range(count)
    ]


def found(name: str, count: int, number: str) -> Floats:
    """Return a number of every rating: leagues by bots."""
    fits = leagues(name, count)
    return np.array([[getattr(r, number) for r in x.fit.ratings] for x in fits])


# Errors as if games were independent miss this in all three.
@pytest.mark.parametrize("count", LEAGUES)
@pytest.mark.parametrize(
    "name", ["opposite luck", "few games of like luck", "tables of four"]
)
def test_intervals_hold_the_truth_as_often_as_they_say(name: str, count: int) -> None:
    truth = MEAN_ELO + PLAYS[name][0]
    low, high = (found(name, count, end) for end in ("elo_low", "elo_high"))
    holds = (low <= truth) & (truth <= high)
    assert holds.mean() == pytest.approx(0.95, abs=3.0 * sqrt(0.05 * 0.95 / holds.size))


@pytest.mark.parametrize("count", LEAGUES)
@pytest.mark.parametrize(
    ("name", "rmse"), [("opposite luck", 10.7), ("few games of like luck", 50.0)]
)
def test_standard_errors_are_the_errors_made(
    name: str, rmse: float, count: int
) -> None:
    made = sqrt(np.square(found(name, count, "elo") - MEAN_ELO - PLAYS[name][0]).mean())
    said = sqrt(np.square(found(name, count, "se")).mean())
    near = 0.08 * sqrt(40 / count)
    assert made == pytest.approx(rmse, rel=near)
    assert said == pytest.approx(made, rel=near)


@pytest.mark.parametrize(
    ("k", "times", "count"),
    divided([(16.0, 2.5, 1), (32.0, 4.0, 3)], lambda x: x[2] == 1),
)
def test_elo_game_by_game_is_further_from_the_truth(
    k: float, times: float, count: int
) -> None:
    name = "opposite luck"
    rng = np.random.default_rng(16)
    truth = MEAN_ELO + TRUTH
    pools = [fits.pool for fits in leagues(name, 10)[:count]]
    moved = [sequential_elo(x, [rng.permutation(x.games)], k)[0] for x in pools]
    fitted = found(name, 10, "elo")[:count]
    ratio = np.square(moved - truth).mean() / np.square(fitted - truth).mean()
    assert sqrt(ratio) > times


@pytest.mark.parametrize("count", LEAGUES)
@pytest.mark.parametrize("name", PLAYS)
def test_no_claim_is_wrong(name: str, count: int) -> None:
    """None in many leagues; pairs that are claimed one by one are wrong in some."""
    truth = PLAYS[name][0]
    order = np.arange(len(truth)) + 1
    naive = 0
    for fits in leagues(name, count):
        elo = np.array([rating.elo for rating in fits.fit.ratings])
        gap, error = elo[:, None] - elo, np.sqrt(fits.fit.variance())
        false = truth[:, None] <= truth
        naive += bool((false & (gap > 1.96 * error)).any())
        (strengths,) = label_strengths(fits)
        # Nobody is told apart by the fixtures of all others.
        assert (strengths.df <= fits.fit.df).all()
        better = surely_better(strengths)
        assert not (false & better).any()
        assert not (better & (gap <= cut(len(truth), fits.fit.df) * error)).any()
        found = label_rows(fits)
        rows = [found[entry] for entry in fits.pool.entries]
        low = np.array([row.rank_low for row in rows])
        high = np.array([row.rank_high for row in rows])
        assert list(low) == list(1 + better.sum(axis=0))
        assert list(high) == list(len(truth) - better.sum(axis=1))
        if truth.any():
            assert ((low <= order) & (order <= high)).all()
        else:
            assert not any(row.is_separated for row in rows)
    assert naive > 0 or count < 40


@pytest.mark.parametrize("rho", [-0.35, 0.0, 0.41])
def test_scores_of_a_fixture_correlate_as_they_should(rho: float) -> None:
    chance = chances(TRUTH)
    pool = round_robin(TRUTH, 400, rho)(np.random.default_rng(1))
    assert correlation(pool, chance) == pytest.approx(rho, abs=0.015)
    (table,) = pool.tables
    wins = table.places[:, 0] == 1
    expected = chance[table.seats[:, 0], table.seats[:, 1]]
    assert (wins - expected).mean() == pytest.approx(0.0, abs=0.005)


def test_luck_that_follows_the_seat_leaves_the_chances_as_they_are() -> None:
    chance = chances(FEWER)
    pool = play_tables(np.random.default_rng(2), FEWER, 5000, 4, shared=0.7)
    (table,) = pool.tables
    assert correlation(pool, chance) < -0.08
    for a, b in ((0, 1), (1, 3)):
        ahead = table.places[:, a] < table.places[:, b]
        expected = chance[table.seats[:, a], table.seats[:, b]]
        assert (ahead - expected).mean() == pytest.approx(0.0, abs=0.012)


def test_the_truth_of_a_transitive_league_is_its_projection() -> None:
    assert projected(chances(TRUTH)) == pytest.approx(TRUTH, abs=1e-9)


def test_who_has_few_fixtures_is_known_no_better_as_others_have_many() -> None:
    """Twenty bots with eight fixtures each, all against one reference."""
    chance = np.full((21, 21), 0.5)
    every = play_with_luck(np.random.default_rng(1), chance, 8, 0.8)
    (table,) = every.tables
    pool = select(every, [(table.seats == 20).any(axis=1)])
    fits = fit_label(LABEL, pool, None, winner_only=False)
    (found,) = label_strengths(fits)
    assert fits.fit.df == 159.0
    df = np.asarray(found.df)
    assert df[0, 1] == pytest.approx(14.0)
    assert 7.0 < df[0, 20] < 9.0

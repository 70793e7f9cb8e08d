"""As much luck is taken out of scores as helps, and none of the strength with it."""

from dataclasses import replace
from itertools import combinations
from random import Random

import numpy as np
from simulated import LABEL, chances, evenly, play_with_luck, played, projected

from arena.ratings import MEAN_ELO, Result
from arena.ratings.elo.fit import fit_pool
from arena.ratings.elo.luck_share import FOLDS, TakenLuck, take_luck
from arena.ratings.elo.pool import Floats, Pool, build_pool


def taken_from(pool: Pool) -> TakenLuck:
    found = take_luck(pool)
    assert found is not None
    return found


def luck_of(pool: Pool) -> Floats:
    """Return the luck of the games of a pool of tables of two."""
    (table,) = pool.tables
    assert table.luck is not None
    return table.luck[:, 0]


def with_luck(pool: Pool, luck: Floats) -> Pool:
    (table,) = pool.tables
    return pool._replace(tables=(table._replace(luck=luck[:, None]),))


EVEN = chances(evenly(6, 200.0))


def test_of_good_values_nearly_all_is_taken_and_of_noise_nothing() -> None:
    rng = np.random.default_rng(1)
    pool = play_with_luck(rng, EVEN, 40, 0.8)
    assert 0.85 < taken_from(pool).share <= 1.0
    noise = with_luck(pool, rng.permutation(luck_of(pool)))
    assert taken_from(noise).share < 0.1
    # Values that are three times too sure of themselves.
    assert 0.2 < taken_from(with_luck(pool, 3.0 * luck_of(pool))).share < 0.4
    # The wrong way round it never helps.
    assert taken_from(with_luck(pool, -luck_of(pool))).share == 0.0


def test_lopsided_games_keep_their_luck() -> None:
    truth = np.array([0.0, 0.0, -1600.0])
    pool = play_with_luck(np.random.default_rng(2), chances(truth), 40, 0.8)
    (table,) = pool.tables
    is_even = (table.seats < 2).all(axis=1)
    taken = np.abs(luck_of(taken_from(pool).pool)) / np.abs(luck_of(pool))
    assert taken[is_even].min() > 0.8
    assert taken[~is_even].max() < 0.1


def test_what_is_taken_from_a_fixture_has_not_seen_it() -> None:
    """Whoever wins it, the same is taken; else strength would go with the luck."""
    pool = play_with_luck(np.random.default_rng(3), EVEN, 3, 0.7)
    (table,) = pool.tables
    before = luck_of(taken_from(pool).pool)
    for fixture in range(0, pool.clusters, 7):
        own = table.clusters == fixture
        places = np.where(own[:, None], table.places[:, ::-1], table.places)
        turned = pool._replace(tables=(table._replace(places=places),))
        after = luck_of(taken_from(turned).pool)
        own_fold = table.clusters % FOLDS == fixture % FOLDS
        assert np.array_equal(before[own_fold], after[own_fold])
        assert (before[~own_fold] != after[~own_fold]).mean() > 0.9


def test_the_order_of_the_games_changes_no_bit_of_it() -> None:
    results = played(Random(3), [2, 3], 30, "ABCD", luck=0.3)
    results = [
        # Luck that was with the winner of each pair.
        replace(r, luck=tuple(0.2 * (a < b) for a, b in combinations(r.places, 2)))
        for r in results
    ]
    shuffled = [*results]
    Random(4).shuffle(shuffled)
    assert taken_from(build_pool(results)).share > 0.0
    (one, other) = (taken_from(build_pool(x)) for x in (results, shuffled))
    assert one.share == other.share
    assert fit_pool(one.pool, LABEL, None, adjusted=True).ratings == (
        fit_pool(other.pool, LABEL, None, adjusted=True).ratings
    )


def test_scores_less_luck_have_the_mean_that_they_had() -> None:
    """Of small leagues too, in which a share is badly known."""
    chance = chances(np.array([120.0, 0.0, -250.0]))
    pairs = list(combinations(range(3), 2))
    raw, free = [], []
    for seed in range(200):
        pool = play_with_luck(np.random.default_rng([4, seed]), chance, 4, 0.7)
        (table,) = pool.tables
        first_won = table.places[:, 0] == 1
        low_is_first = table.seats[:, 0] < table.seats[:, 1]
        won = first_won == low_is_first
        sign = np.where(low_is_first, 1.0, -1.0)
        less = won - sign * luck_of(taken_from(pool).pool)
        both = table.seats.sum(axis=1)
        for i, j in pairs:
            raw.append(won[both == i + j].mean() - chance[i, j])
            free.append(less[both == i + j].mean() - chance[i, j])
    errors = np.array(raw).reshape(-1, 3), np.array(free).reshape(-1, 3)
    for found in errors:
        assert np.abs(found.mean(axis=0) / (found.std(axis=0) / 200**0.5)).max() < 3.5
    assert errors[1].var() < 0.9 * errors[0].var()


def test_it_is_better_than_all_luck_or_none() -> None:
    rmse = {}
    for spread in (300.0, 1400.0):
        chance = chances(evenly(6, spread))
        truth = MEAN_ELO + projected(chance)
        errors: dict[str, list[Floats]] = {"none": [], "all": [], "share": []}
        for seed in range(25):
            pool = play_with_luck(np.random.default_rng([5, seed]), chance, 6, 0.8)
            for name, own in (
                ("none", pool),
                ("all", pool),
                ("share", taken_from(pool).pool),
            ):
                found = fit_pool(own, LABEL, None, adjusted=name != "none")
                own_elo = np.array([r.elo for r in found.ratings])
                # Where the zero is does not matter.
                errors[name].append((own_elo - own_elo.mean()) - (truth - truth.mean()))
        for name, of_leagues in errors.items():
            rmse[spread, name] = float(np.sqrt(np.square(of_leagues).mean()))
    # Among equals luck is most of what scatters, and far apart it is hardly anything.
    assert rmse[300.0, "share"] < 0.8 * rmse[300.0, "none"]
    assert rmse[300.0, "share"] < 1.05 * rmse[300.0, "all"]
    assert rmse[1400.0, "share"] < 1.02 * rmse[1400.0, "none"]
    assert rmse[1400.0, "share"] < 0.8 * rmse[1400.0, "all"]


def test_without_luck_there_is_nothing_to_take() -> None:
    results = played(Random(6), [2], 20, luck=0.3)
    assert take_luck(build_pool([])) is None
    unknown = [replace(results[0], luck=None), *results[1:]]
    assert take_luck(build_pool(unknown)) is None
    nothing = [replace(result, luck=(0.0,)) for result in results]
    assert taken_from(build_pool(nothing)).share == 0.0


def test_one_fixture_claims_nothing_for_itself() -> None:
    results = [
        Result(LABEL, "f", seats, (1, 2), (False, False), (0.4,))
        for seats in (("A", "B"), ("B", "A"))
    ]
    assert not luck_of(taken_from(build_pool(results)).pool).any()

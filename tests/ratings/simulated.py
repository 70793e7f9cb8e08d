"""Leagues played by known strengths, and what tests of the ratings share.

Most go straight into the arrays that are fitted.  Of two bots, the one finishes ahead
of the other with exactly the probability that the model says; what games of a fixture
have in common is luck alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import log, sqrt
from random import Random

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from arena.ratings import Fit, Result
from arena.ratings.elo.pool import LUCK_UNIT, Floats, Ints, Pool, Tables
from arena.ratings.next_games import Budget, next_batch

LOGIT = 400.0 / log(10.0)
"""Elo of one natural log-odds."""

LABEL = "g"


def evenly(bots: int, spread: float) -> Floats:
    """Return strengths in Elo, from the best to the worst, `spread` apart; mean 0."""
    return spread * (0.5 - np.arange(bots) / max(bots - 1, 1))


def chances(strengths: Floats) -> Floats:
    """Return the probability that the row beats the column."""
    found: Floats = 1.0 / (1.0 + 10.0 ** ((strengths - strengths[:, None]) / 400.0))
    return found


def even_luck(chance: Floats, correlation: float) -> Floats:
    """Return how often each pair's games have luck in common (`play_fixtures`).

    So that the correlation of the two scores of a fixture is `correlation` on average
    over the pairs.  Opposite luck in all fixtures correlates them by -q/p where the
    better one wins with probability p = 1 - q: the least that there can be.

    Raises:
        ValueError: strengths are too far apart for a correlation so low.
    """
    share = correlation
    if correlation < 0.0:
        odds = np.minimum(chance, chance.T) / np.maximum(chance, chance.T)
        lowest = -odds[np.triu_indices(len(chance), 1)].mean()
        share = -correlation / lowest
        if share < -1.0:
            raise ValueError(f"expected {lowest:.2f} or more; found {correlation}")
    return np.full(chance.shape, share)


def play_fixtures(
    rng: np.random.Generator, pairs: Ints, chance: Floats, shared: Floats
) -> Pool:
    """Play one seat-swapped fixture for each row of `pairs`: two games of two bots.

    With probability |shared| of its pair the second game of a fixture has the luck of
    the first: for the same bot if positive, for the other if negative.
    """
    i, j = pairs[:, 0], pairs[:, 1]
    p, share = chance[i, j], shared[i, j]
    luck, other, own = rng.random((3, len(pairs)))
    same = np.where(share > 0.0, luck, 1.0 - luck)
    again = np.where(own < np.abs(share), same, other)
    first_wins = np.stack([luck < p, again >= p], axis=1).ravel()
    seats = np.stack([i, j, j, i], axis=1).reshape(-1, 2)
    places = np.where(first_wins[:, None], [1, 2], [2, 1])
    return _pool(len(chance), seats, places, np.repeat(np.arange(len(pairs)), 2))


def play_lucky_fixtures(
    rng: np.random.Generator,
    pairs: Ints,
    chance: Floats,
    shared: Floats,
    known: float,
) -> Pool:
    """Play fixtures as `play_fixtures` does, with luck that is known.

    Less its luck the score of a game has a beta distribution around the chance, with
    1 - `known` of the variance.  The games of a fixture have no more in common there
    than in their luck, unless that is the same in all: then they end alike.
    """
    i, j = pairs[:, 0], pairs[:, 1]
    p, share = chance[i, j], shared[i, j]
    size = known / (1.0 - known)
    score = rng.beta(size * p, size * (1.0 - p), (2, len(pairs)))
    score[1] = np.where(share == 1.0, score[0], score[1])
    luck, other, own = rng.random((3, len(pairs)))
    same = np.where(share > 0.0, luck, 1.0 - luck)
    again = np.where(own < np.abs(share), same, other)
    won = np.stack([luck, again]) < score
    seats = np.stack([i, j, j, i], axis=1).reshape(-1, 2)
    # In the second game of a fixture the first bot has the second seat.
    turned = np.array([[False], [True]])
    places = np.where((won != turned).T.reshape(-1, 1), [1, 2], [2, 1])
    added = np.where(turned, score - won, won - score).T.reshape(-1, 1)
    pool = _pool(len(chance), seats, places, np.repeat(np.arange(len(pairs)), 2))
    (table,) = pool.tables
    rounded = np.rint(added / LUCK_UNIT) * LUCK_UNIT
    return pool._replace(tables=(table._replace(luck=rounded),))


def play_round_robin(
    rng: np.random.Generator, chance: Floats, fixtures: int, shared: Floats
) -> Pool:
    """Play so many fixtures of every pair."""
    pairs = np.repeat(every_pair(len(chance)), fixtures, axis=0)
    return play_fixtures(rng, pairs, chance, shared)


def play_with_luck(
    rng: np.random.Generator, chance: Floats, fixtures: int, known: float
) -> Pool:
    """Play a round robin of seat-swapped fixtures, with the luck of each game.

    A bot wins if Φ⁻¹(p) and two normal amounts of luck add up to more than 0.  The
    first is `known` of the variance, and a game's luck what it is worth among equals.
    """
    pairs = np.repeat(every_pair(len(chance)), fixtures, axis=0)
    i, j = pairs.T
    gap = ndtri(chance[i, j])
    dice = rng.standard_normal((len(pairs), 2))
    rest = rng.standard_normal(dice.shape)
    won = gap[:, None] + sqrt(known) * dice + sqrt(1.0 - known) * rest > 0.0
    luck = ndtr(dice * sqrt(known / (1.0 - known))) - 0.5
    seats = np.stack([i, j, j, i], axis=1).reshape(-1, 2)
    first_wins = np.stack([won[:, 0], ~won[:, 1]], axis=1).ravel()
    places = np.where(first_wins[:, None], [1, 2], [2, 1])
    played = _pool(len(chance), seats, places, np.repeat(np.arange(len(pairs)), 2))
    (table,) = played.tables
    of_first = np.stack([luck[:, 0], -luck[:, 1]], axis=1).reshape(-1, 1)
    units = np.rint(of_first / LUCK_UNIT) * LUCK_UNIT
    return played._replace(tables=(table._replace(luck=units),))


def every_pair(bots: int) -> Ints:
    """Return the indices of every two bots: pairs by 2."""
    return np.stack(np.triu_indices(bots, 1), axis=1)


def play_tables(
    rng: np.random.Generator, strengths: Floats, groups: int, size: int, shared: float
) -> Pool:
    """Play so many fixtures of `size` bots, each with one game for every rotation.

    All bots are dealt into groups again and again, until there are enough.  With
    probability `shared` all games of a fixture have the same luck, which follows the
    seat.  A game's luck has Gumbel's distribution, whose differences are logistic.
    """
    bots = len(strengths)
    each = bots // size
    deals = -(-groups // each)
    dealt = rng.permuted(np.tile(np.arange(bots), (deals, 1)), axis=1)
    members = dealt[:, : each * size].reshape(-1, size)[:groups]
    turns = (np.arange(size)[:, None] + np.arange(size)) % size
    seats = members[:, turns]
    luck = rng.gumbel(size=(groups, size, size))
    common = rng.random(groups) < shared
    luck[common] = luck[common, :1]
    performed = strengths[seats] / LOGIT + luck
    places = (-performed).argsort(axis=2).argsort(axis=2) + 1
    return _pool(
        bots,
        seats.reshape(-1, size),
        places.reshape(-1, size),
        np.repeat(np.arange(groups), size),
    )


def play_adaptively(
    rng: np.random.Generator, chance: Floats, fixtures: int, shared: Floats
) -> Pool:
    """Play as many fixtures as in a round robin, most of them where ranks are open."""
    pairs = every_pair(len(chance))
    budget = Budget(len(pairs), fixtures)
    exploring = np.repeat(pairs, budget.first, axis=0)
    played = play_fixtures(rng, exploring, chance, shared)
    for look in range(1, budget.looks + 1):
        batch = next_batch(results_of(played), LABEL, budget.batch(look), budget.looks)
        if not batch:
            break
        index = {name: i for i, name in enumerate(played.entries)}
        chosen = [[index[a], index[b]] for a, b in batch]
        more = np.repeat(np.array(chosen), list(batch.values()), axis=0)
        played = _together(played, play_fixtures(rng, more, chance, shared))
    certain = play_round_robin(rng, chance, budget.confirmation, shared)
    explores = np.arange(played.games + certain.games) < played.games
    whole = _together(played, certain)
    (table,) = whole.tables
    return whole._replace(tables=(table._replace(explores=explores),))


def _together(one: Pool, other: Pool) -> Pool:
    (first,), (second,) = one.tables, other.tables
    return _pool(
        len(one.entries),
        np.concatenate([first.seats, second.seats]),
        np.concatenate([first.places, second.places]),
        np.concatenate([first.clusters, second.clusters + one.clusters]),
    )


def _pool(bots: int, seats: Ints, places: Ints, clusters: Ints) -> Pool:
    names = tuple(f"bot{i:04}" for i in range(bots))
    table = Tables(
        seats.astype(np.int32),
        places.astype(np.int32),
        np.zeros(seats.shape, np.bool_),
        clusters,
    )
    return Pool(names, int(clusters.max()) + 1, (table,))


def results_of(pool: Pool) -> list[Result]:
    """Return the games of a pool of one table size as results."""
    (table,) = pool.tables
    return [
        Result(
            LABEL,
            f"f{cluster:06}",
            tuple(pool.entries[i] for i in seats),
            tuple(places),
            (False,) * len(seats),
        )
        for cluster, seats, places in zip(
            table.clusters.tolist(),
            table.seats.tolist(),
            table.places.tolist(),
            strict=True,
        )
    ]


def correlation(pool: Pool, chance: Floats) -> float:
    """Return how the scores of two bots in two games of a fixture correlate.

    On average over fixtures and their pairs of bots and of games, from the true
    probabilities.
    """
    (table,) = pool.tables
    size = table.seats.shape[1]
    order = table.seats.argsort(axis=1)
    bots = np.take_along_axis(table.seats, order, axis=1)
    places = np.take_along_axis(table.places, order, axis=1)
    a, b = np.triu_indices(size, 1)
    p = chance[bots[:, a], bots[:, b]]
    surprise = ((places[:, a] < places[:, b]) - p) / np.sqrt(p * (1.0 - p))
    games = surprise.reshape(-1, size, len(a))
    together = games.sum(axis=1) ** 2 - (games**2).sum(axis=1)
    return float(together.mean() / (size * (size - 1)))


def projected(chance: Floats) -> Floats:
    """Return the strengths in Elo that a fit of endless games would find; mean 0."""
    k = len(chance)
    x = np.zeros(k)
    for _ in range(50):
        p = 1.0 / (1.0 + np.exp(x - x[:, None]))
        slopes = p * (1.0 - p)
        np.fill_diagonal(slopes, 0.0)
        gradient = np.where(np.eye(k, dtype=bool), 0.0, chance - p).sum(axis=1)
        # Ones fix the mean, which no game does.
        x = x + np.linalg.solve(np.diag(slopes.sum(axis=1)) - slopes + 1.0, gradient)
    return LOGIT * x


def sequential_elo(
    pool: Pool, orders: Sequence[Ints] | Iterator[Ints], k: float
) -> NDArray[np.float64]:
    """Return the Elo after all games of two in each order: orders by bots.

    Everyone starts at 1000, and each game moves both bots by `k` times the surprise.
    """
    (table,) = pool.tables
    order = np.stack(list(orders), axis=1)
    rows = np.arange(order.shape[1])
    elo = np.full((len(rows), len(pool.entries)), 1000.0)
    won = 0.5 + 0.5 * np.sign(table.places[:, 1] - table.places[:, 0])
    for played in order:
        i, j = table.seats[played].T
        gap = elo[rows, j] - elo[rows, i]
        change = k * (won[played] - 1.0 / (1.0 + 10.0 ** (gap / 400.0)))
        elo[rows, i] += change
        elo[rows, j] -= change
    return elo


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


def fixture(
    number: object,
    wins: int,
    games: int = 2,
    label: str = "g",
    *,
    explores: bool = False,
) -> list[Result]:
    """Return a fixture of A and B, who swap their seats; A won its first games."""
    return [
        game(
            number,
            "BA" if n % 2 else "AB",
            (2, 1) if (n < wins) == bool(n % 2) else (1, 2),
            explores=explores,
            label=label,
        )
        for n in range(games)
    ]


def match(wins: Sequence[int], games: int = 2, label: str = "g") -> list[Result]:
    """Return a match of A and B; so many games of each fixture went to A."""
    return [r for n, won in enumerate(wins) for r in fixture(n, won, games, label)]


def pairings(
    rng: Random,
    chance: Mapping[tuple[str, str], float],
    fixtures: int,
    shared: float = 0.0,
) -> list[Result]:
    """Return so many seat-swapped fixtures of each pair.

    `chance` is that of the first.  With probability |shared| the second game has the
    luck of the first, for the same entry if positive, for its opponent if negative.
    """
    results = []
    for (a, b), p in chance.items():
        for number in range(fixtures):
            luck, again = rng.random(), rng.random()
            if rng.random() < abs(shared):
                again = luck if shared > 0 else 1.0 - luck
            for seats, won in (((a, b), luck < p), ((b, a), again >= p)):
                places = (1, 2) if won else (2, 1)
                results.append(
                    Result(LABEL, f"{a}{b}{number}", seats, places, (False, False))
                )
    return results


def logistic(elo: Mapping[str, float]) -> dict[tuple[str, str], float]:
    """Return the chance of the first of each pair to win."""
    return {(a, b): expected(elo[a] - elo[b]) for a, b in combinations(elo, 2)}


def expected(difference: float) -> float:
    """Return the expected score at a difference in Elo."""
    return float(1.0 / (1.0 + 10.0 ** (-difference / 400.0)))


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
            given = None
            if luck is not None:
                # In units that no rounding changes.
                most = round(luck * 2**24)
                pairs = combinations(seats, 2)
                given = [rng.randint(-most, most) / 2**24 for _ in pairs]
            results.append(game(f"f{number:04}", "".join(seats), places, given))
    return results


def same(one: Fit | None, other: Fit | None) -> bool:
    """Return whether two fits are the same to the last bit."""
    if one is None or other is None:
        return one is other
    names = ("ratings", "seat_terms", "components", "middle", "phantoms", "few", "df")
    return all(getattr(one, name) == getattr(other, name) for name in names) and all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("covariance", "curvature", "limits")
    )

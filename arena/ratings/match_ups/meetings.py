"""The games of every two entries, fixture by fixture, and as independent trials."""

from itertools import combinations
from typing import Final, NamedTuple

import numpy as np

from arena.ratings.elo.pool import Bools, Floats, Ints, Pool, add_up

_PHANTOM: Final = 0.125
"""Squared difference that the phantom fixture adds."""


class Meetings(NamedTuple):
    """One row for each pair of entries and fixture, by pair and then fixture."""

    first: Ints
    """Index of the entry; lower than `second`."""
    second: Ints
    games: Floats
    score: Floats
    """Points of `first` against `second`; a shared place is half."""
    luck: Floats
    """Points of these that chance has added, as far as it is known."""
    known: Bools
    """True if the luck of any of the games is known."""
    explores: Bools


def meetings(pool: Pool) -> Meetings:
    """Break up every table of the pool into its pairs, and add up the fixtures."""
    k = max(len(pool.entries), 1)
    clusters = max(pool.clusters, 1)
    codes: list[Ints] = [np.zeros(0, np.int64)]
    scores: list[Floats] = [np.zeros(0)]
    lucks: list[Floats] = [np.zeros(0)]
    explores: list[Bools] = [np.zeros(0, np.bool_)]
    for table in pool.tables:
        games, size = table.seats.shape
        exploring = np.zeros(games, np.bool_)
        if table.explores is not None:
            exploring = table.explores
        for column, (a, b) in enumerate(combinations(range(size), 2)):
            i = table.seats[:, a].astype(np.int64)
            j = table.seats[:, b].astype(np.int64)
            side = np.where(i < j, 1.0, -1.0)
            pair = np.minimum(i, j) * k + np.maximum(i, j)
            codes.append(pair * clusters + table.clusters)
            scores.append(
                0.5 + 0.5 * side * np.sign(table.places[:, b] - table.places[:, a])
            )
            luck = np.full(games, np.nan)
            if table.luck is not None:
                luck = side * table.luck[:, column]
            lucks.append(luck)
            explores.append(exploring)
    code, row = np.unique(np.concatenate(codes), return_inverse=True)
    luck = np.concatenate(lucks)
    rows = len(code)
    pair = code // clusters
    # Scores are halves and luck is a multiple of the pool's unit: exact in any order.
    return Meetings(
        first=pair // k,
        second=pair % k,
        games=np.bincount(row, minlength=rows).astype(np.float64),
        score=add_up(row, np.concatenate(scores), rows),
        luck=add_up(row, np.nan_to_num(luck), rows),
        known=add_up(row, ~np.isnan(luck) * 1.0, rows) > 0,
        explores=add_up(row, np.concatenate(explores) * 1.0, rows) > 0,
    )


def add_fixtures(
    part: Meetings, pair: Ints, pairs: int, points: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return each pair's fixtures, share of the points, and Q with the phantom.

    Games that explore are left out; NaN where all do.
    """
    counts = ~part.explores
    pair, points, games = pair[counts], points[counts], part.games[counts]
    fixtures = np.bincount(pair, minlength=pairs).astype(np.float64)
    fixtures[fixtures == 0.0] = np.nan
    total = add_up(pair, games, pairs)
    share = add_up(pair, points, pairs) / np.where(total > 0.0, total, np.nan)
    # Fixtures of one size in all but odd cases; a smaller one counts for less.
    surprise = (points - share[pair] * games) * (fixtures / total)[pair]
    return fixtures, share, add_up(pair, surprise**2, pairs) + _PHANTOM


def trials_of(fixtures: Floats, share: Floats, scatter: Floats) -> Floats:
    """Return the number of independent trials that would scatter as the fixtures do.

    `share` is that of the games that were won, and `scatter` may be of scores without
    luck.
    """
    even = (fixtures - 1.0) * share * (1.0 - share) + _PHANTOM
    trials: Floats = fixtures * even / scatter
    return trials

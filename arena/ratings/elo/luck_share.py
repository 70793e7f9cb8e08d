"""How much of the luck of the dice is taken out of scores: as much as helps.

A score less the luck that chance has added to it has the same mean, whatever share of
the luck is taken, and the least scatter with the right share.  That is near 1 where
bots are even and the values of positions are good, and falls to 0 as one of the two
comes to win always: luck moves a score no more that is 1 anyhow.  So what is taken from
the score of a pair is

    b 4 p (1 - p) luck,    b = Σ x u / (Σ x² + `PHANTOMS` m),  0 <= b <= 1,

with p the expected score of the pair, u what its games of a fixture have scored above
what was expected, x their sum of 4 p (1 - p) luck, and m the mean of x².  This is the
slope of least squares through 0 (as with control variates: S. Asmussen and P. Glynn,
"Stochastic Simulation", 2007, V.2), with some fixtures added in which luck made no
difference, so that few of them claim little.

A share that had seen the fixture it is taken from would take some of the bots' strength
along.  So fixtures are dealt into folds, one by one in the order of their ids, and p
and b of each fold come from the games of all others (V. Chernozhukov et al., The
Econometrics Journal 21, 2018).
"""

from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from scipy.special import expit

from arena.ratings.elo.model import solve
from arena.ratings.elo.pool import (
    LUCK_UNIT,
    Cells,
    ClusterCells,
    Floats,
    Ints,
    Pool,
    add_up,
    compare,
)

FOLDS: Final = 5

PHANTOMS: Final = 2.0
"""Fixtures that are added in which luck made no difference."""


class TakenLuck(NamedTuple):
    """Games, and what is taken from their scores."""

    pool: Pool
    """The games; `Tables.luck` is what is taken."""
    share: float
    """The mean of b over the folds."""


def take_luck(pool: Pool) -> TakenLuck | None:
    """Return what is to be taken from the scores of the pool's games.

    None where the luck of some game is not known, or there is no game.
    """
    if not pool.games or not pool.knows_luck:
        return None
    helpful = _helpful_luck(pool)
    shares = np.array([_slope(helpful, fold) for fold in range(FOLDS)])
    tables = []
    for table, luck in zip(pool.tables, helpful.luck, strict=True):
        taken = luck * shares[table.clusters % FOLDS][:, None]
        tables.append(table._replace(luck=np.rint(taken / LUCK_UNIT) * LUCK_UNIT))
    return TakenLuck(pool._replace(tables=tuple(tables)), float(shares.mean()))


class _HelpfulLuck(NamedTuple):
    luck: tuple[Floats, ...]
    """4 p (1 - p) luck, of each table: games by pairs of seats."""
    fold: Ints
    """One for each fixture of each pair, as are the next two."""
    x: Floats
    u: Floats


def _helpful_luck(pool: Pool) -> _HelpfulLuck:
    """Return the luck of each game and fixture as far as it may move a score."""
    k = len(pool.entries)
    cells, parts = compare(pool)
    of_folds = [_logits_without(fold, k, cells, parts) for fold in range(FOLDS)]
    strength = np.array([strengths for strengths, _ in of_folds])
    helpful, codes, amounts = [], [], []
    for table in pool.tables:
        assert table.luck is not None
        seats = table.seats.astype(np.int64)
        size = seats.shape[1]
        fold = table.clusters % FOLDS
        worth = np.array(
            [
                [seat_worth.get((size, s), 0.0) for s in range(size)]
                for _, seat_worth in of_folds
            ]
        )
        luck = np.empty_like(table.luck)
        for column, (a, b) in enumerate(combinations(range(size), 2)):
            i, j = seats[:, a], seats[:, b]
            gap = (
                strength[fold, i] - strength[fold, j] + worth[fold, a] - worth[fold, b]
            )
            p = expit(gap)
            x = 4.0 * p * (1.0 - p) * table.luck[:, column]
            luck[:, column] = x
            score = np.sign(table.places[:, b] - table.places[:, a]) / 2.0 + 0.5
            sign = np.where(i < j, 1.0, -1.0)
            # Whole units, so that the sums are exact in any order of the games.
            units = sign * np.rint(np.array([x, score - p]) / LUCK_UNIT)
            codes.append((table.clusters * k + np.minimum(i, j)) * k + np.maximum(i, j))
            amounts.append(units)
        helpful.append(luck)
    code, row = np.unique(np.concatenate(codes), return_inverse=True)
    x, u = (
        add_up(row, amount, len(code)) * LUCK_UNIT
        for amount in np.concatenate(amounts, axis=1)
    )
    return _HelpfulLuck(tuple(helpful), code // (k * k) % FOLDS, x, u)


def _logits_without(
    fold: int, k: int, cells: Cells, parts: ClusterCells
) -> tuple[Floats, dict[tuple[int, int], float]]:
    """Return strengths, and seats by (players, seat), of the games of other folds."""
    rest = parts.cluster % FOLDS != fold
    cell = parts.cell[rest]
    model = solve(
        k,
        cells._replace(
            total=add_up(cell, parts.total[rest], len(cells.total)),
            wins=add_up(cell, parts.wins[rest], len(cells.total)),
        ),
    )
    seats = model.solution[k:].tolist()
    return model.solution[:k], dict(zip(model.design.seats, seats, strict=True))


def _slope(helpful: _HelpfulLuck, fold: int) -> float:
    """Return b for a fold."""
    rest = helpful.fold != fold
    x, u = helpful.x[rest], helpful.u[rest]
    squares = float(x @ x)
    if not squares:
        return 0.0
    phantoms = PHANTOMS * squares / len(x)
    return min(max(float(x @ u) / (squares + phantoms), 0.0), 1.0)

"""The estimator behind `fit`: the maximum, its errors, the limits of the undefeated.

All numbers here are natural log-odds.  Parameters are the entries in order, then
the seat terms that can be identified.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import brentq
from scipy.special import expit, logit

from arena.ratings._pool import Cells, ClusterCells, Floats, Ints, add_up

Bools = NDArray[np.bool_]

FEW_CLUSTERS: Final = 5
"""With fewer won, or fewer lost, the sandwich underrates the error."""

TAIL: Final = 0.025
"""Probability beyond each end of an interval."""

SEPARABLE: Final = 1e-9
"""Share of a seat's column that must be left over by all columns before it."""

MAX_STEPS: Final = 100
"""Of Newton's method, which takes about ten."""


class Estimate(NamedTuple):
    """What the comparisons say about every parameter."""

    solution: Floats
    seats: tuple[tuple[int, int], ...]
    """(players, seat) of each seat term."""
    covariance: Floats
    """Cluster-robust."""
    curvature: Floats
    """Inverse of the negative Hessian."""
    few: Bools
    """Which parameters have too few clusters won or lost for the sandwich."""
    lower: dict[int, float]
    """Exact lower limit of each entry that won every comparison."""
    upper: dict[int, float]
    """Exact upper limit of each entry that lost every comparison."""


def estimate(k: int, cells: Cells, parts: ClusterCells) -> Estimate:
    """Fit `k` entries to their comparisons, counted as a whole and by cluster."""
    seats, design = _design(k, cells)
    weight = 2.0 / cells.size
    solution, hessian = _maximise(design, weight * cells.total, weight * cells.wins)
    curvature = np.linalg.inv(hessian)
    logits = design @ solution

    surprise = parts.wins - parts.total * expit(logits[parts.cell])
    scores = _sum_by_cluster(design, parts, weight[parts.cell] * surprise)
    clusters = scores.shape[0]
    covariance = curvature
    if clusters > 1:
        meat = (scores.T @ scores).toarray() * (clusters / (clusters - 1))
        covariance = curvature @ meat @ curvature

    lead = _sum_by_cluster(design, parts, 2.0 * parts.wins - parts.total)
    won = (lead > 0).sum(axis=0)
    lost = (lead < 0).sum(axis=0)

    losses = cells.total - cells.wins
    scored = add_up(cells.first, cells.wins, k) + add_up(cells.second, losses, k)
    missed = add_up(cells.first, losses, k) + add_up(cells.second, cells.wins, k)
    undefeated = np.flatnonzero(missed == 0).tolist()
    winless = np.flatnonzero(scored == 0).tolist()
    return Estimate(
        solution=solution,
        seats=seats,
        covariance=covariance,
        curvature=curvature,
        few=np.minimum(won, lost) < FEW_CLUSTERS,
        lower={i: _limit(i, 1.0, cells, parts, logits, solution) for i in undefeated},
        upper={i: _limit(i, -1.0, cells, parts, logits, solution) for i in winless},
    )


def _design(k: int, cells: Cells) -> tuple[tuple[tuple[int, int], ...], Any]:
    """Return the (players, seat) of the seat terms, and cells by parameters, sparse.

    A seat whose column is a combination of those before it is left out, as where
    two entries have only ever sat in one order: strength explains it as well.
    """
    seats = [(n, s) for n in np.unique(cells.size).tolist() for s in range(1, n)]
    row = np.arange(len(cells.total))
    entries = _columns(row, cells.first, k) - _columns(row, cells.second, k)
    worth = np.column_stack(
        [
            (cells.size == n)
            * ((cells.first_seat == s) * 1.0 - (cells.second_seat == s) * 1.0)
            for n, s in seats
        ]
    )
    counted = cells.total[:, None] * worth
    shared = entries.T @ counted
    laplacian = (entries.T @ entries.multiply(cells.total[:, None])).toarray()
    explained = np.linalg.pinv(laplacian, rcond=1e-10, hermitian=True) @ shared
    whole = worth.T @ counted
    left = whole - shared.T @ explained
    kept = []
    for q in range(len(seats)):
        if left[q, q] > SEPARABLE * whole[q, q]:
            kept.append(q)
            left = left - np.outer(left[:, q], left[q]) / left[q, q]
    design = sparse.hstack([entries, sparse.csr_array(worth[:, kept])], format="csr")
    return tuple(seats[q] for q in kept), design


def _columns(row: Ints, column: Ints, k: int) -> Any:
    return sparse.csr_array((np.ones(len(row)), (row, column)), (len(row), k))


def _maximise(design: Any, count: Floats, wins: Floats) -> tuple[Floats, Floats]:
    """Return the maximum of the penalised log-likelihood and its negative Hessian."""

    def value(x: Floats) -> float:
        logits = design @ x
        phantom = 0.5 * x.sum() - np.logaddexp(0.0, x).sum()
        return float(wins @ logits - count @ np.logaddexp(0.0, logits) + phantom)

    x = np.zeros(design.shape[1])
    height = value(x)
    for _ in range(MAX_STEPS):
        p = expit(design @ x)
        q = expit(x)
        gradient = design.T @ (wins - count * p) + 0.5 - q
        informed = design.multiply((count * p * (1.0 - p))[:, None])
        hessian = (design.T @ informed).toarray() + np.diag(q * (1.0 - q))
        step = np.linalg.solve(hessian, gradient)
        if np.abs(step).max() < 1e-7:
            # Convergence is quadratic: this step leaves rounding errors only.
            return x + step, hessian
        while value(x + step) < height - 1e-12 * abs(height):
            step = step / 2.0
        x = x + step
        height = value(x)
    return x, hessian


def _sum_by_cluster(design: Any, parts: ClusterCells, amount: Floats) -> Any:
    """Return clusters by parameters, sparse: the design rows times their `amount`."""
    row = np.arange(len(amount))
    shape = (int(parts.cluster.max()) + 1, len(amount))
    groups = sparse.csr_array((amount, (parts.cluster, row)), shape)
    return groups @ design[parts.cell]


def _limit(
    entry: int,
    sign: float,
    cells: Cells,
    parts: ClusterCells,
    logits: Floats,
    solution: Floats,
) -> float:
    """Return the strength at which such a clean record has probability `TAIL`.

    With `sign` 1 for an entry that won everything, -1 for one that lost everything.
    A cluster counts as one trial, since its games share their luck, with the mean
    probability of its comparisons; opponents and seats are taken as fitted.
    """
    mine = (cells.first == entry) | (cells.second == entry)
    part = np.flatnonzero(mine[parts.cell])
    cell = parts.cell[part]
    count = parts.total[part]
    side = np.where(cells.first[cell] == entry, 1.0, -1.0)
    rest = sign * (side * logits[cell] - solution[entry])
    fixtures, trial = np.unique(parts.cluster[part], return_inverse=True)
    trials = len(fixtures)
    weight = count / add_up(trial, count, trials)[trial]

    def excess(strength: float) -> float:
        mean = add_up(trial, weight * expit(strength + rest), trials)
        return float(np.log(mean).sum() - np.log(TAIL))

    even = float(logit(TAIL ** (1.0 / trials)))
    low, high = even - rest.max() - 1.0, even - rest.min() + 1.0
    return sign * float(brentq(excess, low, high, xtol=1e-12))

"""How wrong a fit may be: the scatter of its clusters.

All numbers here are natural log-odds; parameters are those of the `Model`.
"""

from math import inf
from typing import Any, Final, NamedTuple

import numpy as np
from scipy import sparse
from scipy.special import expit

from arena.ratings.elo.model import Design, Model
from arena.ratings.elo.pool import Bools, ClusterCells, Floats, Ints, add_up

FEW_CLUSTERS: Final = 2.5
"""With fewer clusters that surprise, their scatter says too little.  No whole number:
those that surprise alike are one, but for rounding."""

ROUNDING: Final = 1e-12
"""Sum of squared surprises that is but rounding."""

PLENTY_PER_PARAMETER: Final = 100
"""With so many clusters for each parameter, none has a pull on the fit worth a word."""

TAIL: Final = 0.025
"""Probability beyond each end of an interval."""


class Errors(NamedTuple):
    """The errors of all parameters."""

    covariance: Floats
    df: float
    """Degrees of freedom; infinite where there are plenty of clusters."""
    few: Bools
    """For which parameters the scatter says too little."""


def cluster_errors(model: Model, parts: ClusterCells) -> Errors:
    """Return the errors that the scatter of the clusters shows.

    With plenty of clusters this is the sandwich (Liang and Zeger 1986) with the
    factor G/(G-1) for G clusters; otherwise the jackknife that leaves one cluster out
    at a time, by one step of Newton's from the fit (Bell and McCaffrey 2002, their
    CR3), with Student's t of G - 1 degrees of freedom.
    """
    new = np.diff(parts.cluster, prepend=parts.cluster[:1]) > 0
    number = np.cumsum(new, dtype=np.int32)
    count = int(number.max(initial=-1)) + 1
    size = model.design.size
    if count < 2:
        return Errors(model.curvature, inf, np.ones(size, np.bool_))
    expected = expit(model.logits)
    surprise = parts.wins - parts.total * expected[parts.cell]
    surprise *= model.weight[parts.cell]
    scores = _scores(model.design, parts.cell, number, surprise)
    few = _is_hidden(scores)
    df = inf
    factor = count / (count - 1)
    if count < PLENTY_PER_PARAMETER * size:
        df = float(count - 1)
        factor = 1.0 / factor
        fitted = expected[parts.cell]
        informed = model.weight[parts.cell] * parts.total * fitted * (1.0 - fitted)
        scores = _without_own_pull(model, parts.cell, number, scores, informed)
    meat = (scores.T @ scores).toarray() * factor
    return Errors(model.curvature @ meat @ model.curvature, df, few)


def _scores(design: Design, cell: Ints, number: Ints, amount: Floats) -> Any:
    """Return clusters by parameters, sparse: the sums of the amounts, with signs."""
    # Lines stand by cluster, so that this is nearly what the matrix is made of.
    columns = np.empty((len(cell), 2 + len(design.seats)), np.int32)
    values = np.empty(columns.shape)
    columns[:, 0] = design.first[cell]
    columns[:, 1] = design.second[cell]
    columns[:, 2:] = design.entries + np.arange(len(design.seats))
    values[:, 0] = amount
    values[:, 1] = -amount
    for q in range(len(design.seats)):
        values[:, 2 + q] = amount * design.worth[cell, q]
    lines = np.bincount(number)
    starts = np.concatenate([[0], np.cumsum(lines)]) * columns.shape[1]
    shape = (len(lines), design.size)
    found = sparse.csr_array((values.ravel(), columns.ravel(), starts), shape)
    found.sum_duplicates()
    return found


def _is_hidden(scores: Any) -> Bools:
    """Return for each parameter True if the clusters do not show its error.

    With u the surprises of all clusters, as many as (Σ u²)² / Σ u⁴ that surprise alike
    would scatter as much.  A bot that nearly always wins has surprised in the few that
    it lost, and one whose fixtures all come out the same in none.  Who always wins has
    surprised for the better only.
    """
    size = scores.shape[1]
    square = scores.data**2
    up = add_up(scores.indices, square * (scores.data > 0.0), size)
    down = add_up(scores.indices, square * (scores.data < 0.0), size)
    fourth = add_up(scores.indices, square**2, size)
    count = np.zeros(size)
    np.divide((up + down) ** 2, fourth, out=count, where=up + down > ROUNDING)
    few: Bools = (count < FEW_CLUSTERS) | (np.minimum(up, down) <= ROUNDING)
    return few


def _without_own_pull(
    model: Model, cell: Ints, number: Ints, scores: Any, informed: Floats
) -> Any:
    """Return the clusters' scores as the fit without each of them would see them.

    With H the negative Hessian, A the cluster's share of it and s its score,
    leaving the cluster out moves the fit by (H - A)^-1 s, which is H^-1 times
    (I - A H^-1)^-1 s; only the parameters in the cluster matter.
    """
    design = model.design
    k, terms = design.entries, len(design.seats)
    players = np.stack([design.first[cell], design.second[cell]], axis=1)
    # Each cluster has a slot for each of its entries, and then for all seats.
    codes = number[:, None] * k + players
    slots, slot = np.unique(codes, return_inverse=True)
    cluster, entry = np.divmod(slots, k)
    sizes = np.bincount(cluster)
    starts = np.cumsum(sizes) - sizes
    column = slot.reshape(codes.shape) - starts[number][:, None]
    blocks = []
    for m in np.unique(sizes).tolist():
        chosen = np.flatnonzero(sizes == m)
        own = np.concatenate(
            [
                entry[starts[chosen][:, None] + np.arange(m)],
                np.broadcast_to(k + np.arange(terms), (len(chosen), terms)),
            ],
            axis=1,
        )
        batch = np.full(len(sizes), -1)
        batch[chosen] = np.arange(len(chosen))
        lines = np.flatnonzero(batch[number] >= 0)
        row = np.zeros((len(lines), m + terms))
        row[np.arange(len(lines)), column[lines, 0]] = 1.0
        row[np.arange(len(lines)), column[lines, 1]] = -1.0
        row[:, m:] = design.worth[cell[lines]]
        share = np.zeros((len(chosen), m + terms, m + terms))
        np.add.at(
            share,
            batch[number[lines]],
            informed[lines][:, None, None] * row[:, :, None] * row[:, None, :],
        )
        curved = model.curvature[own[:, :, None], own[:, None, :]]
        left = np.eye(m + terms) - share @ curved
        score = np.asarray(scores[chosen[:, None], own].todense())
        value = np.linalg.solve(left, score[:, :, None])[:, :, 0]
        line = np.broadcast_to(chosen[:, None], own.shape)
        blocks.append((value.ravel(), line.ravel(), own.ravel()))
    value, line, own = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    return sparse.csr_array((value, (line, own)), scores.shape)

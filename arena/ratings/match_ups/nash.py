"""The mixture of entries that none can beat."""

from typing import Final

import numpy as np
from scipy.linalg import null_space
from scipy.optimize import LinearConstraint, linprog, minimize

from arena.ratings.elo.pool import Bools, Floats

_SINGULAR: Final = 1e-9
"""Singular values below this share of the largest are 0."""

_NOTHING: Final = 1e-7
"""Shares and payoffs up to here are 0; the solver knows no better."""


def equilibrium(payoffs: Floats) -> Floats:
    """Return the Nash equilibrium of maximal entropy, which is unique.

    `payoffs` is antisymmetric, entries by entries: what the row gains against the
    column.  Of the mixtures p, Σp = 1, against which nobody gains, payoffs @ p ≤ 0,
    it is the one that is spread most evenly (Balduzzi et al. 2018): entries that
    can't be told apart get the same, and copies of an entry share what it had.
    """
    support, some = _widest(payoffs)
    mixtures = null_space(payoffs[np.ix_(support, support)], rcond=_SINGULAR)
    best = some[support]
    if mixtures.shape[1] == 1:
        best = mixtures[:, 0] / mixtures.sum()
    elif mixtures.shape[1] > 1:
        best = _most_even(mixtures, payoffs[np.ix_(~support, support)], best)
    found = np.zeros(len(payoffs))
    found[support] = np.maximum(best, 0.0)
    found /= found.sum()
    return found


def _widest(payoffs: Floats) -> tuple[Bools, Floats]:
    """Return the entries in some equilibrium, and one equilibrium that has them all.

    Who loses against one equilibrium has a share in none.  If neither shows, as for
    the copy of an entry, the equilibrium with the largest share is looked for.
    """
    k = len(payoffs)
    support = np.zeros(k, np.bool_)
    out = np.zeros(k, np.bool_)
    some = np.zeros(k)
    wanted = np.zeros(k)
    for entry in range(-1, k):
        if entry >= 0:
            if support[entry] or out[entry]:
                continue
            wanted = np.zeros(k)
            wanted[entry] = -1.0
        mixture = linprog(
            wanted,
            A_ub=payoffs,
            b_ub=np.zeros(k),
            A_eq=np.ones((1, k)),
            b_eq=[1.0],
            bounds=[(0.0, 0.0 if gone else 1.0) for gone in out.tolist()],
            method="highs",
        ).x
        support |= mixture > _NOTHING
        out |= payoffs @ mixture < -_NOTHING
        some += mixture
    return support, some / some.sum()


def _most_even(mixtures: Floats, outside: Floats, start: Floats) -> Floats:
    """Return the combination of `mixtures` of maximal entropy, looked for from `start`.

    `outside` holds what the others gain against the members of the support.
    """

    def share(z: Floats) -> Floats:
        return np.maximum(mixtures @ z, 1e-300)

    def order(z: Floats) -> float:
        p = share(z)
        return float((p * np.log(p)).sum())

    def slope(z: Floats) -> Floats:
        return mixtures.T @ (np.log(share(z)) + 1.0)

    constraints = [
        LinearConstraint(mixtures.sum(axis=0), 1.0, 1.0),
        LinearConstraint(mixtures, 0.0, np.inf),
    ]
    if len(outside):
        constraints.append(LinearConstraint(outside @ mixtures, -np.inf, 0.0))
    solved = minimize(
        order,
        mixtures.T @ start,
        jac=slope,
        method="SLSQP",
        constraints=constraints,
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    best: Floats = mixtures @ solved.x
    return best

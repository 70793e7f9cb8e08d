"""The maximum behind `fit`: its design, its solution, its curvature.

All numbers here are natural log-odds.  Parameters are the entries in order, then
the seat terms that can be identified.
"""

from math import inf
from typing import Final, NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.special import expit

from arena.ratings.elo.pool import Bools, Cells, Floats, Ints, add_up

MIN_SEPARABLE_SHARE: Final = 1e-9
"""Share of a seat's column that must be left over by all columns before it."""

MAX_NEWTON_STEPS: Final = 100
"""Of Newton's method, which takes about ten."""


class Design(NamedTuple):
    """The comparison of each cell: one entry with another, and their seats."""

    entries: int
    first: Ints
    second: Ints
    seats: tuple[tuple[int, int], ...]
    """(players, seat) of each seat term."""
    worth: Floats
    """Cells by seat terms: 1 where the first entry has the seat, -1 the second."""

    @property
    def size(self) -> int:
        """Number of parameters."""
        return self.entries + len(self.seats)

    def logits(self, x: Floats) -> Floats:
        """Return the log-odds of each cell at the parameters `x`."""
        found: Floats = x[self.first] - x[self.second]
        if self.seats:
            found = found + self.worth @ x[self.entries :]
        return found

    def gradient(self, amount: Floats) -> Floats:
        """Return the sum of the cells' amounts, for each parameter with its sign."""
        k = self.entries
        own = add_up(self.first, amount, k) - add_up(self.second, amount, k)
        return np.concatenate([own, amount @ self.worth])

    def information(self, amount: Floats) -> Floats:
        """Return the sum over cells of `amount` times the square of their row."""
        k = self.entries
        mixed = add_up(self.first * k + self.second, amount, k * k).reshape(k, k)
        weighted = amount[:, None] * self.worth
        total = np.zeros((self.size, self.size))
        total[:k, :k] = -mixed - mixed.T
        total[np.arange(k), np.arange(k)] = add_up(self.first, amount, k) + add_up(
            self.second, amount, k
        )
        for q in range(len(self.seats)):
            column = weighted[:, q]
            shared = add_up(self.first, column, k) - add_up(self.second, column, k)
            total[:k, k + q] = total[k + q, :k] = shared
        total[k:, k:] = self.worth.T @ weighted
        return total


class Model(NamedTuple):
    """The cells as comparisons between parameters, and the maximum."""

    design: Design
    weight: Floats
    """Of one comparison in each cell: 2/n at a table of n."""
    solution: Floats
    logits: Floats
    """Fitted, of each cell."""
    curvature: Floats
    """Inverse of the negative Hessian, phantom draws included."""


class NoMaximumError(ArithmeticError):
    """Scores that are no shares of games lead the fit beyond all bounds."""

    def __init__(self, far: Bools) -> None:
        super().__init__("the likelihood has no maximum")
        self.far = far
        """The entries that are beyond the bound; none if it is a seat."""


def solve(k: int, cells: Cells, farthest: float = inf) -> Model:
    """Fit `k` entries to their comparisons.

    Raises:
        NoMaximumError: an entry or a seat comes out farther than `farthest` from the
            phantom.
    """
    design = _design(k, cells)
    weight = 2.0 / cells.size
    count, wins = weight * cells.total, weight * cells.wins
    solution, hessian = _maximise(design, count, wins, farthest)
    logits = design.logits(solution)
    return Model(design, weight, solution, logits, np.linalg.inv(hessian))


def _design(k: int, cells: Cells) -> Design:
    """Return the comparisons, with the seats that can be told from strength.

    A seat whose column is a combination of those before it is left out, as where
    two entries have only ever sat in one order: strength explains it as well.
    """
    seats = [(n, s) for n in np.unique(cells.size).tolist() for s in range(1, n)]
    worth = np.zeros((len(cells.total), len(seats)))
    for q, (n, s) in enumerate(seats):
        here = cells.size == n
        worth[:, q] = here * (
            (cells.first_seat == s) * 1.0 - (cells.second_seat == s) * 1.0
        )
    every = Design(k, cells.first, cells.second, tuple(seats), worth)
    counted = every.information(cells.total)
    laplacian, shared, whole = counted[:k, :k], counted[:k, k:], counted[k:, k:]
    # A singular system: what it is asked is in its range, whatever is added to
    # constants on groups that are linked by games.
    explained = _solve_laplacian(laplacian, shared)
    left = whole - shared.T @ explained
    kept = []
    for q in range(len(seats)):
        if left[q, q] > MIN_SEPARABLE_SHARE * whole[q, q]:
            kept.append(q)
            left = left - np.outer(left[:, q], left[q]) / left[q, q]
    return every._replace(seats=tuple(seats[q] for q in kept), worth=worth[:, kept])


def _solve_laplacian(laplacian: Floats, right: Floats) -> Floats:
    """Return a solution for right sides that sum to 0 over each group of entries."""
    _, group = connected_components(sparse.csr_array(laplacian), directed=False)
    same = group[:, None] == group[None, :]
    scale = max(1.0, float(laplacian.diagonal().max(initial=0.0)))
    found: Floats = np.linalg.solve(laplacian + scale * same / len(group), right)
    return found


def _maximise(
    design: Design, count: Floats, wins: Floats, farthest: float
) -> tuple[Floats, Floats]:
    """Return the maximum of the penalised log-likelihood and its negative Hessian."""

    def value(x: Floats) -> float:
        logits = design.logits(x)
        phantom = 0.5 * x.sum() - np.logaddexp(0.0, x).sum()
        return float(wins @ logits - count @ np.logaddexp(0.0, logits) + phantom)

    x = np.zeros(design.size)
    height = value(x)
    for _ in range(MAX_NEWTON_STEPS):
        p = expit(design.logits(x))
        q = expit(x)
        gradient = design.gradient(wins - count * p) + 0.5 - q
        hessian = design.information(count * p * (1.0 - p)) + np.diag(q * (1.0 - q))
        step = np.linalg.solve(hessian, gradient)
        if np.abs(step).max(initial=0.0) < 1e-7:
            # Convergence is quadratic: this step leaves rounding errors only.
            return x + step, hessian
        while value(x + step) < height - 1e-12 * abs(height):
            step = step / 2.0
        x = x + step
        height = value(x)
        far = np.abs(x) > farthest
        if far.any():
            raise NoMaximumError(far[: design.entries])
    return x, hessian

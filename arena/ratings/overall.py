"""One strength for all labels: what a bot is to be expected to score over all games.

Each label's fit says what i may expect against j: 1/(1 + 10^(-d/400)) at a difference
of d Elo, with neither in the better seat.  The mean over the labels, by their weight,
is what i may expect against j over all games; the mean of that over the field orders
the table.  So every game counts alike, however far apart its bots are in it, one in
which all are equal moves nobody, and no zero of any scale comes into it.

The field is all bots that are ranked, each against itself (one half) included, so that
it is the same for everybody.  Entries of one owner, or of one code, count in it as one.

The overall Elo is the Bradley-Terry fit to these chances: the strength θ_i that scores
against the field what i may expect,

    Σ_j f_j / (1 + e^(θ_j - θ_i)) = Σ_j f_j m_ij,

with f_j the share of j in the field and m_ij the mean chance.  The left side grows with
θ_i and is the same function for all, so this Elo has the order of the means.  Its
errors follow from those of the labels, which have no game in common, by the derivatives
of the equation (the delta method).

Who has lost everything in every label, or won it, has no limit on one side.  On the
other the limits of its labels give one each of what it may expect there; their squared
distances add up (G. Y. Zou and A. Donner, Statistics in Medicine 27, 2008), and the
strength that scores so much is its limit.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final, NamedTuple

import numpy as np
from scipy import sparse
from scipy.optimize import brentq
from scipy.sparse.csgraph import connected_components
from scipy.special import expit, stdtrit

from arena.ratings.elo.fit import ELO_PER_LOGIT, Fit, difference_variance
from arena.ratings.elo.pool import Bools, Floats, Ints
from arena.ratings.elo.separation import reach, tie
from arena.ratings.elo.standard_errors import TAIL

_MAX_NEWTON_STEPS: Final = 100

_CERTAIN: Final = 1e-6
"""What a score that is certain is taken to be away from it."""

_FARTHEST: Final = 60.0
"""Log-odds beyond any strength."""

_NO_GROUP: Final = -1
"""Of those that do not play a label."""

_MANY_GROUPS: Final = -2
"""Of a mean over several."""


class Field(NamedTuple):
    """The bots that are ranked."""

    entries: tuple[str, ...]
    group: Ints
    """Of each entry: those of one group have the share of one."""
    shares: Floats
    """Of each entry in the field; they add up to 1."""


@dataclass(frozen=True, slots=True, eq=False)
class OverallFit:
    """The overall strengths of a field."""

    entries: tuple[str, ...]
    expected: Floats
    """What each may expect to score against the field, 0 to 1."""
    elo: Floats
    """Relative to the anchor, or to the mean over the field."""
    low: Floats
    """Lower ends of the 95 % intervals."""
    high: Floats
    """Upper ends."""
    open_above: Bools
    """Who has no upper end: as in a `Rating`."""
    open_below: Bools
    variance: Floats
    """Elo²: of each difference; infinite where a label can't compare the two."""
    df: Floats
    """Degrees of freedom of each difference."""


def group_of(entries: Sequence[str], owners: Mapping[str, Collection[str]]) -> Ints:
    """Return for each entry the number of its group, from 0.

    `owners` has what an entry may have in common with others, such as a student or a
    code.  Those linked by it, be it by way of others, are a group.
    """
    names = sorted({owner for entry in entries for owner in owners.get(entry, ())})
    column = {name: len(entries) + i for i, name in enumerate(names)}
    links = [
        (i, column[owner])
        for i, entry in enumerate(entries)
        for owner in sorted(owners.get(entry, ()))
    ]
    size = len(entries) + len(names)
    row, end = np.array(links, np.int64).reshape(-1, 2).T
    graph = sparse.csr_array((np.ones(len(links)), (row, end)), (size, size))
    found: Ints = connected_components(graph, directed=False)[1][: len(entries)]
    return found


def field_of(entries: Sequence[str], owners: Mapping[str, Collection[str]]) -> Field:
    """Return the field of these entries: each group has the share of one."""
    group = group_of(entries, owners)
    count = np.bincount(group)
    return Field(tuple(entries), group, 1.0 / count[group] / np.count_nonzero(count))


def fit_overall(
    field: Field, fits: Sequence[Fit], weights: Sequence[float], anchor: str | None
) -> OverallFit:
    """Fit the overall strengths of a field.

    `fits` are those of the labels that count, with a positive weight each.  An entry
    that is not in a fit has lost that game to all that are, and is even with all that
    are not.
    """
    shares = field.shares
    k = len(shares)
    labels = [_Label(field, fit) for fit in fits]
    parts = [weight / sum(weights) for weight in weights]
    expected = np.zeros(k)
    for part, label in zip(parts, labels, strict=True):
        expected += part * (label.chance @ shares)
    strengths = _strengths(expected, shares)
    tied = tie(reach(np.logical_or.reduce([label.limits for label in labels])))
    middle = tied.middle([*range(k)], np.ones(k, np.int64), field.group)
    held = [field.entries.index(anchor)] if anchor in field.entries else middle
    zero = np.zeros(k)
    zero[held] = shares[held] / shares[held].sum()
    # How the strengths move with what is expected; shares keep their mean at zero.
    move = np.linalg.inv(_slopes(strengths, shares) + shares)
    move -= zero @ move
    variance, inexact = np.zeros((2, k, k))
    own, own_inexact = np.zeros((2, k))
    for part, label in zip(parts, labels, strict=True):
        errors = label.errors(part * move, held)
        variance += errors.differences
        own += errors.own
        with np.errstate(invalid="ignore"):
            inexact += errors.differences**2 / label.fit.df
        own_inexact += errors.own**2 / label.fit.df
    half = -stdtrit(_degrees(own, own_inexact), TAIL) * np.sqrt(own)
    down, up = half.copy(), half.copy()
    apart = [i for i in range(k) if tied.group[i] != tied.group[middle[0]]]
    far = {i: _distances(i, field, labels, parts, strengths) for i in apart}
    for i in range(k):
        # Beside a gap the errors of all others are small.
        gaps = [far[x] if x == i else far[x][::-1] for x in {i, *held} & {*apart}]
        if gaps and [i] != held:
            down[i], up[i] = np.sqrt(np.square(gaps).sum(axis=0))
    elo = ELO_PER_LOGIT * (strengths - zero @ strengths)
    above, below = tied.open_to([*range(k)], held)
    return OverallFit(
        entries=field.entries,
        expected=expected,
        elo=elo,
        low=elo - down,
        high=elo + up,
        open_above=above,
        open_below=below,
        variance=variance,
        df=_degrees(variance, inexact),
    )


def _distances(
    entry: int,
    field: Field,
    labels: Sequence["_Label"],
    parts: Sequence[float],
    strengths: Floats,
) -> tuple[float, float]:
    """Return how far, in Elo, the limits of an entry apart are below and above it."""
    shares = field.shares
    mean = 0.0
    squares = np.zeros(2)
    for part, label in zip(parts, labels, strict=True):
        own = float(label.chance[entry] @ shares)
        mean += part * own
        squares += (part * (np.array(label.limits_of(entry)) - own)) ** 2
    # It scores half against itself.
    most = 1.0 - shares[entry] / 2.0 - _CERTAIN
    steps = np.sqrt(squares) * [-1.0, 1.0]
    low, high = np.clip(mean + steps, 1.0 - most, most)
    others = np.delete(strengths, entry)
    weights = np.delete(shares, entry)

    def scoring(expected: float) -> float:
        def excess(x: float) -> float:
            return float(expit(x - others) @ weights + shares[entry] / 2.0 - expected)

        return float(brentq(excess, -_FARTHEST, _FARTHEST))

    own = strengths[entry]
    return (
        ELO_PER_LOGIT * float(own - scoring(low)),
        ELO_PER_LOGIT * float(scoring(high) - own),
    )


class _Errors(NamedTuple):
    """Variances in Elo²."""

    differences: Floats
    own: Floats
    """Of each entry, relative to the zero."""


class _Label:
    """What one label says about a field."""

    def __init__(self, field: Field, fit: Fit) -> None:
        index = {rating.entry: i for i, rating in enumerate(fit.ratings)}
        k = len(field.entries)
        self.fit = fit
        self._shares = field.shares
        own = np.array([index.get(entry, -1) for entry in field.entries], np.int64)
        self._players: Ints = np.flatnonzero(own >= 0)
        """Those in the field that play it."""
        self._own: Ints = own[self._players]
        """Their places in the fit."""
        elo = np.array([fit.ratings[i].elo for i in self._own]) / ELO_PER_LOGIT
        plays = own >= 0
        self.chance: Floats = 0.5 * (1.0 + plays[:, None] - plays)
        """What the row may expect against the column."""
        square = np.ix_(self._players, self._players)
        self.chance[square] = expit(elo[:, None] - elo)
        self.limits: Bools = np.eye(k, dtype=np.bool_)
        """As in `Fit`."""
        limits = fit.limits[np.ix_(self._own, self._own)]
        self.limits[square] = limits
        self._few = np.zeros(k, np.bool_)
        self._few[self._players] = np.array(fit.few, np.bool_)[self._own]
        self._group: Ints = np.full(k, _NO_GROUP)
        """Of each entry: the first of those it is tied together with."""
        self._group[self._players] = self._players[(limits & limits.T).argmax(axis=1)]
        self._apart = np.zeros((k, k), np.bool_)
        self._apart[square] = ~(limits | limits.T)

    def limits_of(self, entry: int) -> tuple[float, float]:
        """Return the least and the most that an entry may expect against the field.

        At the ends of its own interval; or of all others, if it is their zero.
        """
        found = self.chance[entry].copy(), self.chance[entry].copy()
        if entry not in self._players:
            low, high = (float(chance @ self._shares) for chance in found)
            return low, high
        ratings = [self.fit.ratings[i] for i in self._own]
        own = ratings[self._players.tolist().index(entry)]
        is_zero = (own.entry,) in self.fit.middle
        for i, other in zip(self._players.tolist(), ratings, strict=True):
            if i == entry:
                continue
            if is_zero:
                least = (own.elo - other.elo_high, other.open_above)
                most = (own.elo - other.elo_low, other.open_below)
            else:
                least = (own.elo_low - other.elo, own.open_below)
                most = (own.elo_high - other.elo, own.open_above)
            found[0][i] = 0.0 if least[1] else expit(least[0] / ELO_PER_LOGIT)
            found[1][i] = 1.0 if most[1] else expit(most[0] / ELO_PER_LOGIT)
        low, high = (float(chance @ self._shares) for chance in found)
        return low, high

    def errors(self, move: Floats, held: list[int]) -> _Errors:
        """Return the errors of strengths that so move with what is expected here.

        `held` are those whose mean is the zero, which does not move.
        """
        slope = self.chance * (1.0 - self.chance)
        missing = np.ones(len(slope), np.bool_)
        missing[self._players] = False
        slope[missing] = slope[:, missing] = 0.0
        move = (move @ _laplacian(slope, self._shares))[:, self._players]
        # The last line is the zero.
        move = np.vstack([move, np.zeros(move.shape[1])])
        groups = np.unique(self._group[held])
        group = np.append(self._group, groups[0] if len(groups) == 1 else _MANY_GROUPS)
        few = np.append(self._few, len(held) == 1 and self._few[held[0]])
        square = np.ix_(self._own, self._own)
        robust, curvature = (
            move @ every[square] @ move.T
            for every in (self.fit.covariance, self.fit.curvature)
        )
        # A clean record does not scatter.
        across = difference_variance(robust, curvature, np.ones(len(few), np.bool_))
        within = difference_variance(robust, curvature, few) + self._from_others(
            move, group
        )
        found = np.where(np.isfinite(within), within, across)
        differences = np.where(self._apart, inf, found[:-1, :-1])
        return _Errors(differences, found[:-1, -1])

    def _from_others(self, move: Floats, group: Ints) -> Floats:
        """Return what those add, by the curvature, who are not tied to two that are.

        Infinite between those that are not tied together.
        """
        found = np.full((len(group), len(group)), inf)
        own_group = self._group[self._players]
        curvature = self.fit.curvature[np.ix_(self._own, self._own)]
        for number in np.unique(own_group).tolist():
            rows = np.flatnonzero((group == number) | (group == _NO_GROUP))
            inside = own_group == number
            # How far they are from the middle of the two's group.
            others = np.where(inside, 0.0, move[rows])
            others -= others.sum(axis=1, keepdims=True) * inside / inside.sum()
            matrix = others @ curvature @ others.T
            square = np.ix_(rows, rows)
            added = difference_variance(matrix, matrix, np.zeros(len(rows), np.bool_))
            found[square] = np.minimum(found[square], added)
        return found


def _strengths(expected: Floats, shares: Floats) -> Floats:
    """Return the strengths, in log-odds, that score against the field what is expected.

    Their mean over the field is 0.
    """

    def height(x: Floats) -> float:
        """Return the log-likelihood whose slopes are what is missing."""
        gaps = np.logaddexp(0.0, x[:, None] - x)
        return float(shares @ ((expected - 0.5) * x) - 0.5 * shares @ gaps @ shares)

    x = np.zeros(len(shares))
    for _ in range(_MAX_NEWTON_STEPS):
        missing = expected - expit(x[:, None] - x) @ shares
        step = np.linalg.solve(_slopes(x, shares) + shares, missing)
        if np.abs(step).max(initial=0.0) < 1e-7:
            # Convergence is quadratic: this step leaves rounding errors only.
            x = x + step
            break
        while height(x + step) < height(x) - 1e-12:
            step = step / 2.0
        x = x + step
    return x - shares @ x


def _slopes(strengths: Floats, shares: Floats) -> Floats:
    """Return how what each scores against the field moves with the strengths."""
    chance = expit(strengths[:, None] - strengths)
    return _laplacian(chance * (1.0 - chance), shares)


def _laplacian(slope: Floats, shares: Floats) -> Floats:
    """Return how the mean over the field moves, if chances have these slopes."""
    found: Floats = np.diag(slope @ shares) - slope * shares
    return found


def _degrees(variance: Floats, inexact: Floats) -> Floats:
    """Return the degrees of freedom of sums of variances.

    B. L. Welch, Biometrika 34, 1947, and F. E. Satterthwaite, Biometrics 2, 1946.
    """
    found = np.full(variance.shape, inf)
    known = (inexact > 0.0) & np.isfinite(variance)
    np.divide(variance**2, inexact, out=found, where=known)
    return found

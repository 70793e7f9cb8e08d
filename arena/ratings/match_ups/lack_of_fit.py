"""The test whether match-ups differ from the fit by more than luck.

With r the residuals, V their variances and D the derivatives of the expected
scores by the strengths,

    T = r' V⁻¹ r  -  r' V⁻¹ D (D' V⁻¹ D)⁺ D' V⁻¹ r

is what is left of their squares whatever the strengths are (Neyman's C(alpha); it
does not matter that the fit weighs its games otherwise, or has a prior).  It is
compared with Johansen's (1980) c F(q, f), q = pairs - rank D, which allows for V being
estimated:

    A = Σ (1 - leverage)² / d,   c = q + 2A - 6A / (q + 2),   f = q (q + 2) / 3A.

V is that of fixtures, since their games share their luck.  Few fixtures of one pair
say little about it, so it is a mean of two (Smyth 2004): of the scatter of the pair's
own fixtures, and of p (1 - p) / n, which independent games would have, times a factor
common to all pairs.  The latter counts as 12 degrees of freedom, the former as one
less than the fixtures, and as less than that where one side nearly always wins: the
variance of a variance has the kurtosis in it.  d is the sum.  Where luck is taken out
of the scores, p (1 - p) is a poor guide: it counts as 4, and the scatter in full.

Pairs are taken as independent.  At tables of three and more they are not: there T is
divided by the ratio of its expectation with the fixtures' own covariances to q.

Simulated, 1000 leagues each: of 8 entries spread over 400 Elo that strength explains,
with 5, 10 and 20 fixtures a pair of two games with a correlation of -.5, 0 and .4, it
rejects .029 to .060 at a level of .05; over 1000 Elo .016 to .047; among equals .014 to
.064; of 4 entries .047 to .069; at tables of three and four (200 leagues) .01 to .06.
Where half of the pairs have -.8 and the others .6, five fixtures are too few: .10.
Rock, paper and scissors at 65 % with a weak entry (correlation -.35) are found out in
.30, .54, .90 and 1.0 of the leagues with 10, 20, 40 and 100 games a pair.  Without luck
(150 leagues, 8 entries) .05 to .09 are rejected.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from scipy import sparse

from arena.ratings.elo.pool import Floats
from arena.ratings.match_ups.residuals import MatchUps

_POOLED: Final = 12
"""Degrees of freedom that all pairs lend to each."""

_POOLED_ADJUSTED: Final = 4
"""The same without luck, when p (1 - p) says less of how scores scatter."""

_PHANTOM: Final = 0.125
"""Scatter of a fixture of two independent and even games: keeps the factor above 0."""


class LackOfFit(NamedTuple):
    """The test, and what it rests on, one a pair."""

    variance: Floats
    free: Floats
    """One less the leverage."""
    df: Floats
    """Degrees of freedom of the variance."""
    pooled: int
    """Of these, the number that all pairs lend."""
    factor: float
    """Factor of the variance, as games share their luck; over all pairs."""
    f: float | None
    df1: int
    df2: float
    reason: str | None


def lack_of_fit(found: MatchUps) -> LackOfFit:
    """Test the residuals; where too little was played, there is a reason, and no f."""
    spare = np.maximum(found.fixtures - 1.0, 0.0)
    weight = spare * found.fixtures
    factor = float(
        ((weight * found.scatter).sum() + _PHANTOM)
        / ((weight * found.independent).sum() + _PHANTOM)
    )
    own = _own_df(found)
    pooled = _POOLED_ADJUSTED if found.adjusted else _POOLED
    df = pooled + own
    variance = (pooled * factor * found.independent + own * found.scatter) / df

    lines = _derivatives(found)
    weighted = lines.multiply((1.0 / variance)[:, None]).tocsr()
    inverse, rank = _inverse((lines.T @ weighted).toarray())
    free = 1.0 - _forms(found, inverse) / variance
    df1 = len(variance) - rank
    reason = None
    if df1 < 1:
        reason = "no pair met beyond those that the strengths are worked out from"
    elif spare.sum() < _POOLED:
        pairs, fixtures = len(variance), int(found.fixtures.sum())
        reason = (
            f"{pairs} pairs have met in {fixtures} fixtures; "
            f"it takes {pairs + _POOLED} to know how much is luck"
        )
    if reason is not None:
        return LackOfFit(variance, free, df, pooled, factor, None, df1, 0.0, reason)

    pull = weighted.T @ found.residual
    left = float((found.residual**2 / variance).sum() - pull @ inverse @ pull)
    left /= _shared(found, lines, inverse, variance, free, df1)
    a = float((free**2 / df).sum())
    scale = df1 + 2.0 * a - 6.0 * a / (df1 + 2.0)
    return LackOfFit(
        variance=variance,
        free=free,
        df=df,
        pooled=pooled,
        factor=factor,
        f=max(left, 0.0) / scale,
        df1=df1,
        df2=df1 * (df1 + 2.0) / (3.0 * a),
        reason=None,
    )


def _own_df(found: MatchUps) -> Floats:
    """Return the degrees of freedom of the pairs' own scatter."""
    if found.adjusted:
        without_kurtosis: Floats = np.maximum(found.fixtures - 1.0, 0.0)
        return without_kurtosis
    spare = np.maximum(found.fixtures - 1.0, 1.0)
    size = found.games / found.fixtures
    kurtosis = (1.0 / found.slope - 6.0) / size
    own = 2.0 / np.maximum(2.0 / spare + kurtosis / found.fixtures, 2.0 / spare)
    return np.where(found.fixtures > 1.0, own, 0.0)


def _derivatives(found: MatchUps) -> Any:
    """Return pairs by strengths and seat terms, sparse."""
    row = np.arange(len(found.first))
    k = int(max(found.first.max(initial=-1), found.second.max(initial=-1))) + 1
    shape = (len(row), k)
    ahead = sparse.csr_array((found.slope, (row, found.first)), shape)
    behind = sparse.csr_array((found.slope, (row, found.second)), shape)
    seats = sparse.csr_array(found.seats)
    return sparse.hstack([ahead - behind, seats], format="csr")


def _inverse(matrix: Floats) -> tuple[Floats, int]:
    """Return the pseudo-inverse of a symmetric matrix, and its rank."""
    values, vectors = np.linalg.eigh(matrix)
    kept = values > 1e-9 * max(float(values.max(initial=0.0)), 1e-300)
    inverse: Floats = (vectors[:, kept] / values[kept]) @ vectors[:, kept].T
    return inverse, int(kept.sum())


def _forms(found: MatchUps, inverse: Floats) -> Floats:
    """Return d' `inverse` d for the derivatives d of each pair.

    Without pairs by entries in one piece, which is much for a thousand entries.
    """
    i, j, d = found.first, found.second, found.slope
    k = len(inverse) - found.seats.shape[1]
    diagonal = inverse.diagonal()
    forms: Floats = d**2 * (diagonal[i] + diagonal[j] - 2.0 * inverse[i, j])
    across = inverse[i, k:] - inverse[j, k:]
    forms += 2.0 * d * (across * found.seats).sum(axis=1)
    forms += (found.seats @ inverse[k:, k:] * found.seats).sum(axis=1)
    return forms


def _shared(
    found: MatchUps,
    lines: Any,
    inverse: Floats,
    variance: Floats,
    free: Floats,
    df1: int,
) -> float:
    """Return the expectation of T with the fixtures' own covariances, as share of q.

    Exactly 1 where every fixture is of one pair.
    """
    pair = found.pair
    pairs_of = np.bincount(found.cluster)
    together = pairs_of[found.cluster] > 1
    if not together.any():
        return 1.0
    pair, amount = pair[together], found.surprise[together]
    _, cluster = np.unique(found.cluster[together], return_inverse=True)
    weighted = amount / variance[pair]
    shape = (int(cluster.max()) + 1, len(pair))
    groups = sparse.csr_array((weighted, (cluster, np.arange(len(pair)))), shape)
    sums = groups @ lines[pair]
    joint = (sums.T @ sums).toarray()
    alone = float(((1.0 - free[pair]) * amount * weighted).sum())
    return max((df1 + alone - float((joint * inverse).sum())) / df1, 0.05)

"""Tukey's studentised range: the distance of the outermost two of k equals.

`scipy.stats` has it too, and takes longer to be imported than all else that a report
does; a test holds the two against each other.
"""

from functools import cache
from math import inf, log, sqrt
from typing import Final

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaln, ndtr

from arena.ratings.elo.pool import Floats

_FAR_SD: Final = 9.0
"""Standard deviations beyond which nothing counts."""
_VALUE_NODES: Final = 200
"""Of the quadrature over values."""
_ERROR_NODES: Final = 100
"""Of each of the two over standard errors."""


def quantile(p: float, k: int, df: float) -> float:
    """Return the studentised range that `k` normal values exceed with chance 1 - `p`.

    In units of the standard error of one value, which is known to `df` degrees of
    freedom; `k` is at least 2 and `df` at least 1.
    """
    high = 4.0
    while probability(high, k, df) < p:
        high *= 2.0
    return float(brentq(lambda q: probability(q, k, df) - p, 0.0, high, xtol=1e-11))


def probability(q: float, k: int, df: float) -> float:
    """Return the probability of a range of no more than `q`.

    Of normal values with the largest at z, the others lie between z - q and z with
    probability (Φ(z) - Φ(z - q))^(k-1); the standard error is the true one times
    √(χ²/df).  (H. O. Hartley, "The range in random samples", Biometrika 32, 1942.)
    """
    if df == inf:
        return float(_range(np.array([q]), k)[0])
    if q <= 0.0:
        return 0.0
    width = _FAR_SD / sqrt(2.0 * df)
    low, high = max(0.0, 1.0 - width), 1.0 + width
    # Where the range of the values grows, and where it is certain to be in q s.
    middle = min(max(low, 2.0 * _FAR_SD / q), high)
    parts = _nodes(low, middle, _ERROR_NODES), _nodes(middle, high, _ERROR_NODES)
    s, weight = (np.concatenate(both) for both in zip(*parts, strict=True))
    half = df / 2.0
    density = np.exp(
        log(2.0)
        + half * log(half)
        - gammaln(half)
        + (df - 1.0) * np.log(s)
        - half * s * s
    )
    return float((weight * density * _range(q * s, k)).sum())


def _range(q: Floats, k: int) -> Floats:
    z, weight = _nodes(-_FAR_SD, _FAR_SD, _VALUE_NODES)
    density = np.exp(-0.5 * z * z) / sqrt(2.0 * np.pi)
    between = ndtr(z) - ndtr(z - q[:, None])
    found: Floats = k * (between ** (k - 1)) @ (weight * density)
    return found


@cache
def _unit(count: int) -> tuple[Floats, Floats]:
    return np.polynomial.legendre.leggauss(count)


def _nodes(low: float, high: float, count: int) -> tuple[Floats, Floats]:
    """Return the nodes and weights of a quadrature between two ends."""
    at, weight = _unit(count)
    half = (high - low) / 2.0
    return low + half * (at + 1.0), half * weight

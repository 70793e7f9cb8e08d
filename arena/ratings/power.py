"""The differences in Elo that a plan will show, before anything is played.

Every two of k entries share f fixtures, each of n games: one for every rotation of the
seats.  A comparison of even opponents is worth 1/4 of information on the scale of
log-odds.  Weighted 2/n, the n f comparisons of two entries come to f/2, whatever n.  So
the information of a round robin is the Laplacian of the complete graph with f/2 on
every edge, f/2 (k I - J), where J is all ones.  Differences see 2/(k f) I of its
inverse: that of two entries has variance

    4/(k f) c

with c = 1 for tables of two.  At larger tables the comparisons hang together.  Places
are a permutation, so the scores of a table have the covariance n (n + 1)/12 (I - J/n),
where independent comparisons would have n/4 (I - J/n).  The weight 2/n enters twice
into the variance of the scores and once into the information, which leaves
c = 2 (n + 1)/3n.  Where only the winner counts, the scores of a table have
n/4 (I - J/n), but 2/n of the comparisons are made: c = n/2.

The phantom that every entry has drawn with pulls differences and their errors together
alike, so it changes nothing here.  Seats change nothing either, as every fixture has
every rotation.  Entries that are far apart tell less about each other than this.

Where not all meet alike, the Laplacian is that of the graph of who meets whom, and the
difference of two entries has the variance that two nodes of it have as resistance: see
`spread`.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from math import inf, sqrt
from typing import Final, NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from arena.ratings.claims import POWER, cut
from arena.ratings.elo.fit import ELO_PER_LOGIT
from arena.ratings.elo.standard_errors import PLENTY_PER_PARAMETER

DIFFERENCE_ELO: Final = 50.0
"""Elo between the two entries that a plan is judged by."""


class Precision(NamedTuple):
    """The error that the difference of any two entries will have."""

    variance: float
    """Elo²; infinite if they never meet."""
    df: float = inf
    """Degrees of freedom of its error; infinite where there are plenty of fixtures."""


@dataclass(frozen=True, slots=True)
class Power:
    """The chance that entries will be told apart."""

    probability: float
    """That an entry will be claimed to be better than one so much weaker."""
    smallest: float
    """Elo that two entries must be apart for a probability of 80 %; may be infinite."""


def power(
    entries: int,
    precision: Precision,
    difference: float = DIFFERENCE_ELO,
    looks: int = 1,
) -> Power:
    """Return the chance that `claims` will tell any two of so many entries apart.

    `difference` is in Elo; `looks` is how often results are looked at in all.
    """
    error = sqrt(precision.variance)
    needed = cut(entries, precision.df, looks)
    if error == inf or needed == inf:
        return Power(0.0, inf)
    smallest = error * (needed + float(ndtri(POWER)))
    if error == 0.0:
        return Power(1.0 if difference > 0.0 else 0.0, smallest)
    return Power(float(ndtr(difference / error - needed)), smallest)


def label_precision(
    entries: int,
    seats: int,
    fixtures: float,
    *,
    winner_only: bool = False,
    factor: float = 1.0,
) -> Precision:
    """Return the precision of a round robin in one label.

    `fixtures` is how many two entries share: the mean, where some share one more.
    `factor` is the variance of the score in a fixture, compared with independent games.
    It is below 1 where the luck that rotations share cancels out, or is taken out of
    the scores, and can be had from a league that was played: its robust variances over
    those from the curvature (`Fit.covariance`, `Fit.curvature`).  It is above 1 where
    not all meet alike (`spread`).
    """
    if entries < 2 or fixtures <= 0.0:
        return Precision(inf)
    together = seats / 2.0 if winner_only else 2.0 * (seats + 1.0) / (3.0 * seats)
    variance = ELO_PER_LOGIT**2 * 4.0 / (entries * fixtures) * together * factor
    clusters = round(fixtures * entries * (entries - 1) / (seats * (seats - 1)))
    parameters = entries + seats - 1
    if clusters >= PLENTY_PER_PARAMETER * parameters:
        return Precision(variance)
    return Precision(variance, max(1.0, float(clusters - 1)))


def spread(shared: Mapping[tuple[str, str], float], between: Collection[str]) -> float:
    """Return the factor of the variances, compared with games that are shared evenly.

    That is the mean variance of the difference of two entries `between` which bots are
    compared, over what it would be in a round robin of all.  `shared` has the fixtures
    that any two share.  Infinite if games do not link all; 1 for a round robin.

    The variance is the effective resistance between two nodes of a graph whose edges
    conduct as the entries inform about each other (D. J. Klein and M. Randic,
    "Resistance distance", Journal of Mathematical Chemistry 12, 1993).
    """
    index = {name: i for i, name in enumerate(sorted({x for ab in shared for x in ab}))}
    chosen = sorted(index[name] for name in set(between) & index.keys())
    k = len(index)
    if len(chosen) < 2:
        chosen = list(range(k))
    laplacian = np.zeros((k, k))
    for (first, second), fixtures in shared.items():
        i, j = index[first], index[second]
        laplacian[[i, j], [i, j]] += fixtures
        laplacian[[i, j], [j, i]] -= fixtures
    values, vectors = np.linalg.eigh(laplacian)
    if values[1] < 1e-9 * values[-1]:
        return inf
    known = vectors[chosen, 1:] / np.sqrt(values[1:])
    inverse = known @ known.T
    s = len(chosen)
    mean = 2.0 * (s * inverse.trace() - inverse.sum()) / (s * (s - 1))
    evenly = 2.0 * sum(shared.values()) / (k * (k - 1))
    return float(mean * k * evenly / 2.0)


def overall_precision(labels: Iterable[tuple[float, Precision]]) -> Precision:
    """Return the precision of the overall Elo, from weights and those of the labels.

    Between bots that are about even it moves as the mean of their Elo in the labels
    does, and no two labels have a game in common.  The degrees of freedom are those of
    Welch and Satterthwaite.
    """
    known = list(labels)
    total = sum(weight for weight, _ in known)
    parts = [((w / total) ** 2 * found.variance, found.df) for w, found in known]
    variance = sum(part for part, _ in parts)
    inexact = sum(part**2 / df for part, df in parts if df < inf)
    return Precision(variance, variance**2 / inexact if inexact else inf)

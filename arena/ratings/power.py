"""What a plan will be able to tell apart, before anything is played.

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
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, log, sqrt
from typing import Final

from scipy.special import ndtr, ndtri

from arena.ratings.claims import POWER, cut

DIFFERENCE: Final = 50.0
"""Elo between the two entries that a plan is judged by."""

_ELO: Final = 400.0 / log(10.0)
"""Elo of one natural log-odds."""


@dataclass(frozen=True, slots=True)
class Power:
    """How well entries will be told apart."""

    probability: float
    """That an entry will be claimed to be better than one so much weaker."""
    smallest: float
    """Elo that two entries must be apart for a probability of 80 %; may be infinite."""


def power(
    entries: int,
    variance: float,
    difference: float = DIFFERENCE,
    df: float = inf,
    looks: int = 1,
) -> Power:
    """Return how well any two of so many entries will be told apart by `claims`.

    `variance` is that of the difference of two, in Elo²; `difference` is in Elo.
    """
    error = sqrt(variance)
    needed = cut(entries, df, looks)
    if error == inf or needed == inf:
        return Power(0.0, inf)
    smallest = error * (needed + float(ndtri(POWER)))
    if error == 0.0:
        return Power(1.0 if difference > 0.0 else 0.0, smallest)
    return Power(float(ndtr(difference / error - needed)), smallest)


def planned_variance(
    entries: int,
    seats: int,
    fixtures: float,
    *,
    winner_only: bool = False,
    factor: float = 1.0,
) -> float:
    """Return the variance of the difference of two entries in one label, in Elo².

    `fixtures` is how many two entries share: the mean, where some share one more.
    `factor` is the variance of the score in a fixture, compared with independent games.
    It is below 1 where the luck that rotations share cancels out, or is taken out of
    the scores, and can be had from a league that was played: its robust variances over
    those from the curvature (`Fit.covariance`, `Fit.curvature`).

    Infinite if two entries never meet.
    """
    if entries < 2 or fixtures <= 0.0:
        return inf
    together = seats / 2.0 if winner_only else 2.0 * (seats + 1.0) / (3.0 * seats)
    return _ELO**2 * 4.0 / (entries * fixtures) * together * factor


def overall_variance(labels: Iterable[tuple[float, float]]) -> float:
    """Return the variance of a difference in overall Elo.

    `labels` are weight and variance of each; the overall Elo is their weighted mean,
    and no two have a game in common.  A label that nobody plays has variance 0.
    """
    known = list(labels)
    total = sum(weight for weight, _ in known)
    return sum(weight**2 * variance for weight, variance in known) / total**2

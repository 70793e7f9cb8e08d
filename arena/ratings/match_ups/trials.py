"""What fixtures are worth as independent trials, and what these say of a score."""

from typing import Final

import numpy as np
from scipy.special import stdtr

from arena.ratings.elo.pool import Floats, Ints, add_up
from arena.ratings.match_ups.meetings import Meetings

_PHANTOM: Final = 0.125
"""Squared difference that the phantom fixture adds."""


def add_fixtures(
    part: Meetings, pair: Ints, pairs: int, points: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return each pair's fixtures, share of the points, and Q with the phantom.

    Games that explore are left out; NaN where all do.
    """
    counts = ~part.explores
    pair, points, games = pair[counts], points[counts], part.games[counts]
    fixtures = np.bincount(pair, minlength=pairs).astype(np.float64)
    fixtures[fixtures == 0.0] = np.nan
    total = add_up(pair, games, pairs)
    share = add_up(pair, points, pairs) / np.where(total > 0.0, total, np.nan)
    # Fixtures of one size in all but odd cases; a smaller one counts for less.
    surprise = (points - share[pair] * games) * (fixtures / total)[pair]
    return fixtures, share, add_up(pair, surprise**2, pairs) + _PHANTOM


def trials_of(fixtures: Floats, share: Floats, scatter: Floats) -> Floats:
    """Return how many independent trials would scatter as the fixtures do."""
    even = (fixtures - 1.0) * share * (1.0 - share) + _PHANTOM
    trials: Floats = fixtures * even / scatter
    return trials


def superiority_over(
    score: float, fixtures: Floats, share: Floats, trials: Floats
) -> Floats:
    """Return the confidence that the share would exceed `score` in the long run.

    That of the score test, which Wilson's interval inverts.
    """
    sd = np.sqrt(score * (1.0 - score))
    found: Floats = stdtr(fixtures, (share - score) / sd * np.sqrt(trials))
    return found

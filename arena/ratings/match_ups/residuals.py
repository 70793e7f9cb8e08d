"""The residual of every two entries: their score less the one that the fit expects."""

from typing import Final, NamedTuple

import numpy as np
from scipy.special import expit

from arena.ratings.elo.fit import ELO_PER_LOGIT, Fit
from arena.ratings.elo.pool import (
    Floats,
    Ints,
    Pool,
    add_up,
    compare,
    without_exploring,
)

_BALANCED: Final = 0.05
"""Share of what is known of a seat that may lie between the pairs before it costs a
degree of freedom.  None does where every fixture holds all seatings."""


class MatchUps(NamedTuple):
    """Scores and residuals of every two that met.  One row a pair unless noted."""

    adjusted: bool
    """True if luck was taken out of all scores."""
    first: Ints
    """Index into the ratings of the fit."""
    second: Ints
    games: Floats
    fixtures: Floats
    score: Floats
    """Share of the games, 0 to 1."""
    residual: Floats
    slope: Floats
    """Derivative of the expected score by the strength of `first`."""
    seats: Floats
    """Derivatives by the seat terms that count: pairs by terms."""
    independent: Floats
    """Variance of the score if all games were independent."""
    scatter: Floats
    """Variance of the score by the fixtures; 0 where there is only one."""
    pair: Ints
    """One a fixture and pair, by fixture: index of the pair."""
    cluster: Ints
    """One a fixture and pair: the fixture."""
    surprise: Floats
    """One a fixture and pair: its part in the residual."""


def match_ups(pool: Pool, fit: Fit, winner_only: bool) -> MatchUps:
    """Return the games of `pool` that don't explore, pair by pair."""
    pool = without_exploring(pool)
    adjusted = np.ones(len(pool.entries), np.bool_) if fit.adjusted else None
    cells, parts = compare(pool, adjusted=adjusted, winner_only=winner_only)
    index = {rating.entry: i for i, rating in enumerate(fit.ratings)}
    rated = np.array([index[name] for name in pool.entries], np.int64)
    elo = np.array([rating.elo for rating in fit.ratings]) / ELO_PER_LOGIT
    first, second = rated[cells.first], rated[cells.second]
    sides = np.column_stack(
        [np.zeros(len(first))]
        + [
            (cells.size == term.players)
            * ((cells.first_seat == term.seat) * 1.0 - (cells.second_seat == term.seat))
            for term in fit.seat_terms
        ]
    )
    seat_elo = np.array([0.0] + [term.elo / ELO_PER_LOGIT for term in fit.seat_terms])
    expected = expit(elo[first] - elo[second] + sides @ seat_elo)

    k = max(len(elo), 1)
    code, pair = np.unique(first * k + second, return_inverse=True)
    pairs = len(code)
    games = add_up(pair, cells.total, pairs)
    score = add_up(pair, cells.wins, pairs) / games
    residual = score - add_up(pair, cells.total * expected, pairs) / games
    slopes = cells.total * expected * (1.0 - expected)
    slope = add_up(pair, slopes, pairs) / games

    rows, row = np.unique(parts.cluster * pairs + pair[parts.cell], return_inverse=True)
    cluster, of = np.divmod(rows, max(pairs, 1))
    surprises = parts.wins - parts.total * expected[parts.cell]
    surprise = add_up(row, surprises, len(rows)) / games[of]
    share = add_up(row, parts.total, len(rows)) / games[of]
    fixtures = np.bincount(of, minlength=pairs).astype(np.float64)
    own = add_up(of, (surprise - residual[of] * share) ** 2, pairs)

    seats = np.column_stack(
        [
            add_up(pair, slopes * side, pairs) / games
            for side in sides.T
            if _lies_between(pair, slopes, side)
        ]
        or [np.zeros((pairs, 0))]
    )
    return MatchUps(
        adjusted=fit.adjusted,
        first=code // k,
        second=code % k,
        games=games,
        fixtures=fixtures,
        score=score,
        residual=residual,
        slope=slope,
        seats=seats,
        independent=slope / games,
        scatter=own * fixtures / np.maximum(fixtures - 1.0, 1.0),
        pair=of,
        cluster=cluster,
        surprise=surprise,
    )


def _lies_between(pair: Ints, slopes: Floats, side: Floats) -> bool:
    """Return True if a seat makes a difference between pairs, not within them alone."""
    pairs = int(pair.max(initial=-1)) + 1
    between = add_up(pair, slopes * side, pairs) ** 2 / add_up(pair, slopes, pairs)
    return float(between.sum()) > _BALANCED * float((slopes * side**2).sum())

"""Claims about the order of entries, all claims of a table together.

Of two entries the upper one is distinctly better if their difference exceeds `cut`
standard errors of that difference.  The cut is Tukey's: of k entries that are all
equal, the two furthest apart exceed it with probability 5 %, so at most one table in
twenty holds any wrong claim (J. W. Tukey, "The Problem of Multiple Comparisons", 1953;
conservative where the errors differ: A. J. Hayter, Annals of Statistics 12, 1984).
Where results were looked at several times, the level of each look is that of Pocock's
constant boundary (S. J. Pocock, Biometrika 64, 1977).

Each pair has degrees of freedom of its own (P. Games and J. Howell, Journal of
Educational Statistics 1, 1976), so that nobody's few games blur what is known of
others.
"""

from dataclasses import asdict, dataclass
from functools import lru_cache
from math import ceil, floor, inf, isqrt, log10, sqrt
from typing import Any, Final

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from arena.ratings import studentized_range
from arena.ratings.elo.pool import Bools, Floats, Ints

LEVEL: Final = 0.05
"""Probability of any wrong claim in a table."""

POWER: Final = 0.8
"""Probability of being told apart that `Claim.more_games` aims at."""

MOST_GAMES: Final = 10_000
"""Beyond so many more games of a bot no number is given."""

SAME_ELO: Final = 1e-6
"""Entries that are no further apart have the same strength, but for rounding."""

MAX_LOOKS: Final = 10
"""How often an adaptive schedule looks at results, at the most."""


@dataclass(frozen=True, slots=True, eq=False)
class Strengths:
    """The entries that can be compared with each other, of one label or overall."""

    entries: tuple[str, ...]
    elo: Floats
    """One an entry; where its zero is makes no difference."""
    variance: Floats
    """Elo²: of the difference between row and column.  Symmetric, 0 on the diagonal."""
    games: Ints
    """Games of each entry."""
    df: Floats | float = inf
    """Degrees of freedom of the errors, of each difference or of all; infinite where
    they are normal."""
    looks: int = 1
    """Number of looks at the results, each to decide the next games, and the last."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The certain facts about one row of the table."""

    entry: str
    rank: int
    """From 1; equals share one."""
    rank_low: int
    """The best rank it can have: 1 + the number of entries distinctly better."""
    rank_high: int
    """The worst: the number of entries less those distinctly worse."""
    group: int
    """Tie group, from 1 and down the table: a row that is distinctly worse than the
    top of a group begins the next one.  Two rows of different groups need not
    be told apart, nor a row from all others that follow in its own."""
    is_separated: bool | None
    """True if it is distinctly better than the next lower Elo, by all who have that;
    None for the last."""
    more_games: int | None
    """About how many more games this row and the next lower one need, each, until they
    are told apart with probability 80 %: if all go on to meet in the same proportions,
    and the difference is what it seems now.  Rounded up to two digits.  None if they
    are told apart already, for the last Elo, and beyond `MOST_GAMES`."""

    def columns(self) -> dict[str, Any]:
        """Return the facts, by the names of their columns in a `Row`."""
        found = asdict(self)
        del found["entry"]
        return found


def better(strengths: Strengths) -> Bools:
    """Return whether the row is distinctly better than the column."""
    steps = _steps(strengths)
    gap = np.asarray(strengths.elo, np.float64)
    found: Bools = (gap[:, None] - gap) / _cuts(strengths) > np.sqrt(strengths.variance)
    return found & (steps[:, None] > steps)


def claims(strengths: Strengths) -> tuple[Claim, ...]:
    """Return the claims about each entry, in the order of the table.

    That is by Elo from the top, and then by name.
    """
    steps = _steps(strengths)
    entries = strengths.entries
    order = sorted(range(len(entries)), key=lambda i: (-steps[i], entries[i]))
    k = len(order)
    if not k:
        return ()
    square = np.ix_(order, order)
    apart = better(strengths)[square]
    needed = np.broadcast_to(_cuts(strengths), (k, k))[square]
    elo = np.asarray(strengths.elo, np.float64)[order]
    error = np.sqrt(np.asarray(strengths.variance, np.float64)[square])
    games = np.asarray(strengths.games)[order]
    above, below = apart.sum(axis=0), apart.sum(axis=1)

    # Rows of the same strength, from here to there.
    steps = steps[order]
    blocks = np.searchsorted(-steps, -steps, side="left")
    ends = np.searchsorted(-steps, -steps, side="right")
    made = []
    group = 0
    head = slice(0, 0)
    for i, index in enumerate(order):
        own = slice(int(blocks[i]), int(ends[i]))
        if i == own.start and apart[head, own].all():
            group += 1
            head = own
        separated = None
        more = None
        if own.stop < k:
            below_it = slice(own.stop, int(ends[own.stop]))
            separated = bool(apart[i, below_it].all())
            if not separated:
                worst = own.stop + int(error[i, below_it].argmax())
                more = _more_games(
                    float(elo[i] - elo[worst]),
                    float(error[i, worst]),
                    int(max(games[i], games[worst])),
                    float(needed[i, worst]),
                )
        made.append(
            Claim(
                entry=entries[index],
                rank=own.start + 1,
                rank_low=1 + int(above[i]),
                rank_high=k - int(below[i]),
                group=group,
                is_separated=separated,
                more_games=more,
            )
        )
    return tuple(made)


@lru_cache(maxsize=256)
def cut(k: int, df: float = inf, looks: int = 1, level: float = LEVEL) -> float:
    """Return by how many standard errors two of `k` entries must differ.

    Quantile of Tukey's studentised range over √2, to 6 decimals: the last bits of an
    integral decide nothing.  Infinite where nothing can be claimed: for fewer than
    two entries, or less than one degree of freedom.
    """
    if k < 2 or df < 1.0:
        return inf
    quantile = studentized_range.quantile(1.0 - look_level(looks, level), k, df)
    return round(quantile / sqrt(2.0), 6)


@lru_cache(maxsize=64)
def look_level(looks: int, level: float = LEVEL) -> float:
    """Return the level of each of `looks` equally spaced looks, two-sided.

    Such that a normal random walk without drift exceeds the boundary at any of them
    with probability `level`.
    """
    if looks <= 1:
        return level
    # One look needs less, and looks that have nothing in common need more.
    low, high = (-float(ndtri(level / 2.0 / n)) for n in (1, looks))
    nodes = np.polynomial.legendre.leggauss(24 * (1 + isqrt(looks)))

    def excess(bound: float) -> float:
        return _stays(bound, looks, *nodes) - (1.0 - level)

    return 2.0 * float(ndtr(-brentq(excess, low, high, xtol=1e-10)))


def _stays(bound: float, looks: int, at: Floats, weight: Floats) -> float:
    """Return the probability that a normal walk S has |S_i| <= bound √i throughout.

    By recursion over the density of the walks that have stayed so far, at the nodes
    of a quadrature from -1 to 1 (P. Armitage, C. K. McPherson and B. C. Rowe,
    Journal of the Royal Statistical Society A 132, 1969).
    """
    here = bound * at
    mass = bound * weight * _density(here)
    for look in range(2, looks + 1):
        there = bound * sqrt(look) * at
        mass = bound * sqrt(look) * weight * (_density(there[:, None] - here) @ mass)
        here = there
    return float(mass.sum())


def _density(x: Floats) -> Floats:
    found: Floats = np.exp(-0.5 * x * x) / sqrt(2.0 * np.pi)
    return found


def _steps(strengths: Strengths) -> Floats:
    """Return the strengths in steps of `SAME_ELO`, counted from their mean."""
    elo = np.asarray(strengths.elo, np.float64)
    found: Floats = np.rint((elo - elo.sum() / max(len(elo), 1)) / SAME_ELO)
    return found


def _cuts(strengths: Strengths) -> Floats:
    """Return the cut of each difference, or of all."""
    df, place = np.unique(_to_two_digits(strengths.df), return_inverse=True)
    k = len(strengths.entries)
    found = np.array([cut(k, float(x), strengths.looks) for x in df])
    return found[place].reshape(np.shape(strengths.df))


def _to_two_digits(df: Floats | float) -> Floats:
    """Return degrees of freedom rounded down: each that differs costs an integral."""
    df = np.asarray(df, np.float64)
    finite = np.where(np.isfinite(df), np.maximum(df, 0.1), 1.0)
    step = 10.0 ** (np.floor(np.log10(finite)) - 1.0)
    # What a cut depends on must not hang on the last bit of a quotient.
    found: Floats = np.where(np.isfinite(df), np.floor(df / step + 1e-9) * step, df)
    return found


def _more_games(gap: float, error: float, games: int, needed: float) -> int | None:
    """Return the number of games more that bring the error down to what the gap needs.

    The gap exceeds the cut with probability `POWER` at a standard error of
    gap / (cut + z), and the variance falls as the number of games grows.
    """
    if error == inf or needed == inf or games < 1:
        return None
    ratio = (error * (needed + float(ndtri(POWER))) / gap) ** 2
    return about((ratio - 1.0) * games)


def about(games: float) -> int | None:
    """Return a number of games rounded up to two digits, or None if it says nothing."""
    if games > MOST_GAMES:
        return None
    step = 10 ** max(0, floor(log10(games)) - 1) if games >= 1.0 else 1
    return step * ceil(games / step)

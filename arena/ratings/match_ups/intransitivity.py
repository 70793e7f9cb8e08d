"""Intransitivity: who does better against whom than one number for each explains.

Of each pair of entries, the residual is the score of their games less what the fit
expects of it.  Whether the residuals are more than luck is asked of all of them at
once (`lack_of_fit.py`).  Only if they are is it worth asking who beats whom in a
circle, and what the entries are worth if one number does not tell.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.special import expit, fdtrc, stdtr

from arena.ratings.elo.fit import ELO_PER_LOGIT, Fit
from arena.ratings.elo.pool import Bools, Floats, Pool
from arena.ratings.match_ups.lack_of_fit import LackOfFit, lack_of_fit
from arena.ratings.match_ups.nash import equilibrium
from arena.ratings.match_ups.residuals import MatchUps, match_ups

MAX_CYCLES: Final = 5
"""How many are shown at most."""

_LEVEL: Final = 0.05


@dataclass(frozen=True, slots=True)
class Cycle:
    """Three entries of which each beats the next, and the last the first."""

    entries: tuple[str, str, str]
    """From the first in the alphabet on."""
    scores: tuple[float, float, float]
    """Of each against the next, 0 to 1."""


@dataclass(frozen=True, slots=True)
class NashShare:
    """One entry in the Nash average."""

    entry: str
    weight: float
    """Its share in the mixture of entries that none can beat; they add up to 1."""
    payoff: float
    """Its score against that mixture less 1/2: 0 for the members, at most 0 for all."""


@dataclass(frozen=True, slots=True)
class Intransitivity:
    """The test whether the fit of one label explains who beat whom, and its cycles."""

    label: str
    pairs: tuple[tuple[str, str], ...]
    """Of entries that met in games that don't explore; alphabetical."""
    residuals: tuple[float, ...]
    """Of each pair: the score of the first, 0 to 1, less what the fit expects."""
    se: tuple[float, ...]
    """Standard error of each residual, if strength were all there is."""
    statistic: float | None
    """F statistic of the lack of fit.  None if it could not be tested."""
    df1: int | None
    df2: float | None
    p: float | None
    """Probability of such a lack of fit by luck alone."""
    rejects: bool
    """True if `p` is below .05: one number for each entry is not the whole truth."""
    cycles: tuple[Cycle, ...]
    """If it rejects: the clearest, by their least clear link, `MAX_CYCLES` at most.  In
    each, each link is significant at 5 % for all pairs together (Holm 1979)."""
    nash: tuple[NashShare, ...] | None
    """If it rejects and all entries are linked by games: the Nash average, in
    alphabetical order, with pairs that never met at what the fit expects."""
    reason: str | None
    """Why there is no test."""


def intransitivity(
    pool: Pool, fit: Fit, *, winner_only: bool = False
) -> Intransitivity:
    """Compare the games of a label with what its fit expects.

    `pool` and `winner_only` are what `fit` was made of; luck is taken out where the fit
    has done so.  Games that explore are left out.
    """
    found = match_ups(pool, fit, winner_only)
    names = tuple(rating.entry for rating in fit.ratings)
    test = lack_of_fit(found)
    se = np.sqrt(test.variance * np.maximum(test.free, 0.0))
    p = None if test.f is None else float(fdtrc(test.df1, test.df2, test.f))
    rejects = p is not None and p < _LEVEL
    firsts, seconds = found.first.tolist(), found.second.tolist()
    return Intransitivity(
        label=fit.label,
        pairs=tuple((names[i], names[j]) for i, j in zip(firsts, seconds, strict=True)),
        residuals=tuple(found.residual.tolist()),
        se=tuple(se.tolist()),
        statistic=test.f,
        df1=None if test.f is None else test.df1,
        df2=None if test.f is None else test.df2,
        p=p,
        rejects=rejects,
        cycles=_cycles(found, test, names) if rejects else (),
        nash=_nash(found, fit) if rejects and len(fit.components) == 1 else None,
        reason=test.reason,
    )


def _cycles(
    found: MatchUps, test: LackOfFit, names: tuple[str, ...]
) -> tuple[Cycle, ...]:
    even = test.factor * 0.25 / found.games
    own = test.df - test.pooled
    se = np.sqrt((test.pooled * even + own * found.scatter) / test.df)
    t = (found.score - 0.5) / se
    significant = _holm(2.0 * stdtr(test.df, -np.abs(t)))

    k = len(names)
    clear = np.full((k, k), -np.inf)
    beats = significant & (t > 0.0)
    loses = significant & (t < 0.0)
    clear[found.first[beats], found.second[beats]] = t[beats]
    clear[found.second[loses], found.first[loses]] = -t[loses]
    cycles: list[tuple[float, int, int, int]] = []
    for a in range(k):
        # a is the lowest index, so that each cycle comes once.
        rest = slice(a + 1, k)
        weakest = np.minimum(
            np.minimum(clear[a, rest, None], clear[rest, rest]), clear[None, rest, a]
        )
        b, c = np.nonzero(weakest > 0.0)
        order = np.lexsort((c, b, -weakest[b, c]))[:MAX_CYCLES]
        cycles += [
            (-float(weakest[x, y]), a, a + 1 + int(x), a + 1 + int(y))
            for x, y in zip(b[order], c[order], strict=True)
        ]
    pairs = zip(found.first.tolist(), found.second.tolist(), strict=True)
    score = dict(zip(pairs, found.score.tolist(), strict=True))

    def of(i: int, j: int) -> float:
        return float(score[i, j] if i < j else 1.0 - score[j, i])

    return tuple(
        Cycle((names[a], names[b], names[c]), (of(a, b), of(b, c), of(c, a)))
        for _, a, b, c in sorted(cycles)[:MAX_CYCLES]
    )


def _holm(p: Floats) -> Bools:
    """Return which are significant, all together at `_LEVEL`."""
    order = np.argsort(p, kind="stable")
    passed = p[order] * np.arange(len(p), 0, -1) < _LEVEL
    significant = np.zeros(len(p), np.bool_)
    significant[order] = np.logical_and.accumulate(passed)
    return significant


def _nash(found: MatchUps, fit: Fit) -> tuple[NashShare, ...]:
    elo = np.array([rating.elo for rating in fit.ratings]) / ELO_PER_LOGIT
    payoffs = expit(elo[:, None] - elo[None, :]) - 0.5
    payoffs = (payoffs - payoffs.T) / 2.0
    payoffs[found.first, found.second] = found.score - 0.5
    payoffs[found.second, found.first] = 0.5 - found.score
    weights = equilibrium(payoffs)
    # To what the solver knows; adding zero turns -0.0 into 0.0.
    gains = np.round(payoffs @ weights, 9) + 0.0
    weights = np.round(weights, 9)
    return tuple(
        NashShare(rating.entry, weight, gain)
        for rating, weight, gain in zip(
            fit.ratings, weights.tolist(), gains.tolist(), strict=True
        )
    )

"""The crosstable: the score of everybody against everybody, with its interval.

A fixture is one trial, because its games share their luck.  With C fixtures between
two entries, a share p of their games scored, and Q the sum of the squared differences
between a fixture's share and p, the interval of the score is Wilson's (1927) for

    C [(C - 1) p (1 - p) + f] / (Q + f),   f = 1/8,

trials in place of a count, with the quantile of Student's t for C degrees of freedom
in place of the normal one.  That many independent trials would scatter as much as the
fixtures do.  f is what a fixture of two even and independent games adds to Q: such a
phantom keeps the interval open where all fixtures end alike, as in a clean record,
where the formula comes to C trials.

Where luck is taken out, the score may leave [0, 1] and is not binomial, but the share
of the games that were won is.  So p is that share in the formula, and Q of the scores
without luck: that many independent trials scatter as the fixtures do without it.  The
interval is then about the score without luck, or the end of [0, 1] that it is beyond.
(Student's interval, p ± t √(Q + f) / C, covers .85 where a part of the luck is taken
from scores near 1, as these hardly scatter in a clean record.)

Coverage of the 95 % interval as simulated, with 3 to 50 fixtures of two games, whose
outcomes have a correlation of -.6 to .4, and scores of .5 to .98: .932 at the least; on
average over the scores .983 or more with 5 fixtures, .973 with 10, .964 with 20, .956
with 50.  It is as good with one, three or four games, and with draws.  Without luck, of
which any part is known and taken: .939 at the least; on average .988, .977, .968 and
.961 or more.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.special import stdtr, stdtrit

from arena.ratings.elo.pool import (
    Bools,
    Floats,
    Pool,
    add_up,
    build_pool,
)
from arena.ratings.match_ups.meetings import (
    Meetings,
    add_fixtures,
    meetings,
    trials_of,
)

Numbers = tuple[tuple[float | None, ...], ...]
"""One row an entry, one column an opponent."""

_UPPER: Final = 0.975


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Shares of the games in which the row finished ahead of the column.

    A shared place is half.  None where they never met, and beside the diagonal.
    """

    score: Numbers
    low: Numbers
    """Lower end of the 95 % interval, 0 to 1, with the fixture as the cluster.  None
    where all games between the two explore; such games count in `score` only, so the
    interval may lie beside it."""
    high: Numbers
    """Upper end of the 95 % interval; always above `low`."""
    superiority: Numbers
    """Likelihood of superiority: the confidence that the row would score more than
    half in the long run.  Above .975 exactly where `low` is above 1/2."""

    def is_better(self, row: int, column: int) -> bool:
        """Return True if the interval of the row's score lies above 1/2."""
        low = self.low[row][column]
        return low is not None and low > 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Crosstable(Scores):
    """Games and scores of every ordered pair of entries; scores are 0 to 1."""

    entries: tuple[str, ...]
    """Order of the rows and columns."""
    games: tuple[tuple[int, ...], ...]
    """Games in which both sat at the table."""
    adjusted: Scores | None
    """The same without what chance has added, where that is known of any game between
    the two; a game of which it is not known counts as it is.  The `score` may lie
    outside 0 to 1.  None if it is known of no game at all."""


def crosstables(
    pools: Mapping[str, Pool],
    labels: Sequence[str],
    entries: Sequence[str] | None = None,
) -> tuple[Crosstable, ...]:
    """Return the crosstable of all games together, then that of each of `labels`.

    `pools` holds the games of each label.  `entries` are listed in the given order in
    every table, all that have played in alphabetical order otherwise; games with others
    are left out pair by pair.
    """
    names = sorted(set(entries or ()).union(*(pool.entries for pool in pools.values())))
    index = {name: i for i, name in enumerate(names)}
    parts = {}
    for label, pool in sorted(pools.items()):
        own = np.array([index[name] for name in pool.entries], np.int64)
        part = meetings(pool)
        parts[label] = part._replace(first=own[part.first], second=own[part.second])
    tables = [(tuple(names), _together(parts.values()))]
    tables += [(pools[label].entries, parts[label]) for label in labels]
    return tuple(
        _crosstable(played if entries is None else tuple(entries), index, part)
        for played, part in tables
    )


def _together(parts: Iterable[Meetings]) -> Meetings:
    nothing = meetings(build_pool(()))
    return Meetings(*map(np.concatenate, zip(nothing, *parts, strict=True)))


def _crosstable(
    entries: tuple[str, ...], index: Mapping[str, int], part: Meetings
) -> Crosstable:
    k = len(index)
    code, pair = np.unique(part.first * k + part.second, return_inverse=True)
    pairs = len(code)
    first, second = np.divmod(code, max(k, 1))
    order = np.array([index[entry] for entry in entries], np.int64)

    def spread(forward: Floats, backward: Floats) -> Floats:
        """Return entries by entries, in order, of a number of each pair."""
        whole = np.full((k, k), np.nan)
        whole[first, second] = forward
        whole[second, first] = backward
        return whole[np.ix_(order, order)]

    def scores(points: Floats, shown: Bools) -> Scores:
        total = add_up(pair, points, pairs)
        _, share, scatter = add_fixtures(part, pair, pairs, points)
        trials = trials_of(fixtures, won, scatter)
        found = _wilson(fixtures, np.clip(share, 0.0, 1.0), trials)
        low, high, superiority = (np.where(shown, x, np.nan) for x in found)
        score = np.where(shown, total / games, np.nan)
        missed = np.where(shown, (games - total) / games, np.nan)
        return Scores(
            score=_numbers(spread(score, missed)),
            low=_numbers(spread(low, 1.0 - high)),
            high=_numbers(spread(high, 1.0 - low)),
            superiority=_numbers(spread(superiority, 1.0 - superiority)),
        )

    fixtures, won, _ = add_fixtures(part, pair, pairs, part.score)
    games = add_up(pair, part.games, pairs)
    known = add_up(pair, part.known * 1.0, pairs) > 0
    raw = scores(part.score, np.ones(pairs, np.bool_))
    counts = np.nan_to_num(spread(games, games)).astype(np.int64)
    return Crosstable(
        entries=entries,
        games=tuple(map(tuple, counts.tolist())),
        score=raw.score,
        low=raw.low,
        high=raw.high,
        superiority=raw.superiority,
        adjusted=(scores(part.score - part.luck, known) if known.any() else None),
    )


def _wilson(
    fixtures: Floats, share: Floats, trials: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return low, high and superiority."""
    t = stdtrit(fixtures, _UPPER)
    middle = (share * trials + t**2 / 2.0) / (trials + t**2)
    half = t * np.sqrt(trials * share * (1.0 - share) + t**2 / 4.0) / (trials + t**2)
    superiority = stdtr(fixtures, (2.0 * share - 1.0) * np.sqrt(trials))
    # Of a clean record one end is exactly 0 or 1, but for rounding.
    low = np.clip(middle - half, 0.0, share)
    return low, np.clip(middle + half, share, 1.0), superiority


def _numbers(matrix: Floats) -> Numbers:
    cells = matrix.astype(object)
    cells[np.isnan(matrix)] = None
    return tuple(map(tuple, cells.tolist()))

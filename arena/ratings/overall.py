"""The overall rows of a leaderboard, from those of its labels."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf, sqrt

import numpy as np

from arena.ratings.claims import Strengths, claims
from arena.ratings.elo.fit import Fit, difference_variance
from arena.ratings.elo.pool import Floats
from arena.ratings.labels import LabelFits, rank_among
from arena.ratings.rows import LabelStanding, Standing


def overall_rows(
    entries: Sequence[str],
    fits: Sequence[LabelFits],
    columns: Sequence[Mapping[str, LabelStanding]],
    weights: Sequence[float],
    base: float,
) -> tuple[Standing, ...]:
    """Return the row of each entry, by rank and then by name.

    `columns` holds the rows of each label, `base` is the Elo of an entry where it does
    not play.
    """
    rows = [
        _overall(
            entry,
            tuple(
                column.get(entry) or LabelStanding(label=found.label)
                for column, found in zip(columns, fits, strict=True)
            ),
            weights,
            base,
        )
        for entry in entries
    ]
    rated = [row for row in rows if row.elo is not None]
    claimed = {c.entry: c.columns() for c in claims(_strengths(rated, fits, weights))}
    elos = [row.elo for row in rows]
    ranked = [
        replace(row, rank=rank_among(row.elo, elos), **claimed.get(row.entry, {}))
        for row in rows
    ]
    return tuple(sorted(ranked, key=lambda row: (row.rank, row.entry)))


def _overall(
    entry: str,
    labels: tuple[LabelStanding, ...],
    weights: Sequence[float],
    base: float,
) -> Standing:
    """Return the row of `entry`, of which ranks and claims are not known yet."""
    games = sum(row.games for row in labels)
    points = sum(row.games * (row.score or 0.0) for row in labels)
    counting = [row for row, w in zip(labels, weights, strict=True) if w > 0.0]
    total = sum(weights)
    shares = [w / total for w in weights if w > 0.0]
    row = Standing(
        rank=0,
        entry=entry,
        labels=labels,
        games=games,
        score=points / games if games else None,
        wins=sum(part.wins for part in labels),
        draws=sum(part.draws for part in labels),
        losses=sum(part.losses for part in labels),
        forfeits=sum(part.forfeits for part in labels),
    )
    if not any(part.games for part in counting):
        return row
    confirmed = [(p.confirmed_elo, p.elo_low, p.elo_high) for p in counting]
    middle, low, high = _mean(confirmed, shares, base)
    row = replace(
        row,
        elo=_mean_elo([part.elo for part in counting], shares, base),
        confirmed_elo=middle,
        elo_low=low,
        elo_high=high,
        open_above=any(part.open_above for part in counting),
        open_below=any(part.open_below for part in counting),
    )
    if any(part.adjusted_elo is not None for part in counting):
        free = [
            limits
            if part.adjusted_elo is None
            else (part.adjusted_elo, part.adjusted_low, part.adjusted_high)
            for part, limits in zip(counting, confirmed, strict=True)
        ]
        middle, low, high = _mean(free, shares, base)
        row = replace(row, adjusted_elo=middle, adjusted_low=low, adjusted_high=high)
    if any(part.clean_elo is not None for part in counting):
        clean = [
            part.elo if part.clean_elo is None else part.clean_elo for part in counting
        ]
        row = replace(row, clean_elo=_mean_elo(clean, shares, base))
    return row


def _mean(
    intervals: Sequence[tuple[float | None, float | None, float | None]],
    shares: Sequence[float],
    base: float,
) -> tuple[float, float, float]:
    """Return the weighted mean of (Elo, low, high) of labels without a common game.

    The squared distances to the ends add up, below and above by themselves (G. Y. Zou
    and A. Donner, Statistics in Medicine 27, 2008).
    """
    elo = _mean_elo([middle for middle, _, _ in intervals], shares, base)
    down = up = 0.0
    for (middle, low, high), share in zip(intervals, shares, strict=True):
        if middle is not None and low is not None and high is not None:
            down += (share * (middle - low)) ** 2
            up += (share * (high - middle)) ** 2
    return elo, elo - sqrt(down), elo + sqrt(up)


def _mean_elo(
    elos: Sequence[float | None], shares: Sequence[float], base: float
) -> float:
    return sum(
        share * (base if elo is None else elo)
        for elo, share in zip(elos, shares, strict=True)
    )


def _strengths(
    rows: Sequence[Standing], fits: Sequence[LabelFits], weights: Sequence[float]
) -> Strengths:
    """Return the overall strengths of the rated entries."""
    entries = tuple(row.entry for row in rows)
    k = len(entries)
    variance, inexact = np.zeros((2, k, k))
    total = sum(weights)
    looks = 1
    for found, weight in zip(fits, weights, strict=True):
        if weight > 0.0 and found.fit.ratings:
            part = (weight / total) ** 2 * _variance(entries, found.fit)
            variance += part
            inexact += part**2 / found.fit.df
            looks = max(looks, found.looks)
    # W. E. Welch, Biometrika 34, 1947, and F. E. Satterthwaite, Biometrics 2, 1946;
    # one number for the whole table, so that all claims have the same cut.
    known = inexact > 0.0
    df = float((variance[known] ** 2 / inexact[known]).min()) if known.any() else inf
    return Strengths(
        entries=entries,
        elo=np.array([row.elo for row in rows], np.float64),
        variance=variance,
        games=np.array([row.games for row in rows], np.int64),
        df=df,
        looks=looks,
    )


def _variance(entries: Sequence[str], fit: Fit) -> Floats:
    """Return the variance of each difference; who has no games is at the anchor."""
    k = len(fit.ratings)
    index = {rating.entry: i for i, rating in enumerate(fit.ratings)}
    own = np.array([index.get(entry, k) for entry in entries], np.int64)
    # One more, for those who have no games: it has no error.
    covariance, curvature = np.zeros((2, k + 1, k + 1))
    covariance[:k, :k] = fit.covariance[:k, :k]
    curvature[:k, :k] = fit.curvature[:k, :k]
    anchor = [i for i, r in enumerate(fit.ratings) if fit.anchored and r.se == 0.0]
    few = np.array([*fit.few, any(fit.few[i] for i in anchor)], np.bool_)
    found = difference_variance(covariance, curvature, few)
    return found[np.ix_(own, own)]

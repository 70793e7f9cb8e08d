"""Elo of the entries of one label, fitted jointly to all its games.

The model is that of Bradley and Terry.  Of two entries a and b at a table of n,
a finishes ahead with log-odds x = θ_a - θ_b + β_{n,seat a} - β_{n,seat b}.  Elo is
400/ln 10 times θ; β is what a seat is worth compared with the first one.  A table
counts as all its pairs, each weighted w = 2/n; a shared place is half a win.  What
is maximised, over comparisons with score s and then over entries, is

    Σ w [s x - log(1 + e^x)]  +  Σ [θ/2 - log(1 + e^θ)]

The second sum is one drawn game of each entry against a phantom of strength 0,
which keeps the undefeated finite; each seat term has one as well.  At the maximum
every entry has scored, phantom included, what was expected of it: the point about
which a sequential Elo wanders, whatever the order of the games.

Errors are those of a cluster-robust sandwich with the fixture as the cluster,
because the games of a fixture share their luck (Liang and Zeger 1986; factor
G/(G-1) for G clusters), or of the jackknife where they are few.  What rests on one or
two clusters that came out against expectation, as with a bot that hardly ever loses,
has an error at least that from the curvature of what is maximised.

Where results tie two entries together in one direction only, or in none, the phantoms
alone keep them at the distance that is fitted.  Nothing is claimed of it but what
results say (`separation`, `gaps`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf, isinf, isnan, log
from typing import Final

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.special import ndtri, stdtrit

from arena.ratings.elo.gaps import Ends, find_ends
from arena.ratings.elo.model import Model, NoMaximumError, solve
from arena.ratings.elo.pool import (
    Bools,
    Cells,
    ClusterCells,
    Floats,
    Pool,
    add_up,
    build_pool,
    compare,
)
from arena.ratings.elo.separation import separate
from arena.ratings.elo.standard_errors import TAIL, cluster_errors
from arena.ratings.result import Result

MEAN_ELO: Final = 1000.0
"""Mean Elo of a label's entries where no anchor is set."""

ELO_PER_LOGIT: Final = 400.0 / log(10.0)
"""Elo of one natural log-odds."""


MAX_LOG_ODDS: Final = 4000.0 / ELO_PER_LOGIT
"""Log-odds beyond which scores without luck are taken to have no maximum."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The strength of one entry in one label, in Elo."""

    entry: str
    elo: float
    elo_low: float
    """Lower end of the 95 % interval; of an anchor both ends are its Elo."""
    elo_high: float
    """Upper end of the 95 % interval."""
    se: float
    """Standard error of the difference to the zero of the scale (`Fit.middle`)."""
    open_above: bool
    """True if results can't tell how far above the zero it is, so that `elo_high` says
    nothing: of all true strengths, `elo_low` is at most the true one in 97.5 of 100
    leagues.  Where it is open below as well neither says anything."""
    open_below: bool
    """The mirror image."""


@dataclass(frozen=True, slots=True)
class SeatTerm:
    """The advantage of a seat over the first seat, in Elo."""

    players: int
    """Number of seats at the table."""
    seat: int
    """0-based; never 0, which is the reference."""
    elo: float
    se: float
    half_width: float
    """Of the 95 % interval."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """The ratings of one label, with all that is needed to compare them."""

    label: str
    ratings: tuple[Rating, ...]
    """Alphabetical; those with games in this label."""
    seat_terms: tuple[SeatTerm, ...]
    """By number of players, then seat.  Missing are those that the games can't
    tell apart from strength, as where two entries never swapped their seats."""
    covariance: Floats
    """Elo², cluster-robust, of the ratings as printed: relative to the zero of their
    component.  Rows and columns are `ratings`, then `seat_terms`."""
    curvature: Floats
    """Elo², shaped alike, as if every comparison were independent."""
    few: tuple[bool, ...]
    """Of each rating, whether its clusters scatter too little to show its error."""
    limits: Bools
    """Ratings by ratings: whether results, whatever fixture is left out, limit how far
    the column may be above the row."""
    df: float
    """Degrees of freedom of the errors; infinite where they are normal."""
    phantoms: tuple[float, ...]
    """Elo of the phantom that each entry has one drawn game against, in each of the
    `components`."""
    anchored: bool
    """True if the anchor played here and holds its Elo."""
    anchor_broken: bool
    """True if the anchor played here and forfeited all its games: it holds nothing."""
    anchor_is_apart: bool
    """True if the anchor holds its Elo, and results tie nobody to it from both sides,
    so that every other one is open above or below."""
    components: tuple[tuple[str, ...], ...]
    """Entries linked by games, each and all in alphabetical order.  The Elo of one
    says nothing about the Elo of another."""
    middle: tuple[tuple[str, ...], ...]
    """Of each of the `components` those whose mean is the zero of the scale, at the
    anchor's Elo or at 1000: the anchor where it is, else the largest group that is tied
    together, else all."""
    games: int
    clusters: int
    adjusted: bool
    """True if luck was taken out of the scores.  It was left in those of a bot that
    would have less than nothing, or more than everything."""

    def variance(self) -> Floats:
        """Return the variance of each difference, in Elo²: ratings by ratings.

        Infinite where results don't limit how far the lower one may be above the upper,
        as between entries of different components.  Where that is all that they limit,
        it is no less than the curvature says: a clean record does not scatter.
        """
        k = len(self.ratings)
        matrices = self.covariance[:k, :k], self.curvature[:k, :k]
        tied = self.limits & self.limits.T
        found = np.where(
            tied,
            difference_variance(*matrices, np.array(self.few, np.bool_)),
            difference_variance(*matrices, np.ones(k, np.bool_)),
        )
        elo = np.array([rating.elo for rating in self.ratings])
        better = (elo[:, None] > elo) & self.limits
        return np.where(tied | better | better.T, found, inf)


def difference_variance(covariance: Floats, curvature: Floats, few: Bools) -> Floats:
    """Return the variance of the difference of every two, at least 0.

    Where one of the two has few clusters to show its error, it is no less than the
    curvature says.
    """
    robust = _spread(covariance)
    floor = few[:, None] | few[None, :]
    return np.where(floor, np.maximum(robust, _spread(curvature)), robust)


def _spread(covariance: Floats) -> Floats:
    own = covariance.diagonal()
    spread: Floats = own[:, None] + own[None, :] - covariance - covariance.T
    np.fill_diagonal(spread, 0.0)
    return np.maximum(spread, 0.0)


def fit(
    results: Iterable[Result],
    label: str,
    anchor: tuple[str, float] | None = None,
    *,
    adjusted: bool = False,
    winner_only: bool = False,
) -> Fit:
    """Rate the entries of one label from those `results` that belong to it.

    `anchor` is the name of an entry and the Elo it is held at.  `adjusted` takes luck
    out of the scores; `winner_only` compares nobody at a table of three or more but
    its winners with the others.  The fit is the same, bit for bit, in whatever order
    the results come.

    Raises:
        ValueError: luck is to be taken out and that of some game is not known.
    """
    pool = build_pool(r for r in results if r.label == label)
    return fit_pool(pool, label, anchor, adjusted=adjusted, winner_only=winner_only)


def fit_pool(
    pool: Pool,
    label: str,
    anchor: tuple[str, float] | None,
    *,
    adjusted: bool = False,
    winner_only: bool = False,
    like: Fit | None = None,
    own: Mapping[str, int] | None = None,
) -> Fit:
    """Rate the entries of `pool`, as `fit` does.

    With `like` a fit of more games the zero of the scale is in the same entries, where
    they are: so that the Elo of the one compares with the Elo of the other.  Those with
    the same number in `own` count as one in the search for the largest group, whose
    mean is the zero; without it each counts for itself.
    """
    if adjusted and not pool.knows_luck:
        raise ValueError(f"{label}: expected the luck of every game to be known")
    k = len(pool.entries)
    name, level = anchor or (None, MEAN_ELO)
    of_results, results = compare(pool, winner_only=winner_only)
    separation = separate(k, of_results, results)
    if adjusted:
        cells, parts, model = _solve_adjusted(pool, winner_only)
    else:
        cells, parts, model = of_results, results, solve(k, of_results)
    errors = cluster_errors(model, parts)
    quantile = _quantile(errors.df)
    anchor_at = pool.entries.index(name) if name in pool.entries else None
    broken = anchor_at is not None and _forfeits_all(pool, anchor_at)
    components = _components(k, cells)
    owned = np.array([own[x] for x in pool.entries]) if own else np.arange(k)
    games = np.zeros(k, np.int64)
    for table in pool.tables:
        games += np.bincount(table.seats.ravel(), minlength=k)

    middle_of = {x for group in (like.middle if like else ()) for x in group}
    # Strength is a difference to the zero of the scale; a seat term is one already.
    difference = np.eye(len(model.solution))
    floor = errors.few.copy()
    above, below = np.zeros((2, k), np.bool_)
    ends: dict[int, Ends] = {}
    phantoms, middle = [], []
    for members in components:
        if anchor_at in members and not broken:
            held = [anchor_at]
        else:
            # A broken anchor says nothing, not even of a middle.
            sound = [i for i in members if i != anchor_at] or members
            held = [i for i in sound if pool.entries[i] in middle_of]
            held = held or separation.middle(sound, games, owned)
        difference[np.ix_(members, held)] -= 1.0 / len(held)
        above[members], below[members] = separation.open_to(members, held)
        counted = of_results, results
        ends |= find_ends(model, counted, separation, errors, members, held, quantile)
        if held == [anchor_at]:
            # An anchor that is badly known itself makes every difference so.
            floor[members] |= floor[held]
        phantoms.append(level - ELO_PER_LOGIT * float(model.solution[held].mean()))
        middle.append(tuple(pool.entries[i] for i in held))
    elo = ELO_PER_LOGIT * (difference @ model.solution)
    covariance = ELO_PER_LOGIT**2 * (difference @ errors.covariance @ difference.T)
    curvature = ELO_PER_LOGIT**2 * (difference @ model.curvature @ difference.T)
    floor[:k] |= above | below
    variance, curved = covariance.diagonal(), curvature.diagonal()
    se = np.sqrt(np.maximum(np.where(floor, np.maximum(variance, curved), variance), 0))
    half = quantile * se

    ratings = []
    for i, entry in enumerate(pool.entries):
        at = level + float(elo[i])
        low, high = -float(half[i]), float(half[i])
        if i in ends:
            low, high = (
                otherwise if isnan(end) else ELO_PER_LOGIT * end
                for end, otherwise in zip(ends[i], (low, high), strict=True)
            )
        ratings.append(
            Rating(
                entry=entry,
                elo=at,
                elo_low=at + low,
                elo_high=at + high,
                se=float(se[i]),
                open_above=bool(above[i]),
                open_below=bool(below[i]),
            )
        )
    return Fit(
        label=label,
        ratings=tuple(ratings),
        seat_terms=tuple(
            SeatTerm(
                players, seat, float(elo[k + t]), float(se[k + t]), float(half[k + t])
            )
            for t, (players, seat) in enumerate(model.design.seats)
        ),
        covariance=covariance,
        curvature=curvature,
        few=tuple(errors.few[:k].tolist()),
        limits=separation.limits,
        df=errors.df,
        phantoms=tuple(phantoms),
        anchored=anchor_at is not None and not broken,
        anchor_broken=broken,
        anchor_is_apart=anchor_at is not None
        and not broken
        and separation.is_apart(anchor_at),
        components=tuple(tuple(pool.entries[i] for i in m) for m in components),
        middle=tuple(middle),
        games=pool.games,
        clusters=pool.clusters,
        adjusted=adjusted,
    )


def _forfeits_all(pool: Pool, entry: int) -> bool:
    return all(
        bool(table.forfeits[table.seats == entry].all()) for table in pool.tables
    )


def _solve_adjusted(pool: Pool, winner_only: bool) -> tuple[Cells, ClusterCells, Model]:
    """Fit scores without luck.

    A bot that hardly ever wins may be left with less than nothing, which no strength
    explains.  Its scores are then left as they are.
    """
    k = len(pool.entries)
    keep = np.ones(k, np.bool_)
    while True:
        cells, parts = compare(pool, adjusted=keep, winner_only=winner_only)
        scored = add_up(cells.first, cells.wins, k)
        scored += add_up(cells.second, cells.total - cells.wins, k)
        games = add_up(cells.first, cells.total, k) + add_up(
            cells.second, cells.total, k
        )
        lost = keep & ((scored < 0.0) | (scored > games))
        if not lost.any():
            try:
                # Real scores have a maximum, however far away.
                farthest = MAX_LOG_ODDS if keep.any() else inf
                return cells, parts, solve(k, cells, farthest)
            except NoMaximumError as error:
                lost = keep & error.far
                if not lost.any():
                    lost = keep
        keep = keep & ~lost


def _quantile(df: float) -> float:
    """Return the half-width of a 95 % interval in standard errors."""
    return -float(ndtri(TAIL) if isinf(df) else stdtrit(df, TAIL))


def _components(k: int, cells: Cells) -> list[list[int]]:
    """Return the groups of entries linked by games, by their first members."""
    links = sparse.coo_array((cells.total, (cells.first, cells.second)), (k, k))
    group_of = connected_components(links.tocsr(), directed=False)[1]
    groups: dict[int, list[int]] = {}
    for entry, group in enumerate(group_of.tolist()):
        groups.setdefault(group, []).append(entry)
    return list(groups.values())

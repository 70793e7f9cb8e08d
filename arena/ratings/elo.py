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
G/(G-1) for G clusters).  Where fewer than five clusters were won on balance, or
fewer than five lost, the sandwich knows too little, and the error is at least that
from the curvature of what is maximised.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import log
from typing import Final

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.special import ndtri

from arena.ratings._model import TAIL, estimate
from arena.ratings._pool import Cells, Floats, Pool, build_pool, compare
from arena.ratings.records import Result

MEAN_ELO: Final = 1000.0
"""Mean Elo of a label's entries where no anchor is set."""

ELO: Final = 400.0 / log(10.0)
"""Elo of one natural log-odds."""

Z95: Final = -float(ndtri(TAIL))
"""Half-width of an interval in standard errors."""


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
    """Standard error of the difference to the anchor, or to the mean."""
    open_above: bool
    """Won every comparison, so no upper limit can be claimed: `elo_high` is only
    nominal.  `elo_low` is exact: at that Elo such a record has probability .025."""
    open_below: bool
    """Lost every comparison: the mirror image."""


@dataclass(frozen=True, slots=True)
class SeatTerm:
    """What a seat is worth, in Elo, compared with the first seat."""

    players: int
    """Number of seats at the table."""
    seat: int
    """0-based; never 0, which is the reference."""
    elo: float
    se: float


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
    """Elo²; rows and columns are `ratings`, then `seat_terms`.  The sandwich without
    its floor, for contrasts: coefficients of ratings that sum to 0."""
    curvature: Floats
    """Elo², shaped alike, as if every comparison were independent."""
    phantom: float
    """Elo of the phantom that each entry has one drawn game against."""
    anchored: bool
    """Whether the anchor played here and holds its Elo.  If not, the mean of the
    ratings is at the anchor's Elo, or at 1000 without an anchor."""
    components: tuple[tuple[str, ...], ...]
    """Entries linked by games.  If there is more than one group, the Elo of one
    says nothing about the other."""
    games: int
    clusters: int


def fit(
    results: Iterable[Result], label: str, anchor: tuple[str, float] | None = None
) -> Fit:
    """Rate the entries of one label from those `results` that belong to it.

    `anchor` is the name of an entry and the Elo it is held at.  The fit is the
    same, bit for bit, in whatever order the results come.
    """
    return fit_pool(build_pool(r for r in results if r.label == label), label, anchor)


def fit_pool(pool: Pool, label: str, anchor: tuple[str, float] | None) -> Fit:
    """Rate the entries of `pool`, as `fit` does."""
    k = len(pool.entries)
    name, level = anchor or (None, MEAN_ELO)
    if k == 0:
        none = np.zeros((0, 0))
        return Fit(label, (), (), none, none, level, False, (), 0, 0)
    cells, parts = compare(pool)
    found = estimate(k, cells, parts)

    # Strength is a difference to the anchor or to the mean; a seat term is one
    # already.
    few = found.few.copy()
    difference = np.eye(len(found.solution))
    if name in pool.entries:
        held = pool.entries.index(name)
        difference[:k, held] -= 1.0
        # An anchor that is badly known itself makes every difference so.
        few[:k] |= few[held]
    else:
        difference[:k, :k] -= 1.0 / k
    elo = ELO * (difference @ found.solution)
    variance = _variance(difference, found.covariance)
    floor = _variance(difference, found.curvature)
    se = ELO * np.sqrt(np.where(few, np.maximum(variance, floor), variance))
    phantom = level + float(elo[0] - ELO * found.solution[0])

    ratings = []
    for i, entry in enumerate(pool.entries):
        low, high = (level + float(elo[i] + z * se[i]) for z in (-Z95, Z95))
        # The strength of the anchor is a convention, and has no limits.
        lower = found.lower.get(i) if entry != name else None
        upper = found.upper.get(i) if entry != name else None
        ratings.append(
            Rating(
                entry=entry,
                elo=level + float(elo[i]),
                elo_low=low if lower is None else phantom + ELO * lower,
                elo_high=high if upper is None else phantom + ELO * upper,
                se=float(se[i]),
                open_above=lower is not None,
                open_below=upper is not None,
            )
        )
    return Fit(
        label=label,
        ratings=tuple(ratings),
        seat_terms=tuple(
            SeatTerm(players, seat, float(elo[k + t]), float(se[k + t]))
            for t, (players, seat) in enumerate(found.seats)
        ),
        covariance=ELO**2 * found.covariance,
        curvature=ELO**2 * found.curvature,
        phantom=phantom,
        anchored=name in pool.entries,
        components=_components(pool.entries, cells),
        games=sum(len(table.seats) for table in pool.tables),
        clusters=pool.clusters,
    )


def _variance(difference: Floats, covariance: Floats) -> Floats:
    spread: Floats = (difference @ covariance * difference).sum(axis=1)
    return np.maximum(spread, 0.0)


def _components(entries: tuple[str, ...], cells: Cells) -> tuple[tuple[str, ...], ...]:
    """Return the groups linked by games, each and all in alphabetical order."""
    k = len(entries)
    links = sparse.coo_array((cells.total, (cells.first, cells.second)), (k, k))
    group_of = connected_components(links.tocsr(), directed=False)[1]
    groups: dict[int, list[str]] = {}
    for entry, group in zip(entries, group_of.tolist(), strict=True):
        groups.setdefault(group, []).append(entry)
    return tuple(tuple(group) for group in groups.values())

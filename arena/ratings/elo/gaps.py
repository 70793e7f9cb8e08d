"""How far apart those are whom results hardly tie, and the phantoms hold together.

Where the lower ones of a table hardly took points off the upper ones, the phantoms'
drawn games weigh as much as those points, and say nothing.  Pieces are the parts of a
table between such places, as far as their entries are tied together (`separation`).
The gap between two pieces is limited by the fixtures between them alone.  Each is one
trial, since its games share their luck: the lower piece took points in it, or it did
not.  The limits are those at which so many fixtures with points, or fewer, have
probability .025, and so many or more (C. J. Clopper and E. S. Pearson, Biometrika 26,
1934), with the entries inside pieces at the distances that were fitted.  Unequal trials
are no worse than equal ones (W. Hoeffding, Annals of Mathematical Statistics 27, 1956).
The chance of points is taken for as low as it may be for the one limit, the mean of the
fixture's comparisons, and for as high for the other, their sum: so both hold whatever
its games have in common.

Where other pieces lie between, gaps add up.  Each has median-unbiased estimates, at
which the probability is .5, and the squared distances from there to the limits add up,
as do the errors of distances inside pieces (G. Y. Zou and A. Donner, Statistics in
Medicine 27, 2008).

All numbers here are natural log-odds, and those of gaps are differences to the fit's.
"""

from math import inf
from typing import Any, Final, NamedTuple

import numpy as np
from scipy import sparse
from scipy.special import betaincinv, expit

from arena.ratings.elo.model import Model
from arena.ratings.elo.pool import Cells, ClusterCells, Floats, Ints, add_up
from arena.ratings.elo.separation import Separation
from arena.ratings.elo.standard_errors import TAIL, Errors

PULL: Final = 0.25
"""What the phantoms may weigh for each point that limits the same gap.  With that much,
intervals of groups that are far apart held in 93 of 100 leagues and more."""

PULL_ON_FEW: Final = 0.1
"""The same where such points are few: their scatter says little as well."""

FEW_POINTS: Final = 3.5
"""Up to so many points are few: no whole number, since they add up with rounding."""

HALVINGS: Final = 64
"""Of the range in which a limit is looked for."""

REACH: Final = 60.0
"""Log-odds at which any outcome is certain, either way."""


class Ends(NamedTuple):
    """How far the ends of an entry's interval are from its fitted strength."""

    low: float
    """Not above 0: the phantoms may hold a strength back behind its own limit.  NaN if
    there is none."""
    high: float


def find_ends(
    model: Model,
    results: tuple[Cells, ClusterCells],
    separation: Separation,
    errors: Errors,
    members: list[int],
    held: list[int],
    half_width: float,
) -> dict[int, Ends]:
    """Return the ends of the entries that are not of one piece with the zero.

    `members` are the entries to look at, whom games link, and `held` those of them
    whose mean is the zero of the scale; `results` are counted with luck left in, and
    `half_width` is that of an interval in standard errors.
    """
    cells, parts = results
    piece = _pieces(model, cells, separation, np.array(members))
    bases, counts = np.unique(piece[held], return_counts=True)
    entries = [i for i in members if len(bases) > 1 or piece[i] != bases[0]]
    if not entries:
        return {}
    # Inside pieces an entry is compared as all are; between them by what gaps say.
    inside = np.zeros((len(entries), model.design.size))
    inside[np.arange(len(entries)), entries] = 1.0
    inside[:, held] -= 1.0 / len(held)
    ways = _Ways(model, parts, piece)
    ends = []
    for sign in (-1.0, 1.0):
        middle, distance = np.zeros((2, int(piece.max()) + 1))
        row = np.zeros((len(middle), model.design.size))
        for base, count in zip(bases.tolist(), counts.tolist(), strict=True):
            share = count / len(held)
            way = ways.find(base, sign)
            middle += share * way.middle
            distance += share * way.distance
            row += share * way.row
        left = inside - row[piece[entries]]
        variance = np.maximum(
            ((left @ errors.covariance) * left).sum(axis=1),
            ((left @ model.curvature) * left).sum(axis=1),
        )
        beyond = np.sqrt(distance[piece[entries]] ** 2 + half_width**2 * variance)
        end = sign * middle[piece[entries]] + beyond
        ends.append(sign * np.where(np.isfinite(end), np.maximum(end, 0.0), np.nan))
    return {
        entry: Ends(float(low), float(high))
        for entry, low, high in zip(entries, *ends, strict=True)
    }


def _pieces(model: Model, cells: Cells, separation: Separation, members: Ints) -> Ints:
    """Return the number of each entry's piece, -1 for those that are no `members`."""
    k = model.design.entries
    strength = model.solution[:k]
    order = members[np.argsort(-strength[members], kind="stable")]
    place = np.full(k, -1)
    place[order] = np.arange(len(order))
    # The points that those further down took, in each cut between two places.
    first, second = place[cells.first], place[cells.second]
    inside = first >= 0
    upset = np.where(first < second, cells.total - cells.wins, cells.wins)[inside]
    upset = upset * model.weight[inside]
    ends = np.sort(np.stack([first[inside], second[inside]]), axis=0)
    points = np.cumsum(
        add_up(ends[0], upset, len(order)) - add_up(ends[1], upset, len(order))
    )
    pull = np.cumsum(expit(strength[order]) - 0.5)
    part = np.zeros(k, np.int64)
    bearable = np.where(points < FEW_POINTS, PULL_ON_FEW, PULL) * points
    part[order[1:]] = np.cumsum(pull > bearable)[:-1]
    piece = np.full(k, -1)
    keys = np.stack([part[members], separation.group[members]])
    piece[members] = np.unique(keys, axis=1, return_inverse=True)[1].ravel()
    return piece


class _Way(NamedTuple):
    """How far each piece is above one of them, at least or at most."""

    middle: Floats
    """Median-unbiased, over all pieces on the way; infinite if no gaps lead there."""
    distance: Floats
    """From there to the limit."""
    row: Floats
    """Pieces by parameters: the comparisons that it is of."""


class _Ways:
    """The ways from piece to piece."""

    def __init__(self, model: Model, parts: ClusterCells, piece: Ints) -> None:
        inside = piece >= 0
        strength = model.solution[: len(piece)][inside]
        size = int(piece.max()) + 1
        means = add_up(piece[inside], strength, size) / np.bincount(piece[inside])
        self._order = np.argsort(means, kind="stable")
        self._rank = np.argsort(self._order)
        self._gaps = _find_gaps(model, parts, piece, self._rank)

    def find(self, base: int, sign: float) -> _Way:
        """Return how far pieces are above `base`: at most, or at least if `sign` is -1.

        Gaps are added up from piece to piece so that limits are the nearest.
        """
        size = len(self._rank)
        middle, variance = np.full(size, -inf), np.zeros(size)
        middle[base] = 0.0
        row = np.zeros((size, self._gaps.rows.shape[1]))
        place = int(self._rank[base])
        # What is above at least so much is what is below at most as much.
        for up, pieces in (
            (True, self._order[place + 1 :]),
            (False, self._order[:place][::-1]),
        ):
            limits = self._gaps.least if up == (sign < 0.0) else self._gaps.most
            middles, distances, pairs = (
                table if up else table.T for table in (*limits, self._gaps.pair)
            )
            way = [base]
            for piece in pieces.tolist():
                on = np.array(way)
                middles_on = middles[piece, on] + middle[on]
                variances_on = distances[piece, on] ** 2 + variance[on]
                # The direct one comes first, and so it is taken among equals.
                best = int(np.argmax(middles_on - np.sqrt(variances_on)))
                if middles_on[best] == -inf:
                    continue
                middle[piece], variance[piece] = middles_on[best], variances_on[best]
                row[piece] = row[on[best]]
                at, values = self._gaps.row(int(pairs[piece, on[best]]))
                row[piece, at] += values if up else -values
                way.append(piece)
        return _Way(-sign * middle, np.sqrt(variance), row)


class _Limits(NamedTuple):
    """Of gaps: pieces by pieces, the upper in the row."""

    middle: Floats
    """-inf where nothing is known."""
    distance: Floats
    """From there down to the limit."""


class _Gaps(NamedTuple):
    """The gaps between pieces that have met."""

    least: _Limits
    most: _Limits
    """Of the gaps times -1."""
    pair: Ints
    """Pieces by pieces: the index in `rows`."""
    rows: Any
    """Pairs by parameters, sparse: the comparison that a gap is of, as a mean."""

    def row(self, pair: int) -> tuple[Ints, Floats]:
        """Return the parameters that a gap compares, and by how much."""
        own = slice(self.rows.indptr[pair], self.rows.indptr[pair + 1])
        return self.rows.indices[own], self.rows.data[own]


def _find_gaps(model: Model, parts: ClusterCells, piece: Ints, rank: Ints) -> _Gaps:
    size = len(rank)
    ends = np.stack([piece[model.design.first], piece[model.design.second]])
    line = np.flatnonzero(((ends[0] != ends[1]) & (ends.min(axis=0) >= 0))[parts.cell])
    cell, count = parts.cell[line], parts.total[line]
    first, second = ends[:, cell]
    is_up = rank[first] > rank[second]
    taken = np.where(is_up, count - parts.wins[line], parts.wins[line])
    codes = np.where(is_up, first * size + second, second * size + first)
    found, pair = np.unique(codes, return_inverse=True)

    # Each pair has a trial in each of its fixtures.
    number = len(found)
    fixtures, trial = np.unique(
        parts.cluster[line].astype(np.int64) * number + pair, return_inverse=True
    )
    owner = fixtures % max(number, 1)
    together = add_up(trial, count, len(fixtures))
    with_points = add_up(trial, taken, len(fixtures)) > 0.0
    # A draw takes half a point: so there may be twice as many as there are points.
    drawn = np.bincount(pair, taken % 1.0 > 0.0, number) > 0.0
    sign = np.where(is_up, 1.0, -1.0)
    trials = _Trials(
        logits=sign * model.logits[cell],
        share=count / together[trial],
        trial=trial,
        pair=pair,
        owner=owner,
        most=together * np.where(drawn, 2.0, 1.0)[owner],
        number=np.bincount(owner, minlength=number),
    )
    upset = np.bincount(owner[with_points], minlength=number)
    missed = trials.number - upset

    def limit(a: Ints, b: Ints, tail: float, is_least: bool) -> Floats:
        """Return the gap at which so many fixtures with points are so rare."""
        known = (a > 0) & (b > 0)
        chance = betaincinv(np.where(known, a, 1), np.where(known, b, 1), tail)
        gap = trials.shift(chance, is_least)
        return np.where(known, gap, inf)

    least = [limit(upset + 1, missed, 1.0 - tail, True) for tail in (0.5, TAIL)]
    most = [limit(upset, missed + 1, tail, False) for tail in (0.5, TAIL)]
    amount = sign * trials.influence(np.where(missed > 0, least[1], most[0]))

    def table(values: Floats | Ints, otherwise: float) -> Floats:
        whole = np.full((size, size), otherwise)
        whole.flat[found] = values
        return whole

    def limits(sign: float, middle: Floats, end: Floats) -> _Limits:
        known = np.isfinite(middle)
        middle, end = np.where(known, middle, 0.0), np.where(known, end, 0.0)
        return _Limits(
            table(np.where(known, sign * middle, -inf), -inf),
            table(sign * (middle - end), 0.0),
        )

    return _Gaps(
        least=limits(1.0, *least),
        most=limits(-1.0, *most),
        pair=table(np.arange(number), -1).astype(np.int64),
        rows=_rows(model, cell, amount, pair, number),
    )


class _Trials(NamedTuple):
    """The fixtures between pieces: lines of comparisons, by trial, by pair."""

    logits: Floats
    """Of each line: of the upper piece's entry, as fitted."""
    share: Floats
    """Of each line in the comparisons of its trial."""
    trial: Ints
    """Of each line."""
    pair: Ints
    """Of each line."""
    owner: Ints
    """Of each trial: its pair."""
    most: Floats
    """Of each trial: by how much points may be more frequent than the mean."""
    number: Ints
    """Of each pair: how many trials it has."""

    def shift(self, chance: Floats, is_least: bool) -> Floats:
        """Return how far from the fit each pair has this chance of points in a trial.

        A chance as low as it may be, if it is for what a gap is at least.
        """
        pairs, most = len(chance), np.abs(self.logits).max(initial=0.0)
        low, high = np.full(pairs, -most - REACH), np.full(pairs, most + REACH)
        for _ in range(HALVINGS):
            half = (low + high) / 2.0
            points = self.share * expit(-self.logits - half[self.pair])
            each = add_up(self.trial, points, len(self.owner))
            if not is_least:
                each = np.minimum(each * self.most, 1.0)
            is_low = add_up(self.owner, each, pairs) > chance * self.number
            low, high = np.where(is_low, half, low), np.where(is_low, high, half)
        found: Floats = (low + high) / 2.0
        return found

    def influence(self, shift: Floats) -> Floats:
        """Return of each line its part in what decides the gap of its pair; sum 1."""
        p = expit(self.logits + shift[self.pair])
        weight = self.share * p * (1.0 - p)
        found: Floats = weight / add_up(self.pair, weight, len(shift))[self.pair]
        return found


def _rows(model: Model, cell: Ints, amount: Floats, pair: Ints, pairs: int) -> Any:
    """Return the sums of the comparisons of each pair, so much of each line."""
    design = model.design
    terms = design.entries + np.arange(len(design.seats))
    columns = np.column_stack(
        [design.first[cell], design.second[cell], np.tile(terms, (len(cell), 1))]
    )
    values = np.column_stack([amount, -amount, amount[:, None] * design.worth[cell]])
    lines = np.repeat(pair, columns.shape[1])
    found = sparse.coo_array(
        (values.ravel(), (lines, columns.ravel())), (pairs, design.size)
    )
    # Each parameter of a row once.
    return found.tocsr()

"""What can be said of a difference without an upper limit: that it is at least so much.

Of two groups (`separation`) of which the lower one took points off the upper one in no
fixture, or in one, the gap has no upper limit.  Its lower one is exact: the gap at
which such a record has probability .025, with the members of each group at the
distances that were fitted.  A fixture counts as one trial, since its games share their
luck, with the mean probability of its comparisons.  It can't come out clean more often
than that: so the limit holds whatever its games have in common.

Where other groups lie between, gaps add up.  Each has a median-unbiased estimate, at
which its record has probability .5, and the squared distances from there to the limits
add up, as do the errors of the distances inside groups (G. Y. Zou and A. Donner,
Statistics in Medicine 27, 2008).

All numbers here are natural log-odds, and those of gaps are differences to the fit's.
"""

from math import inf, log, sqrt
from typing import Any, Final, NamedTuple

import numpy as np
from scipy import sparse
from scipy.special import expit

from arena.ratings.elo.model import Model
from arena.ratings.elo.pool import Bools, ClusterCells, Floats, Ints, add_up
from arena.ratings.elo.separation import Separation
from arena.ratings.elo.standard_errors import TAIL, Errors

HALVINGS: Final = 64
"""Of the range in which a limit is looked for."""

REACH: Final = 60.0
"""Log-odds at which any record is certain, either way."""

LEAST: Final = 500.0
"""Log-odds to which no chance is 0."""


class Gaps(NamedTuple):
    """How far one group is above another, for every two of which that has no end."""

    middle: Floats
    """Groups by groups, the row being above the column: the median-unbiased gap.
    -inf where there is none: the gap has an end, or they hardly met."""
    spread: Floats
    """Shaped alike: the distance from there down to the limit."""
    pair: Ints
    """Shaped alike: the index of their row in `rows`."""
    rows: Any
    """Pairs by parameters, sparse: the comparison that a gap is of, as a mean."""

    def upside_down(self) -> "Gaps":
        """Return the same gaps with the lower groups in the rows."""
        return Gaps(self.middle.T, self.spread.T, self.pair.T, self.rows)


def find_gaps(model: Model, parts: ClusterCells, group: Ints, limit: Bools) -> Gaps:
    """Return the gaps between groups that nothing limits from above.

    `group` is the number of each entry's group; `limit` says which row of the groups
    limits which column.  `parts` count results, luck left in.
    """
    size = len(limit)
    ends = group[model.design.first], group[model.design.second]
    uppers, lowers, kept, signs = [], [], [], []
    for way, (over, under) in ((1.0, ends), (-1.0, ends[::-1])):
        line = np.flatnonzero(~limit[under, over][parts.cell])
        cell = parts.cell[line]
        uppers.append(over[cell])
        lowers.append(under[cell])
        kept.append(line)
        signs.append(np.full(len(line), way))
    line, sign = np.concatenate(kept), np.concatenate(signs)
    codes = np.concatenate(uppers).astype(np.int64) * size + np.concatenate(lowers)
    found, pair = np.unique(codes, return_inverse=True)
    cell, count = parts.cell[line], parts.total[line]
    won = np.where(sign > 0.0, parts.wins[line], count - parts.wins[line])

    # Each pair has a trial for each of its fixtures.
    fixture = parts.cluster[line].astype(np.int64) * len(found) + pair
    fixtures, trial = np.unique(fixture, return_inverse=True)
    owner = fixtures % max(len(found), 1)
    leaks = add_up(trial, count - won, len(fixtures)) > 0.0
    trials = _Trials(
        logits=sign * model.logits[cell],
        weight=count / add_up(trial, count, len(fixtures))[trial],
        trial=trial,
        pair=pair,
        owner=owner,
        leaks=np.bincount(owner[leaks], minlength=len(found)),
    )
    low, middle = trials.shift(TAIL), trials.shift(0.5)
    gaps = Gaps(
        middle=np.full((size, size), -np.inf),
        spread=np.zeros((size, size)),
        pair=np.zeros((size, size), np.int64),
        rows=_rows(model, cell, sign * trials.shares(low), pair, len(found)),
    )
    known = found[trials.says_something]
    gaps.middle.flat[known] = middle[trials.says_something]
    gaps.spread.flat[known] = (middle - low)[trials.says_something]
    gaps.pair.flat[known] = np.flatnonzero(trials.says_something)
    return gaps


class _Trials(NamedTuple):
    """The fixtures between pairs of groups: lines, by trial, by pair."""

    logits: Floats
    """Of each line: of the upper group's entry, as fitted."""
    weight: Floats
    """Of each line: its share of the comparisons of its trial."""
    trial: Ints
    """Of each line."""
    pair: Ints
    """Of each line."""
    owner: Ints
    """Of each trial: its pair."""
    leaks: Ints
    """Of each pair: in how many fixtures the lower took points, none or one."""

    @property
    def says_something(self) -> Bools:
        """Which pairs have more trials than leaks."""
        found: Bools = np.bincount(self.owner, minlength=len(self.leaks)) > self.leaks
        return found

    def shift(self, probability: float) -> Floats:
        """Return how far from the fit a pair has so many leaks or fewer so often."""
        pairs, most = len(self.leaks), np.abs(self.logits).max(initial=0.0)
        low, high = np.full(pairs, -most - REACH), np.full(pairs, most + REACH)
        for _ in range(HALVINGS):
            half = (low + high) / 2.0
            clean = self._clean(half)
            chance = add_up(self.owner, np.log(clean), pairs)
            leaking = add_up(self.owner, (1.0 - clean) / clean, pairs)
            # A chance so low that its logarithm is what counts.
            chance += np.where(self.leaks > 0, np.log1p(leaking), 0.0)
            enough = chance >= log(probability)
            low, high = np.where(enough, low, half), np.where(enough, half, high)
        found: Floats = (low + high) / 2.0
        return found

    def shares(self, shift: Floats) -> Floats:
        """Return of each line its part in what decides the gap of its pair; sum 1."""
        p = expit(self.logits + shift[self.pair])
        weight = self.weight * p * (1.0 - p) / self._clean(shift)[self.trial]
        found: Floats = weight / add_up(self.pair, weight, len(self.leaks))[self.pair]
        return found

    def _clean(self, shift: Floats) -> Floats:
        """Return the chance of each trial that the lower group takes no point."""
        logits = np.maximum(self.logits + shift[self.pair], -LEAST)
        p = self.weight * expit(logits)
        return add_up(self.trial, p, len(self.owner))


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
    return found.tocsr()


class Chain(NamedTuple):
    """The gaps from one group to all others, one upon the other."""

    middle: Floats
    """Of each group; -inf where no gaps lead there."""
    variance: Floats
    """Squared distance down to the limit."""
    before: Ints
    """The group before it on the way from the first."""


def chain(gaps: Gaps, start: int, strength: Floats) -> Chain:
    """Add up gaps from a group upwards, so that limits are the highest.

    `strength` is that of the groups, by which each is above the one before it.
    """
    size = len(strength)
    middle, variance = gaps.middle[:, start].copy(), gaps.spread[:, start] ** 2
    before = np.full(size, start)
    middle[start] = 0.0
    way = [start]
    for group in np.argsort(strength, kind="stable").tolist():
        if group == start or strength[group] <= strength[start]:
            continue
        # The direct one comes first, and so it is taken among equals.
        on = np.array(way)
        middles = gaps.middle[group, on] + middle[on]
        variances = gaps.spread[group, on] ** 2 + variance[on]
        best = int(np.argmax(middles - np.sqrt(variances)))
        if middles[best] > -np.inf:
            middle[group], variance[group] = middles[best], variances[best]
            before[group] = on[best]
            way.append(group)
    return Chain(middle, variance, before)


def open_limits(
    model: Model,
    parts: ClusterCells,
    separation: Separation,
    errors: Errors,
    members: list[int],
    held: list[int],
    half_width: float,
) -> dict[int, float]:
    """Limit the other end of the entries that have no end above, or none below.

    `members` are the entries to look at, whom games link, and `held` those of them
    whose mean is the zero of the scale; `parts` count results,
    luck left in, and `half_width` is that of an interval in standard errors.

    Returns how far the limit is from the fitted strength of each entry of which there
    is one: below it for those without an end above.  Those without either end have
    none, nor those whom no gaps lead to.
    """
    above, below = separation.open_to(members, held)
    if not (above ^ below).any():
        return {}
    group = separation.group
    firsts = np.unique(group, return_index=True)[1]
    between = separation.limits[np.ix_(firsts, firsts)]
    strength = add_up(group, model.solution[: len(group)], len(firsts))
    strength /= np.bincount(group)
    gaps = find_gaps(model, parts, group, between)
    bases, counts = np.unique(group[held], return_counts=True)
    shares = list(zip(bases.tolist(), (counts / len(held)).tolist(), strict=True))
    found = {}
    for sign, ways, entries in (
        (1.0, _Ways(gaps, between, strength), above & ~below),
        (-1.0, _Ways(gaps.upside_down(), between.T, -strength), below & ~above),
    ):
        for entry in np.array(members)[entries].tolist():
            row = np.zeros(model.design.size)
            row[entry] += 1.0
            row[held] -= 1.0 / len(held)
            middle = distance = 0.0
            for base, share in shares:
                way = ways.find(base, int(group[entry]))
                middle += share * way.middle
                distance += share * way.distance
                row -= sign * share * way.row
            if middle > -inf:
                # The rest is a comparison inside groups, known as well as any.
                variance = max(
                    row @ errors.covariance @ row, row @ model.curvature @ row
                )
                down = sqrt(distance**2 + half_width**2 * variance)
                found[entry] = sign * (middle - down)
    return found


class _Way(NamedTuple):
    """From one group up to another."""

    middle: float = 0.0
    """Of all gaps on the way, one upon the other; -inf if there is no way."""
    distance: float = 0.0
    """From there down to the limit."""
    row: Any = 0.0
    """The comparison of parameters that the gaps are of."""


class _Ways:
    """The ways from groups to those above them."""

    def __init__(self, gaps: Gaps, ends: Bools, strength: Floats) -> None:
        self._gaps = gaps
        self._ends = ends
        self._strength = strength
        self._chains: dict[int, Chain] = {}

    def find(self, base: int, group: int) -> _Way:
        """Return the way up from `base`; where the difference has an end it is none."""
        if self._ends[base, group]:
            return _Way()
        if base not in self._chains:
            self._chains[base] = chain(self._gaps, base, self._strength)
        known = self._chains[base]
        if known.middle[group] == -inf:
            return _Way(-inf)
        row: Any = 0.0
        at = group
        while at != base:
            before = int(known.before[at])
            row = row + self._gaps.rows[[self._gaps.pair[at, before]]].toarray()[0]
            at = before
        return _Way(float(known.middle[group]), sqrt(known.variance[group]), row)

"""Pairs whose result surprises: who beats whom by more than all other games explain.

Of two bots that help each other, one wins against the other what it wins against
nobody.  So the games of a pair are held against what all others say of the two: its own
are left out of the fit.  Honest pairs differ from that too, as styles suit each other
well or badly.  So the log-odds of a pair are taken as θ_a - θ_b + u with u of Student's
t, of `_FREEDOM` degrees of freedom and variance τ², which all other pairs of the label
show (by moments, drawn up to `_USUAL` where they say little).  The probability of a
score of x or more in n games is the mean, over u and the error of θ_a - θ_b, of

    I_q(x/f, (n - x)/f + 1),   q the probability of a win:

the tail of a binomial of n/f trials, since the games of a fixture share their luck (f
is the variance of fixtures over that of independent games).  No normal approximation is
in it, which fails where one side nearly always wins.

Each label is tested, and all together: their normal scores add up.  Probabilities are
multiplied by the number of tests (Bonferroni).  Pairs of one file or student come
first: half of the 5 % is for them, who are few, and what the others say of them does
not rest on such pairs.  Once a pair is named, the others are judged anew without it.

A label in which most pairs play out alike in each of their fixtures is left out:
without luck, the first game of a pair is as good as all.  So are fixtures that hold a
forfeit: a bot that crashes in one position, or is in quarantine, does so against some
and not against others.

Simulated (`tests/ratings/test_surprises.py`), a pair is named in at most 4 % of honest
leagues of 4 to 30 bots, 1 to 500 fixtures a pair, one and four labels, with pairs that
differ by 0 to 100 Elo, normal or as wildly as Student's t with 3 degrees of freedom.
It is not so where results have no luck at all between a fifth of all pairs, at random.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import sqrt
from typing import Final, NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.special import betainc, expit, gammaln, logit, ndtr, ndtri

from arena.ratings.elo.fit import ELO_PER_LOGIT
from arena.ratings.elo.model import Model, solve
from arena.ratings.elo.pool import (
    Bools,
    Cells,
    Floats,
    Ints,
    Pool,
    add_up,
    compare,
    without_exploring,
    without_forfeits,
)

LEVEL: Final = 0.05
"""Share of honest leagues in which any pair is named, at the most."""

MOST_NAMED: Final = 5
"""Pairs that are named at the most."""

_SHARE_OF_KIN: Final = 0.5
"""Of the level, if there are pairs of one file or student."""

_MOST_TRIED: Final = 20
"""Pairs that are looked at again."""

_USUAL: Final = 40.0 / ELO_PER_LOGIT
"""Deviation of an honest pair where its label says nothing of it: what rules of thumb
differ by in our four games (15 to 45 Elo)."""

_USUAL_PAIRS: Final = 10.0
"""Number of pairs that it counts as."""

_FREEDOM: Final = 4.0
"""Degrees of freedom of honest pairs: some suit each other much worse than most."""

_MOST_LEVERAGE: Final = 0.9
"""Share of what is known of a difference that may come from the pair's own games."""

_POOLED: Final = 12.0
"""Fixtures of all pairs that count beside a pair's own for how these scatter."""

_PHANTOM: Final = 0.125
"""Scatter of a fixture of two independent and even games."""

_LEAST_FACTOR: Final = 0.3
"""Of the variance of fixtures: where all end alike there may be no luck at all."""

_FARTHEST: Final = 4.0
"""Log-odds that an honest pair may differ by, as far as τ² is concerned."""

_BY_ROTE: Final = 2.0 / 3.0
"""Share of pairs whose fixtures all end alike, from which on a label says nothing."""

_ROUNDING: Final = 1e-12
"""Sum of squares that is but rounding."""

_RARE: Final = 1e-6
"""Expected score below which none is told apart."""

_WORTH_A_LOOK: Final = 2.5
"""Rough standard errors below which no pair can be named."""


@dataclass(frozen=True, slots=True)
class LabelResult:
    """The result of a surprising pair in one label; scores are those of its winner."""

    label: str
    games: int
    score: float
    """Share of the games, 0 to 1, a draw being half."""
    expected: float
    """By all other games of the label."""
    elo: float
    """What the pair's games have added to the winner's Elo."""


@dataclass(frozen=True, slots=True)
class Surprise:
    """A pair of which one scores more than all other games explain."""

    winner: str
    """Who scores more than expected, in sum."""
    loser: str
    owner: str
    """The first owner that both have; empty if they have none in common, or if bots of
    one owner can't be told from the others."""
    label: str
    """The label in which it surprises; empty if in all together."""
    results: tuple[LabelResult, ...]
    """In the order of the labels; those in which they have met."""
    p: float
    """Probability that an honest pair surprises as much, of these two alone."""
    family_p: float
    """Probability that any pair of an honest league does; at most `LEVEL`."""


class LabelGames(NamedTuple):
    """The games of one label."""

    label: str
    pool: Pool
    winner_only: bool = False
    """True if nobody at a table of three or more but its winner is ahead of others."""
    weight: float = 1.0
    """In the overall Elo."""


def surprises(
    labels: Iterable[LabelGames],
    owners: Mapping[str, Collection[str]],
    anchor: str | None = None,
) -> tuple[Surprise, ...]:
    """Return the pairs that surprise, the most surprising first.

    `owners` has the file and the students of each entry; those that it does not have
    have nothing in common with others.  `anchor` is the entry whose Elo is held.
    """
    played = [x for x in map(_Label.of, labels) if x is not None]
    names = sorted({name for label in played for name in label.pool.entries})
    own = [frozenset(owners.get(name, ())) for name in names]
    index = {name: i for i, name in enumerate(names)}
    for label in played:
        label.place(index, own)
    if not all(label.links_without_kin() for label in played):
        for label in played:
            label.kin[:] = False
    found: list[Surprise] = []
    named: list[int] = []
    while len(found) < MOST_NAMED:
        worst = _worst(played, len(names), named)
        if worst is None:
            break
        named.append(worst.pair[0] * len(names) + worst.pair[1])
        found.append(_described(worst, played, names, own, anchor))
    return tuple(found)


class _Pairs(NamedTuple):
    """What the pairs of a label score, and what all other games say of them."""

    first: Ints
    second: Ints
    games: Floats
    points: Floats
    logit: Floats
    """Of the expected score."""
    variance: Floats
    """Of the log-odds of an honest pair about that."""
    factor: Floats
    known: Bools
    """True if the other games link the two."""


class _Label:
    """One label's comparisons, and how its entries are numbered in the league."""

    def __init__(self, games: LabelGames, pool: Pool) -> None:
        self.label = games.label
        self.weight = games.weight
        self.pool = pool
        self.cells, self.parts = compare(pool, winner_only=games.winner_only)
        self.number = np.zeros(0, np.int64)
        k = len(pool.entries)
        code, self.pair = np.unique(
            self.cells.first * k + self.cells.second, return_inverse=True
        )
        self.first, self.second = np.divmod(code, k)
        self.kin = np.zeros(len(code), np.bool_)
        """Of each pair, whether both are of one owner."""

    @classmethod
    def of(cls, games: LabelGames) -> "_Label | None":
        """Return the label's clean games that don't explore; None if there are none."""
        pool = without_exploring(games.pool)
        pool = without_forfeits(pool)
        return cls(games, pool) if pool.games else None

    def place(self, index: Mapping[str, int], owners: Sequence[frozenset[str]]) -> None:
        """Number the entries as the league does; `owners` are in its order."""
        self.number = np.array([index[x] for x in self.pool.entries], np.int64)
        pairs = zip(self.number[self.first], self.number[self.second], strict=True)
        self.kin = np.array([bool(owners[i] & owners[j]) for i, j in pairs], np.bool_)

    def links_without_kin(self) -> bool:
        """Return True if bots of different owners link all that games link."""
        return self._groups(~self.kin) == self._groups(np.ones_like(self.kin))

    def _groups(self, chosen: Bools) -> int:
        k = len(self.pool.entries)
        ends = self.first[chosen], self.second[chosen]
        links = sparse.coo_array((np.ones(int(chosen.sum())), ends), (k, k))
        return int(connected_components(links.tocsr(), directed=False)[0])

    def without(self, out: Bools) -> tuple[Cells, Model]:
        """Return the fit of all pairs but some."""
        cells = Cells._make(column[~out[self.pair]] for column in self.cells)
        return cells, solve(len(self.pool.entries), cells)

    def excluded(self, pairs: Collection[int], entries: int) -> Bools:
        """Return which pairs the fit leaves out: kin, and those of these codes."""
        code = self.number[self.first] * entries + self.number[self.second]
        return self.kin | np.isin(code, list(pairs))

    def pairs(self, out: Bools) -> _Pairs:
        """Return all pairs, each against what the others but those left out say."""
        _, model = self.without(out)
        cells, count = self.cells, len(out)
        weight = 2.0 / cells.size
        expected = np.clip(expit(_logits(model, cells)), _RARE, 1.0 - _RARE)
        games = add_up(self.pair, cells.total, count)
        points = add_up(self.pair, cells.wins, count)
        hoped = add_up(self.pair, cells.total * expected, count)
        slopes = cells.total * expected * (1.0 - expected)
        told = add_up(self.pair, slopes, count)
        weighted = add_up(self.pair, weight * slopes, count)
        share = weighted / told
        shared, factor, by_rote = self._factors(
            expected, games, points, hoped, told, out
        )

        k = len(self.pool.entries)
        curved = model.curvature[:k, :k]
        i, j = self.first, self.second

        def across(matrix: Floats) -> Floats:
            own = matrix.diagonal()
            spread: Floats = own[i] + own[j] - 2.0 * matrix[i, j]
            return spread

        def seen(amount: Floats) -> Floats:
            """Return the variance of each difference, of amounts that scatter."""
            used = np.where(out, 0.0, amount)
            mixed = add_up(i * k + j, used, k * k).reshape(k, k)
            mixed = mixed + mixed.T
            scatter = np.diag(mixed.sum(axis=1)) - mixed
            return across(curved @ scatter @ curved)

        own = across(curved)
        leverage = np.where(out, 0.0, weighted * own)
        rest = np.maximum(1.0 - leverage, 1.0 - _MOST_LEVERAGE)
        luck, style = share**2 * factor * told, share**2 * told**2
        pull = np.where(out, 0.0, own**2)
        by_luck = np.maximum(seen(luck) - pull * luck, 0.0) / rest**2
        # Where nearly all is won or lost, results scatter little and say little too.
        by_luck = np.maximum(by_luck, shared * own / rest)
        by_style = np.maximum(seen(style) - pull * style, 0.0) / rest**2
        surprise = np.where(out, 0.0, share * (points - hoped))
        middle = logit(hoped / games) - own * surprise / rest
        middle = np.clip(middle, logit(_RARE), -logit(_RARE))

        p = expit(middle)
        noise = factor / (games * p * (1.0 - p)) + by_luck
        spread = 1.0 + by_style
        error = (points / games - p) / (p * (1.0 - p))
        error = np.clip(error, -_FARTHEST, _FARTHEST)
        known = (leverage < _MOST_LEVERAGE) & (not by_rote)
        honest = _honest_variance(error, noise, spread, known & ~out)
        return _Pairs(
            first=self.number[i],
            second=self.number[j],
            games=games,
            points=points,
            logit=middle,
            variance=by_luck + spread * honest,
            factor=factor,
            known=known,
        )

    def _factors(
        self,
        expected: Floats,
        games: Floats,
        points: Floats,
        hoped: Floats,
        told: Floats,
        out: Bools,
    ) -> tuple[float, Floats, bool]:
        """Return the variance of fixtures over that of independent games: all, each.

        And True if fixtures of a pair nearly always end alike, so that luck decides
        nothing, and many games say no more than one.

        No less than what all show together: fixtures of a pair that all end alike say
        nothing of their luck.
        """
        parts, count = self.parts, len(games)
        of = self.pair[parts.cell]
        rows, row = np.unique(parts.cluster * count + of, return_inverse=True)
        pair = rows % count
        fixtures = np.bincount(pair, minlength=count).astype(np.float64)
        surprises = parts.wins - parts.total * expected[parts.cell]
        surprise = add_up(row, surprises, len(rows))
        part = add_up(row, parts.total, len(rows)) / games[pair]
        surprise = surprise - (points - hoped)[pair] * part
        scatter = add_up(pair, surprise**2, count)
        free = np.maximum(fixtures - 1.0, 0.0)
        even = told * free / fixtures
        used = ~out
        shared = float((scatter[used].sum() + _PHANTOM) / (even[used].sum() + _PHANTOM))
        shared = max(shared, _LEAST_FACTOR)
        own = (_POOLED * shared * told / fixtures + scatter) / (
            (_POOLED + free) * told / fixtures
        )
        alike = used & (scatter < _ROUNDING)
        by_rote = alike.sum() >= _BY_ROTE * used.sum() and fixtures.max() > 1.0
        return shared, np.maximum(own, shared), bool(by_rote)


def _logits(model: Model, cells: Cells) -> Floats:
    """Return the log-odds of any cells by a model, which may be of others."""
    x, k = model.solution, model.design.entries
    found: Floats = x[cells.first] - x[cells.second]
    for q, (players, seat) in enumerate(model.design.seats):
        side = (cells.first_seat == seat) * 1.0 - (cells.second_seat == seat)
        found = found + x[k + q] * (cells.size == players) * side
    return found


def _honest_variance(
    error: Floats, noise: Floats, spread: Floats, counts: Bools
) -> Floats:
    """Return τ² as all pairs but one show it, one a pair.

    By moments: the squared errors have the mean noise + spread τ².  Each counts by what
    it says of a τ² that is usual.
    """
    usual = _USUAL**2
    scale = noise + spread * usual
    weight = np.where(counts, spread / scale**2, 0.0)
    told, over = weight * spread, weight * (error**2 - noise)
    # Twice the square of a mean is the variance of a normal square.
    doubt = weight**2 * 2.0 * scale**2
    told, over, doubt = (x.sum() - x for x in (told, over, doubt))
    safe = np.maximum(told, 1e-300)
    seen = np.maximum(over / safe, 0.0)
    pairs = 2.0 * usual**2 * told**2 / np.maximum(doubt, 1e-300)
    drawn = (_USUAL_PAIRS * usual + pairs * seen) / (_USUAL_PAIRS + pairs)
    found: Floats = np.maximum(drawn, seen)
    return found


class _Look(NamedTuple):
    """The probabilities of all pairs, or of one, in each label and in all together."""

    code: Ints
    """Of each pair that has met: first times the number of entries, plus second."""
    p: Floats
    """Labels by pairs; the last row is all labels together."""
    family_p: Floats
    sign: Floats
    """1 where the first of the pair scores more than expected, -1 where less."""
    kin: Bools


def _look(
    labels: Sequence[_Label],
    entries: int,
    named: Collection[int],
    pair: int | None = None,
) -> _Look:
    """Look at all pairs but those that are named, or at one alone.

    That one is not in the fit either.
    """
    out = {*named} if pair is None else {*named, pair}
    found = [label.pairs(label.excluded(out, entries)) for label in labels]
    codes = [x.first * entries + x.second for x in found]
    code = np.unique(np.concatenate([np.zeros(0, np.int64), *codes]))
    places = [np.searchsorted(code, own) for own in codes]
    rough, met = np.zeros((2, len(code)))
    kin, chosen = np.zeros((2, len(code)), np.bool_)
    for label, x, place in zip(labels, found, places, strict=True):
        size = _rough(x)
        kin[place] |= label.kin
        met[place] += x.known
        rough[place] += size
        chosen[place] |= np.abs(size) > _WORTH_A_LOOK
    chosen |= np.abs(rough) > _WORTH_A_LOOK * np.sqrt(met)
    chosen &= ~np.isin(code, list(named))
    if pair is not None:
        chosen &= code == pair

    p = np.ones((len(found) + 1, len(code)))
    sign, score = np.zeros((2, *p.shape))
    for row, (x, place) in enumerate(zip(found, places, strict=True)):
        own = np.flatnonzero(chosen[place] & x.known)
        at = row, place[own]
        score[at], p[at] = _tails(_Pairs._make(column[own] for column in x))
    several = chosen & (met > 1)
    score[-1] = score.sum(axis=0)
    sign = np.sign(score)
    together = np.abs(score[-1, several]) / np.sqrt(met[several])
    p[-1, several] = 2.0 * ndtr(-together)

    # All that could have been looked at are counted, those named as well.
    tests = met + (met > 1)
    of_kin, of_others = float(tests[kin].sum()), float(tests[~kin].sum())
    share = _SHARE_OF_KIN if of_kin and of_others else 1.0
    number = np.where(kin, of_kin / share, of_others / (1.0 - share or 1.0))
    return _Look(code, p, np.minimum(p * np.maximum(number, 1.0), 1.0), sign, kin)


class _Worst(NamedTuple):
    """The pair that surprises most."""

    pair: tuple[int, int]
    first_wins: bool
    label: str
    is_kin: bool
    p: float
    family_p: float


def _worst(
    labels: Sequence[_Label], entries: int, named: Collection[int]
) -> _Worst | None:
    """Return the pair, of those not named yet, that surprises most; None if none does.

    One step of Newton's is not enough where nearly all is won or lost, so what it finds
    is looked at again, with a fit of its own.
    """
    first = _look(labels, entries, named)
    least = first.family_p.min(axis=0, initial=1.0)
    for at in np.argsort(least, kind="stable")[:_MOST_TRIED].tolist():
        if least[at] >= LEVEL:
            break
        look = _look(labels, entries, named, int(first.code[at]))
        row = int(look.family_p[:, at].argmin())
        if look.family_p[row, at] < LEVEL:
            pair = divmod(int(look.code[at]), entries)
            return _Worst(
                pair,
                bool(look.sign[row, at] > 0.0),
                "" if row == len(labels) else labels[row].label,
                bool(look.kin[at]),
                float(look.p[row, at]),
                float(look.family_p[row, at]),
            )
    return None


def _rough(x: _Pairs) -> Floats:
    """Return about how many standard errors each score is from the one expected."""
    p = expit(x.logit)
    slope = p * (1.0 - p)
    error = np.sqrt(slope * x.factor / x.games + slope**2 * x.variance)
    return np.where(x.known, (x.points / x.games - p) / error, 0.0)


@cache
def _nodes() -> tuple[Floats, Floats]:
    """Return values of u in standard deviations, and their probabilities."""
    s = np.linspace(-9.0, 9.0, 181)
    t = np.sinh(s)
    half = (_FREEDOM + 1.0) / 2.0
    log = gammaln(half) - gammaln(_FREEDOM / 2.0) - 0.5 * np.log(_FREEDOM * np.pi)
    density = np.exp(log - half * np.log1p(t**2 / _FREEDOM)) * np.cosh(s)
    return t * sqrt((_FREEDOM - 2.0) / _FREEDOM), density / density.sum()


def _tails(x: _Pairs) -> tuple[Floats, Floats]:
    """Return the normal score of each result, and its probability on both sides."""
    at, weight = _nodes()
    won, lost = x.points / x.factor, (x.games - x.points) / x.factor
    above = x.points > x.games * expit(x.logit)
    side = np.where(above, 1.0, -1.0)
    won, lost = np.where(above, won, lost)[:, None], np.where(above, lost, won)[:, None]
    q = expit(side[:, None] * x.logit[:, None] + np.sqrt(x.variance)[:, None] * at)
    more = betainc(won, lost + 1.0, q, where=won > 0.0, out=np.ones_like(q)) @ weight
    above = betainc(won + 1.0, lost, q, where=lost > 0.0, out=np.zeros_like(q)) @ weight
    score = -side * ndtri(np.clip((more + above) / 2.0, 1e-300, 1.0 - 1e-16))
    return score, np.minimum(2.0 * more, 1.0)


def _described(
    worst: _Worst,
    labels: Sequence[_Label],
    names: Sequence[str],
    owners: Sequence[frozenset[str]],
    anchor: str | None,
) -> Surprise:
    a, b = worst.pair if worst.first_wins else worst.pair[::-1]
    results = []
    for label in labels:
        here = (label.number[label.first] == worst.pair[0]) & (
            label.number[label.second] == worst.pair[1]
        )
        if not here.any():
            continue
        at = int(here.argmax())
        x = label.pairs(label.kin | here)
        score, expected = x.points[at] / x.games[at], expit(x.logit[at])
        if not worst.first_wins:
            score, expected = 1.0 - score, 1.0 - expected
        results.append(
            LabelResult(
                label.label,
                int(x.games[at]),
                float(score),
                float(expected),
                _worth(label, here, a, anchor),
            )
        )
    return Surprise(
        winner=names[a],
        loser=names[b],
        owner=min(owners[a] & owners[b]) if worst.is_kin else "",
        label=worst.label,
        results=tuple(results),
        p=worst.p,
        family_p=worst.family_p,
    )


def _worth(label: _Label, pair: Bools, winner: int, anchor: str | None) -> float:
    """Return what the games of a pair add to the winner's Elo."""
    entry = int((label.number == winner).argmax())
    held = [i for i, name in enumerate(label.pool.entries) if name == anchor]
    elo = []
    for out in (np.zeros_like(pair), pair):
        x = label.without(out)[1].solution[: len(label.pool.entries)]
        elo.append(x[entry] - x[held or slice(None)].mean())
    return float(ELO_PER_LOGIT * (elo[0] - elo[1]))

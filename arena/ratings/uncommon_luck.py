"""Bots with more luck than chance gives.

Luck is worked out event by event, as what has happened less what was to be expected.
So whatever an honest bot does, and whoever it meets, its luck adds up to 0 on average;
that of one that knows its dice beforehand does not.  With m fixtures of a bot, of which
each brought it the luck c (games of a fixture share their dice, so they are one
sample),

    z = Σ c / √(m v),   v = (m w + d V) / (m + d), or w if that is more,

where w is the mean of c², and V that over all bots of the label, which counts as d =
`_POOLED` fixtures: luck that never differed would prove nothing.  As c² is taken about
0 and not about its mean, z has lighter tails than the normal distribution it is held
against.  The test is exact where that of a difference of two fits is not: it has no
opponents' strengths in it, and no prior.

Each label is tested, and all together by the sum of their z; probabilities are
multiplied by the number of tests (Bonferroni).  Where one has had too much luck, others
have had too little: so the most uncommon bot is named, and the others are judged
without its games.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from scipy.special import ndtr

from arena.ratings.elo.pool import Floats, Tables, add_up, without_exploring
from arena.ratings.labels import LabelFits

LEVEL: Final = 0.05
"""Share of honest leagues in which any bot is named, at the most."""

MOST_NAMED: Final = 5
"""Bots that are named at the most."""

_LEAST_FIXTURES: Final = 10
"""With fewer, it is not normal enough."""

_POOLED: Final = 12.0
"""Fixtures that the luck of all bots counts as, beside a bot's own."""


@dataclass(frozen=True, slots=True)
class LabelLuck:
    """A bot's luck in one label."""

    label: str
    games: int
    luck: float
    """Points a game that chance has added, against each other bot at the table."""
    elo: float
    """From results alone."""
    adjusted_elo: float | None
    """The Elo that ranks rest on; None if that is from results alone."""


@dataclass(frozen=True, slots=True)
class UncommonLuck:
    """A bot whose luck is beyond chance."""

    bot: str
    label: str
    """The label where it is; empty if in all together."""
    labels: tuple[LabelLuck, ...]
    """All labels that it has played and whose luck is known, in their order."""
    p: float
    """Probability that an honest bot has as much luck, good or bad."""
    family_p: float
    """Probability that any bot of an honest league does; below `LEVEL`."""

    @property
    def is_lucky(self) -> bool:
        """True if it has had more luck than chance gives, and not less."""
        own = (x for x in self.labels if self.label in ("", x.label))
        return sum(x.luck * x.games for x in own) > 0.0


def uncommon_luck(labels: Iterable[LabelFits]) -> tuple[UncommonLuck, ...]:
    """Return the bots whose luck is beyond chance, the most uncommon first.

    Labels where the luck of some game is not known are left out.
    """
    known = [_Label(x) for x in labels if x.certain.games and x.pool.knows_luck]
    names = sorted({name for label in known for name in label.pool.entries})
    for label in known:
        label.place({name: i for i, name in enumerate(names)})
    found: list[UncommonLuck] = []
    named: list[int] = []
    while known and len(found) < MOST_NAMED:
        z = np.array([label.scores(len(names), named) for label in known])
        played = ~np.isnan(z)
        count = played.sum(axis=0)
        together = np.nan_to_num(z).sum(axis=0) / np.sqrt(np.maximum(count, 1))
        every = np.vstack([z, np.where(count > 1, together, np.nan)])
        tests = int((~np.isnan(every)).sum())
        every = np.nan_to_num(every)
        p = 2.0 * ndtr(-np.abs(every))
        # Of two that have met nobody else, the lucky one.
        row, bot = min(np.ndindex(p.shape), key=lambda at: (p[at], -every[at], *at))
        if not tests or p[row, bot] * tests >= LEVEL:
            break
        found.append(
            UncommonLuck(
                bot=names[bot],
                label=known[row].fits.label if row < len(known) else "",
                labels=tuple(
                    label.luck_of(bot) for label in known if bot in label.bots
                ),
                p=float(p[row, bot]),
                family_p=float(p[row, bot] * tests),
            )
        )
        named.append(bot)
    return tuple(found)


class _Label:
    """The luck of one label, fixture by fixture."""

    def __init__(self, fits: LabelFits) -> None:
        self.fits = fits
        self.pool = without_exploring(fits.pool)
        self.bots: list[int] = []
        """Number in the league of each entry."""

    def place(self, index: Mapping[str, int]) -> None:
        """Number the entries as the league does."""
        self.bots = [index[name] for name in self.pool.entries]

    def scores(self, entries: int, named: Collection[int]) -> Floats:
        """Return z of each entry of the league; NaN where it has played too little.

        Without the games of those that are named.
        """
        k, clusters = len(self.pool.entries), max(self.pool.clusters, 1)
        out = np.isin(self.bots, list(named))
        places, amounts = [np.zeros(0, np.int64)], [np.zeros(0)]
        for table in self.pool.tables:
            kept = ~out[table.seats].any(axis=1)
            seats = table.seats[kept].astype(np.int64)
            place, row = np.unique(
                seats * clusters + table.clusters[kept, None], return_inverse=True
            )
            # Luck is a multiple of the pool's unit: exact in any order.
            total = add_up(row.ravel(), _luck(table)[kept].ravel(), len(place))
            places.append(place)
            amounts.append(total / (seats.shape[1] - 1))
        place, row = np.unique(np.concatenate(places), return_inverse=True)
        own = add_up(row, np.concatenate(amounts), len(place))
        entry = place // clusters
        played = np.bincount(entry, minlength=k).astype(np.float64)
        luck, squares = add_up(entry, own, k), add_up(entry, own**2, k)
        mean = squares.sum() / max(len(place), 1)
        drawn = played * (squares + _POOLED * mean) / (played + _POOLED)
        spread = np.maximum(squares, drawn)
        found = np.full(entries, np.nan)
        known = (played >= _LEAST_FIXTURES) & (spread > 0.0)
        found[np.array(self.bots)[known]] = luck[known] / np.sqrt(spread[known])
        return found

    def luck_of(self, bot: int) -> LabelLuck:
        """Return what luck has brought a bot that has played here."""
        entry = self.bots.index(bot)
        games, points = 0, 0.0
        for table in self.pool.tables:
            own = table.seats == entry
            games += int(own.sum())
            points += float(_luck(table)[own].sum()) / (table.seats.shape[1] - 1)
        certain, results = self.fits.certain, self.fits.results
        return LabelLuck(
            label=self.fits.label,
            games=games,
            luck=points / games,
            elo=(results or certain).ratings[entry].elo,
            adjusted_elo=certain.ratings[entry].elo if results else None,
        )


def _luck(table: Tables) -> Floats:
    """Return the luck of each seat: games by seats, added up over its opponents."""
    assert table.luck is not None
    seats = table.seats.shape[1]
    found = np.zeros(table.seats.shape)
    for column, (a, b) in enumerate(combinations(range(seats), 2)):
        found[:, a] += table.luck[:, column]
        found[:, b] -= table.luck[:, column]
    return found

"""Leagues whose bots results tie in one direction only, or hardly; truth is known.

What is open has one limit, which is judged by itself: it must hold in 97.5 of 100.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from typing import Any

import numpy as np
from simulated import LABEL, chances, play_round_robin, play_tables

from arena.ratings import Fit
from arena.ratings.claims import cut
from arena.ratings.elo.fit import fit_pool
from arena.ratings.elo.pool import Bools, Floats, Pool

ANCHOR_ELO = 1000.0


@dataclass(frozen=True)
class Separated:
    """A kind of league in which groups stand apart."""

    name: str
    truth: Floats
    """Elo of each bot, from any zero."""
    play: Callable[[np.random.Generator], Pool] = field(repr=False)
    anchor: int | None = None

    def fits(self, leagues: int) -> Iterator[Fit]:
        """Yield the fits of so many leagues, the same each time."""
        for number in range(leagues):
            pool = self.play(np.random.default_rng([number, *self.name.encode()]))
            held = None
            if self.anchor is not None:
                held = pool.entries[self.anchor], ANCHOR_ELO
            yield fit_pool(pool, LABEL, held)

    def strengths(self, found: Fit) -> Floats:
        """Return the true strengths, from the zero of a fit."""
        names = [rating.entry for rating in found.ratings]
        middle = [names.index(name) for name in found.middle[0]]
        own: Floats = ANCHOR_ELO + self.truth - self.truth[middle].mean()
        return own


def groups(*sizes: int, gap: float) -> Floats:
    """Return the strengths of groups of equals, the best first."""
    levels = gap * np.arange(len(sizes))[::-1]
    return np.repeat(levels, sizes).astype(np.float64)


def robin(
    name: str,
    truth: Floats,
    fixtures: int,
    shared: float | Floats = 0.0,
    anchor: int | None = None,
) -> Separated:
    """Return leagues of so many fixtures of each pair, of two games each."""
    luck = np.broadcast_to(np.asarray(shared), (len(truth), len(truth)))
    play = partial(
        play_round_robin, chance=chances(truth), fixtures=fixtures, shared=luck
    )
    return Separated(f"{name}, {fixtures} fixtures a pair", truth, play, anchor)


def copies() -> Separated:
    """Return leagues of two bots copied twice; copies share each fixture."""
    truth = groups(2, 2, gap=1500.0)
    same = np.where(truth[:, None] == truth, -1.0, 0.0)
    return robin("2 bots copied twice, 1500 apart", truth, 10, same)


def at_tables(gap: float) -> Separated:
    """Return leagues of two groups at tables of four."""
    truth = groups(4, 4, gap=gap)
    play = partial(play_tables, strengths=truth, groups=40, size=4, shared=0.5)
    return Separated(f"4+4 at tables of 4, {gap:.0f} apart", truth, play)


SETTINGS = [
    *(
        robin(f"8 bots, one +{lead:.0f}", groups(1, 7, gap=lead), 5)
        for lead in (600.0, 800.0, 1000.0)
    ),
    robin("8 bots, one +600, all luck shared", groups(1, 7, gap=600.0), 5, 1.0),
    *(
        robin(f"{n}+{n}, 1500 apart", groups(n, n, gap=1500.0), fixtures)
        for n in (2, 3)
        for fixtures in (5, 20)
    ),
    robin("2+2, 600 apart", groups(2, 2, gap=600.0), 5),
    robin("3+3, 600 apart", groups(3, 3, gap=600.0), 5),
    robin("3+3, 600 apart, all luck shared", groups(3, 3, gap=600.0), 5, 1.0),
    robin("10+10, 1000 apart", groups(10, 10, gap=1000.0), 5),
    robin("2+2+2, 600 apart", groups(2, 2, 2, gap=600.0), 5),
    robin("3+3+3, 1000 apart", groups(3, 3, 3, gap=1000.0), 10),
    copies(),
    at_tables(800.0),
    robin("5 bots, anchor -600", groups(4, 1, gap=600.0), 5, anchor=4),
    robin("5 bots, anchor -1500", groups(4, 1, gap=1500.0), 50, anchor=4),
    robin("2+2+2, 600 apart, last one the anchor", groups(2, 2, 2, gap=600.0), 5, 0, 5),
]


def measure(setting: Separated, leagues: int) -> dict[str, Any]:
    """Return how often limits, intervals and claims hold."""
    limits, intervals, covers, wrong = [], [], [], []
    for found in setting.fits(leagues):
        own = setting.strengths(found)
        held = np.array([r.se > 0.0 for r in found.ratings])
        low, high, elo = (
            np.array([getattr(r, end) for r in found.ratings])
            for end in ("elo_low", "elo_high", "elo")
        )
        above, below = _open(found)
        holds = (below | (low <= own)) & (above | (own <= high))
        limits.append(holds[(above ^ below) & held])
        intervals.append(holds[~above & ~below & held])
        covers.append(holds[held].mean())
        better = elo[:, None] - elo > cut(len(elo), found.df) * np.sqrt(
            found.variance()
        )
        wrong.append((better & (setting.truth[:, None] <= setting.truth)).any())
    one, two = np.concatenate(limits), np.concatenate(intervals)
    return {
        "leagues": setting.name,
        "with one end": len(one) / (len(one) + len(two)),
        "it holds": one.mean() if len(one) else None,
        "two-sided": two.mean() if len(two) else None,
        "all": np.mean(covers),
        "SE": np.std(covers) / sqrt(leagues),
        "wrong claims": np.mean(wrong),
    }


def _open(found: Fit) -> tuple[Bools, Bools]:
    return (
        np.array([rating.open_above for rating in found.ratings]),
        np.array([rating.open_below for rating in found.ratings]),
    )

"""The next games of an adaptive schedule: between entries of undecided rank.

Games are planned in batches.  Before each, all games so far are fitted, and every pair
whose difference does not reach the cut for its share of looks (`claims.cut`: Tukey's
for all pairs at once, at Pocock's level for each look) gets fixtures in proportion to
the probability that its order is wrong, Φ(-|d|/se) for a difference d.  The rule was
the best of those compared in simulations of leagues; a D-optimal one was worse.

Intervals on games chosen like this are too narrow: claims need games of their own,
planned whatever came of these.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.special import ndtr

from arena.ratings.claims import MAX_LOOKS, cut
from arena.ratings.elo.fit import fit
from arena.ratings.result import Result

Pair = tuple[str, str]
"""Two entries, in alphabetical order."""

_SCALE: Final = 10**9
"""Probabilities are shared out in whole parts of this size, so that rounding in the
last bits, which differs between machines, moves no fixture."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The plan for the fixtures of an adaptive label.

    They are as many as in a round robin.  Every pair has its share of a first round
    and of the confirmation; the rest goes in batches, each after a look, of a quarter
    of a round or so large that `MAX_LOOKS` are enough.
    """

    pairs: int
    fixtures: int
    """Of each pair in a round robin."""
    first: int = 2
    """Fixtures of each pair before the first look."""

    @property
    def confirmation(self) -> int:
        """Fixtures of each pair in the end."""
        return max(2, self.fixtures // 4)

    @property
    def exploring(self) -> int:
        """All fixtures before the confirmation."""
        return self.pairs * (self.fixtures - self.confirmation)

    @property
    def looks(self) -> int:
        """Number of looks at the results, at the most."""
        quarter = -(-self.pairs // 4)
        return min(MAX_LOOKS, -(-self._rest // quarter))

    def batch(self, look: int) -> int:
        """Return the fixtures that a look, from 1, has to share out."""
        before, after = (self._rest * i // self.looks for i in (look - 1, look))
        return after - before

    @property
    def _rest(self) -> int:
        return self.exploring - self.pairs * self.first


def next_batch(
    results: Iterable[Result],
    label: str,
    fixtures: int,
    looks: int,
    out: Collection[str] = (),
) -> dict[Pair, int]:
    """Share out fixtures among the pairs of a label whose order is undecided.

    `results` are all games so far, of which those of `label` count, in any order;
    `looks` is how often they are looked at in all; entries that are `out` get no
    further games.

    Returns the fixtures of each pair that gets some, in alphabetical order; they add
    up to `fixtures`.  Empty if every pair is decided.
    """
    return share_out(fixtures, undecided(results, label, looks, out))


def undecided(
    results: Iterable[Result], label: str, looks: int, out: Collection[str] = ()
) -> dict[Pair, float]:
    """Return the pairs whose order is undecided at one of so many looks.

    Of each, in alphabetical order, the probability that its order is wrong: at most
    one half.
    """
    found = fit(results, label)
    entries = [rating.entry for rating in found.ratings]
    if len(entries) < 2:
        return {}
    elo = np.array([rating.elo for rating in found.ratings])
    first, second = np.triu_indices(len(entries), 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        errors = np.sqrt(found.variance()[first, second])
        ratios = np.nan_to_num(np.abs(elo[first] - elo[second]) / errors, posinf=np.inf)
    bound = cut(len(entries), found.df, looks)
    is_open = ratios.round(9) < bound
    wrong = ndtr(-ratios)
    return {
        (entries[i], entries[j]): float(wrong[pair])
        for pair, (i, j) in enumerate(zip(first, second, strict=True))
        if is_open[pair] and not {entries[i], entries[j]} & set(out)
    }


def share_out(fixtures: int, chances: Mapping[Pair, float]) -> dict[Pair, int]:
    """Share out fixtures in proportion to chances, by the largest remainders.

    Among equal remainders the pair that comes first in the alphabet is served first.
    Pairs that get nothing are left out; without any chances nobody gets anything.
    """
    parts = {pair: max(1, round(_SCALE * chances[pair])) for pair in sorted(chances)}
    whole = sum(parts.values())
    shares = {pair: fixtures * part // whole for pair, part in parts.items()}
    left = fixtures - sum(shares.values())
    by_remainder = sorted(parts, key=lambda pair: -(fixtures * parts[pair] % whole))
    for pair in by_remainder[:left]:
        shares[pair] += 1
    return {pair: share for pair, share in shares.items() if share}

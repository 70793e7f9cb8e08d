"""One label of the leaderboard: its fits, its claims, its rows."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import inf

import numpy as np

from arena.ratings.claims import MAX_LOOKS, Claim, Strengths, claims
from arena.ratings.elo.fit import Fit, Rating, fit_pool
from arena.ratings.elo.pool import (
    Pool,
    Tally,
    tally,
    without_exploring,
    without_forfeits,
)
from arena.ratings.rows import LabelStanding


@dataclass(frozen=True, slots=True, eq=False)
class LabelFits:
    """The fits of one label."""

    label: str
    pool: Pool
    fit: Fit
    """Of all games."""
    confirmed: Fit | None
    """Of those that were planned whatever came of others; None if all were."""
    adjusted: Fit | None
    """From scores without luck, of the same games as the intervals; None if the luck of
    some game is not known."""
    clean: Fit | None
    """Without the fixtures that hold a forfeit; None if there are none, or nothing is
    left."""
    tallies: Mapping[str, Tally]

    @property
    def looks(self) -> int:
        """Number of looks at the results: to plan more games, and at the end."""
        return 1 if self.confirmed is None else MAX_LOOKS + 1


def fit_label(
    label: str, pool: Pool, anchor: tuple[str, float] | None, *, winner_only: bool
) -> LabelFits:
    """Fit a label in all ways that its games allow."""
    rate = partial(fit_pool, label=label, anchor=anchor, winner_only=winner_only)
    certain, clean = without_exploring(pool), without_forfeits(pool)
    most = max((table.seats.shape[1] for table in pool.tables), default=0)
    # At a table of which only the winner counts, luck says who is compared at all.
    is_adjusted = certain.games and pool.knows_luck and not (winner_only and most > 2)
    return LabelFits(
        label=label,
        pool=pool,
        fit=rate(pool),
        confirmed=None if certain is pool else rate(certain),
        adjusted=rate(certain, adjusted=True) if is_adjusted else None,
        clean=rate(clean) if clean.games and clean is not pool else None,
        tallies=tally(pool),
    )


def label_rows(fits: LabelFits) -> dict[str, LabelStanding]:
    """Return the row of each entry that has games in this label."""
    pools = {entry: i for i, c in enumerate(fits.fit.components) for entry in c}
    claim_of = {claim.entry: claim for claim in _claims(fits)}
    limits = _by_entry(fits.confirmed or fits.fit)
    adjusted = _by_entry(fits.adjusted)
    clean = _by_entry(fits.clean)
    rows = {}
    for rating in fits.fit.ratings:
        entry = rating.entry
        pool = pools[entry]
        interval = limits.get(entry, rating)
        free = adjusted.get(entry)
        counted = fits.tallies[entry]
        others = [r.elo for r in fits.fit.ratings if pools[r.entry] == pool]
        rows[entry] = LabelStanding(
            label=fits.label,
            pool=pool,
            rank=rank_among(rating.elo, others),
            elo=rating.elo,
            confirmed_elo=interval.elo,
            elo_low=interval.elo_low,
            elo_high=interval.elo_high,
            open_above=interval.open_above,
            open_below=interval.open_below,
            adjusted_elo=free.elo if free else None,
            adjusted_low=free.elo_low if free else None,
            adjusted_high=free.elo_high if free else None,
            clean_elo=clean[entry].elo if entry in clean else None,
            **claim_of[entry].columns(),
            games=counted.games,
            score=counted.points / counted.games,
            wins=counted.wins,
            draws=counted.draws,
            losses=counted.losses,
            forfeits=counted.forfeits,
        )
    return rows


def rank_among(elo: float | None, others: Iterable[float | None]) -> int:
    """Return the rank of an Elo as printed; the same Elo is the same rank."""
    own = _printed(elo)
    return 1 + sum(_printed(other) > own for other in others)


def _printed(elo: float | None) -> float:
    return -inf if elo is None else round(elo, 1)


def _claims(fits: LabelFits) -> Iterator[Claim]:
    """Yield the claims of each group that games link."""
    variance = fits.fit.variance()
    elo = np.array([rating.elo for rating in fits.fit.ratings])
    games = np.array([fits.tallies[r.entry].games for r in fits.fit.ratings], np.int64)
    index = {rating.entry: i for i, rating in enumerate(fits.fit.ratings)}
    for component in fits.fit.components:
        own = [index[entry] for entry in component]
        yield from claims(
            Strengths(
                entries=component,
                elo=elo[own],
                variance=variance[np.ix_(own, own)],
                games=games[own],
                df=fits.fit.df,
                looks=fits.looks,
            )
        )


def _by_entry(found: Fit | None) -> dict[str, Rating]:
    return {} if found is None else {r.entry: r for r in found.ratings}

"""One label of the leaderboard: its fits, its claims, its rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from arena.ratings.claims import MAX_LOOKS, Strengths, claims
from arena.ratings.elo.fit import Fit, Rating, fit_pool
from arena.ratings.elo.luck_share import TakenLuck, take_luck
from arena.ratings.elo.pool import (
    Floats,
    Ints,
    Pool,
    Tally,
    count_fixtures,
    tally,
    without_exploring,
    without_forfeits,
    without_luck,
)
from arena.ratings.rows import LabelStanding


@dataclass(frozen=True, slots=True, eq=False)
class LabelFits:
    """The fits of one label."""

    label: str
    pool: Pool
    taken: TakenLuck | None
    """What is taken from the scores; None if they count as they are."""
    fit: Fit
    """Of all games."""
    confirmed: Fit | None
    """Of those that were planned whatever came of others; None if all were."""
    results: Fit | None
    """Of the same games as the intervals, from results alone; None if nothing is taken
    from scores."""
    clean: Fit | None
    """Without the fixtures that hold a forfeit; None if there are none, or nothing is
    left."""
    tallies: Mapping[str, Tally]

    @property
    def scored(self) -> Pool:
        """The games, with what is taken from their scores as their luck, if it is."""
        return without_luck(self.pool) if self.taken is None else self.taken.pool

    @property
    def certain(self) -> Fit:
        """The fit that the intervals rest on."""
        return self.confirmed or self.fit

    @property
    def looks(self) -> int:
        """Number of looks at the results: to plan more games, and at the end."""
        return 1 if self.confirmed is None else MAX_LOOKS + 1


def fit_label(
    label: str,
    pool: Pool,
    anchor: tuple[str, float] | None,
    *,
    winner_only: bool,
    results_alone: bool = False,
    own: Mapping[str, int] | None = None,
) -> LabelFits:
    """Fit a label in all ways that its games allow.

    `results_alone` leaves the luck in the scores, though it is known; `own` has who
    counts as one (`fit_pool`).
    """
    most = max((table.seats.shape[1] for table in pool.tables), default=0)
    # At a table of which only the winner counts, luck says who is compared at all.
    takes = not results_alone and not (winner_only and most > 2)
    taken = take_luck(pool) if takes else None
    scored = pool if taken is None else taken.pool
    rate = partial(
        fit_pool, label=label, anchor=anchor, winner_only=winner_only, own=own
    )
    best = partial(rate, adjusted=taken is not None)
    certain, clean = without_exploring(scored), without_forfeits(scored)
    whole = best(scored)
    return LabelFits(
        label=label,
        pool=pool,
        taken=taken,
        fit=whole,
        confirmed=None if certain is scored else best(certain, like=whole),
        results=None if taken is None else rate(certain, like=whole),
        clean=best(clean, like=whole) if clean.games and clean is not scored else None,
        tallies=tally(pool),
    )


def label_rows(fits: LabelFits) -> dict[str, LabelStanding]:
    """Return the row of each entry that has games in this label."""
    pools = {entry: i for i, c in enumerate(fits.fit.components) for entry in c}
    claim_of = {x.entry: x for own in label_strengths(fits) for x in claims(own)}
    limits = _by_entry(fits.certain)
    results = _by_entry(fits.results)
    clean = _by_entry(fits.clean)
    rows = {}
    for rating in fits.fit.ratings:
        entry = rating.entry
        interval = limits.get(entry, rating)
        plain = results.get(entry)
        counted = fits.tallies[entry]
        rows[entry] = LabelStanding(
            label=fits.label,
            pool=pools[entry],
            elo=rating.elo,
            confirmed_elo=interval.elo,
            elo_low=interval.elo_low,
            elo_high=interval.elo_high,
            open_above=interval.open_above,
            open_below=interval.open_below,
            results_elo=plain.elo if plain else None,
            results_low=plain.elo_low if plain else None,
            results_high=plain.elo_high if plain else None,
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


def label_strengths(fits: LabelFits) -> tuple[Strengths, ...]:
    """Return the strengths of each group that games link, by `Fit.components`."""
    variance = fits.fit.variance()
    elo = np.array([rating.elo for rating in fits.fit.ratings])
    games = np.array([fits.tallies[r.entry].games for r in fits.fit.ratings], np.int64)
    index = {rating.entry: i for i, rating in enumerate(fits.fit.ratings)}
    df = _degrees(count_fixtures(fits.pool))
    found = []
    for component in fits.fit.components:
        own = [index[entry] for entry in component]
        found.append(
            Strengths(
                entries=component,
                elo=elo[own],
                variance=variance[np.ix_(own, own)],
                games=games[own],
                df=np.minimum(fits.fit.df, df[np.ix_(own, own)]),
                looks=fits.looks,
            )
        )
    return tuple(found)


def _degrees(fixtures: Ints) -> Floats:
    """Return the degrees of freedom of each difference, from the fixtures of the two.

    Those of Welch (Biometrika 34, 1947), if all fixtures scatter alike: who has few is
    not known better because others have many.
    """
    variance = 1.0 / fixtures
    inexact = variance**2 / np.maximum(fixtures - 1.0, 0.5)
    found: Floats = (variance[:, None] + variance) ** 2 / (inexact[:, None] + inexact)
    return found


def _by_entry(found: Fit | None) -> dict[str, Rating]:
    return {} if found is None else {r.entry: r for r in found.ratings}

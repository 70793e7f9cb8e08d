"""The leaderboard: every entry's standing, per label and overall.

Labels are never mixed in one fit: a game of skill and a game of luck would then share
one scale.  `overall.py` says how they come together.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

import numpy as np

from arena.ratings.claims import Strengths, claims
from arena.ratings.elo.fit import MEAN_ELO, Fit
from arena.ratings.elo.pool import Pool
from arena.ratings.labels import LabelFits, fit_label, label_rows, label_strengths
from arena.ratings.overall import Field, OverallFit, field_of, fit_overall, group_of
from arena.ratings.rows import LabelStanding, Standing, rating_columns


@dataclass(frozen=True, slots=True)
class Standings:
    """The leaderboard, best first."""

    rows: tuple[Standing, ...]
    """Those with a rank by it; then the others, by name."""
    labels: tuple[str, ...]
    weights: tuple[float, ...]
    """Of each label overall; 0 where there are no games, where they do not link all its
    entries, as their Elo can't be compared, and where all entries are of one owner and
    there are others."""
    anchor: tuple[str, float] | None
    fits: tuple[LabelFits, ...] = field(compare=False)
    """Of each label."""
    overall: Strengths | None = field(compare=False)
    """Of the entries that have a rank; None if there are none."""


def standings(
    pools: Mapping[str, Pool],
    labels: Sequence[str],
    weights: Mapping[str, float] | None = None,
    anchor: tuple[str, float] | None = None,
    entries: Iterable[str] = (),
    winner_only: Collection[str] = (),
    *,
    owners: Mapping[str, Collection[str]] | None = None,
    results_alone: bool = False,
    ranks_any: bool = False,
) -> Standings:
    """Rate every entry in each label and overall, and rank them.

    `pools` holds the games of each label, and `labels` all labels of the league;
    `weights` holds their weight overall, 1 where it is silent; `anchor` is an entry and
    the Elo it is held at; `entries` adds names that may have no games; `winner_only`
    names the labels where a table of three or more only says who won; `owners` has what
    entries have in common (`field_of`); `results_alone` leaves luck in the scores.

    Overall those are ranked that have games in all labels, if there are two of them.
    `ranks_any` ranks all that have games in any, and a game that an entry misses counts
    as lost to all that play it.

    Raises:
        ValueError: a label occurs twice; a pool or a weight has a label that is
            not among `labels`; a weight is negative, or none is positive.
    """
    for label in pools.keys() - set(labels):
        raise ValueError(
            f"pools: expected a label among {', '.join(labels)}; found {label!r}"
        )
    weight = _weights(labels, weights or {})
    names = sorted({*entries}.union(*(pool.entries for pool in pools.values())))
    groups = dict(zip(names, group_of(names, owners or {}).tolist(), strict=True))
    fits = tuple(
        fit_label(
            label,
            pools[label],
            anchor,
            winner_only=label in winner_only,
            results_alone=results_alone,
            own=groups,
        )
        for label in labels
    )
    columns = [label_rows(found) for found in fits]
    weight = tuple(
        w * (len(found.fit.components) == 1 and _counts(column, groups))
        for w, found, column in zip(weight, fits, columns, strict=True)
    )
    table = _Table(fits, columns, weight, anchor, owners or {}, ranks_any=ranks_any)
    rows, overall = table.rows(names)
    return Standings(rows, tuple(labels), weight, anchor, fits, overall)


class _Table:
    """The overall rows of a leaderboard."""

    def __init__(
        self,
        fits: Sequence[LabelFits],
        columns: Sequence[Mapping[str, LabelStanding]],
        weights: Sequence[float],
        anchor: tuple[str, float] | None,
        owners: Mapping[str, Collection[str]],
        *,
        ranks_any: bool,
    ) -> None:
        counting = [i for i, weight in enumerate(weights) if weight > 0.0]
        self._every = fits
        self._columns = columns
        self._fits = [fits[i] for i in counting]
        self._counting = [columns[i] for i in counting]
        self._weights = [weights[i] for i in counting]
        name, self._level = anchor or (None, MEAN_ELO)
        self._anchor = name if any(x.fit.anchored for x in self._fits) else None
        self._owners = owners
        self._most_missing = len(counting) - 1 if ranks_any else 0

    def rows(
        self, names: Sequence[str]
    ) -> tuple[tuple[Standing, ...], Strengths | None]:
        """Return the row of each entry in order, and what their ranks rest on."""
        rows = {name: self._tallied(name) for name in names}
        ranked = [
            x for x, row in rows.items() if len(row.missing) <= self._most_missing
        ]
        overall = None
        if len(self._fits) == 1:
            # The table of the only label that counts.
            (overall,) = label_strengths(self._fits[0])
            found = {x: rating_columns(self._counting[0][x]) for x in ranked}
        elif self._fits and len(ranked) > 1:
            overall, found = self._rated(ranked)
        else:
            found = {}
        for name, columns in found.items():
            rows[name] = replace(rows[name], **columns)
        order = sorted(rows.values(), key=lambda row: (row.rank or inf, row.entry))
        return tuple(order), overall

    def _tallied(self, entry: str) -> Standing:
        """Return the row of an entry without any rating."""
        labels = tuple(
            column.get(entry) or LabelStanding(label=found.label)
            for column, found in zip(self._columns, self._every, strict=True)
        )
        games = sum(part.games for part in labels)
        points = sum(part.games * (part.score or 0.0) for part in labels)
        return Standing(
            entry=entry,
            missing=tuple(
                found.label
                for column, found in zip(self._counting, self._fits, strict=True)
                if entry not in column
            ),
            labels=labels,
            games=games,
            score=points / games if games else None,
            wins=sum(part.wins for part in labels),
            draws=sum(part.draws for part in labels),
            losses=sum(part.losses for part in labels),
            forfeits=sum(part.forfeits for part in labels),
        )

    def _rated(
        self, ranked: Sequence[str]
    ) -> tuple[Strengths, dict[str, dict[str, Any]]]:
        """Return the overall strengths, and the columns of each entry's rating."""
        fits = self._fits
        field = field_of(ranked, self._owners)
        found = self._fit(field, [x.fit for x in fits])
        confirmed = [_of_all(x.confirmed, x.fit) for x in fits]
        certain = found
        if any(x.confirmed for x in fits):
            certain = self._fit(field, confirmed)
        results = None
        if any(x.results for x in fits):
            pairs = zip(fits, confirmed, strict=True)
            plain = [_of_all(x.results, every) for x, every in pairs]
            results = self._fit(field, plain)
        overall = Strengths(
            entries=found.entries,
            elo=found.elo,
            variance=found.variance,
            games=np.array(
                [
                    sum(column[x].games for column in self._counting if x in column)
                    for x in ranked
                ],
                np.int64,
            ),
            df=found.df,
            looks=max(x.looks for x in fits),
        )
        columns: dict[str, dict[str, Any]] = {
            claim.entry: claim.columns() for claim in claims(overall)
        }
        for i, entry in enumerate(ranked):
            columns[entry] |= {
                "elo": self._level + float(found.elo[i]),
                "confirmed_elo": self._level + float(certain.elo[i]),
                "elo_low": self._level + float(certain.low[i]),
                "elo_high": self._level + float(certain.high[i]),
                "open_above": bool(certain.open_above[i]),
                "open_below": bool(certain.open_below[i]),
            }
            if results is not None:
                columns[entry] |= {
                    "results_elo": self._level + float(results.elo[i]),
                    "results_low": self._level + float(results.low[i]),
                    "results_high": self._level + float(results.high[i]),
                }
        for entry, elo in self._clean(found).items():
            columns[entry]["clean_elo"] = self._level + elo
        return overall, columns

    def _clean(self, every: OverallFit) -> dict[str, float]:
        """Return the Elo without forfeits of those that have such games in all labels.

        Where no anchor holds it, its mean is what these have in the fit to all games:
        else who is left out would move all others.
        """
        fits = [x.clean or x.fit for x in self._fits]
        left = [x for x in every.entries if all(x in _entries(fit) for fit in fits)]
        is_linked = all(len(fit.components) == 1 for fit in fits)
        if not any(x.clean for x in self._fits) or not is_linked or len(left) < 2:
            return {}
        field = field_of(left, self._owners)
        elo = self._fit(field, fits).elo
        if self._anchor not in left:
            own = [every.entries.index(entry) for entry in left]
            elo = elo + field.shares @ (every.elo[own] - elo)
        return dict(zip(left, elo.tolist(), strict=True))

    def _fit(self, field: Field, fits: Sequence[Fit]) -> OverallFit:
        return fit_overall(field, fits, self._weights, self._anchor)


def _counts(players: Collection[str], groups: Mapping[str, int]) -> bool:
    """Return whether a label with these players counts overall.

    A game that one owner's bots play among themselves would leave all others out.
    """
    return len({groups[name] for name in players}) > 1 or len({*groups.values()}) == 1


def _entries(fit: Fit) -> set[str]:
    return {rating.entry for rating in fit.ratings}


def _of_all(fit: Fit | None, every: Fit) -> Fit:
    """Return a fit of some games, unless an entry of `every` has none of them."""
    return every if fit is None or _entries(fit) < _entries(every) else fit


def _weights(labels: Sequence[str], weights: Mapping[str, float]) -> tuple[float, ...]:
    if len(set(labels)) < len(labels):
        raise ValueError(f"labels: expected each once; found {', '.join(labels)}")
    for label, weight in weights.items():
        if label not in labels:
            raise ValueError(
                f"weights: expected labels among {', '.join(labels)}; found {label!r}"
            )
        if not 0.0 <= weight < inf:
            raise ValueError(f"weights.{label}: expected 0 or more; found {weight}")
    checked = tuple(float(weights.get(label, 1.0)) for label in labels)
    if labels and not any(checked):
        raise ValueError("weights: expected at least one above 0; found none")
    return checked

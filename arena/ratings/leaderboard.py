"""The leaderboard: every entry's standing, per label and overall.

The overall Elo is the weighted mean of the Elo in each label.  Labels are never
mixed in one fit: a game of skill and a game of luck would then share one scale.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf, sqrt

from arena.ratings._pool import Tally, build_pool, tally
from arena.ratings.elo import MEAN_ELO, Fit, fit_pool
from arena.ratings.records import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Rating and tally.  The Elo is None for an entry without games."""

    elo: float | None
    elo_low: float | None
    """Lower end of the 95 % interval."""
    elo_high: float | None
    """Upper end of the 95 % interval."""
    open_above: bool
    """Undefeated, so `elo_high` is only nominal; overall: in some label."""
    open_below: bool
    """Winless, so `elo_low` is only nominal; overall: in some label."""
    games: int
    score: float | None
    """Mean over the games, 0 to 1: a sole first place is 1, k who share it have
    1/k each, all else and every forfeit is 0.  None without games."""
    wins: int
    """Games with a sole first place."""
    draws: int
    """Games with a shared first place."""
    losses: int
    """All other games, forfeits among them."""
    forfeits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelStanding(Row):
    """What an entry has achieved in one label."""

    label: str
    rank: int | None
    """From 1, by the rule of the overall rank; None without games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing(Row):
    """One row of the leaderboard."""

    rank: int
    """From 1.  Entries with the same Elo to 0.1 share a rank."""
    entry: str
    labels: tuple[LabelStanding, ...]
    """In the order of `Standings.labels`, whether played or not."""


@dataclass(frozen=True, slots=True)
class Standings:
    """The leaderboard, best first."""

    rows: tuple[Standing, ...]
    labels: tuple[str, ...]
    weights: tuple[float, ...]
    """Of each label in the overall Elo."""
    anchor: tuple[str, float] | None
    fits: tuple[Fit, ...] = field(compare=False)
    """Of each label."""


def standings(
    results: Iterable[Result],
    labels: Sequence[str],
    weights: Mapping[str, float] | None = None,
    anchor: tuple[str, float] | None = None,
    entries: Iterable[str] = (),
) -> Standings:
    """Rate every entry in each label and overall, and rank them.

    `labels` are those of the league; `weights` holds their weight in the overall
    Elo, 1 where it is silent; `anchor` is an entry and the Elo it is held at;
    `entries` adds names that may have no games, which come last without an Elo.

    Overall, the squared half-widths of the labels add up by weight², because
    labels have no game in common.  An entry that does not play a label counts
    there as the anchor's Elo (1000 without an anchor) with no error of its own.
    Rows are sorted by overall Elo as printed, to 0.1, and then by name.

    Raises:
        ValueError: a label occurs twice; a result or a weight has a label that is
            not among `labels`; a weight is negative, or none is positive.
    """
    weight = _weights(labels, weights or {})
    by_label: dict[str, list[Result]] = {label: [] for label in labels}
    for result in results:
        if result.label not in by_label:
            raise ValueError(
                f"{result.fixture}: expected a label among {', '.join(labels)}; "
                f"found {result.label!r}"
            )
        by_label[result.label].append(result)

    fits = []
    columns = []
    for label in labels:
        pool = build_pool(by_label[label])
        fits.append(fit_pool(pool, label, anchor))
        columns.append(_label_standings(fits[-1], tally(pool)))
    base = MEAN_ELO if anchor is None else anchor[1]
    rows = [
        _overall(
            entry,
            tuple(
                column.get(entry) or _unplayed(label)
                for label, column in zip(labels, columns, strict=True)
            ),
            weight,
            base,
        )
        for entry in sorted(set(entries).union(*columns))
    ]
    return Standings(_ranked(rows), tuple(labels), weight, anchor, tuple(fits))


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


def _label_standings(
    fit: Fit, tallies: Mapping[str, Tally]
) -> dict[str, LabelStanding]:
    standings = {}
    ranks = _ranks([rating.elo for rating in fit.ratings])
    for rating, rank in zip(fit.ratings, ranks, strict=True):
        counted = tallies[rating.entry]
        standings[rating.entry] = LabelStanding(
            label=fit.label,
            rank=rank,
            elo=rating.elo,
            elo_low=rating.elo_low,
            elo_high=rating.elo_high,
            open_above=rating.open_above,
            open_below=rating.open_below,
            games=counted.games,
            score=counted.points / counted.games,
            wins=counted.wins,
            draws=counted.draws,
            losses=counted.losses,
            forfeits=counted.forfeits,
        )
    return standings


def _unplayed(label: str) -> LabelStanding:
    return LabelStanding(
        label=label,
        rank=None,
        elo=None,
        elo_low=None,
        elo_high=None,
        open_above=False,
        open_below=False,
        games=0,
        score=None,
        wins=0,
        draws=0,
        losses=0,
        forfeits=0,
    )


def _overall(
    entry: str,
    labels: tuple[LabelStanding, ...],
    weights: tuple[float, ...],
    base: float,
) -> Standing:
    """Return the row of `entry`, whose rank is not known yet."""
    games = sum(row.games for row in labels)
    points = sum(row.games * (row.score or 0.0) for row in labels)
    elo = down = up = 0.0
    for row, weight in zip(labels, weights, strict=True):
        middle, low, high = _interval(row, base)
        elo += weight * middle
        down += (weight * (middle - low)) ** 2
        up += (weight * (high - middle)) ** 2
    total = sum(weights) or 1.0
    elo /= total
    counting = [row for row, weight in zip(labels, weights, strict=True) if weight > 0]
    return Standing(
        rank=0,
        entry=entry,
        labels=labels,
        elo=elo if games else None,
        elo_low=elo - sqrt(down) / total if games else None,
        elo_high=elo + sqrt(up) / total if games else None,
        open_above=any(row.open_above for row in counting),
        open_below=any(row.open_below for row in counting),
        games=games,
        score=points / games if games else None,
        wins=sum(row.wins for row in labels),
        draws=sum(row.draws for row in labels),
        losses=sum(row.losses for row in labels),
        forfeits=sum(row.forfeits for row in labels),
    )


def _interval(row: LabelStanding, base: float) -> tuple[float, float, float]:
    if row.elo is None or row.elo_low is None or row.elo_high is None:
        return base, base, base
    return row.elo, row.elo_low, row.elo_high


def _ranked(rows: Sequence[Standing]) -> tuple[Standing, ...]:
    """Fill in the ranks, and sort by them and then by name."""
    ranks = _ranks([row.elo for row in rows])
    ranked = (replace(row, rank=rank) for row, rank in zip(rows, ranks, strict=True))
    return tuple(sorted(ranked, key=lambda row: (row.rank, row.entry)))


def _ranks(elos: Sequence[float | None]) -> list[int]:
    """Return the rank of each Elo as printed; the same Elo is the same rank."""
    printed = [-inf if elo is None else round(elo, 1) for elo in elos]
    return [1 + sum(other > own for other in printed) for own in printed]

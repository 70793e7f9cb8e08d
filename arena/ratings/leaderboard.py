"""The leaderboard: every entry's standing, per label and overall.

The overall Elo is the weighted mean of the Elo in each label.  Labels are never
mixed in one fit: a game of skill and a game of luck would then share one scale.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

from arena.ratings.elo.fit import MEAN_ELO
from arena.ratings.elo.pool import Pool
from arena.ratings.labels import LabelFits, fit_label, label_rows
from arena.ratings.overall import overall_rows
from arena.ratings.rows import Standing


@dataclass(frozen=True, slots=True)
class Standings:
    """The leaderboard, best first."""

    rows: tuple[Standing, ...]
    labels: tuple[str, ...]
    weights: tuple[float, ...]
    """Of each label in the overall Elo; 0 where games do not link all its entries,
    as their Elo can't be compared."""
    anchor: tuple[str, float] | None
    fits: tuple[LabelFits, ...] = field(compare=False)
    """Of each label."""


def standings(
    pools: Mapping[str, Pool],
    labels: Sequence[str],
    weights: Mapping[str, float] | None = None,
    anchor: tuple[str, float] | None = None,
    entries: Iterable[str] = (),
    winner_only: Collection[str] = (),
) -> Standings:
    """Rate every entry in each label and overall, and rank them.

    `pools` holds the games of each label, and `labels` all labels of the league;
    `weights` holds their weight in the overall Elo, 1 where it is silent; `anchor` is
    an entry and the Elo it is held at; `entries` adds names that may have no games,
    which come last without an Elo; `winner_only` names the labels where a table of
    three or more only says who won.

    Overall, the squared half-widths of the labels add up by weight², because
    labels have no game in common.  An entry that does not play a label counts
    there as the anchor's Elo (1000 without an anchor) with no error of its own.
    Rows are sorted by overall Elo as printed, to 0.1, and then by name.

    Raises:
        ValueError: a label occurs twice; a pool or a weight has a label that is
            not among `labels`; a weight is negative, or none is positive.
    """
    for label in pools.keys() - set(labels):
        raise ValueError(
            f"pools: expected a label among {', '.join(labels)}; found {label!r}"
        )
    weight = _weights(labels, weights or {})
    fits = tuple(
        fit_label(label, pools[label], anchor, winner_only=label in winner_only)
        for label in labels
    )
    weight = tuple(
        w * (len(found.fit.components) < 2)
        for w, found in zip(weight, fits, strict=True)
    )
    columns = [label_rows(found) for found in fits]
    names = sorted(set(entries).union(*columns))
    base = MEAN_ELO if anchor is None else anchor[1]
    rows = overall_rows(names, fits, columns, weight, base)
    return Standings(rows, tuple(labels), weight, anchor, fits)


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

"""Standings, crosstables and the test of intransitivity, straight from results."""

from collections.abc import Iterable, Sequence
from typing import Any

from arena import ratings
from arena.ratings import Crosstable, Fit, Result, Standings, build_pools
from arena.ratings.elo.pool import build_pool
from arena.ratings.match_ups import crosstable as tables
from arena.ratings.match_ups import intransitivity as shapes


def standings(
    results: Iterable[Result], labels: Sequence[str], *args: Any, **others: Any
) -> Standings:
    """Rate a league of these labels."""
    return ratings.standings(build_pools(results, labels), labels, *args, **others)


def crosstables(
    results: Iterable[Result],
    labels: Sequence[str],
    entries: Sequence[str] | None = None,
) -> tuple[Crosstable, ...]:
    """Return the crosstable of all results together, then that of each label."""
    return tables.crosstables(build_pools(results, labels), labels, entries)


def crosstable(
    results: Iterable[Result],
    label: str | None = None,
    entries: Sequence[str] | None = None,
) -> Crosstable:
    """Return the crosstable of one label, or of all together."""
    own = (result for result in results if label in (None, result.label))
    return crosstables(own, (), entries)[0]


def intransitivity(
    results: Iterable[Result], fit: Fit, *, winner_only: bool = False
) -> shapes.Intransitivity:
    """Compare the results of a label with its fit."""
    pool = build_pool(r for r in results if r.label == fit.label)
    return shapes.intransitivity(pool, fit, winner_only=winner_only)

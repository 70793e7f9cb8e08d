"""Who scored how much against whom."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from arena.ratings._pool import build_pool, compare
from arena.ratings.records import Result


@dataclass(frozen=True, slots=True)
class Crosstable:
    """Games and scores of every ordered pair of entries."""

    entries: tuple[str, ...]
    """Order of the rows and columns."""
    games: tuple[tuple[int, ...], ...]
    """Games in which both sat at the table."""
    score: tuple[tuple[float | None, ...], ...]
    """Share of these games in which the row finished ahead of the column, 0 to 1;
    a shared place is half.  None where they never met."""


def crosstable(
    results: Iterable[Result],
    label: str | None = None,
    entries: Sequence[str] | None = None,
) -> Crosstable:
    """Count the results between every two entries.

    Of all labels together, each game counting once, or of one `label`.  `entries`
    are listed in the given order, all that have played in alphabetical order
    otherwise; games with others are left out pair by pair.
    """
    pool = build_pool(r for r in results if label in (None, r.label))
    k = len(pool.entries)
    games = np.zeros((k, k))
    wins = np.zeros((k, k))
    if k:
        cells, _ = compare(pool)
        np.add.at(games, (cells.first, cells.second), cells.total)
        np.add.at(games, (cells.second, cells.first), cells.total)
        np.add.at(wins, (cells.first, cells.second), cells.wins)
        np.add.at(wins, (cells.second, cells.first), cells.total - cells.wins)
    met = {
        (a, b): (int(games[i, j]), float(wins[i, j] / games[i, j]))
        for i, a in enumerate(pool.entries)
        for j, b in enumerate(pool.entries)
        if games[i, j]
    }
    order = pool.entries if entries is None else tuple(entries)
    table = [[met.get((a, b), (0, None)) for b in order] for a in order]
    return Crosstable(
        entries=order,
        games=tuple(tuple(count for count, _ in row) for row in table),
        score=tuple(tuple(score for _, score in row) for row in table),
    )

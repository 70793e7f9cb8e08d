"""Results as arrays, in a form that has forgotten the order they came in.

Everything that later becomes a float is first counted in whole numbers, and the
counts stand in sorted order.  So the same results give the same bits, however
they were shuffled.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.ratings.records import Result

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.floating[Any]]
Bools = NDArray[np.bool_]


class Tables(NamedTuple):
    """All games with the same number of seats: one row a game, one column a seat."""

    seats: Ints
    """Index into `Pool.entries`."""
    places: Ints
    forfeits: Bools
    clusters: Ints
    """Index of the fixture, one a game."""


class Pool(NamedTuple):
    """The games that are rated together."""

    entries: tuple[str, ...]
    """Who played, in alphabetical order."""
    clusters: int
    """How many fixtures the games belong to."""
    tables: tuple[Tables, ...]
    """By number of seats, ascending."""


def build_pool(results: Iterable[Result]) -> Pool:
    """Return the results as arrays."""
    by_size: dict[int, list[Result]] = {}
    for result in results:
        by_size.setdefault(len(result.seats), []).append(result)
    played = list(chain.from_iterable(by_size.values()))
    entries = sorted(set(chain.from_iterable(r.seats for r in played)))
    entry_index = {name: i for i, name in enumerate(entries)}
    fixtures = sorted({r.fixture for r in played})
    fixture_index = {name: c for c, name in enumerate(fixtures)}

    tables = []
    for size, games in sorted(by_size.items()):
        seats = [entry_index[name] for r in games for name in r.seats]
        places = [place for r in games for place in r.places]
        forfeits = [forfeit for r in games for forfeit in r.forfeits]
        tables.append(
            Tables(
                np.array(seats, np.int64).reshape(-1, size),
                np.array(places, np.int64).reshape(-1, size),
                np.array(forfeits, np.bool_).reshape(-1, size),
                np.array([fixture_index[r.fixture] for r in games], np.int64),
            )
        )
    return Pool(tuple(entries), len(fixtures), tuple(tables))


@dataclass(frozen=True, slots=True)
class Tally:
    """What was won and lost, as counted."""

    games: int = 0
    points: float = 0.0
    """A sole first place is 1; k who share it have 1/k each; a forfeit has none."""
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0


def tally(pool: Pool) -> dict[str, Tally]:
    """Count games, points, wins, draws, losses and forfeits of each entry.

    A win is a sole first place, a draw a shared one, all else is a loss.  Who
    forfeited has lost, whatever place he was given.
    """
    k = len(pool.entries)
    games, wins, draws, forfeits = np.zeros((4, k), np.int64)
    points = np.zeros(k)
    for table in pool.tables:
        first = (table.places == 1) & ~table.forfeits
        sharers = first.sum(axis=1, keepdims=True)
        for n in range(1, table.seats.shape[1] + 1):
            count = np.bincount(table.seats[first & (sharers == n)], minlength=k)
            points += count / n
            if n == 1:
                wins += count
            else:
                draws += count
        games += np.bincount(table.seats.ravel(), minlength=k)
        forfeits += np.bincount(table.seats[table.forfeits], minlength=k)
    losses = games - wins - draws
    return {
        name: Tally(
            games=int(games[i]),
            points=float(points[i]),
            wins=int(wins[i]),
            draws=int(draws[i]),
            losses=int(losses[i]),
            forfeits=int(forfeits[i]),
        )
        for i, name in enumerate(pool.entries)
    }


class Cells(NamedTuple):
    """Pairwise comparisons that can't be told apart, counted.  One row a cell.

    A comparison is made for each pair at a table.  `first` is the entry with the
    lower index, `second` the other one.
    """

    first: Ints
    second: Ints
    size: Ints
    """Number of seats at the table."""
    first_seat: Ints
    second_seat: Ints
    total: Floats
    wins: Floats
    """Wins of `first`; a shared place is half a win."""


class ClusterCells(NamedTuple):
    """The same comparisons, counted for each cluster.  One row a cluster and cell."""

    cluster: Ints
    cell: Ints
    """Index into `Cells`."""
    total: Floats
    wins: Floats


def compare(pool: Pool) -> tuple[Cells, ClusterCells]:
    """Break up every table into its pairs, and count them.

    The pool must hold at least one game.
    """
    k = len(pool.entries)
    seats = max(table.seats.shape[1] for table in pool.tables)
    shape = (pool.clusters, k, k, seats + 1, seats, seats)
    codes, outcomes = [], []
    for table in pool.tables:
        size = table.seats.shape[1]
        for a, b in combinations(range(size), 2):
            i, j = table.seats[:, a], table.seats[:, b]
            swap = i > j
            key = (
                table.clusters,
                np.where(swap, j, i),
                np.where(swap, i, j),
                np.full_like(i, size),
                np.where(swap, b, a),
                np.where(swap, a, b),
            )
            codes.append(np.ravel_multi_index(key, shape))
            ahead = np.sign(table.places[:, b] - table.places[:, a])
            outcomes.append(np.where(swap, -ahead, ahead))
    code, row = np.unique(np.concatenate(codes), return_inverse=True)
    total = np.bincount(row).astype(np.float64)
    # Every win is a whole number of halves: the sums are exact in any order.
    wins = add_up(row, (np.concatenate(outcomes) + 1) / 2, len(code))

    cluster, kind = np.divmod(code, np.prod(shape[1:], dtype=np.int64))
    kind, cell = np.unique(kind, return_inverse=True)
    first, second, size, first_seat, second_seat = np.unravel_index(kind, shape[1:])
    cells = Cells(
        first=first,
        second=second,
        size=size,
        first_seat=first_seat,
        second_seat=second_seat,
        total=add_up(cell, total, len(kind)),
        wins=add_up(cell, wins, len(kind)),
    )
    return cells, ClusterCells(cluster, cell, total, wins)


def add_up(index: Ints, amounts: Floats, size: int) -> Floats:
    """Return the sums of the amounts that share an index, for indices below `size`."""
    sums = np.zeros(size)
    np.add.at(sums, index, amounts)
    return sums

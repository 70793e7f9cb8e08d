"""Results as arrays, in a form that has forgotten the order they came in.

Everything that is added up is a whole number of small units, so that the sums are
exact in any order, and stands in sorted order afterwards.  So the same results give
the same bits, however they were shuffled.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.ratings.records import Result

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.floating[Any]]
Bools = NDArray[np.bool_]

_LUCK_UNIT: Final = 2.0**-30
"""Luck is rounded to multiples of it."""


class Tables(NamedTuple):
    """All games with the same number of seats: one row a game, one column a seat."""

    seats: Ints
    """Index into `Pool.entries`."""
    places: Ints
    forfeits: Bools
    clusters: Ints
    """Index of the fixture, one a game."""
    luck: Floats | None = None
    """One column for each pair of seats, in the order of `combinations`; NaN where it
    is not known, None where it is of no game."""
    explores: Bools | None = None
    """One a game; None where none does."""


class Pool(NamedTuple):
    """The games that are rated together."""

    entries: tuple[str, ...]
    """Who played, in alphabetical order."""
    clusters: int
    """How many fixtures the games belong to."""
    tables: tuple[Tables, ...]
    """By number of seats, ascending."""

    @property
    def games(self) -> int:
        """How many there are."""
        return sum(len(table.seats) for table in self.tables)

    @property
    def knows_luck(self) -> bool:
        """Whether the luck of every game is known."""
        return all(
            table.luck is not None and not bool(np.isnan(table.luck).any())
            for table in self.tables
        )


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
    tables = tuple(
        _tables(size, games, entry_index, fixture_index)
        for size, games in sorted(by_size.items())
    )
    return Pool(tuple(entries), len(fixtures), tables)


def _tables(
    size: int, games: list[Result], entries: dict[str, int], fixtures: dict[str, int]
) -> Tables:
    seats = [entries[name] for r in games for name in r.seats]
    places = [place for r in games for place in r.places]
    forfeits = [forfeit for r in games for forfeit in r.forfeits]
    luck = None
    if any(r.luck is not None for r in games):
        pairs = size * (size - 1) // 2
        unknown = (np.nan,) * pairs
        found = np.array([r.luck or unknown for r in games], np.float64)
        luck = np.rint(found.reshape(-1, pairs) / _LUCK_UNIT) * _LUCK_UNIT
    explores = None
    if any(r.explores for r in games):
        explores = np.array([r.explores for r in games], np.bool_)
    return Tables(
        np.array(seats, np.int32).reshape(-1, size),
        np.array(places, np.int32).reshape(-1, size),
        np.array(forfeits, np.bool_).reshape(-1, size),
        np.array([fixtures[r.fixture] for r in games], np.int64),
        luck,
        explores,
    )


def select(pool: Pool, keep: Iterable[Bools]) -> Pool:
    """Return the games of the pool that are to be kept: a mask for each of its tables.

    Entries that have no game left are gone too.
    """
    tables = tuple(
        _rows(table, mask)
        for table, mask in zip(pool.tables, keep, strict=True)
        if mask.any()
    )
    players = np.zeros(len(pool.entries), np.bool_)
    fixtures = np.zeros(pool.clusters, np.bool_)
    for table in tables:
        players[table.seats.ravel()] = True
        fixtures[table.clusters] = True
    player, fixture = np.cumsum(players) - 1, np.cumsum(fixtures) - 1
    return Pool(
        tuple(np.array(pool.entries, object)[players].tolist()),
        int(fixtures.sum()),
        tuple(
            table._replace(seats=player[table.seats], clusters=fixture[table.clusters])
            for table in tables
        ),
    )


def _rows(table: Tables, mask: Bools) -> Tables:
    return Tables(
        table.seats[mask],
        table.places[mask],
        table.forfeits[mask],
        table.clusters[mask],
        None if table.luck is None else table.luck[mask],
        None if table.explores is None else table.explores[mask],
    )


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
    """Wins of `first`, a shared place is half a win; or its adjusted score."""


class ClusterCells(NamedTuple):
    """The same comparisons, counted for each cluster.  One row a cluster and cell, by
    cluster."""

    cluster: Ints
    cell: Ints
    """Index into `Cells`."""
    total: Floats
    wins: Floats


def compare(
    pool: Pool, *, adjusted: Bools | None = None, winner_only: bool = False
) -> tuple[Cells, ClusterCells]:
    """Break up every table into its pairs, and count them.

    `adjusted` marks the entries between which luck is taken out of the scores, and must
    be known; `winner_only` leaves out the pairs at tables of three or more of which
    neither has won.
    """
    k = len(pool.entries)
    seats = max((table.seats.shape[1] for table in pool.tables), default=2)
    shape = (max(pool.clusters, 1), max(k, 1), max(k, 1), seats + 1, seats, seats)
    codes: list[Ints] = [np.zeros(0, np.int64)]
    scores: list[Floats] = [np.zeros(0)]
    for table in pool.tables:
        size = table.seats.shape[1]
        for column, (a, b) in enumerate(combinations(range(size), 2)):
            i, j = table.seats[:, a], table.seats[:, b]
            swap = i > j
            seat, other = np.int16(a), np.int16(b)
            code = np.ravel_multi_index(
                (
                    table.clusters,
                    np.minimum(i, j),
                    np.maximum(i, j),
                    size,
                    np.where(swap, other, seat),
                    np.where(swap, seat, other),
                ),
                shape,
            )
            score: Floats = np.sign(table.places[:, b] - table.places[:, a]) / 2.0
            if adjusted is not None:
                assert table.luck is not None
                luck = table.luck[:, column]
                score = score - np.where(adjusted[i] & adjusted[j], luck, 0.0)
            score = np.where(swap, -score, score) + 0.5
            if winner_only and size > 2:
                counts = np.minimum(table.places[:, a], table.places[:, b]) == 1
                code, score = code[counts], score[counts]
            codes.append(code)
            scores.append(score)
    distinct, row = _unique(np.concatenate(codes))
    total = np.bincount(row, minlength=len(distinct)).astype(np.float64)
    wins = add_up(row, np.concatenate(scores), len(distinct))
    kinds = np.prod(shape[1:], dtype=np.int64)
    cluster, which = np.divmod(distinct, kinds)
    kind, cell = np.unique(which, return_inverse=True)
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


def _unique(codes: Ints) -> tuple[Ints, Ints]:
    """Return the codes in order, each once, and where each of `codes` is in there."""
    if len(codes) and (codes[1:] > codes[:-1]).all():
        return codes, np.arange(len(codes))
    found, place = np.unique(codes, return_inverse=True)
    return found, place


def add_up(index: Ints, amounts: Floats, size: int) -> Floats:
    """Return the sums of the amounts that share an index, for indices below `size`."""
    sums = np.bincount(index, weights=amounts, minlength=size)
    return sums.astype(np.float64, copy=False)

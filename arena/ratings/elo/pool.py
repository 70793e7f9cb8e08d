"""Results as arrays, in a form that has forgotten the order they came in.

Everything that is added up is a whole number of small units, so that the sums are
exact in any order, and stands in sorted order afterwards.  So the same results give
the same bits, however they were shuffled.
"""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from math import nan
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.ratings.result import Result

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.floating[Any]]
Bools = NDArray[np.bool_]

LUCK_UNIT: Final = 2.0**-30
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
    """Those that played, in alphabetical order."""
    clusters: int
    """Number of fixtures that the games belong to."""
    tables: tuple[Tables, ...]
    """By number of seats, ascending."""

    @property
    def games(self) -> int:
        """Number of games."""
        return sum(len(table.seats) for table in self.tables)

    @property
    def knows_luck(self) -> bool:
        """True if the luck of every game is known."""
        return all(
            table.luck is not None and not bool(np.isnan(table.luck).any())
            for table in self.tables
        )


def build_pool(results: Iterable[Result]) -> Pool:
    """Return the results as arrays.  None is kept: there may be any number of them."""
    gathered = PoolSums()
    for result in results:
        gathered.add(result)
    return gathered.pool()


def build_pools(
    results: Iterable[Result], labels: Iterable[str] = ()
) -> dict[str, Pool]:
    """Return a pool for each label in order; those of `labels` even without games."""
    gathered = {label: PoolSums() for label in labels}
    for result in results:
        label = result.label
        if label not in gathered:
            gathered[label] = PoolSums()
        gathered[label].add(result)
    return {label: found.pool() for label, found in sorted(gathered.items())}


class PoolSums:
    """Results as they come in, in some tens of bytes each."""

    def __init__(self) -> None:
        self._entries: dict[str, int] = {}
        """Index by name, in the order of their coming."""
        self._fixtures: list[str] = []
        """One is here again wherever its games do not come one after the other."""
        self._last = ""
        self._tables: dict[int, _Rows] = {}
        """By number of seats."""

    def add(self, result: Result) -> None:
        if result.fixture != self._last or not self._fixtures:
            self._fixtures.append(result.fixture)
            self._last = result.fixture
        size = len(result.seats)
        table = self._tables.get(size)
        if table is None:
            table = self._tables[size] = _Rows(size)
        entries = self._entries
        table.seats.extend([entries.setdefault(x, len(entries)) for x in result.seats])
        table.places.extend(result.places)
        table.forfeits.extend(result.forfeits)
        table.fixtures.append(len(self._fixtures) - 1)
        table.explores.append(result.explores)
        table.add_luck(result.luck)

    def pool(self) -> Pool:
        names = sorted(self._entries)
        entry = np.empty(len(names), np.int32)
        for index, name in enumerate(names):
            entry[self._entries[name]] = index
        clusters, cluster = self._clusters()
        tables = (
            table.arrays(entry, cluster) for _, table in sorted(self._tables.items())
        )
        return Pool(tuple(names), clusters, tuple(tables))

    def _clusters(self) -> tuple[int, Ints]:
        """Return the number of fixtures, and the index of each of `_fixtures`."""
        index = np.empty(len(self._fixtures), np.int64)
        distinct = -1
        last = None
        for i in sorted(range(len(index)), key=self._fixtures.__getitem__):
            if self._fixtures[i] != last:
                last = self._fixtures[i]
                distinct += 1
            index[i] = distinct
        return distinct + 1, index


class _Rows:
    """The `Tables` of a number of seats, while games are added."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.pairs = size * (size - 1) // 2
        self.seats = array("i")
        self.places = array("i")
        self.forfeits = bytearray()
        self.fixtures = array("i")
        self.explores = bytearray()
        self.luck: array[float] | None = None

    def add_luck(self, luck: tuple[float, ...] | None) -> None:
        """Add that of a game that has been counted; there is no array before the first
        of which it is known."""
        if self.luck is None:
            if luck is None:
                return
            self.luck = array("d", [nan]) * (self.pairs * (len(self.fixtures) - 1))
        self.luck.extend((nan,) * self.pairs if luck is None else luck)

    def arrays(self, entry: Ints, cluster: Ints) -> Tables:
        """Return the arrays, with the final index of each entry and fixture."""
        luck = None
        if self.luck is not None:
            found = np.array(self.luck, np.float64).reshape(-1, self.pairs)
            luck = np.rint(found / LUCK_UNIT) * LUCK_UNIT
        explores = np.array(self.explores, np.bool_)
        return Tables(
            entry[np.array(self.seats, np.int32)].reshape(-1, self.size),
            np.array(self.places, np.int32).reshape(-1, self.size),
            np.array(self.forfeits, np.bool_).reshape(-1, self.size),
            cluster[np.array(self.fixtures, np.int32)],
            luck,
            explores if explores.any() else None,
        )


def select(pool: Pool, keep: Iterable[Bools]) -> Pool:
    """Return the games of the pool that are to be kept: a mask for each of its tables.

    Entries that have no game left are gone too.
    """
    tables = tuple(
        Tables._make(None if column is None else column[mask] for column in table)
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


def without_exploring(pool: Pool) -> Pool:
    """Return the games that were planned whatever came of others.

    The pool itself if all were.
    """
    if all(table.explores is None for table in pool.tables):
        return pool
    return select(
        pool,
        [
            np.ones(len(table.seats), np.bool_)
            if table.explores is None
            else ~table.explores
            for table in pool.tables
        ],
    )


def without_forfeits(pool: Pool) -> Pool:
    """Return the fixtures without a forfeit; the pool itself if all are."""
    spoilt = np.zeros(pool.clusters, np.bool_)
    for table in pool.tables:
        spoilt[table.clusters[table.forfeits.any(axis=1)]] = True
    if not spoilt.any():
        return pool
    return select(pool, [~spoilt[table.clusters] for table in pool.tables])


def without_luck(pool: Pool) -> Pool:
    """Return the games as if nothing was known of their luck."""
    return pool._replace(
        tables=tuple(table._replace(luck=None) for table in pool.tables)
    )


@dataclass(frozen=True, slots=True)
class Tally:
    """Wins, losses and points of an entry."""

    games: int
    points: float
    """A sole first place is 1; k who share it have 1/k each; a forfeit has none."""
    wins: int
    draws: int
    losses: int
    forfeits: int


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
    columns = games, points, wins, draws, games - wins - draws, forfeits
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return {name: Tally(*row) for name, row in zip(pool.entries, rows, strict=True)}


def count_fixtures(pool: Pool) -> Ints:
    """Return the number of fixtures of each entry."""
    k = len(pool.entries)
    played = np.zeros((k, max(pool.clusters, 1)), np.bool_)
    for table in pool.tables:
        for seat in table.seats.T:
            played[seat, table.clusters] = True
    found: Ints = played.sum(axis=1)
    return found


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
    """Return the codes in order, each once, and the index there of each of `codes`."""
    if len(codes) and (codes[1:] > codes[:-1]).all():
        return codes, np.arange(len(codes))
    found, index = np.unique(codes, return_inverse=True)
    return found, index


def add_up(index: Ints, amounts: Floats, size: int) -> Floats:
    """Return the sums of the amounts that share an index, for indices below `size`."""
    sums = np.bincount(index, weights=amounts, minlength=size)
    return sums.astype(np.float64, copy=False)

"""One pass over the games of a league: their results, and all else that tables say."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from typing import Any, TypeVar

from msgspec.structs import replace

from arena.errors import RecordError
from arena.league.config.info import LeagueInfo
from arena.league.results.store import Store
from arena.ratings import Result
from arena.ratings.elo.pool import Pool, PoolSums
from arena.records.game_record import Fault, GameRecord
from arena.referee.sandbox import LEVELS
from arena.reports.anonymity import hide_fault
from arena.reports.forfeits import Forfeit
from arena.reports.times import TimesByEntry
from arena.text import counted

Value = TypeVar("Value", bound=Hashable)


class ResultsPass:
    """Yields the result of each game, and keeps its forfeits, times and isolation."""

    def __init__(self, info: LeagueInfo, *, is_anonymous: bool) -> None:
        """Take the league, with its entries under the names that the report has."""
        self.levels: Counter[str] = Counter()
        """Number of games at each isolation level."""
        self.times = TimesByEntry()
        self._info = info
        self._entries = {entry.id: entry for entry in info.entries}
        self._is_anonymous = is_anonymous
        self._forfeits: list[Forfeit] = []
        self._seen: dict[Hashable, Any] = {}

    def results(
        self,
        store: Store,
        games: Iterable[tuple[GameRecord, tuple[float, ...] | None]],
    ) -> Iterator[Result]:
        """Yield the results of games, which come with their luck if it is known.

        Raises:
            RecordError: a game has an entry or label that the league does not have.
        """
        labels = {label.label for label in self._info.labels}
        names = {entry.id: entry.name for entry in self._entries.values()}
        for index, (record, luck) in enumerate(games):
            seats = tuple([names[x] for x in record.seats if x in names])
            if record.label not in labels or len(seats) < len(record.seats):
                raise not_of_this_league(store, record)
            if record.faults:
                self._forfeits.extend(self._forfeits_of(record))
            self.levels[record.isolation] += 1
            self.times.add(record)
            yield Result(
                label=record.label,
                fixture=record.fixture_id,
                seats=seats,
                places=record.places,
                forfeits=record.forfeits,
                luck=luck,
                explores=self._info.explores(index),
            )

    def forfeits(self) -> tuple[Forfeit, ...]:
        """Return the forfeits in the order of the plan.

        That follows the ids of the bots, so where these are hidden it is that of the
        games' ids, which are hashes.
        """
        if not self._is_anonymous:
            return tuple(self._forfeits)
        return tuple(sorted(self._forfeits, key=lambda x: (x.game_id, x.fault.seat)))

    def _forfeits_of(self, record: GameRecord) -> Iterator[Forfeit]:
        for fault in record.faults:
            entry = self._entries[record.seats[fault.seat]]
            others = record.seats[: fault.seat] + record.seats[fault.seat + 1 :]
            yield Forfeit(
                game_id=record.game_id,
                label=record.label,
                bot=entry.name,
                file=entry.file,
                opponents=self._kept_once(tuple(self._entries[x].name for x in others)),
                fault=self._fault(fault),
            )

    def _fault(self, fault: Fault) -> Fault:
        if self._is_anonymous:
            fault = hide_fault(fault)
        texts = {
            "message": self._kept_once(fault.message),
            "traceback": self._kept_once(fault.traceback),
            "output": self._kept_once(fault.output),
        }
        return self._kept_once(replace(fault, **texts))

    def _kept_once(self, value: Value) -> Value:
        """Return the equal of a value that came before, so that memory holds it once.

        A bot that fails in every game fails in the same way, and mostly says the same.
        """
        found: Value = self._seen.setdefault(value, value)
        return found


class GamesSoFar:
    """The games of a league while it is played, each of which is read once.

    Luck is left in their results, and none counts as explored: what rests on that is
    said at the end alone.
    """

    def __init__(self) -> None:
        self._info: LeagueInfo | None = None
        """The league that the rest is of."""
        self._passed: ResultsPass
        self._sums: dict[str, PoolSums]
        self._last: int
        """The number of the last batch that was read."""

    def read(
        self, store: Store, info: LeagueInfo, *, is_anonymous: bool
    ) -> tuple[ResultsPass, dict[str, Pool]]:
        """Return all games, and their results by label.

        Raises:
            RecordError: a game has an entry or label that the league does not have.
        """
        if info != self._info or not self._has_all(store):
            self._passed = ResultsPass(
                replace(info, exploring=None), is_anonymous=is_anonymous
            )
            self._sums = {}
            self._last = -1
            self._add(store)
        self._info = info
        pools = {label: found.pool() for label, found in sorted(self._sums.items())}
        return self._passed, pools

    def _has_all(self, store: Store) -> bool:
        """Add the new games; return False if others are in the plan by now."""
        # Whatever fails now begins anew.
        self._info = None
        self._add(store)
        return self._passed.levels == store.isolations()

    def _add(self, store: Store) -> None:
        games = ((record, None) for record in store.records(after=self._last))
        for result in self._passed.results(store, games):
            self._sums.setdefault(result.label, PoolSums()).add(result)
        self._last = store.last_batch()


def not_of_this_league(store: Store, record: GameRecord) -> RecordError:
    """Return the error for a game of entries or a label that a league has not."""
    return RecordError(
        f"{store.path}: game {record.game_id} is not of this league; "
        "run the league again"
    )


def isolation_of(levels: Counter[str]) -> str:
    """Return the isolation levels of so many games each, from the weakest level."""
    if len(levels) < 2:
        return "".join(levels)
    strength = {level: index for index, level in enumerate(reversed(LEVELS))}
    # Nobody knows how strong a level is that a plugin has brought.
    order = sorted(levels, key=lambda level: (strength.get(level, -1), level))
    return ", ".join(f"{level} ({counted(levels[level], 'game')})" for level in order)

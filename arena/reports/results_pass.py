"""What a report takes from the games, in one pass over all of them."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from msgspec.structs import replace

from arena.errors import RecordError
from arena.league.config.info import EntryInfo, LeagueInfo
from arena.league.results.store import Store
from arena.ratings import Result
from arena.records.game_record import Fault, GameRecord
from arena.referee.sandbox import LEVELS
from arena.reports.anonymity import hide_fault
from arena.reports.times import Stopwatch
from arena.text import counted

Value = TypeVar("Value", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A game that a bot lost by its own fault."""

    game_id: str
    label: str
    bot: str
    file: str
    opponents: tuple[str, ...]
    """The others at the table, in seat order."""
    fault: Fault


class ResultsPass:
    """What is read of the games beside their results."""

    def __init__(self, *, is_anonymous: bool) -> None:
        self.is_anonymous = is_anonymous
        self.forfeits: list[Forfeit] = []
        self._seen: dict[Hashable, Any] = {}
        self.levels: Counter[str] = Counter()
        self.stopwatch = Stopwatch()

    def in_order(self) -> list[Forfeit]:
        """Return the forfeits in the order of the plan.

        That follows the ids of the bots, so where these are hidden it is that of the
        games' ids, which are hashes.
        """
        if not self.is_anonymous:
            return self.forfeits
        return sorted(self.forfeits, key=lambda x: (x.game_id, x.fault.seat))

    def same(self, value: Value) -> Value:
        """Return the equal of a value that came before, so that it is kept but once.

        A bot that fails in every game fails in the same way, and mostly says the same.
        """
        found: Value = self._seen.setdefault(value, value)
        return found


def read_results(
    store: Store, info: LeagueInfo, entries: Mapping[str, EntryInfo], games: ResultsPass
) -> Iterator[Result]:
    """Yield the results of all games that count, and gather all else.

    Raises:
        RecordError: a game has an entry or label that the league does not have.
    """
    labels = {label.label for label in info.labels}
    names = {entry.id: entry.name for entry in entries.values()}
    for place, (record, luck) in enumerate(store.records_with_luck()):
        seats = tuple([names[x] for x in record.seats if x in names])
        if record.label not in labels or len(seats) < len(record.seats):
            raise RecordError(
                f"{store.path}: game {record.game_id} is not of this league; "
                "run the league again"
            )
        if record.faults:
            games.forfeits.extend(_forfeits(record, entries, games))
        games.levels[record.isolation] += 1
        games.stopwatch.add(record)
        yield Result(
            label=record.label,
            fixture=record.fixture_id,
            seats=seats,
            places=record.places,
            forfeits=record.forfeits,
            luck=luck,
            # As long as some of these are missing, those behind them count as earlier
            # than they are: too many explore, never too few.
            explores=(
                info.exploring is not None
                and info.exploring[0] <= place < info.exploring[1]
            ),
        )


def isolation_of(levels: Counter[str]) -> str:
    """Say at which levels so many games were played, from the weakest level."""
    if len(levels) < 2:
        return "".join(levels)
    strength = {level: place for place, level in enumerate(reversed(LEVELS))}
    # Nobody knows how strong a level is that a plugin has brought.
    order = sorted(levels, key=lambda level: (strength.get(level, -1), level))
    return ", ".join(f"{level} ({counted(levels[level], 'game')})" for level in order)


def _forfeits(
    record: GameRecord,
    entries: Mapping[str, EntryInfo],
    games: ResultsPass,
) -> Iterable[Forfeit]:
    for fault in record.faults:
        if games.is_anonymous:
            fault = hide_fault(fault)
        entry = record.seats[fault.seat]
        others = record.seats[: fault.seat] + record.seats[fault.seat + 1 :]
        yield Forfeit(
            game_id=record.game_id,
            label=record.label,
            bot=entries[entry].name,
            file=entries[entry].file,
            opponents=games.same(tuple(entries[other].name for other in others)),
            fault=games.same(
                replace(
                    fault,
                    message=games.same(fault.message),
                    traceback=games.same(fault.traceback),
                    output=games.same(fault.output),
                )
            ),
        )

"""From the games of a results folder to standings under the names people know."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any

from arena.errors import RecordError
from arena.league.store import EntryInfo, LabelInfo, LeagueInfo, Store
from arena.ratings import (
    Crosstable,
    Result,
    Row,
    Standing,
    Standings,
    crosstable,
    standings,
)
from arena.referee.record import Fault, GameRecord
from arena.referee.sandbox import LEVELS
from arena.reports.times import Stopwatch, TimesRow


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedRow(Row):
    """One bot's row of a leaderboard, its numbers as they are printed."""

    rank: int
    bot: str
    file: str
    is_anchor: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRow(RankedRow):
    """One bot's row of the overall leaderboard."""

    per_game: dict[str, RankedRow]
    """By label, in the league's order; a label without games is left out."""


@dataclass(frozen=True, slots=True)
class Board:
    """The leaderboard of one label."""

    label: LabelInfo
    rows: tuple[RankedRow, ...]
    """The bots that have games there, by rank, then by name."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All that the reports say of a league; every bot goes by its display name."""

    league: str
    isolation: str
    """The level of all games; if they differ, all levels from the weakest, each with
    its number of games."""
    anchor: tuple[str, float] | None
    rows: tuple[ReportRow, ...]
    """By rank, then by name."""
    boards: tuple[Board, ...]
    """Of each label, in the league's order."""
    house_rules: tuple[str, ...]
    """Each after the labels where it is in force."""
    crosstables: tuple[tuple[str, Crosstable], ...]
    """Of all games under the title `all`, then of each label; in order of the rows."""
    forfeits: tuple[Forfeit, ...]
    """In the order of the league's plan."""
    times: tuple[TimesRow, ...]
    """Of each bot in the order of the rows, over all its games and by label."""
    refused: tuple[EntryInfo, ...]
    """Entries whose file could not be read, by name."""
    rejected: tuple[tuple[str, str], ...]
    """Files that take no part, and why."""
    planned: int
    played: int
    """Games of those that are planned."""
    unanchored: tuple[str, ...]
    """Labels that the anchor has not played, where the mean is held at its Elo."""
    pools: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]
    """Labels in which games do not link all bots, and the groups that they link."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, in the league's order."""
        return tuple(board.label.label for board in self.boards)

    @property
    def columns(self) -> tuple[str, ...]:
        """The labels whose Elo stands beside the overall one, as a sole one's would
        only repeat it."""
        return self.labels if len(self.boards) > 1 else ()


def read_report(store: Store) -> Report:
    """Rate all games that count and return the standings.

    The order in which the games were recorded makes no difference.

    Raises:
        RecordError: the file is damaged, holds no league, or has a game with an
            entry or label that the league does not have.
    """
    info = store.info()
    entries = {entry.id: entry for entry in info.entries}
    results = []
    forfeits: list[Forfeit] = []
    levels: Counter[str] = Counter()
    stopwatch = Stopwatch()
    labels = tuple(label.label for label in info.labels)
    for record in store.records():
        if record.label not in labels or not entries.keys() >= set(record.seats):
            raise RecordError(
                f"{store.path}: game {record.game_id} is not of this league; "
                "run the league again"
            )
        results.append(
            Result(
                record.label,
                record.fixture_id,
                record.seats,
                record.places,
                record.forfeits,
            )
        )
        forfeits.extend(_forfeits(record, entries))
        levels[record.isolation] += 1
        stopwatch.add(record)
    # A game that nobody has played says nothing about anybody's overall strength.
    with_games = {result.label for result in results}
    rated = [label for label in info.labels if label.label in with_games]
    table = standings(
        results,
        [label.label for label in rated],
        {label.label: label.weight for label in rated},
        info.anchor,
        entries,
    )
    order = sorted(table.rows, key=lambda row: (row.rank, entries[row.entry].name))
    rows = tuple(_row(row, entries[row.entry], info) for row in order)
    planned, played, _ = store.counts()
    return Report(
        league=info.name,
        isolation=_isolation(levels) or info.isolation,
        anchor=_anchor(info, entries),
        rows=rows,
        boards=tuple(_board(label, rows) for label in info.labels),
        house_rules=tuple(info.house_rules()),
        crosstables=_crosstables(results, labels, order, entries),
        forfeits=tuple(forfeits),
        times=tuple(
            stopwatch.rows([entries[r.entry] for r in order], labels, info.move_limit)
        ),
        refused=tuple(
            sorted((e for e in info.entries if e.refused), key=lambda e: e.name)
        ),
        rejected=tuple(sorted(info.rejected)),
        planned=planned,
        played=played,
        unanchored=tuple(
            fit.label
            for fit in table.fits
            if info.anchor and fit.games and not fit.anchored
        ),
        pools=_pools(table, entries),
    )


def _isolation(levels: Counter[str]) -> str:
    if len(levels) < 2:
        return "".join(levels)
    strength = {level: place for place, level in enumerate(reversed(LEVELS))}
    # Nobody knows how strong a level is that a plugin has brought.
    order = sorted(levels, key=lambda level: (strength.get(level, -1), level))
    return ", ".join(
        f"{level} ({levels[level]} game{'s' * (levels[level] > 1)})" for level in order
    )


def _row(row: Standing, entry: EntryInfo, info: LeagueInfo) -> ReportRow:
    who: dict[str, Any] = {
        "bot": entry.name,
        "file": entry.file,
        "is_anchor": info.anchor is not None and info.anchor[0] == entry.id,
    }
    return ReportRow(
        rank=row.rank,
        per_game={
            part.label: RankedRow(rank=part.rank, **who, **_printed(part))
            for part in row.labels
            if part.rank is not None
        },
        **who,
        **_printed(row),
    )


def _board(label: LabelInfo, rows: Iterable[ReportRow]) -> Board:
    parts = (row.per_game.get(label.label) for row in rows)
    ranked = (part for part in parts if part is not None)
    return Board(label, tuple(sorted(ranked, key=lambda row: (row.rank, row.bot))))


def _printed(row: Row) -> dict[str, Any]:
    """Return the numbers of a row: Elo to 0.1, the score to 4 places."""
    numbers = {field.name: getattr(row, field.name) for field in fields(Row)}
    for name in ("elo", "elo_low", "elo_high"):
        numbers[name] = _rounded(numbers[name], 1)
    numbers["score"] = _rounded(numbers["score"], 4)
    return numbers


def _rounded(number: float | None, places: int) -> float | None:
    # Adding zero turns -0.0 into 0.0.
    return None if number is None else round(number, places) + 0.0


def _forfeits(record: GameRecord, entries: dict[str, EntryInfo]) -> Iterable[Forfeit]:
    for fault in record.faults:
        entry = record.seats[fault.seat]
        others = record.seats[: fault.seat] + record.seats[fault.seat + 1 :]
        yield Forfeit(
            game_id=record.game_id,
            label=record.label,
            bot=entries[entry].name,
            file=entries[entry].file,
            opponents=tuple(entries[other].name for other in others),
            fault=fault,
        )


def _anchor(
    info: LeagueInfo, entries: dict[str, EntryInfo]
) -> tuple[str, float] | None:
    if info.anchor is None:
        return None
    entry, elo = info.anchor
    return (entries[entry].name if entry in entries else entry), elo


def _crosstables(
    results: list[Result],
    labels: tuple[str, ...],
    rows: list[Standing],
    entries: dict[str, EntryInfo],
) -> tuple[tuple[str, Crosstable], ...]:
    order = [row.entry for row in rows]
    names = tuple(entries[entry].name for entry in order)
    titles: list[tuple[str, str | None]] = [("all", None)]
    titles += [(label, label) for label in labels]
    return tuple(
        (title, replace(crosstable(results, label, order), entries=names))
        for title, label in titles
    )


def _pools(
    table: Standings, entries: dict[str, EntryInfo]
) -> tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]:
    return tuple(
        (
            fit.label,
            tuple(
                sorted(
                    tuple(sorted(entries[entry].name for entry in group))
                    for group in fit.components
                )
            ),
        )
        for fit in table.fits
        if len(fit.components) > 1
    )

"""What the live page says of a league: how far it is, who stands where, who moves.

Nothing here is sure before the end: the tables are those of this moment.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.reports.live.process import LeagueState
from arena.reports.report import RankedRow, Report
from arena.reports.tables.columns import elo_of, others_title, possible_places, range_of
from arena.reports.tables.verdict import SEE_PLACES, verdict
from arena.text import called

_MOST_ROWS = 60
"""Of a table; a projector shows no more."""
_ROWS_OF_COLUMNS = (18, 40)
"""Up to so many rows they stand in one column, or in two; more in three."""
_MOST_MOVES = 4
_WHOLE_CHARS = 18
"""The letters of a name for whose sake all may be smaller."""
_CELL_CHARS = 6
"""Of a number with what is around it."""


@dataclass(frozen=True, slots=True)
class LiveRow:
    """One bot on the board."""

    place: int | None
    bot: str
    elo: str
    at: int | None
    """Where its Elo lies between the lowest of the table, 0, and the highest, 100."""
    places: str
    """Those that it may have; empty before the end."""
    games: int
    forfeits: int
    up: int
    """Places up since a while ago, or down if negative."""
    above: str
    """What stands above it; mostly nothing."""


@dataclass(frozen=True, slots=True)
class LiveTable:
    """A table, its rows in columns that stand beside each other."""

    title: str
    columns: tuple[tuple[LiveRow, ...], ...]
    more: int
    """Bots that are not shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveBoard:
    """All that the page says but for the game to watch."""

    league: str
    state: LeagueState
    played: int
    planned: int
    is_open: bool
    """True if fewer games may be enough."""
    labels: tuple[tuple[str, int], ...]
    """The games that were played, by label; if there are several."""
    left: str
    """The time that is left; empty if nobody knows."""
    verdict: tuple[str, ...]
    """Who is best, once the league is over."""
    tables: tuple[LiveTable, ...]
    moves: tuple[str, ...]
    """Who has moved up, the one that moved most first."""
    is_anonymous: bool
    is_secretive: bool
    """True if nothing is said of bots before the end, as it would tell who has changed
    his."""

    @property
    def _shown(self) -> list[LiveRow]:
        """The rows of all tables."""
        return [
            row for table in self.tables for column in table.columns for row in column
        ]

    @property
    def has_forfeits(self) -> bool:
        """True if a bot of the tables has forfeited a game."""
        return any(row.forfeits for row in self._shown)

    @property
    def has_games(self) -> bool:
        """True if the number of games tells bots apart, as long as some are missing."""
        return len({row.games for row in self._shown}) > 1

    @property
    def chars(self) -> int:
        """About how many characters wide a column of the tables is, names whole."""
        rows = self._shown
        name = max((len(row.bot) for row in rows), default=0)
        elo = max((len(row.elo) for row in rows), default=0)
        # Place, arrow, places, games and forfeits, with what is between the columns.
        others = [True, self.moves, self.verdict, self.has_games, self.has_forfeits]
        return (
            min(name, _WHOLE_CHARS) + elo + sum(_CELL_CHARS * bool(x) for x in others)
        )

    @property
    def columns(self) -> int:
        """The columns of tables that stand beside each other, three at the most."""
        return min(3, sum(len(table.columns) for table in self.tables))

    @property
    def rows(self) -> int:
        """The rows of the longest column, with what stands above some."""
        return max(
            (
                len(rows) + sum(bool(row.above) for row in rows)
                for table in self.tables
                for rows in table.columns
            ),
            default=0,
        )

    @property
    def said(self) -> str:
        """The news in a sentence or two, for who hears the page."""
        told = f"{self.played:,} of {self.planned:,} games are played."
        for table in self.tables[:1]:
            (first, *_), *_ = table.columns
            if first.place is not None:
                told += f" First: {called(first.bot)}."
        return told + "".join(f" {move}." for move in self.moves[:1])


Places = Mapping[tuple[str, str], int]
"""The place of each bot in each table, by title and name."""


def places_of(report: Report) -> dict[tuple[str, str], int]:
    """Return who stands where, to compare with later."""
    return {
        (title, row.bot): row.rank
        for title, rows in _tables(report)
        for row in rows
        if row.rank is not None
    }


def board_of(
    report: Report,
    state: LeagueState,
    before: Places,
    *,
    left: str,
    is_open: bool,
    is_anonymous: bool,
    is_secretive: bool,
) -> LiveBoard:
    """Return what the page says; `before` are the places of a while ago.

    Under aliases it says nothing that changes with who was changed: no number of games,
    and no move.
    """
    is_secretive = is_secretive and state != LeagueState.FINISHED
    before = {} if is_anonymous or state != LeagueState.PLAYING else before
    tables = () if is_secretive else _tables(report)
    counts = [
        (board.label.label, sum(row.games for row in board.rows) // board.label.players)
        for board in report.boards
    ]
    return LiveBoard(
        league=report.league,
        state=state,
        played=report.played,
        planned=report.planned,
        is_open=is_open,
        labels=tuple(counts) if len(counts) > 1 and not is_secretive else (),
        left=left,
        verdict=_verdict(report) if state == LeagueState.FINISHED else (),
        tables=tuple(
            _table(title, rows, before, state, is_anonymous=is_anonymous)
            for title, rows in tables
        ),
        moves=_moves(report, before),
        is_anonymous=is_anonymous,
        is_secretive=is_secretive,
    )


def _verdict(report: Report) -> tuple[str, ...]:
    return tuple(line for line in verdict(report) if line != SEE_PLACES)


def _tables(report: Report) -> list[tuple[str, Sequence[RankedRow]]]:
    """Return the table of all games with its title, or those of the labels.

    The labels are played one after the other, so before all of them have games no bot
    is ranked for long; the one that is played now comes first.
    """
    with_games = [board for board in report.boards if board.rows]
    if report.has_overall and len(with_games) == len(report.boards):
        return [("", report.rows)]
    return [
        (board.label.label + (f", group {i}" if len(board.pools) > 1 else ""), rows)
        for board in reversed(with_games)
        for i, rows in enumerate(board.pools, 1)
    ]


def _table(
    title: str,
    rows: Sequence[RankedRow],
    before: Places,
    state: LeagueState,
    *,
    is_anonymous: bool,
) -> LiveTable:
    elos = [row.elo for row in rows if row.elo is not None and not _is_open(row)]
    low, span = min(elos, default=0.0), max(elos, default=0.0) - min(elos, default=0.0)
    ranked = sum(row.rank is not None for row in rows)

    def live(index: int, row: RankedRow) -> LiveRow:
        is_drawn = row.elo is not None and not _is_open(row)
        share = (row.elo - low) / span if row.elo is not None and span else 1.0
        was = before.get((title, row.bot), row.rank)
        return LiveRow(
            place=row.rank,
            bot=row.bot,
            elo=elo_of(row) if state == LeagueState.FINISHED else _elo(row),
            at=round(100 * share) if is_drawn else None,
            places=possible_places(row) if state == LeagueState.FINISHED else "",
            games=0 if is_anonymous else row.games,
            forfeits=0 if is_anonymous else row.forfeits,
            up=0 if was is None or row.rank is None else was - row.rank,
            above=others_title(rows[ranked:]) if ranked and index == ranked else "",
        )

    shown = [live(index, row) for index, row in enumerate(rows[:_MOST_ROWS])]
    columns = 1 + sum(len(shown) > most for most in _ROWS_OF_COLUMNS)
    length = -(-len(shown) // columns)
    return LiveTable(
        title,
        tuple(tuple(shown[i : i + length]) for i in range(0, len(shown), length)),
        len(rows) - len(shown),
    )


def _is_open(row: RankedRow) -> bool:
    return row.open_above or row.open_below


def _elo(row: RankedRow) -> str:
    """Return an Elo without its range, which holds at the end of a league alone."""
    if row.elo is None or _is_open(row):
        return range_of(row)
    return f"{row.elo:.0f}"


def _moves(report: Report, before: Places) -> tuple[str, ...]:
    """Return who has moved up, from where to where; who moved most comes first."""
    up = [
        (key, before[key], place)
        for key, place in places_of(report).items()
        if before.get(key, place) > place
    ]
    up.sort(key=lambda x: (x[2] - x[1], x[2], x[0]))
    return tuple(
        f"{title + ': ' if title else ''}{called(bot)}, place {old} → {new}"
        for (title, bot), old, new in up[:_MOST_MOVES]
    )

"""Leaderboards on a page: all columns as the terminal has them, and drawn ranges."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.reports.pages.charts import Axis, Interval, elo_axis, interval
from arena.reports.report import Board, RankedRow, Report
from arena.reports.tables.columns import Column, Table, nash_weights, table_of


@dataclass(frozen=True, slots=True)
class Chart:
    """Elo and ranges of some rows on one axis."""

    axis: Axis
    intervals: tuple[Interval | None, ...]
    has_adjusted: bool
    has_beyond: bool
    """True if some Elo lies before the axis begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardTable:
    """A leaderboard and its drawing; rows are in the order of the table's cells."""

    title: str
    rows: tuple[RankedRow, ...]
    table: Table
    chart: Chart

    @property
    def columns(self) -> tuple[Column, ...]:
        """All but rank, name and drawing."""
        return self.table.columns


@dataclass(frozen=True, slots=True)
class LabelColumn:
    """The Elo of the overall rows in one label; None where a bot does not play it."""

    label: str
    elo: tuple[float | None, ...]
    chart: Chart


def chart_of(rows: Sequence[RankedRow | None]) -> Chart:
    """Return the drawing of these rows; None leaves a line empty."""
    known = [row for row in rows if row is not None]
    axis = elo_axis(known)
    intervals = tuple(None if row is None else interval(axis, row) for row in rows)
    return Chart(
        axis,
        intervals,
        any(row.adjusted_elo is not None for row in known),
        any(x is not None and x.beyond for x in intervals),
    )


def board_table(
    title: str, rows: Sequence[RankedRow], nash: Mapping[str, float] | None = None
) -> BoardTable:
    """Return a leaderboard of these rows."""
    return BoardTable(
        title=title, rows=tuple(rows), table=table_of(rows, nash), chart=chart_of(rows)
    )


def overall_tables(report: Report) -> list[BoardTable]:
    """Return the first table of a league: one, unless its sole game is in groups."""
    if len(report.boards) == 1:
        (board,) = report.boards
        if len(board.pools) > 1:
            return label_tables(board)
        return [board_table("Leaderboard", report.rows, nash_weights(board))]
    return [board_table("Leaderboard", report.rows)]


def label_tables(board: Board) -> list[BoardTable]:
    """Return a table for each group of bots that the games of a label link."""
    if not board.rows:
        return []
    label = board.label.label
    if len(board.pools) == 1:
        return [board_table(label, board.rows, nash_weights(board))]
    return [
        board_table(f"{label}: group {i} of {len(board.pools)}", rows)
        for i, rows in enumerate(board.pools, 1)
    ]


def label_columns(report: Report) -> list[LabelColumn]:
    """Return the Elo of all bots in each label, if there are several."""
    columns = []
    for label in report.columns:
        rows = [row.per_game.get(label) for row in report.rows]
        elo = tuple(None if row is None else row.elo for row in rows)
        columns.append(LabelColumn(label, elo, chart_of(rows)))
    return columns

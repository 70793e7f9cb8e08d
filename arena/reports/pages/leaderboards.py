"""Leaderboards on a page: all columns as the terminal has them, and drawn ranges."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from arena.reports.changes import TITLE, changes
from arena.reports.forfeits import count_not_played
from arena.reports.games import Games
from arena.reports.highlights import Highlight, Reason
from arena.reports.pages.charts import Interval, interval
from arena.reports.pages.site import Site
from arena.reports.report import Board, RankedRow, Report, ReportRow
from arena.reports.tables.columns import (
    Column,
    RankedTable,
    nash_weights,
    other_places,
    others_title,
    place_in,
    table_of,
)
from arena.reports.tables.elo_axis import Axis, elo_axis
from arena.reports.tables.legend import full_legend
from arena.reports.tables.notes import cycles, seats, warnings
from arena.reports.tables.verdict import faults, verdict

_MOST_HIGHLIGHTS = 8
"""Of a kind, on the first page."""
_KINDS = (
    (Reason.CLOSEST, "The closest"),
    (Reason.UPSET, "The biggest upsets"),
    (Reason.LONGEST, "The longest"),
    (Reason.FORFEIT, "Forfeits"),
)


@dataclass(frozen=True, slots=True)
class Chart:
    """Elo and ranges of some rows on one axis."""

    axis: Axis
    intervals: tuple[Interval | None, ...]
    has_results: bool
    has_open: bool
    """True if some range has an end that is not known."""
    has_vague: bool
    """True if there are too few games for some range."""
    has_beyond: bool
    """True if some Elo lies before the axis begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardTable:
    """A leaderboard and its drawing; rows are in the order of the table's cells."""

    title: str
    rows: tuple[RankedRow, ...]
    table: RankedTable
    chart: Chart

    @property
    def parts(self) -> tuple[tuple[int, int, str], ...]:
        """The rows that are ranked and the others: from, to, and what stands above."""
        ranked, rows = self.table.ranked, len(self.rows)
        found = [(0, ranked, ""), (ranked, rows, self.table.others)]
        return tuple(part for part in found if part[0] < part[1])


def chart_of(rows: Sequence[RankedRow]) -> Chart:
    """Return the drawing of these rows."""
    known = [row for row in rows if row.elo is not None]
    axis = elo_axis(known)
    intervals = tuple(interval(axis, row) for row in rows)
    return Chart(
        axis,
        intervals,
        any(row.results_elo is not None for row in known),
        any(x is not None and (x.open_above or x.open_below) for x in intervals),
        any(x is not None and x.is_vague for x in intervals),
        any(x is not None and x.beyond for x in intervals),
    )


def board_table(
    title: str,
    rows: Sequence[RankedRow],
    nash: Mapping[str, float] | None = None,
    places: Sequence[tuple[str, ...]] = (),
) -> BoardTable:
    """Return a leaderboard of these rows; `nash` and `places` are as in `table_of`."""
    return BoardTable(
        title=title,
        rows=tuple(rows),
        table=table_of(rows, nash, places=places),
        chart=chart_of(rows),
    )


def games_table(row: ReportRow) -> BoardTable:
    """Return the first columns of a bot's rows in the games that it plays.

    All others are in the leaderboards of these games.
    """
    board = board_table("Elo by game", list(row.per_game.values()))
    drawn = (x and replace(x, results=None) for x in board.chart.intervals)
    return replace(
        board,
        table=replace(board.table, columns=board.table.shown(())),
        chart=replace(board.chart, intervals=tuple(drawn), has_results=False),
    )


def overall_tables(report: Report) -> list[BoardTable]:
    """Return the first tables of a league: one, unless its sole game is in groups.

    Those of all games if there is no overall table.
    """
    if len(report.boards) == 1:
        (board,) = report.boards
        if len(board.pools) > 1:
            return label_tables(board)
        return [board_table("Leaderboard", report.rows, nash_weights(board))]
    if not report.has_overall:
        return [table for board in report.boards for table in label_tables(board)]
    return [board_table("Leaderboard", report.rows, None, other_places(report))]


def label_tables(board: Board) -> list[BoardTable]:
    """Return a table for each group of bots that the games of a label link."""
    label, count = board.label.label, len(board.pools)
    if count == 1:
        return [board_table(label, board.rows, nash_weights(board))]
    return [
        board_table(f"{label}: group {i} of {count}", rows)
        for i, rows in enumerate(board.pools, 1)
    ]


def label_charts(report: Report) -> dict[str, dict[str, Interval | None]]:
    """Return the drawing of each bot in each label that it plays, if there are several.

    Each label has an axis of its own.
    """
    found: dict[str, dict[str, Interval | None]] = {}
    for board in report.boards if report.columns else ():
        rows = board.rows
        drawn = chart_of(rows).intervals
        found[board.label.label] = {
            row.bot: x for row, x in zip(rows, drawn, strict=True)
        }
    return found


def columns_of(boards: Iterable[BoardTable]) -> list[Column]:
    """Return the columns of some tables, each once: first those always there."""
    found: dict[str, Column] = {}
    for board in boards:
        for column in board.table.columns:
            found.setdefault(column.title, column)
    return sorted(found.values(), key=lambda column: column.is_extra)


def write_leaderboards(site: Site, games: Games) -> None:
    """Write `index.html`, and `labels.html` if there are several labels."""
    report = site.report
    boards = overall_tables(report)
    site.write(
        "index.html",
        "index.html",
        "Leaderboard",
        verdict=verdict(report),
        faults=faults(
            report,
            examples=not report.is_anonymous,
            all_in="the page of faults",
        ),
        failing=len({forfeit.bot for forfeit in report.forfeits}),
        not_played=count_not_played(report.forfeits),
        changes_title=TITLE,
        changes=changes(report),
        boards=boards,
        columns=columns_of(boards),
        by_game=_by_game(report),
        label_charts=label_charts(report),
        warnings=warnings(report),
        highlights=_highlights(games),
        seats=seats(report),
        cycles=cycles(report),
    )
    if report.columns:
        sections = [
            {
                "anchor": f"game-{i}",
                "crosstable": f"crosstable-{i}.html",
                "title": board.label.label,
                "about": board.label.description,
                "house_rules": board.label.house_rules,
                "boards": label_tables(board),
            }
            for i, board in enumerate(report.boards, 1)
        ]
        site.write(
            "labels.html",
            "labels.html",
            "By game",
            sections=sections,
            columns=columns_of(
                board for x in report.boards for board in label_tables(x)
            ),
        )


def write_how_page(site: Site) -> None:
    """Write `how.html`: where the numbers come from, with all that proves it."""
    legend = full_legend(site.report, "a rule", "The page of faults")
    site.write("how.html", "how.html", "How these numbers are made", legend=legend)


def _by_game(report: Report) -> list[tuple[str, list[tuple[ReportRow, list[str]]]]]:
    """Return the rows with their places in each game, in parts as a leaderboard's."""
    if not report.columns:
        return []
    lines = [
        (row, [place_in(board, row) for board in report.boards]) for row in report.rows
    ]
    ranked = [line for line in lines if line[0].rank is not None]
    if not ranked:
        return [("", lines)]
    others = lines[len(ranked) :]
    title = others_title([row for row, _ in others])
    return [("", ranked), (title, others)] if others else [("", ranked)]


def _highlights(games: Games) -> list[tuple[str, list[Highlight], bool]]:
    """Return highlights by kind: title, games, True if they are forfeits."""
    found = []
    for reason, title in _KINDS:
        own = [x for x in games.highlights if x.reason is reason]
        is_forfeit = reason is Reason.FORFEIT
        if is_forfeit:
            # One of each bot says more than many of one.
            firsts: dict[str | None, Highlight] = {}
            for highlight in own:
                firsts.setdefault(highlight.bot, highlight)
            own = list(firsts.values())
        if own:
            found.append((title, own[:_MOST_HIGHLIGHTS], is_forfeit))
    return found

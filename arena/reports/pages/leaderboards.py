"""Leaderboards on a page: all columns as the terminal has them, and drawn ranges."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.reports.games import Games
from arena.reports.highlights import Highlight, Reason
from arena.reports.pages.charts import Axis, Interval, elo_axis, interval
from arena.reports.pages.site import Site
from arena.reports.report import Board, RankedRow, Report
from arena.reports.tables.columns import RankedTable, nash_weights, table_of
from arena.reports.tables.legend import full_legend
from arena.reports.tables.notes import cycles, seats, warnings

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
    has_beyond: bool
    """True if some Elo lies before the axis begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardTable:
    """A leaderboard and its drawing; rows are in the order of the table's cells."""

    title: str
    rows: tuple[RankedRow, ...]
    table: RankedTable
    chart: Chart


def chart_of(rows: Sequence[RankedRow | None]) -> Chart:
    """Return the drawing of these rows; None leaves a line empty."""
    known = [row for row in rows if row is not None]
    axis = elo_axis(known)
    intervals = tuple(None if row is None else interval(axis, row) for row in rows)
    return Chart(
        axis,
        intervals,
        any(row.results_elo is not None for row in known),
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
    label, count = board.label.label, len(board.pools)
    if count == 1:
        return [board_table(label, board.rows, nash_weights(board))]
    return [
        board_table(f"{label}: group {i} of {count}", rows)
        for i, rows in enumerate(board.pools, 1)
    ]


def label_charts(report: Report) -> dict[str, Chart]:
    """Return the drawing of all bots in each label, if there are several."""
    return {
        label: chart_of([row.per_game.get(label) for row in report.rows])
        for label in report.columns
    }


def write_leaderboards(site: Site, games: Games) -> None:
    """Write `index.html`, and `labels.html` if there are several labels."""
    report = site.report
    site.write(
        "index.html",
        "index.html",
        "Leaderboard",
        boards=overall_tables(report),
        label_charts=label_charts(report),
        warnings=warnings(report),
        highlights=_highlights(games),
        seats=seats(report),
        cycles=cycles(report),
        legend=full_legend(report, "a rule", "The page of faults"),
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
        site.write("labels.html", "labels.html", "By game", sections=sections)


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

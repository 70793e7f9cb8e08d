"""Crosstables as heat maps."""

from dataclasses import dataclass

from arena.ratings import Crosstable
from arena.reports.pages.site import Site
from arena.reports.report import RankedRow, Report
from arena.text import counted

_FIRST_PAGE = "crosstable.html"
_SHADES = 10
_MAX_BOTS_WITH_NOTES = 150
"""With more bots a cell has its score only: notes take room."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The score of a row against a column."""

    text: str
    """In percent; empty where they never met."""
    shade: int
    """From 0, all lost, to 10, all won."""
    is_sure: bool
    """True if more than luck keeps it from one half."""
    note: str


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A crosstable; rows and columns are bots by rank."""

    page: str
    """Its path, relative to the report."""
    title: str
    bots: tuple[str, ...]
    cells: tuple[tuple[Cell | None, ...], ...]
    """None where a bot would meet itself."""

    @property
    def has_notes(self) -> bool:
        """True if each cell says more than its score."""
        return len(self.bots) <= _MAX_BOTS_WITH_NOTES


def heat_maps(report: Report) -> list[HeatMap]:
    """Return the crosstable of all games, then that of each label, if there are some.

    A league of one label has but one.
    """
    maps = []
    if report.columns:
        maps.append(_heat_map(_FIRST_PAGE, "All games", report.crosstable, report.rows))
    for i, board in enumerate(report.boards, 1):
        if board.crosstable is not None:
            page = f"crosstable-{i}.html" if report.columns else _FIRST_PAGE
            title = board.label.label
            maps.append(_heat_map(page, title, board.crosstable, board.rows))
    return maps


def _heat_map(
    page: str, title: str, table: Crosstable, rows: tuple[RankedRow, ...]
) -> HeatMap:
    index = {bot: i for i, bot in enumerate(table.entries)}
    bots = tuple(row.bot for row in rows)
    order = [index[bot] for bot in bots]
    return HeatMap(
        page,
        title,
        bots,
        tuple(
            tuple(None if i == j else _cell(table, i, j) for j in order) for i in order
        ),
    )


def _cell(table: Crosstable, i: int, j: int) -> Cell:
    score = table.score[i][j]
    if score is None:
        return Cell("", 0, False, "never met")
    has_notes = len(table.entries) <= _MAX_BOTS_WITH_NOTES
    return Cell(
        f"{100 * score:.0f}",
        round(_SHADES * score),
        table.is_better(i, j) or table.is_better(j, i),
        _note(table, i, j) if has_notes else "",
    )


def _note(table: Crosstable, i: int, j: int) -> str:
    """Return the number of games of a score, and its range."""
    games = table.games[i][j]
    notes = [counted(games, "game")]
    low, high = table.low[i][j], table.high[i][j]
    if low is not None and high is not None:
        notes.append(f"95 % range {100 * low:.0f} to {100 * high:.0f}")
    if table.adjusted is not None:
        adjusted = table.adjusted.score[i][j]
        if adjusted is not None:
            notes.append(f"{100 * adjusted:.0f} without luck")
    return ", ".join(notes)


def write_crosstables(site: Site) -> None:
    """Write the page of each crosstable."""
    maps = heat_maps(site.report)
    if not maps:
        site.write(_FIRST_PAGE, "crosstable.html", "Crosstable", map=None, maps=maps)
    for found in maps:
        title = f"Crosstable of {found.title}" if found is not maps[0] else "Crosstable"
        site.write(found.page, "crosstable.html", title, map=found, maps=maps)

"""Who scored how much against whom, as a heat map."""

from dataclasses import dataclass

from arena.ratings import Crosstable
from arena.reports.report import RankedRow, Report

_SHADES = 10


@dataclass(frozen=True, slots=True)
class Cell:
    """The score of a row against a column."""

    text: str
    """In percent; empty where they never met."""
    shade: int
    """From 0, all lost, to 10, all won."""
    is_sure: bool
    """Whether it is more than luck that it is not one half."""
    note: str


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A crosstable; rows and columns are bots by rank."""

    anchor: str
    """What its place on the page is called."""
    title: str
    bots: tuple[str, ...]
    cells: tuple[tuple[Cell | None, ...], ...]
    """None where a bot would meet itself."""


def heat_maps(report: Report) -> list[HeatMap]:
    """Return the crosstable of all games, then that of each label, if there are some.

    A league of one label has but one.
    """
    maps = []
    if report.columns:
        maps.append(_heat_map("all", "All games", report.crosstable, report.rows))
    for i, board in enumerate(report.boards, 1):
        if board.crosstable is not None:
            title = board.label.label
            maps.append(_heat_map(f"game-{i}", title, board.crosstable, board.rows))
    return maps


def _heat_map(
    anchor: str, title: str, table: Crosstable, rows: tuple[RankedRow, ...]
) -> HeatMap:
    place = {bot: i for i, bot in enumerate(table.entries)}
    bots = tuple(row.bot for row in rows)
    order = [place[bot] for bot in bots]
    return HeatMap(
        anchor,
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
    games = table.games[i][j]
    notes = [f"{games} game{'s' * (games > 1)}"]
    low, high = table.low[i][j], table.high[i][j]
    if low is not None and high is not None:
        notes.append(f"95 % range {100 * low:.0f} to {100 * high:.0f}")
    if table.adjusted is not None:
        adjusted = table.adjusted.score[i][j]
        if adjusted is not None:
            notes.append(f"{100 * adjusted:.0f} without luck")
    return Cell(
        f"{100 * score:.0f}",
        round(_SHADES * score),
        table.is_better(i, j) or table.is_better(j, i),
        ", ".join(notes),
    )

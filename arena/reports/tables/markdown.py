"""The leaderboard as a page for GitHub and everything else that reads Markdown."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from arena.reports.changes import TITLE as CHANGES
from arena.reports.changes import changes
from arena.reports.forfeits import forfeit_summary, quarantined
from arena.reports.report import Board, Report
from arena.reports.tables.columns import (
    PLACES,
    Column,
    RankedTable,
    label_columns,
    nash_weights,
    other_places,
    table_of,
)
from arena.reports.tables.legend import full_legend, short_legend
from arena.reports.tables.notes import (
    ODDITIES,
    cycles,
    oddities,
    seats,
    warnings,
)
from arena.reports.tables.verdict import faults, verdict
from arena.text import behind, one_line

_MARKUP = re.compile(r"[\\`*\[\]<>|~&#$]|\b_+|_+\b|^[+-]|^\d{1,9}[.)](?=\s|$)")
"""Characters that would not be shown as they are; an underscore inside of a word
would.  The last ones would begin a list."""
_LINK = re.compile(
    r"(?<=@)|(?<=[#%~])(?=\w)|(?<=[!$&])(?=\d)|(?<=\bgh-)(?=\d)|(?<=\bwww)(?=\.)"
    r"|(?<=:)(?=//|[\w+-]+:)",
    re.IGNORECASE,
)
"""Places inside of what a page makes a link or a small picture of by itself, escaped or
not: an address, a person, an issue, `:+1:`."""
_APART = "\u200b"
"""A character without width, which takes such a link apart."""
_RULE = "an empty line"
_MAX_CROSSTABLE_BOTS = 20
"""With more, a label has no crosstable on the page."""


def leaderboard_md(report: Report) -> str:
    """Return the verdict, the leaderboard in few columns, and below it all the rest.

    A league of one label has but one table, with what is played above it.
    """
    sole = report.boards[0] if len(report.boards) == 1 else None
    tables = _first_tables(report)
    first, *others = map(_escaped, verdict(report))
    parts = [
        f"# {_escaped(report.league)}",
        *(_about(sole, named=True) if sole is not None else ()),
        "  \n".join([f"**{first}**", *others]),
        *_titled(CHANGES, changes(report)),
        *_titled("Forfeits", faults(report, examples=False)),
    ]
    for title, table in tables:
        parts += [*title, _table(table, table.shown(()))]
    if tables:
        shown = [column for _, table in tables for column in table.shown(())]
        parts += _items(short_legend(report, shown, _RULE))
    # They weaken the first table, and many labels would push them out of sight.
    parts += _list("Warnings", warnings(report))
    parts += _list(ODDITIES, oddities(report))
    parts += _all_columns(tables, _crosstable(sole) if sole is not None else [])
    if sole is None:
        for board in report.boards:
            parts += _section(board)
    parts += _list("Seat advantage over the first seat", seats(report))
    parts += _list("Who beats whom", cycles(report))
    parts += _list("How to read it", full_legend(report, _RULE, "faults.csv"))
    parts += _list(
        "Forfeits", forfeit_summary(report.forfeits) + quarantined(report.forfeits)
    )
    parts += _list(
        "Bots that could not be read",
        (
            f"{entry.name} ({entry.file}): {behind(entry.file, entry.refused)}"
            for entry in report.refused
        ),
    )
    parts += _list(
        "Files that take no part",
        (f"{file}: {behind(file, reason)}" for file, reason in report.rejected),
    )
    return "\n\n".join(parts) + "\n"


def _first_tables(report: Report) -> list[tuple[list[str], RankedTable]]:
    """Return the tables over all games, each with what stands above it."""
    if not report.rows or not report.has_overall:
        return []
    if len(report.boards) > 1:
        places = other_places(report)
        return [([], table_of(report.rows, None, label_columns(report), places))]
    (board,) = report.boards
    if len(board.pools) > 1:
        return _board_tables(board)
    return [([], table_of(report.rows, nash_weights(board)))]


def _board_tables(board: Board) -> list[tuple[list[str], RankedTable]]:
    """Return a table for each group of bots that games link, with its title."""
    count = len(board.pools)
    if count == 1:
        return [([], table_of(board.rows, nash_weights(board)))]
    return [
        ([f"Group {i} of {count}:"], table_of(rows, None))
        for i, rows in enumerate(board.pools, 1)
    ]


def _section(board: Board) -> list[str]:
    parts = [f"## {_escaped(board.label.label)}", *_about(board, named=False)]
    if not board.rows:
        return [*parts, "No games yet."]
    tables = _board_tables(board)
    for title, table in tables:
        parts += [*title, _table(table, table.shown(()))]
    return [*parts, *_all_columns(tables, _crosstable(board))]


def _all_columns(
    tables: Sequence[tuple[list[str], RankedTable]], crosstable: Sequence[str]
) -> list[str]:
    """Return tables in all their columns, and a crosstable, which open on demand."""
    if not tables:
        return []
    parts = [
        "<details>",
        f"<summary>All columns{', and who beats whom' * bool(crosstable)}</summary>",
    ]
    for title, table in tables:
        parts += [*title, _table(table, table.columns)]
    return [*parts, *crosstable, "</details>"]


def _about(board: Board, *, named: bool) -> list[str]:
    label = board.label
    name = f"{label.label}: " if named else ""
    return [
        _escaped(f"{name}{label.description}"),
        *(f"**House rule:** {_escaped(rule)}" for rule in label.house_rules),
    ]


def _table(table: RankedTable, more: Sequence[Column]) -> str:
    bots = replace(table.bots, cells=tuple(map(_escaped, table.bots.cells)))
    more = [replace(column, title=_escaped(column.title)) for column in more]
    columns = [table.ranks, bots, *(_with_places(table, x) for x in more)]
    lines = list(zip(*(column.cells for column in columns), strict=True))
    empty = ("",) * len(columns)
    if table.others:
        lines.insert(table.ranked, ("", f"*{table.others}*", *empty[2:]))
    for row in reversed(table.breaks):
        lines.insert(row, empty)
    return _lines([column.title for column in columns], lines)


def _with_places(table: RankedTable, column: Column) -> Column:
    """Return a column, in which those of places tell also of those elsewhere."""
    if column.title != PLACES:
        return column
    pairs = zip(column.cells, table.places, strict=True)
    return replace(
        column, cells=tuple(cell or _escaped(", ".join(x)) for cell, x in pairs)
    )


def _crosstable(board: Board) -> list[str]:
    """Return the crosstable of a label with its caption, if it fits on a page."""
    table = board.crosstable
    rows = board.rows
    if table is None or not 2 <= len(rows) <= _MAX_CROSSTABLE_BOTS:
        return []
    index = {bot: i for i, bot in enumerate(table.entries)}
    order = [index[row.bot] for row in rows]

    def cell(i: int, j: int) -> str:
        score = table.score[i][j]
        if score is None:
            return ""
        is_sure = table.is_better(i, j) or table.is_better(j, i)
        return f"**{100 * score:.0f}**" if is_sure else f"{100 * score:.0f}"

    lines = [
        [str(n), _escaped(row.bot), *(cell(i, j) for j in order)]
        for n, (row, i) in enumerate(zip(rows, order, strict=True), 1)
    ]
    return [
        "Who scored how much against whom, in percent: the row against the column. Bold"
        " where more than luck, at 95 % for each cell by itself; of twenty cells of "
        "equal bots, one will be bold too.",
        _lines(["", "Bot", *map(str, range(1, len(rows) + 1))], lines),
    ]


def _lines(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    align = ["--:", ":--", *["--:"] * (len(header) - 2)]
    return "\n".join(_line(cells) for cells in (header, align, *rows))


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _list(title: str, items: Iterable[str]) -> list[str]:
    found = _items(items)
    return [f"## {title}", *found] if found else []


def _titled(title: str, items: Iterable[str]) -> list[str]:
    found = _items(items)
    return [f"{title}:", *found] if found else []


def _items(items: Iterable[str]) -> list[str]:
    lines = [f"- {_escaped(item)}" for item in items]
    return ["\n".join(lines)] if lines else []


def _escaped(text: str) -> str:
    text = _LINK.sub(_APART, one_line(text))
    text = _MARKUP.sub(lambda found: re.sub(r"([\W_])", r"\\\1", found[0]), text)
    return text.replace(_APART, f"&#{ord(_APART)};")

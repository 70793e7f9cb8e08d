"""The leaderboard in a terminal."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text
from tabulate import SEPARATING_LINE, tabulate

from arena.reports.forfeits import forfeit_summary
from arena.reports.report import Board, Report
from arena.reports.tables.columns import (
    Column,
    RankedTable,
    label_columns,
    nash_weights,
    table_of,
)
from arena.reports.tables.legend import short_legend
from arena.reports.tables.notes import (
    ODDITIES,
    cycles,
    no_overall,
    oddities,
    seats,
    warnings,
)
from arena.reports.tables.short_names import shortened
from arena.text import behind, one_line

# Widths in characters of a terminal.
_MIN_NAME_CHARS = 8
_GOOD_NAME_CHARS = 14
"""Up to this, a longer name is better than another column of numbers."""
_MAX_LABEL_CHARS = 16
_GAP_CHARS = 2
"""Between columns."""
_WIDE_ONLY = ("Games", "W/D/L")
"""Columns that only a wide terminal shows."""
_MAX_LINES = 40
"""A screen holds so many: of the tables of all labels together."""
_STAND_IN = "\ue000"


def leaderboard_text(
    report: Report, width: int = 80, *, with_results: bool = False
) -> str:
    """Return the leaderboard and its notes for a terminal of `width` columns.

    80 are enough for any league; where there are less, lines may be longer.  Where
    there is no room for all columns, those of the ratings come first, as much of what
    was counted as fits beside them, and the Elo of each game in tables of its own.
    Long names are shortened.  The tables of the labels follow if all of them are
    short; if not, the reader is told where they are.  `with_results` adds the Elo from
    results alone.
    """
    heading = [f"{report.league}: {report.played} games"]
    if len(report.boards) == 1:
        (label,) = (board.label for board in report.boards)
        heading.append(f"{label.label}: {label.description}")
    tables = _overall(report, width, with_results=with_results)
    if len(report.boards) > 1:
        tables += _labels(report, width, with_results=with_results)
    parts = [*_block(heading, width), *tables]
    parts += _block(report.house_rules, width)
    parts += _block(warnings(report), width)
    parts += _titled(ODDITIES, oddities(report), width)
    parts += _titled("Seat advantage over the first seat", seats(report), width)
    parts += _block(cycles(report), width)
    parts += _block(short_legend(report, "\n".join(tables)), width)
    unread = [entry.name for entry in report.refused]
    summary = forfeit_summary(report.forfeits, examples=True, told=unread)
    parts += _block(summary, width)
    parts += _block(
        [
            f"{e.name} can't be read ({e.file}): {behind(e.file, e.refused)}"
            for e in report.refused
        ],
        width,
    )
    parts += _block(
        [
            f"{file} takes no part: {behind(file, reason)}"
            for file, reason in report.rejected
        ],
        width,
    )
    return "\n\n".join(parts) + "\n"


def _overall(report: Report, width: int, *, with_results: bool) -> list[str]:
    if not report.rows:
        return ["No bots are entered."]
    if not report.has_overall:
        return _block([no_overall(report)], width)
    sole = report.boards[0] if len(report.boards) == 1 else None
    if sole is not None and len(sole.pools) > 1:
        return _board_tables(sole, width, with_results=with_results)
    nash = None if sole is None else nash_weights(sole)
    table = table_of(report.rows, nash, with_results=with_results)
    games = label_columns(report)
    titles = shortened([column.title for column in games], _MAX_LABEL_CHARS)
    labels = [replace(x, title=title) for x, title in zip(games, titles, strict=True)]
    columns = [*table.columns, *labels]
    if _needs([table.ranks, table.bots, *columns]) <= width:
        return [_table(table, columns, width)]
    first, rest = _fitting(table, width)
    tables = [_table(table, first, width)]
    # Overall there is nothing to divide them by.
    others = replace(table, breaks=())
    left = rest + labels
    while left:
        # At least one column, then as many as leave the names enough room.
        end = 1
        while (
            end < len(left) and _room(table, left[: end + 1], width) >= _MIN_NAME_CHARS
        ):
            end += 1
        tables.append(_table(others, left[:end], width))
        left = left[end:]
    return tables


def _fitting(table: RankedTable, width: int) -> tuple[list[Column], list[Column]]:
    """Return the columns that a narrow table has room for, and the other ones.

    Games and wins, of which the page tells, are in neither.
    """
    first, *others = table.rating
    shown = list(first)
    left: list[Column] = []
    for columns in others:
        has_room = _room(table, [*shown, *columns], width) >= _MIN_NAME_CHARS
        (shown if has_room else left).extend(columns)
    names = max(map(cell_len, table.bots.cells))
    for column in table.tally:
        if column.is_dull:
            continue
        if _room(table, [*shown, column], width) >= min(names, _GOOD_NAME_CHARS):
            shown.append(column)
        elif column.title not in _WIDE_ONLY:
            left.append(column)
    return shown, left


def _board_tables(board: Board, width: int, *, with_results: bool) -> list[str]:
    """Return a table with its title for each group of bots that games link."""
    label, count = board.label, len(board.pools)
    nash = nash_weights(board) if count == 1 else None
    texts = []
    for i, rows in enumerate(board.pools, 1):
        about = label.description if count == 1 else f"group {i} of {count}"
        (title,) = _block([f"{label.label}: {about}"], width)
        table = table_of(rows, nash, with_results=with_results)
        shown, _ = _fitting(table, width)
        texts.append(f"{title}\n{_table(table, shown, width)}")
    return texts


def _labels(report: Report, width: int, *, with_results: bool) -> list[str]:
    """Return the tables of all labels; if they are too long, where to find them.

    If there is no other table they are never too long.
    """
    tables = [
        text
        for board in report.boards
        for text in _board_tables(board, width, with_results=with_results)
    ]
    if not report.has_overall or "\n\n".join(tables).count("\n") < _MAX_LINES:
        return tables
    labels = [board.label for board in report.boards]
    lines = [
        f"{label.label}: {label.description}"
        for label in labels
        if label.changed or label.label != label.game
    ]
    lines.append("leaderboard.md has a table of each label, with its ranks and ranges.")
    return _block(lines, width)


def _room(table: RankedTable, columns: Sequence[Column], width: int) -> int:
    """Return the width that is left for names beside these columns."""
    return width - _needs([table.ranks, *columns]) - _GAP_CHARS


def _needs(columns: Iterable[Column]) -> int:
    widths = [max(map(cell_len, (c.title, *c.cells))) for c in columns]
    return sum(widths) + _GAP_CHARS * (len(widths) - 1)


def _table(table: RankedTable, columns: Sequence[Column], width: int) -> str:
    room = max(_MIN_NAME_CHARS, _room(table, columns, width))
    names = shortened([one_line(name) for name in table.bots.cells], room)
    # Tabulate counts characters; some in names are two columns wide, or none.
    stand_ins = [_STAND_IN * cell_len(name) for name in names]
    shown = [table.ranks, replace(table.bots, cells=tuple(stand_ins)), *columns]
    # As a row of its own the header gets no padding, which it would as `headers`.
    above, head, rule, *lines, below = tabulate(
        [
            [column.title for column in shown],
            SEPARATING_LINE,
            *zip(*(column.cells for column in shown), strict=True),
        ],
        tablefmt="simple",
        disable_numparse=True,
        colalign=["right", "left", *["right"] * len(columns)],
    ).splitlines()
    lines = [
        line.replace(stand_in, name, 1).rstrip()
        for line, stand_in, name in zip(lines, stand_ins, names, strict=True)
    ]
    if table.others:
        lines[table.ranked : table.ranked] = [rule, table.others]
    for row in reversed(table.breaks):
        lines.insert(row, rule)
    return "\n".join(line.rstrip() for line in (above, head, rule, *lines, below))


def _titled(title: str, lines: Sequence[str], width: int) -> list[str]:
    """Return lines below a title, if there are any."""
    return _block([f"{title}:", *lines], width) if lines else []


def _block(lines: Sequence[str], width: int) -> list[str]:
    # Rich knows how wide characters are; textwrap only counts them.
    console = Console()
    wrapped = [
        "\n  ".join(
            part.plain.rstrip()
            for part in Text(one_line(line)).wrap(console, max(20, width - 2))
        )
        for line in lines
    ]
    return ["\n".join(wrapped)] if wrapped else []

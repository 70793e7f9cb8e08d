"""The leaderboard in a terminal."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text
from tabulate import SEPARATING_LINE, tabulate

from arena.reports.changes import TITLE as CHANGES
from arena.reports.changes import changes
from arena.reports.forfeits import count_not_played
from arena.reports.report import Board, Report
from arena.reports.tables.bars import bar, scale
from arena.reports.tables.columns import (
    ELO,
    PLACES,
    Column,
    RankedTable,
    label_columns,
    nash_weights,
    other_places,
    table_of,
)
from arena.reports.tables.elo_axis import elo_axis
from arena.reports.tables.legend import short_legend
from arena.reports.tables.notes import ODDITIES, cycles, oddities, warnings
from arena.reports.tables.short_names import shortened
from arena.reports.tables.verdict import faults, verdict
from arena.text import behind, one_line

# Widths in characters of a terminal.
_MIN_NAME_CHARS = 8
_GOOD_NAME_CHARS = 20
"""Up to this, a longer name is better than another column on demand."""
_MAX_LABEL_CHARS = 16
_MIN_BAR_CHARS = 12
_MAX_BAR_CHARS = 40
_GAP_CHARS = 2
"""Between columns."""
_BAR = "bar"
# What stands in for text that tabulate would change: it counts characters, of which
# some are two columns wide, or none, and takes spaces from the ends of cells.
_NAME = "\ue000"
_SPACE = "\ue001"
_NUMBER = re.compile(r"\A-?\d*")


def leaderboard_text(
    report: Report, width: int = 80, columns: Collection[str] = ()
) -> str:
    """Return the verdict, the leaderboard and its notes for a terminal.

    80 columns of a terminal are enough for any league; where `width` is less, lines may
    be longer.  `columns` are the extra columns that are asked for; those without room
    beside the others get tables of their own.  Long names are shortened.
    """
    unplayed = count_not_played(report.forfeits)
    heading = [f"{report.league}: {report.played - unplayed:,} games"]
    if unplayed:
        heading[0] += f" played, {unplayed:,} not played (quarantine)"
    if len(report.boards) == 1:
        (label,) = (board.label for board in report.boards)
        heading.append(f"{label.label}: {label.description}")
    tables = [*_tables(report)]
    parts = _block(heading, width)
    parts.append(verdict_text(report, width))
    parts += _titled(CHANGES, changes(report), width)
    parts += _block(faults(report, examples=True), width)
    for title, table in tables:
        first, *others = _texts(table, table.shown(columns), width)
        parts += ["\n".join([*_block([title] * bool(title), width), first]), *others]
    parts += _block(report.house_rules, width)
    parts += _block(warnings(report), width)
    parts += _titled(ODDITIES, oddities(report), width)
    parts += _block(cycles(report, only_circles=True), width)
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
    if tables:
        shown = [x for _, table in tables for x in table.shown(columns)]
        more = "More: --columns all; leaderboard.md has all tables."
        parts += _block([*short_legend(report, shown, "a rule"), more], width)
    return "\n\n".join(parts) + "\n"


def verdict_text(report: Report, width: int) -> str:
    """Return the verdict for a terminal, a line or more a sentence."""
    (text,) = _block(verdict(report), width)
    return text


def _tables(report: Report) -> Iterator[tuple[str, RankedTable]]:
    """Yield the table over all games; without one those of each, with their titles."""
    several = len(report.boards) > 1
    if not report.rows:
        return
    if not report.has_overall or (not several and len(report.boards[0].pools) > 1):
        for board in report.boards:
            yield from _board_tables(board)
        return
    nash = None if several else nash_weights(report.boards[0])
    games = label_columns(report)
    titles = shortened([column.title for column in games], _MAX_LABEL_CHARS)
    labels = [replace(x, title=title) for x, title in zip(games, titles, strict=True)]
    yield "", table_of(report.rows, nash, labels, other_places(report))


def _board_tables(board: Board) -> Iterator[tuple[str, RankedTable]]:
    """Yield a table with its title for each group of bots that games link."""
    label, count = board.label, len(board.pools)
    nash = nash_weights(board) if count == 1 else None
    for i, rows in enumerate(board.pools, 1):
        about = label.description if count == 1 else f"group {i} of {count}"
        yield f"{label.label}: {about}", table_of(rows, nash)


def _texts(table: RankedTable, columns: Sequence[Column], width: int) -> Iterator[str]:
    """Yield a table, and further ones for the columns that it has no room for."""
    left = [column for column in columns if column.extra]
    names = min(_GOOD_NAME_CHARS, max(map(cell_len, table.bots.cells)))

    def filled(shown: list[Column]) -> list[Column]:
        while left and _room(table, [*shown, left[0]], width) >= names:
            shown.append(left.pop(0))
        return shown

    yield _table(table, filled([x for x in columns if not x.extra]), width)
    # There is nothing to divide these by.
    others = replace(table, breaks=())
    while left:
        yield _table(others, filled([left.pop(0)]), width)


def _room(table: RankedTable, columns: Sequence[Column], width: int) -> int:
    """Return the width that is left for names beside these columns."""
    return width - _needs([table.ranks, *columns]) - _GAP_CHARS


def _needs(columns: Iterable[Column]) -> int:
    widths = [max(map(cell_len, (c.title, *c.cells))) for c in columns]
    return sum(widths) + _GAP_CHARS * (len(widths) - 1)


def _table(table: RankedTable, columns: Sequence[Column], width: int) -> str:
    columns = [
        replace(x, cells=_aligned(x.cells)) if x.title == ELO else x for x in columns
    ]
    room = max(_MIN_NAME_CHARS, _room(table, columns, width))
    names = shortened([one_line(name) for name in table.bots.cells], room)
    stand_ins = tuple(_NAME * cell_len(name) for name in names)
    shown = [table.ranks, replace(table.bots, cells=stand_ins), *columns]
    room = min(width - _needs(shown) - _GAP_CHARS, _MAX_BAR_CHARS)
    titles = [column.title for column in shown]
    if ELO in titles and room >= _MIN_BAR_CHARS:
        shown.insert(titles.index(ELO), _bars(table, room))
    left = (shown[1], *(x for x in shown if x.title == ELO or x.extra == _BAR))
    # As a row of its own the header gets no padding, which it would as `headers`.
    above, head, rule, *lines, below = tabulate(
        [
            [column.title for column in shown],
            SEPARATING_LINE,
            *zip(*(column.cells for column in shown), strict=True),
        ],
        tablefmt="simple",
        disable_numparse=True,
        colalign=["left" if column in left else "right" for column in shown],
    ).splitlines()
    if ELO in titles:
        lines = _with_places(lines, rule, shown, table.places)
    lines = [
        line.replace(stand_in, name, 1)
        for line, stand_in, name in zip(lines, stand_ins, names, strict=True)
    ]
    if table.others:
        lines[table.ranked : table.ranked] = [rule, table.others]
    for row in reversed(table.breaks):
        lines.insert(row, rule)
    text = "\n".join((above, head, rule, *lines, below)).replace(_SPACE, " ")
    return "\n".join(line.rstrip() for line in text.split("\n"))


def _bars(table: RankedTable, width: int) -> Column:
    """Return the drawings of the rows, below their scale."""
    axis = elo_axis(row for row in table.rows if row.elo is not None)
    cells = [scale(axis, width), *(bar(axis, row, width) for row in table.rows)]
    title, *bars = (cell.replace(" ", _SPACE) for cell in cells)
    return Column(title, tuple(bars), "", _BAR)


def _with_places(
    lines: Sequence[str],
    rule: str,
    shown: Sequence[Column],
    places: Sequence[Sequence[str]],
) -> list[str]:
    """Return lines that tell of places elsewhere where others have bar, Elo and places.

    `rule` has the dashes of each of the columns that are `shown`.
    """
    spans = [found.span() for found in re.finditer("-+", rule)]
    own = [
        span
        for span, column in zip(spans, shown, strict=True)
        if column.extra == _BAR or column.title in (ELO, PLACES)
    ]
    start, end = own[0][0], own[-1][1]
    return [
        f"{line[:start]:<{start}}{_cut(texts, end - start):<{end - start}}{line[end:]}"
        if texts
        else line
        for line, texts in zip(lines, places, strict=True)
    ]


def _cut(places: Sequence[str], width: int) -> str:
    """Return as many places as fit, with a sign for those that don't."""
    for end in range(len(places), 0, -1):
        text = ", ".join(places[:end]) + ", …" * (end < len(places))
        if cell_len(text) <= width:
            return text
    return ""


def _aligned(cells: Sequence[str]) -> tuple[str, ...]:
    """Return cells whose first numbers end in the same column."""
    numbers = [_NUMBER.findall(cell)[0] for cell in cells]
    most = max(map(len, numbers), default=0)
    return tuple(
        _SPACE * (most - len(number)) * bool(number) + cell.replace(" ", _SPACE)
        for cell, number in zip(cells, numbers, strict=True)
    )


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

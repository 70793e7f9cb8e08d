"""The leaderboard as a page for GitHub and everything else that reads Markdown."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from arena.reports.forfeits import forfeit_summary, quarantined
from arena.reports.report import Board, RankedRow, Report
from arena.reports.tables.columns import Column, label_columns, nash_weights, table_of
from arena.reports.tables.legend import full_legend
from arena.reports.tables.notes import (
    ODDITIES,
    cycles,
    no_overall,
    oddities,
    seats,
    warnings,
)
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
_MAX_CROSSTABLE_BOTS = 20
"""With more, a label has no crosstable on the page."""


def leaderboard_md(report: Report, *, with_results: bool = False) -> str:
    """Return the leaderboard with those of its labels, its legend and what it hides.

    A league of one label has but one table, with what is played above it.
    `with_results` adds the Elo from results alone.
    """
    parts = [f"# {_escaped(report.league)}"]
    sole = report.boards[0] if len(report.boards) == 1 else None
    if sole is not None:
        parts += _about(sole, named=True)
    if sole is not None and len(sole.pools) > 1:
        parts += _groups(sole, with_results=with_results)
    elif report.rows and not report.has_overall:
        parts.append(_escaped(no_overall(report)))
    elif report.rows:
        nash = None if sole is None else nash_weights(sole)
        more = label_columns(report)
        parts.append(_table(report.rows, nash, more, with_results=with_results))
    else:
        parts.append("No bots are entered.")
    # They weaken the first table, and many labels would push them out of sight.
    parts += _list("Warnings", warnings(report))
    parts += _list(ODDITIES, oddities(report))
    if sole is not None:
        parts += _crosstable(sole)
    else:
        for board in report.boards:
            parts += _section(board, with_results=with_results)
    parts += _list("Seat advantage over the first seat", seats(report))
    parts += _list("More than one number", cycles(report))
    legend = full_legend(
        report, "an empty line", "faults.csv", with_results=with_results
    )
    parts += _list("How to read it", legend)
    parts += _list(
        "Forfeits",
        forfeit_summary(report.forfeits, examples=False) + quarantined(report.forfeits),
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


def _section(board: Board, *, with_results: bool) -> list[str]:
    parts = [f"## {_escaped(board.label.label)}", *_about(board, named=False)]
    if not board.rows:
        return [*parts, "No games yet."]
    if len(board.pools) > 1:
        groups = _groups(board, with_results=with_results)
        return [*parts, *groups, *_crosstable(board)]
    table = _table(board.rows, nash_weights(board), with_results=with_results)
    return [*parts, table, *_crosstable(board)]


def _groups(board: Board, *, with_results: bool) -> list[str]:
    """Return a table for each group of bots that games link."""
    parts = []
    for i, rows in enumerate(board.pools, 1):
        table = _table(rows, None, with_results=with_results)
        parts += [f"Group {i} of {len(board.pools)}:", table]
    return parts


def _about(board: Board, *, named: bool) -> list[str]:
    label = board.label
    name = f"{label.label}: " if named else ""
    return [
        _escaped(f"{name}{label.description}"),
        *(f"**House rule:** {_escaped(rule)}" for rule in label.house_rules),
    ]


def _table(
    rows: Sequence[RankedRow],
    nash: Mapping[str, float] | None,
    more: Sequence[Column] = (),
    *,
    with_results: bool,
) -> str:
    table = table_of(rows, nash, with_results=with_results)
    bots = replace(table.bots, cells=tuple(map(_escaped, table.bots.cells)))
    more = [replace(column, title=_escaped(column.title)) for column in more]
    columns = [table.ranks, bots, *table.columns, *more]
    lines = list(zip(*(column.cells for column in columns), strict=True))
    empty = ("",) * len(columns)
    if table.others:
        lines.insert(table.ranked, ("", f"*{table.others}*", *empty[2:]))
    for row in reversed(table.breaks):
        lines.insert(row, empty)
    return _lines([column.title for column in columns], lines)


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
    lines = [f"- {_escaped(item)}" for item in items]
    return [f"## {title}", "\n".join(lines)] if lines else []


def _escaped(text: str) -> str:
    text = _LINK.sub(_APART, one_line(text))
    text = _MARKUP.sub(lambda found: re.sub(r"([\W_])", r"\\\1", found[0]), text)
    return text.replace(_APART, f"&#{ord(_APART)};")

"""The leaderboard in a terminal."""

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text
from tabulate import SEPARATING_LINE, tabulate

from arena.reports.report import RankedRow, Report
from arena.reports.wording import (
    about,
    elo_text,
    forfeit_summary,
    one_line,
    range_text,
    warnings,
)

_COLUMNS = ("#", "Bot", "Elo", "95 % range", "Games", "Score", "W/D/L", "Forfeits")
_BOT = 1
"""The column of names."""
_MIN_NAME = 8
_MAX_LABEL = 16
_GAP = 2
"""Spaces between columns."""
_MAX_LINES = 40
"""Of the tables of all labels together: what a screen holds."""
_STAND_IN = "\ue000"


def leaderboard_text(report: Report, width: int = 80) -> str:
    """Return the leaderboard and its notes for a terminal of `width` columns.

    80 are enough for any league; where there are less, lines may be longer.  The
    Elo of each game has columns of its own where there is room, and a table of its
    own otherwise.  Long names lose their middle.  The tables of the labels follow
    if all of them are short; if not, the reader is told where they are.
    """
    heading = [f"{report.league}: {report.played} games"]
    if len(report.boards) == 1:
        (label,) = (board.label for board in report.boards)
        heading.append(f"{label.label}: {about(label)}")
    parts = [*_block(heading, width), *_tables(report, width)]
    if len(report.boards) > 1:
        parts += _labels(report, width)
    parts += _block(report.house_rules, width)
    parts += _block(warnings(report), width)
    parts += _block(_legend(report), width)
    parts += _block(forfeit_summary(report, examples=True), width)
    parts += _block(
        [f"{e.name} can't be read ({e.file}): {e.refused}" for e in report.refused],
        width,
    )
    parts += _block(
        [f"{file} takes no part: {reason}" for file, reason in report.rejected], width
    )
    return "\n\n".join(parts) + "\n"


def _tables(report: Report, width: int) -> list[str]:
    if not report.rows:
        return ["No bots are entered."]
    overall = [_cells(row) for row in report.rows]
    per_game = [
        [elo_text(row.per_game.get(label)) for label in report.columns]
        for row in report.rows
    ]
    labels = [_shortened(label, _MAX_LABEL) for label in report.columns]
    header = [*_COLUMNS, *labels]
    joined = [a + b for a, b in zip(overall, per_game, strict=True)]
    if _needs(header, joined) <= width:
        return [_table(header, joined, width)]

    tables = [_table(_COLUMNS, overall, width)]
    start = 0
    while start < len(labels):
        # At least one column, then as many as leave the names enough room.
        end = start + 1
        while end < len(labels) and _room(labels[start : end + 1], width) >= _MIN_NAME:
            end += 1
        rows = [
            [line[0], line[1], *elos[start:end]]
            for line, elos in zip(overall, per_game, strict=True)
        ]
        tables.append(_table(["#", "Bot", *labels[start:end]], rows, width))
        start = end
    return tables


def _labels(report: Report, width: int) -> list[str]:
    """Return the tables of the labels, or what they are and where to find them."""
    tables = []
    for board in report.boards:
        if board.rows:
            (title,) = _block([f"{board.label.label}: {about(board.label)}"], width)
            rows = [_cells(row) for row in board.rows]
            tables.append(f"{title}\n{_table(_COLUMNS, rows, width)}")
    if "\n\n".join(tables).count("\n") < _MAX_LINES:
        return tables
    labels = [board.label for board in report.boards]
    lines = [
        f"{label.label}: {about(label)}"
        for label in labels
        if label.changed or label.label != label.game
    ]
    lines.append("leaderboard.md has a table of each label, with its ranks and ranges.")
    return _block(lines, width)


def _cells(row: RankedRow) -> list[str]:
    return [
        str(row.rank),
        one_line(row.bot),
        elo_text(row),
        range_text(row, 0),
        str(row.games),
        "" if row.score is None else f"{row.score:.1%}",
        f"{row.wins}/{row.draws}/{row.losses}",
        str(row.forfeits),
    ]


def _room(labels: Sequence[str], width: int) -> int:
    """Return what is left for names beside the Elo of these games."""
    columns = (max(cell_len(label), len("-1000.0")) + _GAP for label in labels)
    return width - len("100") - _GAP - sum(columns)


def _needs(header: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    columns = zip(header, *rows, strict=True)
    widths = [max(map(cell_len, column)) for column in columns]
    return sum(widths) + _GAP * (len(widths) - 1)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> str:
    names = [row[_BOT] for row in rows]
    longest = max(map(cell_len, names))
    excess = max(0, _needs(header, rows) - width)
    room = max(_MIN_NAME, longest - excess)
    names = [_shortened(name, room) for name in names]
    # Tabulate counts characters; some in names are two columns wide, or none.
    stand_ins = [_STAND_IN * cell_len(name) for name in names]
    shown = [
        [*row[:_BOT], stand_in, *row[_BOT + 1 :]]
        for row, stand_in in zip(rows, stand_ins, strict=True)
    ]
    # As a row of its own the header gets no padding, which it would as `headers`.
    above, head, rule, *lines, below = tabulate(
        [header, SEPARATING_LINE, *shown],
        tablefmt="simple",
        disable_numparse=True,
        colalign=["right", "left", *["right"] * (len(header) - 2)],
    ).splitlines()
    lines = [
        line.replace(stand_in, name, 1)
        for line, stand_in, name in zip(lines, stand_ins, names, strict=True)
    ]
    return "\n".join(line.rstrip() for line in (above, head, rule, *lines, below))


def _shortened(name: str, room: int) -> str:
    """Return `name` in no more than `room` columns, with both of its ends."""
    if cell_len(name) <= room:
        return name
    tail = name[-(room // 4) :]
    head = set_cell_size(name, room - 1 - cell_len(tail)).rstrip()
    return f"{head}…{tail}"


def _legend(report: Report) -> list[str]:
    if report.anchor is None:
        level, scale = "1000", "in each game the mean is 1000"
    else:
        name, elo = report.anchor
        level, scale = f"{elo:g}", f"the anchor {name} is held at {elo:g}"
    strength = f"Elo: 200 more mean 76 % of the score against a bot; {scale}."
    if len(report.boards) > 1:
        strength += (
            " It is the mean of all games; one that a bot does not play counts as "
            f"{level}."
        )
    return [
        strength,
        "95 % range: what chance leaves open; where ranges overlap, more games may "
        "swap the ranks.",
        f"W/D/L: sole wins, shared wins, the rest. Isolation: {report.isolation}.",
    ]


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

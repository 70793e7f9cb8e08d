"""The leaderboard as a page for GitHub and everything else that reads Markdown."""

import re
from collections.abc import Iterable, Sequence

from arena.reports.report import Board, RankedRow, Report
from arena.reports.wording import (
    about,
    elo_text,
    forfeit_summary,
    one_line,
    quarantined,
    range_text,
    warnings,
)

_MARKUP = re.compile(r"[\\`*\[\]<>|~&#$]|\b_+|_+\b")
"""Characters that would not be shown as they are; an underscore inside of a word
would."""
_COLUMNS = ("Rank", "Bot", "Elo", "95 %", "Games", "Score", "W / D / L", "Forfeits")


def leaderboard_md(report: Report) -> str:
    """Return the leaderboard with those of its labels, its legend and what it hides.

    A league of one label has but one table, with what is played above it.
    """
    parts = [f"# {_escaped(report.league)}"]
    if len(report.boards) == 1:
        parts += _about(report.boards[0], named=True)
    parts.append(_overall(report) if report.rows else "No bots are entered.")
    # They weaken the first table, and many labels would push them out of sight.
    parts += _list("Warnings", warnings(report))
    if len(report.boards) > 1:
        for board in report.boards:
            parts += _section(board)
    parts += _list("How to read it", _legend(report))
    parts += _list(
        "Forfeits", forfeit_summary(report, examples=False) + quarantined(report)
    )
    parts += _list(
        "Bots that could not be read",
        (f"{entry.name} ({entry.file}): {entry.refused}" for entry in report.refused),
    )
    parts += _list(
        "Files that take no part",
        (f"{file}: {reason}" for file, reason in report.rejected),
    )
    return "\n\n".join(parts) + "\n"


def _overall(report: Report) -> str:
    rows = [
        [*_cells(row), *(elo_text(row.per_game.get(label)) for label in report.columns)]
        for row in report.rows
    ]
    return _table([*_COLUMNS, *map(_escaped, report.columns)], rows)


def _section(board: Board) -> list[str]:
    return [
        f"## {_escaped(board.label.label)}",
        *_about(board, named=False),
        _table(_COLUMNS, map(_cells, board.rows)) if board.rows else "No games yet.",
    ]


def _about(board: Board, *, named: bool) -> list[str]:
    label = board.label
    name = f"{label.label}: " if named else ""
    return [
        _escaped(f"{name}{about(label)}"),
        *(f"**House rule:** {_escaped(rule)}" for rule in label.house_rules),
    ]


def _cells(row: RankedRow) -> list[str]:
    return [
        str(row.rank),
        _escaped(row.bot),
        elo_text(row),
        range_text(row, 1),
        str(row.games),
        "" if row.score is None else f"{row.score:.2%}",
        f"{row.wins} / {row.draws} / {row.losses}",
        str(row.forfeits),
    ]


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    align = ["--:", ":--", *["--:"] * (len(header) - 2)]
    return "\n".join(_line(cells) for cells in (header, align, *rows))


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _legend(report: Report) -> list[str]:
    labels = [board.label for board in report.boards]
    even = len({label.weight for label in labels}) < 2
    weights = ", ".join(f"{label.label} {label.weight:g}" for label in labels)
    if report.anchor is None:
        level = "1000"
        scale = "In each game the mean Elo is 1000."
    else:
        name, elo = report.anchor
        level = "the anchor's Elo"
        scale = f"The anchor {name} is held at {elo:g}; all others are relative to it."
    overall = (
        "The first Elo is the mean over the games of the league that have been played"
        + (". " if even else f", weighted {weights}. ")
        + f"A bot that does not play a game is taken there at {level}."
    )
    return [
        "Elo: strength, fitted to all games at once, so their order makes no "
        "difference. 200 points more than an opponent mean 76 % of the score against "
        f"it, 400 mean 91 %. {scale}",
        *([overall] if len(labels) > 1 else []),
        "95 %: the range that holds the true Elo in 95 of 100 leagues like this. A "
        "bot that has always won in some game has no upper end, one that has always "
        "come last no lower end.",
        "Score: a sole win is 1, a win that k bots share is 1/k for each, all else is "
        "0. W / D / L: sole wins, shared wins, all other games.",
        "Forfeits: games lost by the bot's own fault (too late, crashed, illegal); "
        "they count as losses. faults.csv has each of them.",
        f"Isolation of the bots: {report.isolation}.",
    ]


def _list(title: str, items: Iterable[str]) -> list[str]:
    lines = [f"- {_escaped(item)}" for item in items]
    return [f"## {title}", "\n".join(lines)] if lines else []


def _escaped(text: str) -> str:
    return _MARKUP.sub(
        lambda found: "".join("\\" + c for c in found[0]), one_line(text)
    )

"""The leaderboard as a page for GitHub and everything else that reads Markdown."""

import re
from collections.abc import Iterable, Sequence

from arena.reports.report import Report
from arena.reports.wording import (
    elo_text,
    forfeit_summary,
    one_line,
    range_text,
    warnings,
)

_MARKUP = re.compile(r"[\\`*\[\]<>|~&#$]|\b_+|_+\b")
"""Characters that would not be shown as they are; an underscore inside of a word
would."""
_COLUMNS = ("Rank", "Bot", "Elo", "95 %", "Games", "Score", "W / D / L", "Forfeits")


def leaderboard_md(report: Report) -> str:
    """Return the leaderboard with its legend, warnings, forfeits and rejected files."""
    parts = [f"# {_escaped(report.league)}", _leaderboard(report)]
    parts += _list("Warnings", warnings(report))
    parts += _list("How to read it", _legend(report))
    parts += _list("Forfeits", forfeit_summary(report, examples=False))
    parts += _list(
        "Bots that could not be read",
        (f"{entry.name} ({entry.file}): {entry.refused}" for entry in report.refused),
    )
    parts += _list(
        "Files that take no part",
        (f"{file}: {reason}" for file, reason in report.rejected),
    )
    return "\n\n".join(parts) + "\n"


def _leaderboard(report: Report) -> str:
    if not report.rows:
        return "No bots are entered."
    header = [*_COLUMNS, *map(_escaped, report.labels)]
    align = ["--:", ":--", *["--:"] * (len(header) - 2)]
    lines = [header, align]
    for row in report.rows:
        score = "" if row.score is None else f"{row.score:.2%}"
        lines.append(
            [
                str(row.rank),
                _escaped(row.bot),
                elo_text(row),
                range_text(row, 1),
                str(row.games),
                score,
                f"{row.wins} / {row.draws} / {row.losses}",
                str(row.forfeits),
                *(elo_text(row.per_game.get(label)) for label in report.labels),
            ]
        )
    return "\n".join(_line(cells) for cells in lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _legend(report: Report) -> list[str]:
    even = len(set(report.weights)) < 2
    weights = ", ".join(
        f"{label} {weight:g}"
        for label, weight in zip(report.labels, report.weights, strict=True)
    )
    if report.anchor is None:
        level = "1000"
        scale = "In each game the mean Elo is 1000."
    else:
        name, elo = report.anchor
        level = "the anchor's Elo"
        scale = f"The anchor {name} is held at {elo:g}; all others are relative to it."
    return [
        "Elo: strength, fitted to all games at once, so their order makes no "
        "difference. 200 points more than an opponent mean 76 % of the score against "
        f"it, 400 mean 91 %. {scale}",
        "The first Elo is the mean over the games of the league that have been played"
        + (". " if even else f", weighted {weights}. ")
        + f"A bot that does not play a game is taken there at {level}.",
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

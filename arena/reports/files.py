"""The files of a results folder that are derived from its games.

The same records give the same bytes, in whatever order they came in.  Two runs of a
league give the same bytes as well, but for `times.csv` and for what `faults.csv`
quotes: messages may name seconds, and tracebacks addresses.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from arena.league.config.settings import Overall, RatedBy
from arena.ratings import Row
from arena.ratings.match_ups.intransitivity import Intransitivity
from arena.ratings.match_ups.surprises import Surprise
from arena.ratings.uncommon_luck import UncommonLuck
from arena.records.game_record import Fault
from arena.reports.forfeits import Forfeit
from arena.reports.oddities import Odd, owner_text
from arena.reports.ratings_file import ratings_json
from arena.reports.report import Board, RankedRow, Report, rounded
from arena.reports.tables.markdown import leaderboard_md
from arena.reports.writing import Cell, csv_lines, csv_text, write_text
from arena.text import cut, cut_start

_NUMBERS = tuple(field.name for field in fields(Row))
_LABEL = (
    *("label", "game", "title", "players", "options", "house_rules"),
    *("weight", "placing"),
)
_VALUE = ("game", "version", "digest")
_ALL = "all"
"""Title of the crosstable of all games."""
_TIMES = (
    *("bot", "file", "label", "decisions", "median", "p99", "slowest"),
    *("limit", "share_of_limit", "pondered"),
    *("cpu", "slept", "wall", "share_of_league"),
)
_PERCENT = ("score", "low", "high", "superiority")
_MAX_ACTIONS = 5
_MAX_MESSAGE_CHARS = 500
_MAX_TEXT_CHARS = 2000


def write_files(report: Report, folder: Path) -> list[Path]:
    """Write all derived files into `folder` and return their paths.

    Each file is replaced as a whole or not at all.

    Raises:
        RecordError: a file can't be written.
    """
    texts: dict[str, Iterable[str]] = {
        "leaderboard.json": [leaderboard_json(report)],
        "leaderboard.csv": [leaderboard_csv(report)],
        "leaderboard.md": [leaderboard_md(report)],
        "ratings.json": [ratings_json(report)],
        "crosstable.csv": [crosstable_csv(report)],
        "faults.csv": faults_csv(report),
        "times.csv": [times_csv(report)],
    }
    for name, text in texts.items():
        write_text(folder / name, text)
    return [folder / name for name in texts]


def leaderboard_json(report: Report) -> str:
    """Return the leaderboard for other programs; `results/README.md` has its form."""
    divided = ["division"] * report.has_divisions
    rows = [
        {"rank": row.rank, "bot": row.bot, "file": row.file}
        | dict.fromkeys(divided, row.division or None)
        | {"versions": row.versions or None}
        | {"missing": row.missing}
        | _numbers(row)
        | {
            "per_game": {
                label: {"rank": part.rank, "pool": part.pool} | _numbers(part)
                for label, part in row.per_game.items()
            }
        }
        for row in report.rows
    ]
    luck = {"commitment": report.commitment, "earlier": report.earlier}
    board = {
        "league": report.league,
        **({"luck": luck} if report.commitment else {}),
        "isolation": report.isolation,
        "by": RatedBy.LUCK_ADJUSTED if report.takes_luck else RatedBy.RESULTS,
        "overall": Overall.ANY if report.ranks_any else Overall.ALL,
        "games": report.labels,
        "labels": [_label(board) for board in report.boards],
        "surprises": [_surprise(x) for x in report.oddities.pairs],
        "uncommon_luck": [_luck(x) for x in report.oddities.luck],
        "forfeits_to_one": [
            asdict(odd.result) | {"look_at": odd.games}
            for odd in report.oddities.forfeits
        ],
        "rows": rows,
    }
    return json.dumps(board, indent=2, ensure_ascii=False) + "\n"


def _label(board: Board) -> dict[str, Any]:
    """Return a label: its game and options, and what its games say beside the rows."""
    value = None
    if board.value is not None and not board.value.reason:
        value = {name: getattr(board.value, name) for name in _VALUE}
    shape = board.shape
    fit = board.certain
    taken = board.fits and board.fits.taken
    return {name: getattr(board.label, name) for name in _LABEL} | {
        "value": value,
        "luck_share": taken and rounded(taken.share, 3),
        "no_luck": board.no_luck or None,
        "interval_games": fit.games if fit and board.is_adaptive else None,
        "seats": [
            {
                "players": term.players,
                "seat": term.seat,
                "elo": rounded(term.elo, 1),
                "half_width": rounded(term.half_width, 1),
            }
            for term in (fit.seat_terms if fit else ())
        ],
        "lack_of_fit": shape and _lack_of_fit(shape),
        "cycles": [
            {"bots": cycle.entries, "scores": [rounded(x, 4) for x in cycle.scores]}
            for cycle in (shape.cycles if shape else ())
        ],
        "nash": shape
        and shape.nash
        and [
            {
                "bot": share.entry,
                "weight": rounded(share.weight, 4),
                "payoff": rounded(share.payoff, 4),
            }
            for share in shape.nash
        ],
        "pools": [sorted(row.bot for row in pool) for pool in board.pools],
    }


def _surprise(odd: Odd[Surprise]) -> dict[str, Any]:
    pair = odd.result
    return {
        "winner": pair.winner,
        "loser": pair.loser,
        "owner": owner_text(pair.owner) if pair.owner else None,
        "label": pair.label or None,
        "p": _significant(pair.p),
        "family_p": _significant(pair.family_p),
        "labels": [
            {
                "label": x.label,
                "games": x.games,
                "score": rounded(x.score, 4),
                "expected": rounded(x.expected, 4),
                "elo": rounded(x.elo, 1),
            }
            for x in pair.results
        ],
        "look_at": odd.games,
    }


def _luck(odd: Odd[UncommonLuck]) -> dict[str, Any]:
    bot = odd.result
    return {
        "bot": bot.bot,
        "label": bot.label or None,
        "p": _significant(bot.p),
        "family_p": _significant(bot.family_p),
        "labels": [
            {
                "label": x.label,
                "games": x.games,
                "luck": rounded(x.luck, 4),
                "elo": rounded(x.elo, 1),
                "adjusted_elo": x.adjusted_elo and rounded(x.adjusted_elo, 1),
            }
            for x in bot.labels
        ],
        "look_at": odd.games,
    }


def _significant(p: float) -> float:
    """Return a probability to two digits: the last bits of an integral say nothing."""
    return float(f"{p:.2g}")


def _lack_of_fit(shape: Intransitivity) -> dict[str, Any]:
    return {
        "statistic": shape.statistic and rounded(shape.statistic, 4),
        "df1": shape.df1,
        "df2": shape.df2 and rounded(shape.df2, 1),
        "p": shape.p and rounded(shape.p, 6),
        "reason": shape.reason,
    }


def leaderboard_csv(report: Report) -> str:
    """Return one row a bot: overall first, then rank and numbers of each label."""
    divided = ["division"] * report.has_divisions
    header = ["rank", "bot", "file", *divided, "versions", *_NUMBERS]
    of_label = ("rank", "pool", *_NUMBERS)
    header += [f"{label}.{name}" for label in report.labels for name in of_label]
    rows = []
    for row in report.rows:
        cells: list[Cell] = [row.rank, row.bot, row.file]
        cells += [row.division or None for _ in divided]
        cells.append(row.versions or None)
        cells += _numbers(row).values()
        for label in report.labels:
            part = row.per_game.get(label)
            if part is None:
                cells += [None] * len(of_label)
            else:
                cells += [part.rank, part.pool, *_numbers(part).values()]
        rows.append(cells)
    return csv_text(header, rows)


def crosstable_csv(report: Report) -> str:
    """Return blocks of bots by bots, of all games and of each label with games.

    The score in percent, its interval, the likelihood of superiority, the score
    without luck where that is known, the number of games.
    """
    rows: list[list[Cell]] = []
    tables = [(_ALL, report.crosstable)]
    tables += [
        (board.label.label, board.crosstable)
        for board in report.boards
        if board.crosstable is not None
    ]
    for title, table in tables:
        blocks = {name: getattr(table, name) for name in _PERCENT}
        if table.adjusted is not None:
            blocks["adjusted"] = table.adjusted.score
        for name, block in blocks.items():
            for bot, numbers in zip(table.entries, block, strict=True):
                percent = (None if x is None else rounded(100 * x, 1) for x in numbers)
                rows.append([title, name, bot, *percent])
        for bot, games in zip(table.entries, table.games, strict=True):
            rows.append([title, "games", bot, *games])
    return csv_text(["game", "value", "bot", *(row.bot for row in report.rows)], rows)


def faults_csv(report: Report) -> Iterator[str]:
    """Yield one row for each forfeit, unreadable entry and rejected file."""

    def rows() -> Iterator[list[Cell]]:
        for forfeit in report.forfeits:
            yield [cell(forfeit) for cell in _FAULT_COLUMNS.values()]
        for entry in report.refused:
            yield _file_cells("refused", entry.name, entry.file, entry.refused)
        for file, reason in report.rejected:
            yield _file_cells("rejected", None, file, reason)

    return csv_lines([*_FAULT_COLUMNS], rows())


def times_csv(report: Report) -> str:
    """Return one row for each bot and label, with its times in seconds."""
    rows = [[_short(getattr(row, c)) for c in _TIMES] for row in report.times]
    return csv_text(_TIMES, rows)


def _short(value: Cell) -> Cell:
    """Return a number to the microsecond, which is all that is known of times."""
    return round(value, 6) if isinstance(value, float) else value


def _numbers(row: RankedRow) -> dict[str, Any]:
    return {name: getattr(row, name) for name in _NUMBERS}


def _legal_actions(fault: Fault) -> str:
    more = ["…"] * (len(fault.legal_actions) > _MAX_ACTIONS)
    return "; ".join([*fault.legal_actions[:_MAX_ACTIONS], *more])


_FAULT_COLUMNS: dict[str, Callable[[Forfeit], Cell]] = {
    "kind": lambda x: "forfeit",
    "game_id": lambda x: x.game_id,
    "label": lambda x: x.label,
    "bot": lambda x: x.bot,
    "file": lambda x: x.file,
    "seat": lambda x: x.fault.seat,
    "opponents": lambda x: "; ".join(x.opponents),
    "termination": lambda x: x.fault.termination,
    "step": lambda x: x.fault.step,
    "message": lambda x: cut(x.fault.message, _MAX_MESSAGE_CHARS),
    "action": lambda x: x.fault.action,
    "legal_actions": lambda x: _legal_actions(x.fault),
    "traceback": lambda x: cut_start(x.fault.traceback, _MAX_TEXT_CHARS),
    "output": lambda x: cut_start(x.fault.output, _MAX_TEXT_CHARS),
    "observation": lambda x: cut(x.fault.observation, _MAX_TEXT_CHARS),
}
"""The cells of a forfeit in `faults.csv`."""


def _file_cells(kind: str, bot: str | None, file: str, reason: str) -> list[Cell]:
    filled: dict[str, Cell] = {
        "kind": kind,
        "bot": bot,
        "file": file,
        "message": cut(reason, _MAX_MESSAGE_CHARS),
    }
    return [filled.get(column) for column in _FAULT_COLUMNS]

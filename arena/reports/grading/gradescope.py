"""A student's results as Gradescope's autograder reads them.

The format is that of `results.json` in "Autograder Specifications" and "Leaderboards"
of Gradescope's documentation (gradescope-autograders.readthedocs.io): top-level `score`
overrides the sum of the tests; a test's `status` is `passed` or `failed`; a leaderboard
is sorted in descending `order` unless it says `asc`.
"""

import shlex
from collections.abc import Iterator
from typing import Any

from arena.reports.fault_text import fault_text
from arena.reports.forfeits import Forfeit, by_bot, reasons_text
from arena.reports.grading.grades import StudentGrade
from arena.reports.grading.marks import Mark, MarkResult
from arena.reports.report import Report, ReportRow, rounded
from arena.text import printable

_LINE_CHARS = 80


class GradescopeResults:
    """Makes what Gradescope reads, for one student after the other."""

    def __init__(self, report: Report, folder: str) -> None:
        """Take a report with the bots' own names, and the folder for replays."""
        self._report = report
        self._folder = folder
        self._rows = {row.bot: row for row in report.rows}
        self._times = {row.bot: row for row in report.times if row.is_total}
        self._forfeits = by_bot(report.forfeits)

    def of(self, grade: StudentGrade) -> dict[str, Any]:
        """Return the content of `results.json`; it names nobody else's bot."""
        row = None if grade.bot is None else self._rows[grade.bot.name]
        parts = ["\n".join(self._lines(grade, row))]
        if row is not None and row.bot in self._forfeits:
            parts.append(self._first_forfeit(self._forfeits[row.bot][0]))
        return {
            "score": grade.points,
            "output": printable("\n\n".join(parts)),
            "output_format": "text",
            "test_output_format": "text",
            "visibility": "visible",
            "tests": [_test(mark) for mark in grade.marks],
            "leaderboard": [] if row is None else _leaderboard(row),
        }

    def _lines(self, grade: StudentGrade, row: ReportRow | None) -> Iterator[str]:
        report = self._report
        undecided = ""
        if grade.undecided_points:
            undecided = f", and {grade.undecided_points:g} that are undecided"
        yield f"{grade.points:g} points in {report.league}{undecided}"
        if grade.grade_text:
            yield f"Grade: {grade.grade_text}"
        if report.played < report.planned:
            yield (
                f"The league is unfinished: {report.played} of {report.planned} games."
            )
        if grade.reason:
            yield grade.reason
        if row is None:
            return
        rank = f"{row.bot}: no overall rank"
        if row.rank is not None:
            rank = f"{row.bot}: rank {row.rank} of {len(report.rows)}"
        if row.elo is None:
            yield rank
        else:
            if row.rank_low != row.rank_high:
                rank += f" ({row.rank_low} to {row.rank_high} are possible)"
            yield (
                f"{rank}, tie group {row.group}, Elo {row.elo:.0f} "
                f"(95 % range {row.elo_low:.0f} to {row.elo_high:.0f})"
            )
        forfeits = self._forfeits.get(row.bot)
        why = f" ({reasons_text(forfeits)})" if forfeits else ""
        yield f"Forfeits: {row.forfeits} of {row.games} games{why}"
        times = self._times.get(row.bot)
        if times is not None and times.slowest is not None:
            yield (
                f"Slowest decision: {times.slowest:.3g} s; the move limit is "
                f"{times.limit:g} s"
            )

    def _first_forfeit(self, first: Forfeit) -> str:
        step = str(first.fault.step)
        words = ["arena", "replay", self._folder, first.game_id, "--step", step]
        text = fault_text(
            first.fault, first.bot, replay=shlex.join(words), width=_LINE_CHARS
        )
        return f"The first forfeit, in {first.label}:\n\n{text}"


def _test(mark: Mark) -> dict[str, Any]:
    test: dict[str, Any] = {
        "name": mark.criterion.title,
        "score": mark.points,
        "max_score": mark.criterion.points,
        "output": printable(f"{mark.outcome}: {mark.reason}", lines=False),
        "output_format": "text",
        "visibility": "visible",
    }
    if mark.outcome is MarkResult.UNDECIDED:
        # There is no status for it.
        return test | {"name": f"{mark.criterion.title} (undecided)"}
    return test | {"status": mark.outcome.value}


def _leaderboard(row: ReportRow) -> list[dict[str, Any]]:
    score = "-" if row.score is None else rounded(100.0 * row.score, 2)
    return [
        {"name": "Rank", "value": row.rank or "-", "order": "asc"},
        {"name": "Elo", "value": "-" if row.elo is None else row.elo, "order": "desc"},
        {"name": "Score %", "value": score, "order": "desc"},
        {"name": "Forfeits", "value": row.forfeits, "order": "asc"},
    ]

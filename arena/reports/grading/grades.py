"""The points and the grade of each student."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

from arena.league.config.info import EntryInfo, LeagueInfo
from arena.league.config.settings import GradingSettings
from arena.reports.grading.hand_ins import NOTHING, HandIn, hand_ins
from arena.reports.grading.marks import (
    BotMarks,
    Criterion,
    Mark,
    Marker,
    MarkResult,
    add_points,
    criteria_of,
)
from arena.reports.report import Report


@dataclass(frozen=True, slots=True)
class StudentGrade:
    """The grade of a student, and why."""

    student: str
    bot: EntryInfo | None
    """The one that counts; None if there is none."""
    file: str
    marks: tuple[Mark, ...]
    """In the order of the criteria."""
    undecided_points: float
    """Those that may come yet."""
    grade: str
    """By the points that are certain; empty if they are too few for any."""
    open_grade: str
    """Better grades that undecided points may lead to, and what it takes."""
    reason: str
    """Why the student has no bot, or which of several counts; else empty."""

    @property
    def points(self) -> float:
        """Those that are certain."""
        return add_points(mark.points for mark in self.marks)

    @property
    def grade_text(self) -> str:
        """The grade, and what may become of it."""
        return ", ".join(part for part in (self.grade, self.open_grade) if part)


@dataclass(frozen=True, slots=True)
class Grades:
    """The grades of a league."""

    criteria: tuple[Criterion, ...]
    students: tuple[StudentGrade, ...]
    """As in the students' file; without one, in alphabetical order."""
    notes: tuple[str, ...]
    """Notes for the instructor about students and bots, a sentence each."""


def grade_students(report: Report, info: LeagueInfo) -> Grades:
    """Return each student's grade.

    `info` has passed `check_grading`; the report has the bots' own names.

    Raises:
        ConfigError: the students' file can't be read, or a line is wrong.
    """
    marker = Marker(report, info)
    found = hand_ins(info)
    criteria = criteria_of(info)
    return Grades(
        criteria,
        tuple(
            _grade(student, own, marker.marks(own.entries), criteria, info)
            for student, own in found.of.items()
        ),
        tuple(found.notes),
    )


def _grade(
    student: str,
    hand_in: HandIn,
    bots: Sequence[BotMarks],
    criteria: Sequence[Criterion],
    info: LeagueInfo,
) -> StudentGrade:
    grading = info.grading or GradingSettings()
    if not bots:
        reason = "; ".join(hand_in.problems) or NOTHING
        none = tuple(
            Mark(criterion, MarkResult.FAILED, reason) for criterion in criteria
        )
        return StudentGrade(
            student=student,
            bot=None,
            file=", ".join(hand_in.files),
            marks=none,
            undecided_points=0.0,
            grade=letter(0.0, grading.cutoffs),
            open_grade="",
            reason=reason,
        )
    best = min(
        bots, key=lambda bot: (-bot.points, -bot.undecided_points, bot.rank or inf)
    )
    highest = max(bot.points + bot.undecided_points for bot in bots)
    undecided = add_points((highest, -best.points))
    reasons = list(hand_in.problems)
    if len(bots) > 1:
        points = ", ".join(f"{bot.entry.name} {bot.points:g}" for bot in bots)
        reasons.insert(0, f"the one with most points counts: {points}")
    return StudentGrade(
        student=student,
        bot=best.entry,
        file=best.entry.file,
        marks=best.marks,
        undecided_points=undecided,
        grade=letter(best.points, grading.cutoffs),
        open_grade=_open_grade(best, undecided, grading.cutoffs),
        reason="; ".join(reasons),
    )


def letter(points: float, cutoffs: Mapping[str, float]) -> str:
    """Return the grade with the highest cut-off that the points reach, or nothing."""
    reached = [(cutoff, grade) for grade, cutoff in cutoffs.items() if cutoff <= points]
    return max(reached)[1] if reached else ""


def _open_grade(best: BotMarks, undecided: float, cutoffs: Mapping[str, float]) -> str:
    open_marks = [mark for mark in best.marks if mark.undecided_points]
    if len(open_marks) == 1 and undecided == best.undecided_points:
        grade = letter(best.points + undecided, cutoffs)
        if grade == letter(best.points, cutoffs):
            return ""
        return f"{grade} if it {open_marks[0].criterion.title}"
    better = sorted(
        (cutoff, grade)
        for grade, cutoff in cutoffs.items()
        if best.points < cutoff <= best.points + undecided
    )
    more = [f"{grade} with {cutoff - best.points:g}" for cutoff, grade in better]
    return f"{', '.join(more)} of the {undecided:g} undecided points" if more else ""

"""Whose bots they are, and what each student's points and grade come to."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.league.config.info import EntryInfo, LeagueInfo
from arena.league.config.settings import GradingSettings
from arena.league.config.students import StudentRow, file_stem, read_students, staff
from arena.reports.grading.marks import (
    BotMarks,
    Criterion,
    Mark,
    MarkResult,
    add_points,
    criteria_of,
    marks_of_bots,
)
from arena.reports.report import Report
from arena.text import closest, one_line

NOTHING = "no bot was handed in"


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


def students_by_entry(info: LeagueInfo) -> dict[str, tuple[str, ...]]:
    """Return the students of each bot, by the entry's id; nobody's are left out.

    Raises:
        ConfigError: the students' file can't be read, or a line is wrong.
    """
    owners: dict[str, list[str]] = {}
    for student, hand_in in _hand_ins(info).of.items():
        for entry in hand_in.entries:
            owners.setdefault(entry.id, []).append(student)
    return {id_: tuple(students) for id_, students in owners.items()}


def grade_students(report: Report, info: LeagueInfo) -> Grades:
    """Return each student's grade.

    `info` has passed `check_grading`; the report has the bots' own names.

    Raises:
        ConfigError: the students' file can't be read, or a line is wrong.
    """
    marks = marks_of_bots(report, info)
    found = _hand_ins(info)
    criteria = criteria_of(info)
    return Grades(
        criteria,
        tuple(
            _grade(
                student, hand_in, [marks[e.id] for e in hand_in.entries], criteria, info
            )
            for student, hand_in in found.of.items()
        ),
        tuple(found.notes),
    )


@dataclass(frozen=True, slots=True)
class _HandIn:
    """The bots that a student has handed in."""

    entries: list[EntryInfo]
    problems: list[str]
    """Why there is no bot in it, a few words each."""
    files: list[str]
    """Those without a bot."""


@dataclass(frozen=True, slots=True)
class _HandIns:
    of: dict[str, _HandIn]
    """By student."""
    notes: list[str]


def _hand_ins(info: LeagueInfo) -> _HandIns:
    grading = info.grading or GradingSettings()
    if grading.students is None:
        return _HandIns(_by_file(info), [])
    path = Path(grading.students)
    return _by_row(info, path, read_students(path))


def _by_file(info: LeagueInfo) -> dict[str, _HandIn]:
    """Take each file as that of a student who is called as it is."""
    others = staff(info)
    versions: dict[str, set[str]] = {}
    for entry in info.entries:
        versions.setdefault(file_stem(entry.file), set()).add(entry.code)
    found: dict[str, _HandIn] = {}
    for entry in info.entries:
        if entry.id not in others:
            stem = file_stem(entry.file)
            # Programs are often all called `main`.
            named = stem if len(versions[stem]) == 1 else entry.name
            student = _stem_in_id(entry) or named
            found.setdefault(student, _HandIn([], [], [])).entries.append(entry)
    for file, reason in info.rejected:
        own = found.setdefault(file_stem(file), _HandIn([], [], []))
        own.problems.append(_rejected(file, reason))
        own.files.append(file)
    return dict(sorted(found.items()))


def _by_row(info: LeagueInfo, path: Path, rows: Iterable[StudentRow]) -> _HandIns:
    rejected = {file_stem(file): (file, reason) for file, reason in info.rejected}
    claimed: set[str] = set()
    unknown: list[StudentRow] = []
    found: dict[str, _HandIn] = {}
    for row in rows:
        own = found.setdefault(row.student, _HandIn([], [], []))
        if not row.file:
            continue
        entries = _entries_of(info.entries, row.file)
        own.entries.extend(entry for entry in entries if entry not in own.entries)
        claimed.update(entry.id for entry in entries)
        if not entries and file_stem(row.file) in rejected:
            file, reason = rejected[file_stem(row.file)]
            own.problems.append(_rejected(file, reason))
            own.files.append(file)
        elif not entries:
            own.problems.append(f"{NOTHING}: there is no {row.file} in this league")
            own.files.append(row.file)
            unknown.append(row)
    others = staff(info)
    nobody = sorted(
        {e.file for e in info.entries if e.id not in claimed and e.id not in others}
    )
    notes = []
    for row in unknown:
        close = closest(row.file.rpartition("/")[2], nobody)
        hint = f"; did you mean {close}, which is nobody's?" if close else ""
        notes.append(
            f"{path}:{row.line}: there is no {row.file} in this league, so it counts "
            f"as not handed in{hint}"
        )
    if nobody:
        notes.append(f"bots of nobody in {path}: {', '.join(nobody)}")
    return _HandIns(found, notes)


def _entries_of(entries: Sequence[EntryInfo], file: str) -> list[EntryInfo]:
    """Return the bots of a file.

    Of files of one name the folder tells which, as it does in their ids; or else it is
    the one that has kept its name there.  Programs are also found by their own names.
    """
    stem = file_stem(file)
    found = [entry for entry in entries if file_stem(entry.file) == stem]
    by_stem: dict[str, list[EntryInfo]] = {}
    for entry in found:
        by_stem.setdefault(_stem_in_id(entry), []).append(entry)
    if len(by_stem) > 1:
        in_folder = "/".join(file.removesuffix(".py").split("/")[-2:])
        found = by_stem.get(in_folder) or by_stem.get(stem) or found
    return found or [entry for entry in entries if file in (entry.name, entry.id)]


def _stem_in_id(entry: EntryInfo) -> str:
    """Return the name of its file in its id; nothing if the id has another."""
    return entry.id.rpartition(":")[0]


def _rejected(file: str, reason: str) -> str:
    return f"{file} takes no part: {one_line(reason)}"


def _grade(
    student: str,
    hand_in: _HandIn,
    bots: Sequence[BotMarks],
    criteria: Sequence[Criterion],
    info: LeagueInfo,
) -> StudentGrade:
    grading = info.grading or GradingSettings()
    if not bots:
        reason = "; ".join(hand_in.problems) or NOTHING
        none = tuple(
            Mark(criterion, MarkResult.FAILED, 0.0, reason) for criterion in criteria
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
    best = min(bots, key=lambda bot: (-bot.points, -bot.undecided_points, bot.rank))
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

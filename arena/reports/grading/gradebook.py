"""The files for a gradebook: `grades.csv` and a `gradescope/` folder."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from arena.league.config.info import LeagueInfo
from arena.league.config.students import check_grading, staff
from arena.reports.forfeits import by_bot
from arena.reports.grading.grades import Grades, StudentGrade, grade_students
from arena.reports.grading.gradescope import GradescopeResults
from arena.reports.grading.marks import RANK_GROUP, MarkResult
from arena.reports.report import Report, rounded
from arena.reports.writing import Cell, csv_text, make_folder, write_text
from arena.text import counted, listed, one_line

FILE_NAME = "grades.csv"
FOLDER = "gradescope"
_COLUMNS = (
    *("student", "bot", "file", "points", "undecided_points"),
    *("grade", "open_grade", "reason"),
)
_MAX_STEM_CHARS = 80
_MOST_NAMES = 3


def write_grades(
    report: Report, info: LeagueInfo, folder: Path, where: str
) -> list[str]:
    """Grade a league and write what came of it into its results `folder`.

    Returns notes for the instructor, a sentence each; nothing if `info` has no
    `grading`.  `info` is what `Store.info` says, or that with the settings of an edited
    file (`with_settings`); `where` is the file these are in.
    `report` has the bots' own names.

    Raises:
        ConfigError: the grading names what is not there.
        RecordError: a file can't be written.
    """
    if info.grading is None:
        return []
    check_grading(info, where)
    grades = grade_students(report, info)
    write_text(folder / FILE_NAME, [grades_csv(grades)])
    _write_folder(report, grades, folder)
    notes = [
        f"{len(grades.students)} students are graded in {folder / FILE_NAME} and "
        f"{folder / FOLDER}",
        *_summary(grades),
        *_doubts(report, grades, info),
        *grades.notes,
    ]
    return [one_line(note) for note in notes]


def grades_csv(grades: Grades) -> str:
    """Return one row a student: points, grade, and what became of every mark."""
    parts = ("points", "outcome", "reason")
    header = [*_COLUMNS]
    header += [
        f"{criterion.title}: {part}" for criterion in grades.criteria for part in parts
    ]
    return csv_text(header, map(_cells, grades.students))


def _cells(grade: StudentGrade) -> list[Cell]:
    cells: list[Cell] = [
        grade.student,
        None if grade.bot is None else grade.bot.name,
        grade.file or None,
        _number(grade.points),
        _number(grade.undecided_points),
        grade.grade,
        grade.open_grade,
        grade.reason,
    ]
    for mark in grade.marks:
        cells += [_number(mark.points), mark.outcome.value, mark.reason]
    return cells


def _number(points: float) -> Cell:
    """Return points as people write them: 70 and not 70.0."""
    return int(points) if points == int(points) else rounded(points, 6)


def _write_folder(report: Report, grades: Grades, folder: Path) -> None:
    """Write a file for each student, and remove those of students who have left."""
    gradescope = folder / FOLDER
    make_folder(gradescope)
    old = {path.name for path in gradescope.glob("*.json")}
    names = file_names([grade.student for grade in grades.students])
    results = GradescopeResults(report, f"results/{folder.resolve().name}")
    for grade in grades.students:
        text = json.dumps(results.of(grade), indent=2, ensure_ascii=False)
        write_text(gradescope / names[grade.student], [text, "\n"])
    for name in sorted(old - set(names.values())):
        with suppress(OSError):
            (gradescope / name).unlink()


def file_names(students: Iterable[str]) -> dict[str, str]:
    """Return the name of each student's file.

    Letters that a file name may not have become `_`, and a hash of the student tells
    apart what would then be the same, in small letters too.
    """
    plain = {name: re.sub(r"[^A-Za-z0-9@+._-]", "_", name) for name in sorted(students)}
    plain = {name: stem.lstrip(".-")[:_MAX_STEM_CHARS] for name, stem in plain.items()}
    times = Counter(stem.casefold() for stem in plain.values())
    return {
        name: f"{stem}.json"
        if stem and stem == name and times[stem.casefold()] == 1
        # A tilde is in no plain name.
        else f"{stem}~{hashlib.sha256(name.encode()).hexdigest()[:12]}.json"
        for name, stem in plain.items()
    }


def _summary(grades: Grades) -> Iterator[str]:
    """Yield how many have passed each mark, and the students without a bot."""
    handed_in = [grade for grade in grades.students if grade.bot is not None]
    for i, criterion in enumerate(grades.criteria):
        marks = [grade.marks[i] for grade in handed_in]
        counts = Counter(mark.outcome for mark in marks)
        line = f"{criterion.title}: {counts[MarkResult.PASSED]} of {len(marks)} passed"
        if counts[MarkResult.UNDECIDED]:
            line += f", {counts[MarkResult.UNDECIDED]} undecided"
            more = [mark.more_games for mark in marks if mark.more_games is not None]
            if more:
                # An even score may take any number.
                some = "" if len(more) == counts[MarkResult.UNDECIDED] else " some"
                line += f" (about {max(more)} more games each would decide{some})"
        yield line
    open_grades = [grade for grade in handed_in if grade.open_grade]
    if open_grades:
        yield f"grades still open: {_names(open_grades)}"
    missing = [grade for grade in grades.students if grade.bot is None]
    if missing:
        yield f"students without a bot: {_names(missing)}"


def _names(grades: Sequence[StudentGrade], most: int = 20) -> str:
    names = ", ".join(grade.student for grade in grades[:most])
    return names + f" and {len(grades) - most} more" * (len(grades) > most)


def _doubts(report: Report, grades: Grades, info: LeagueInfo) -> Iterator[str]:
    """Yield the reasons to trust the grades less."""
    grading = info.grading
    assert grading is not None
    if report.played < report.planned:
        yield (
            f"the league is unfinished ({report.played} of {report.planned} games), so "
            "grades will still change"
        )
    beaten = {report.names[id_] for id_ in staff(info)}
    for bot, forfeits in sorted(by_bot(report.forfeits).items()):
        if bot not in beaten:
            continue
        yield (
            f"{bot}, which bots are compared with, has forfeited "
            f"{counted(len(forfeits), 'game')}: marks against it may be gifts"
        )
    yield from _paid_losers(report, grades, grading.rank_groups_above)
    most = sum(beats.points for beats in grading.beats)
    most += max(grading.rank_groups, default=0.0)
    for grade, cutoff in grading.cutoffs.items():
        if cutoff > most:
            yield f"nobody can get {grade}: it takes {cutoff:g} of {most:g} points"


def _paid_losers(report: Report, grades: Grades, floor: str | None) -> Iterator[str]:
    """Yield a note if groups of ranks give points for losing all."""
    rows = {row.bot: row for row in report.rows}
    losers = {
        grade.bot.name
        for grade in grades.students
        if grade.bot is not None
        for mark in grade.marks
        if mark.criterion.title == RANK_GROUP and mark.points
        if not rows[grade.bot.name].wins + rows[grade.bot.name].draws
    }
    if losers and floor is None:
        groups = max(row.group or 0 for row in report.rows)
        yield (
            f"rank_groups gives points to {listed(sorted(losers)[:_MOST_NAMES])}, "
            f"without a single win: the leaderboard has "
            f"{counted(groups, 'tie group')}; name a bot under rank_groups_above, and "
            "only who is surely above it gets any"
        )

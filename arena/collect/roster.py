"""The list of students that an instructor gives.

It is a CSV file: a gradebook that a platform exports, such as Canvas's (columns
`Student`, `ID`, `SIS Login ID`, a row `Points Possible` and a student called `Student,
Test`: instructure/canvas-lms, `lib/gradebook_importer.rb`, 2026), Moodle's worksheet of
grades (`Identifier`, `Full name`, `Email address`), Classroom 50's `students.csv`
(`username`, `first_name`, `last_name`, `email`), or any other.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.errors import ConfigError
from arena.league.config.csv_table import read_table
from arena.league.config.students import spelt_alike
from arena.reports.writing import safe
from arena.text import did_you_mean, listed, one_line

KEY = "student"
"""The column that the league reads."""
OWN_COLUMNS = ("file", "submitted", "late", "attempts", "found", "note")
"""The columns that are filled in, in the order in which they are added."""
NAME = "name"
_NO_STUDENTS = ("points possible", "student, test", "test student")
_NAME_HEADERS = (NAME, "full name", "student name")
_FIRST_AND_LAST = tuple(
    (re.compile(rf"{first}.?name"), re.compile(rf"{last}.?name"))
    for first, last in (("first", "(last|sur)"), ("given", "family"))
)


@dataclass(frozen=True, slots=True)
class Student:
    """One of a list of students."""

    key: str
    """What the gradebook calls this student; the league's students' file too."""
    cells: tuple[str, ...] = ()
    """Of the list's columns; none if the list does not have this student."""
    line: int = 0
    """From 1; 0 if the list does not have this student."""

    @property
    def who(self) -> str:
        """The same for all spellings of the key."""
        return spelt_alike(self.key)


@dataclass(frozen=True, slots=True)
class Roster:
    """A list of students with all its columns."""

    header: tuple[str, ...] = (KEY, NAME)
    students: tuple[Student, ...] = ()
    left: tuple[str, ...] = ()
    """Lines that are no students, and what stands there in the key's column."""
    delimiter: str = ","
    has_bom: bool = False

    @property
    def is_ours(self) -> bool:
        """True if it has all columns that are filled in here."""
        return {KEY, *OWN_COLUMNS} <= set(self.columns)

    @property
    def columns(self) -> tuple[str, ...]:
        """The header as it is compared."""
        return tuple(cell.strip().casefold() for cell in self.header)

    def about(self, student: Student) -> list[tuple[int, str]]:
        """Return the cells that say who a student is, with their columns."""
        return [
            (i, cell)
            for i, cell in enumerate(student.cells[: len(self.header)])
            if cell.strip() and self.columns[i] not in OWN_COLUMNS
        ]

    def is_bare(self, student: Student) -> bool:
        """Return True if the list has nothing of a student but key and name."""
        return all(self.columns[i] in (KEY, NAME) for i, _ in self.about(student))

    def was_added(self, student: Student, added: Collection[str]) -> bool:
        """Return True if a student was no part of the list, and still is not.

        `added` are those who were added in runs before (`Student.who`).
        """
        return self.is_ours and student.who in added and self.is_bare(student)

    def has_all_of(self, other: "Roster") -> bool:
        """Return True if all that another list tells of students stands here too."""
        own = {
            (student.who, self.columns[i], cell)
            for student in self.students
            for i, cell in self.about(student)
        }
        return own.issuperset(
            (student.who, other.columns[i], cell)
            for student in other.students
            if not other.is_bare(student)
            for i, cell in other.about(student)
            if other.columns[i] not in (KEY, NAME)
        )

    def name_of(self, student: Student) -> str:
        """Return the name of a student, if a column says that it is one."""
        cells = {self.columns[i]: cell for i, cell in self.about(student)}
        names = [cells.get(header, "") for header in _NAME_HEADERS]
        for pair in _FIRST_AND_LAST:
            parts = [
                next((cell for column, cell in cells.items() if x.match(column)), "")
                for x in pair
            ]
            names.append(" ".join(parts) if all(parts) else "")
        return next(filter(None, names), "")


def read_roster(path: Path, key: str | None = None) -> Roster:
    """Return the list of students in a file; `key` is the header of the key's column.

    Raises:
        ConfigError: it can't be read, has no such column, or two students of one key.
    """
    table = read_table(path)
    header = tuple(map(str.strip, table.header))
    columns = [cell.casefold() for cell in header]
    wanted = spelt_alike(key if key is not None else KEY)
    at = _column(path, header, wanted, is_asked=key is not None)
    order = [*range(len(header))]
    if columns[at] != KEY:
        # The league reads the column `student`, so another one can't be called so.
        other = NAME if NAME not in columns else "student name"
        others = (
            other if column == KEY else title
            for column, title in zip(columns, header, strict=True)
        )
        header = (KEY, *others)
        order.insert(0, at)
    left = []
    found: dict[str, Student] = {}
    roster = Roster(header, (), (), table.delimiter, table.has_bom)
    for line, row in table.rows:
        cells = tuple(str(safe(row[i].strip())) for i in order)
        name = cells[roster.columns.index(KEY)]
        student = Student(name, cells, line)
        if student.who in _NO_STUDENTS or not name:
            left.append(f"line {line} ({one_line(name) or 'nobody'})")
            continue
        same = found.setdefault(student.who, student)
        if same.key != name or roster.about(same) != roster.about(student):
            raise ConfigError(
                f"{path}:{line}",
                f"{name!r} is in line {same.line} already; name a column that tells "
                f"them apart with --key: {listed(map(repr, table.header), 'or')}",
            )
    return Roster(
        header,
        tuple(found.values()),
        tuple(left),
        table.delimiter,
        table.has_bom,
    )


def _column(path: Path, header: Sequence[str], wanted: str, *, is_asked: bool) -> int:
    columns = [spelt_alike(cell) for cell in header]
    if columns.count(wanted) == 1:
        return columns.index(wanted)
    names = ", ".join(filter(None, header)) or "nothing"
    if wanted in columns:
        raise ConfigError(f"{path}:1", f"has several columns {wanted!r}: {names}")
    if is_asked:
        hint = did_you_mean(wanted, [c for c in header if c], f"found {names}")
        raise ConfigError(f"{path}:1", f"has no column {wanted!r}; {hint}")
    raise ConfigError(
        f"{path}:1",
        "has no column student; name the one that the gradebook wants with --key: "
        + names,
    )

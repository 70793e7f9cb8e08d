"""The list of students, and the persons of exports found in it.

It is a CSV file: a gradebook that a platform exports, such as Canvas's (columns
`Student`, `ID`, `SIS Login ID`, a row `Points Possible` and a student called `Student,
Test`: instructure/canvas-lms, `lib/gradebook_importer.rb`, 2026), Moodle's worksheet of
grades (`Identifier`, `Full name`, `Email address`), Classroom 50's `students.csv`
(`username`, `first_name`, `last_name`, `email`), or any other.  Headers may be in any
language, so columns are told apart by their cells.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from pathlib import Path

from arena.collect.submission import Person
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
_TEAM_HEADER = re.compile("group|team|gruppe")
_NUMBERED = re.compile(r"(?:[^\W\d]\D*)?(\d+(?: \d+)*)")
"""`Participant 12345`, in any language: Moodle's worksheet, where names of files have
the number alone.  There may be more: with each assignment it gives another one."""
_STRIPPED = str.maketrans("łøđħŧıæœþð", "lodhtiaotd", "")
_SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})


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


class Sureness(IntEnum):
    """How a person was found in the list, the surest first."""

    FIRST_ID = 0
    OTHER_ID = 1
    NAME = 2
    TURNED_NAME = 3
    SQUEEZED_NAME = 4
    USER_NAME = 5
    PLAIN_NAME = 6
    NOT_AT_ALL = 7


_BY_NAME = (Sureness.NAME, Sureness.TURNED_NAME, Sureness.SQUEEZED_NAME)


@dataclass(frozen=True, slots=True)
class Match:
    """What the list says of a person."""

    sureness: Sureness = Sureness.NOT_AT_ALL
    students: tuple[Student, ...] = ()
    """One, or the members of a team; none if nobody is meant for sure."""
    candidates: tuple[Student, ...] = ()
    """Those who may be meant, if there are several."""


class Matcher:
    """Finds persons in a list of students."""

    def __init__(
        self,
        roster: Roster,
        students: Sequence[Student],
        persons: Iterable[tuple[str, Person]],
    ) -> None:
        """Use some `students` of a list; `persons` are all, with their platforms."""
        self._roster = roster
        self._by_cell: dict[int, dict[str, dict[str, Student]]] = {}
        """By column, what is in the cell, and who."""
        self._users: dict[tuple[str, bool], dict[str, Student]] = defaultdict(dict)
        """By user name, and whether it is the first part of an address."""
        self._teams: dict[str, dict[str, Student]] = defaultdict(dict)
        self._by_name: dict[Sureness, dict[str, dict[str, Student]]] = {
            sureness: defaultdict(dict) for sureness in Sureness
        }
        for student in students:
            about = roster.about(student)
            for i, cell in about:
                column = self._by_cell.setdefault(i, defaultdict(dict))
                column[_id(cell)][student.who] = student
                if found := _NUMBERED.fullmatch(_id(cell)):
                    for number in found[1].split():
                        column[number][student.who] = student
                if _TEAM_HEADER.search(roster.columns[i]):
                    for name in (_letters(cell), _id(cell)):
                        self._teams[name][student.who] = student
                user, at, _ = _id(cell).partition("@")
                self._users[user, bool(at)][student.who] = student
            # Others of his cells may have the name of a tutor or a partner.
            own = [(0, student.key), (2, roster.name_of(student))]
            for sureness, text in _names(own if own[1][1] else about):
                self._by_name[sureness][text][student.who] = student
        self._telling = [
            # Where cells are repeated they say something else, such as a section.
            column
            for column in self._by_cell.values()
            if all(len(same) == 1 for same in column.values())
        ]
        self._columns = self._vote(persons)

    def _vote(
        self, persons: Iterable[tuple[str, Person]]
    ) -> dict[tuple[str, int], int]:
        """Return the column in which a platform's ids stand, for each kind of them.

        An id may also be in another one: a number may be somebody's points, and an
        address that of a partner.  So that column is meant which has the most of them.
        """
        votes: Counter[tuple[tuple[str, int], int]] = Counter()
        for platform, person in persons:
            for nth, id_ in enumerate(map(_id, person.ids)):
                for i, column in self._by_cell.items():
                    votes[(platform, nth), i] += id_ in column
        best: dict[tuple[str, int], int] = {}
        for (place, i), number in sorted(votes.items(), key=lambda x: (-x[1], x[0])):
            if number:
                best.setdefault(place, i)
        return best

    def find(self, platform: str, person: Person) -> Match:
        """Return who a person is."""
        found = self.alone(platform, person)
        team = self._members(person)
        is_team = all(student in team for student in found.students)
        if not team or not is_team or found.sureness in _BY_NAME:
            return found
        return Match(Sureness.FIRST_ID, team)

    def alone(self, platform: str, person: Person) -> Match:
        """Return who a person is, whatever teams are called."""
        return Match() if person.is_team else self._one(platform, person)

    def _one(self, platform: str, person: Person) -> Match:
        candidates: dict[str, Student] = {}
        for sureness, found in self._tries(platform, person):
            if len(found) == 1:
                return Match(sureness, tuple(found.values()))
            candidates = candidates or found
        return Match(candidates=tuple(candidates.values()))

    def _tries(
        self, platform: str, person: Person
    ) -> Iterator[tuple[Sureness, dict[str, Student]]]:
        for nth, id_ in enumerate(map(_id, person.ids)):
            sureness = Sureness.OTHER_ID if nth else Sureness.FIRST_ID
            yield sureness, self._with_id((platform, nth), id_)
        for sureness, text in _names([(0, person.name)] if person.name else []):
            if sureness < Sureness.PLAIN_NAME:
                yield sureness, self._by_name[sureness].get(text, {})
        for id_ in map(_id, person.ids):
            user, at, _ = id_.partition("@")
            if not user.isdigit():
                yield Sureness.USER_NAME, self._with_user_name(user, has_at=bool(at))
        for sureness, text in _names([(0, person.name)] if person.name else []):
            if sureness == Sureness.PLAIN_NAME:
                yield sureness, self._by_name[sureness].get(text, {})

    def _with_id(self, place: tuple[str, int], id_: str) -> dict[str, Student]:
        if " " in id_ and not _NUMBERED.fullmatch(id_):
            # As a name it is less sure: a column may have those of tutors.
            return {}
        found = self._by_cell.get(self._columns.get(place, -1), {}).get(id_, {})
        if len(found) == 1 or id_.isdigit():
            return found
        for column in self._by_cell.values() if "@" in id_ else self._telling:
            found = found | column.get(id_, {})
        return found

    def _with_user_name(self, user: str, *, has_at: bool) -> dict[str, Student]:
        found = self._users.get((user, not has_at), {})
        if has_at:
            # An address that the list knows is another one's.
            found = {
                who: student
                for who, student in found.items()
                if not any("@" in cell for _, cell in self._roster.about(student))
            }
        return found

    def _members(self, team: Person) -> tuple[Student, ...]:
        """Return the members of a team, for one of whom an export may name it."""
        called = {_letters(team.name), *(map(_id, team.ids) if team.is_team else ())}
        return tuple(
            {
                student.who: student
                for name in sorted(called - {""})
                for student in self._teams.get(name, {}).values()
            }.values()
        )


def _id(text: str) -> str:
    """Return an id or a cell as they are compared; Brightspace puts `#` before ids."""
    return spelt_alike(text).lstrip("'#")


def _letters(text: str) -> str:
    """Return a name without all that Canvas leaves out of it."""
    return "".join(filter(str.isalnum, spelt_alike(text)))


def _names(about: Sequence[tuple[int, str]]) -> Iterator[tuple[Sureness, str]]:
    """Yield how somebody may be called whose cells these are, and how sure that is.

    Of first and last name there may be a column each, beside each other.
    """
    cells = [spelt_alike(cell) for _, cell in about]
    pairs = [
        both
        for ((i, _), one), ((j, _), other) in pairwise(zip(about, cells, strict=True))
        if j == i + 1
        for both in (f"{one} {other}", f"{other} {one}")
    ]
    for cell in (*cells, *pairs):
        last, comma, first = cell.partition(",")
        words = f"{first} {last}".split() if comma else cell.split()
        yield Sureness.NAME, " ".join(words)
        yield Sureness.TURNED_NAME, " ".join(sorted(words))
        for way in (_stripped, _spelt_out):
            yield Sureness.PLAIN_NAME, way(" ".join(sorted(words)))
        for i in range(len(words)):
            yield Sureness.SQUEEZED_NAME, _letters("".join(words[i:] + words[:i]))


def _stripped(text: str) -> str:
    """Return a text without accents."""
    parts = unicodedata.normalize("NFD", text)
    return "".join(c for c in parts if not unicodedata.combining(c)).translate(
        _STRIPPED
    )


def _spelt_out(text: str) -> str:
    """Return a text with two letters for what has dots."""
    return _stripped(text.translate(_SPELT_OUT))

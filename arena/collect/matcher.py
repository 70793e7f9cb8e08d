"""Persons of exports, found in the list of students.

By ids, else by names, which platforms write in many ways.  Headers of the list may be
in any language, so columns are told apart by their cells.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise

from arena.collect.roster import Roster, Student
from arena.collect.submission import Person
from arena.league.config.students import spelt_alike

_TEAM_HEADER = re.compile("group|team|gruppe")
_NUMBERED = re.compile(r"(?:[^\W\d]\D*)?(\d+(?: \d+)*)")
"""`Participant 12345`, in any language: Moodle's worksheet, where names of files have
the number alone.  There may be more: with each assignment it gives another one."""
_STRIPPED = str.maketrans("łøđħŧıæœþð", "lodhtiaotd", "")
_SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})


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

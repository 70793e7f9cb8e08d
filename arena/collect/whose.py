"""Whose hand-ins are: persons of exports as students of the list, or beside it.

A student must not become another one by what he can choose.  So a name, or anything
but the first of the ids, counts only if nobody else on that platform fits as well; and
who was found once stays who he is, unless somebody fits better.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from arena.collect.attempt import Attempt, Member, identity
from arena.collect.matcher import Match, Matcher, Sureness
from arena.collect.roster import Roster, Student
from arena.collect.submission import Person
from arena.league.config.students import spelt_alike
from arena.reports.writing import safe
from arena.text import cut, listed, one_line, some_of

_MAX_KEY_CHARS = 100
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Whose:
    """The students of all who have handed in."""

    members: Mapping[str, Member]
    """By `identity`."""
    doubts: Mapping[str, str]
    """By the same: a sentence on who may be meant; it goes on after the person."""
    unlisted: Mapping[str, str]
    """The ids of those that the list, if there is one, does not have, by their keys."""

    def of(self, platform: str, people: Iterable[Person]) -> tuple[Member, ...]:
        """Return the members of who has handed something in."""
        found = {identity(platform, person): person for person in people}
        return tuple(self.members[who] for who in sorted(found))


def find_whose(
    roster: Roster, known: Iterable[Attempt], new: Iterable[tuple[str, Person]]
) -> Whose:
    """Return whose all hand-ins are, of runs before and of this one.

    `new` are persons with their platforms.
    """
    before: dict[str, Member] = {}
    persons: dict[str, tuple[str, Person]] = {}
    for attempt in known:
        for member in attempt.members:
            who = identity(attempt.platform, member.person)
            before[who] = member
            persons[who] = attempt.platform, member.person
    for platform, person in new:
        persons.setdefault(identity(platform, person), (platform, person))
    students = _of_list(roster, before.values())
    matcher = Matcher(roster, students, persons.values())
    matches = {who: matcher.find(*place) for who, place in persons.items()}
    alone = {who: matcher.alone(*place) for who, place in persons.items()}
    no_teams = _no_teams(persons, matches, alone)
    matches |= {who: alone[who] for who in no_teams}
    rivals = _rivals(persons, matches, before)
    members: dict[str, Member] = {}
    doubts = {}
    for who, (_, person) in persons.items():
        match, old = matches[who], before.get(who)
        if who in rivals:
            doubts[who] = _on_rivals(match, person)
            if old is not None and not old.is_listed:
                members[who] = old
        elif match.students:
            members[who] = Member(person, tuple(x.key for x in match.students), True)
        elif old is not None:
            members[who] = old
        if match.candidates:
            doubts[who] = _on_candidates(match, person)
    called = Counter(spelt_alike(_called(person)) for _, person in persons.values())
    _add_others(members, persons, roster, called)
    for who, (_, person) in persons.items():
        if not members[who].is_listed and called[spelt_alike(_called(person))] > 1:
            doubts.setdefault(who, _on_namesakes(person))
    for who in sorted(no_teams):
        team = _cell(persons[who][1].name)
        doubts[who] = (
            f"is called {team} on the platform, as a team of the list of students, of "
            "which others have handed in themselves: so it is not theirs"
        )
    keys = {student.key for student in students}
    unlisted = {
        key: next(map(_cell, person.ids), "")
        for who, (_, person) in persons.items()
        for key in members[who].students
        if keys and key not in keys
    }
    return Whose(members, doubts, unlisted)


def _of_list(roster: Roster, before: Iterable[Member]) -> list[Student]:
    """Return the students that the list has, without those that were added to it."""
    added = {
        spelt_alike(key)
        for member in before
        if not member.is_listed
        for key in member.students
    }
    return [
        student for student in roster.students if not roster.was_added(student, added)
    ]


def _no_teams(
    persons: Mapping[str, tuple[str, Person]],
    matches: Mapping[str, Match],
    alone: Mapping[str, Match],
) -> frozenset[str]:
    """Return who seems to be a team by name, though others of it are there themselves.

    People may choose what they are called, and a section is called something too.
    """
    themselves = {
        (platform, student.key)
        for who, (platform, _) in persons.items()
        if matches[who] == alone[who]
        for student in alone[who].students
    }
    return frozenset(
        who
        for who, (platform, person) in persons.items()
        if not person.is_team
        and matches[who] != alone[who]
        and any((platform, x.key) in themselves for x in matches[who].students)
    )


def _rivals(
    persons: Mapping[str, tuple[str, Person]],
    matches: Mapping[str, Match],
    before: Mapping[str, Member],
) -> frozenset[str]:
    """Return who is not the student he seems to be, or not for sure."""
    claims = defaultdict(list)
    for who, (platform, person) in persons.items():
        if matches[who].students and not person.is_team:
            claims[platform, matches[who].students[0].key].append(who)
    found: set[str] = set()
    for (_, key), claimants in claims.items():
        sure = [x for x in claimants if matches[x].sureness == Sureness.FIRST_ID]
        kept = [x for x in claimants if x in before and key in before[x].students]
        best = min(matches[x].sureness for x in claimants)
        first = [x for x in claimants if matches[x].sureness == best]
        # The list itself may give one student two ids.
        winners = sure or next((x for x in (kept, first) if len(x) == 1), [])
        found |= set(claimants) - set(winners)
    return frozenset(found)


def _add_others(
    members: dict[str, Member],
    persons: Mapping[str, tuple[str, Person]],
    roster: Roster,
    called: Mapping[str, int],
) -> None:
    """Make students of those that the list does not have.

    `called` is how many are called the same.
    """
    taken = {student.who for student in roster.students}
    taken |= {spelt_alike(key) for x in members.values() for key in x.students}
    for who, (_, person) in persons.items():
        if who in members:
            continue
        name = key = _called(person)
        if called[spelt_alike(name)] > 1 or spelt_alike(name) in taken:
            key = name = _with_id(name, person)
        nth = 1
        while spelt_alike(key) in taken:
            nth += 1
            key = f"{name} {nth}"
        taken.add(spelt_alike(key))
        members[who] = Member(person, (key,), False)


def _called(person: Person) -> str:
    """Return what a person is called without a list: by address, user name or name."""
    ids = [_cell(id_) for id_ in person.ids]
    users = [x for x in ids if " " not in x and not x.lstrip("'").isdigit()]
    addresses = [x for x in ids if "@" in x]
    team = [_cell(person.name)] if person.is_team else []
    found = (*team, *addresses, *users, _cell(person.name), *ids)
    return next(filter(None, found), "student")


def _with_id(name: str, person: Person) -> str:
    ids = (_cell(id_) for id_ in person.ids)
    other = next((id_ for id_ in ids if id_ and id_ != name), "")
    return _cell(f"{name} ({other})") if other else name


def _cell(text: str) -> str:
    """Return a text of an export as it stands in a table."""
    return str(safe(cut(one_line(text), _MAX_KEY_CHARS)))


def _on_candidates(match: Match, person: Person) -> str:
    some = some_of(
        (f"{x.key} in line {x.line}" for x in match.candidates[:_SHOWN]),
        len(match.candidates),
    )
    return f"may be any of several in the list of students ({some}); {_remedy(person)}"


def _on_rivals(match: Match, person: Person) -> str:
    return (
        f"seems to be {listed(x.key for x in match.students)} of the list of students, "
        f"and so does somebody else who fits as well or better; {_remedy(person)}"
    )


def _on_namesakes(person: Person) -> str:
    return f"is called like another student; if they are one, {_remedy(person)}"


def _remedy(person: Person) -> str:
    if not person.ids:
        return "name all of them apart on the platform"
    return (
        f"write the id {_cell(person.ids[0])} into the line that is meant, in the "
        "column of ids (behind a blank if another one is there), or in a new column "
        "for all such ids if there is none"
    )

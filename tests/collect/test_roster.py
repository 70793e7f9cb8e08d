"""The list of students, as platforms give it, and who of it has handed in."""

from pathlib import Path

import pytest

from arena.collect.matcher import Match, Matcher, Sureness
from arena.collect.roster import Roster, read_roster
from arena.collect.submission import Person
from arena.errors import ConfigError

CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,Bot 1 (99)
    Points Possible,,,,,10
"Alder, Ana",10001,3000001,aalder1,Lab 1,9
"Birch, Ben",10002,3000002,bbirch2,Lab 1,10002
"Müller, Jürgen",10003,3000003,jmuller3,Lab 2,10001
"Student, Test",10009,,,Lab 1,
"""
MOODLE = """\
Identifier,Full name,Email address,Status,Grade
Participant 71,Ana Alder,ana@uni.example,Submitted,-
Participant 72,Ben Birch,ben@uni.example,,71
Participant 73,Jürgen Müller,jm@uni.example,,72
"""
CLASSROOM_50 = """\
username,first_name,last_name,email,section,github_id
ana-codes,Ana,Alder,ana@uni.example,A,11
bbirch,Ben,Birch,ben@uni.example,A,12
jm,Jürgen,Müller,jm@uni.example,B,13
"""
PLAIN = """\
student,email,name
s1,ana@uni.example,Ana Alder
s2,ben@uni.example,Ben Birch
s3,jm@uni.example,Jürgen Müller
"""


def roster(folder: Path, text: str, key: str | None = None) -> Roster:
    path = folder / "list.csv"
    path.write_bytes(text.encode())
    return read_roster(path, key)


def find(
    known: Roster, person: Person, others: tuple[Person, ...] = (), on: str = "Canvas"
) -> Match:
    persons = [(on, one) for one in (person, *others)]
    return Matcher(known, known.students, persons).find(on, person)


def keys(match: Match) -> list[str]:
    return [student.key for student in match.students]


def test_each_platforms_list_is_read(tmp_path: Path) -> None:
    for text, key, first, left in (
        (CANVAS, None, "Alder, Ana", 2),
        (CANVAS, "sis login id", "aalder1", 2),
        (MOODLE, "Identifier", "Participant 71", 0),
        (MOODLE, "Email address", "ana@uni.example", 0),
        (CLASSROOM_50, "username", "ana-codes", 0),
        (PLAIN, None, "s1", 0),
        (PLAIN.replace(",", ";"), None, "s1", 0),
        ("\ufeff" + PLAIN, None, "s1", 0),
    ):
        found = roster(tmp_path, text, key)
        assert found.students[0].key == first
        assert len(found.students) == 3
        # Points Possible and the test student are none, and that is said.
        assert len(found.left) == left, found.left
        assert [found.header[i] for i, _ in found.about(found.students[0])]
        assert found.columns.count("student") == 1


@pytest.mark.parametrize(
    ("text", "key", "ids", "name", "who", "how"),
    [
        (CANVAS, None, ["10001"], "alderana", "Alder, Ana", Sureness.FIRST_ID),
        (CANVAS, None, ["77"], "müllerjürgen", "Müller, Jürgen", 4),
        (CANVAS, None, ["bbirch2"], "", "Birch, Ben", Sureness.FIRST_ID),
        (CANVAS, None, ["x@y.example", "3000002"], "", "Birch, Ben", 1),
        (CANVAS, None, ["jmuller3@uni.example"], "", "Müller, Jürgen", 5),
        (CANVAS, None, [], "Ben Birch", "Birch, Ben", Sureness.NAME),
        (MOODLE, "Identifier", ["72"], "x", "Participant 72", Sureness.FIRST_ID),
        (MOODLE, "Identifier", ["Participant 72"], "x", "Participant 72", 0),
        (MOODLE, "Email address", ["jm"], "", "jm@uni.example", Sureness.USER_NAME),
        (MOODLE, "Email address", [], "Jurgen Muller", "jm@uni.example", 6),
        (MOODLE, "Email address", [], "Juergen Mueller", "jm@uni.example", 6),
        (CLASSROOM_50, "email", ["ana-codes"], "", "ana@uni.example", 0),
        (CLASSROOM_50, "email", [], "Ana Alder", "ana@uni.example", Sureness.NAME),
        (CLASSROOM_50, "email", [], "Birch, Ben", "ben@uni.example", Sureness.NAME),
        (CLASSROOM_50, "email", [], "Alder Ana", "ana@uni.example", 3),
        (PLAIN, None, ["ANA@uni.example"], "", "s1", Sureness.FIRST_ID),
        (PLAIN, None, ["s2"], "", "s2", Sureness.FIRST_ID),
        (PLAIN, None, [], "ALDER,  ANA", "s1", Sureness.NAME),
        (PLAIN, None, ["s4", "zoe@uni.example"], "Zoë Łuczak", None, None),
    ],
)
def test_persons_are_found(
    tmp_path: Path,
    text: str,
    key: str | None,
    ids: list[str],
    name: str,
    who: str | None,
    how: int | None,
) -> None:
    person = Person(tuple(ids), name)
    others = (Person(("10002",)), Person(("10003",)), Person(("71",)), Person(("73",)))
    match = find(roster(tmp_path, text, key), person, others)
    assert keys(match) == ([who] if who else [])
    assert match.sureness == (Sureness.NOT_AT_ALL if how is None else how)


def test_a_number_is_looked_for_where_the_others_stand(tmp_path: Path) -> None:
    """Else who has 10001 points would be who has that number."""
    found = roster(tmp_path, CANVAS)
    people = tuple(Person((str(10_000 + i),)) for i in (1, 2, 3))
    assert [keys(find(found, person, people)) for person in people] == [
        ["Alder, Ana"],
        ["Birch, Ben"],
        ["Müller, Jürgen"],
    ]


def test_who_may_be_several_is_nobody_and_all_are_named(tmp_path: Path) -> None:
    text = PLAIN + "s4,other@uni.example,Ana Alder\n"
    match = find(roster(tmp_path, text), Person(("77",), "Ana Alder"))
    assert match.students == ()
    assert [x.key for x in match.candidates] == ["s1", "s4"]
    assert [x.line for x in match.candidates] == [2, 5]
    # An id tells them apart.
    known = find(roster(tmp_path, text), Person(("other@uni.example",), "Ana Alder"))
    assert keys(known) == ["s4"]


def test_what_others_say_of_a_student_is_not_who_he_is(tmp_path: Path) -> None:
    text = (
        "student,name,section,tutor,partner e-mail,file,found,note\n"
        "ana@uni.example,Ana Alder,A,Ben Birch,ben@uni.example,x,cy,dot\n"
        "ben@uni.example,Ben Birch,A,Cy Cedar,ana@uni.example,y,ana,eve\n"
    )
    known = roster(tmp_path, text)
    both = (Person(("ana@uni.example",)), Person(("ben@uni.example",)))
    assert keys(find(known, both[0], both)) == ["ana@uni.example"]
    assert keys(find(known, Person((), "Ben Birch"))) == ["ben@uni.example"]
    for text in ("A", "x", "cy", "dot", "y", "eve", "Cy Cedar"):
        assert keys(find(known, Person((text,), text))) == []


def test_an_address_of_another_does_not_make_him_the_student(tmp_path: Path) -> None:
    """An address can be had anywhere, under any name."""
    known = roster(tmp_path, "student,email\nben,ben@uni.example\n")
    assert keys(find(known, Person(("ben@evil.example",)))) == []
    known = roster(tmp_path, "student\nben\n")
    assert keys(find(known, Person(("ben@uni.example",)))) == ["ben"]


@pytest.mark.parametrize(
    "team",
    [
        Person(("Team Birch",), "", is_team=True),
        Person((), "Team Birch", is_team=True),
        Person(("4711",), "Team Birch"),
        # Canvas tells one of the members.
        Person(("10002",), "teambirch"),
    ],
)
def test_a_team_is_who_has_its_name(tmp_path: Path, team: Person) -> None:
    text = CANVAS.replace("Section", "Project group").replace("Lab 1", "Team Birch")
    match = find(roster(tmp_path, text), team, (Person(("10001",)), Person(("10003",))))
    assert keys(match) == ["Alder, Ana", "Birch, Ben"]


def test_a_student_called_like_a_team_is_no_team(tmp_path: Path) -> None:
    text = PLAIN.replace("name\n", "name,team\n").replace(
        "Alder\n", "Alder,Ben Birch\n"
    )
    found = find(roster(tmp_path, text), Person(("ben@uni.example",), "Ben Birch"))
    assert keys(found) == ["s2"]


@pytest.mark.parametrize(
    ("text", "key", "said"),
    [
        (MOODLE, None, "list.csv:1: has no column student; name the one that"),
        (MOODLE, "Identifer", "did you mean 'Identifier'?"),
        (PLAIN, "matric", "has no column 'matric'; found student, email, name"),
        ("a,a\n1,2\n", "a", "has several columns 'a'"),
        ("", None, "has no column student"),
        ("student,x\nana,1\nana,2\n", None, "list.csv:3: 'ana' is in line 2 already"),
        ("student\nana\nANA\n", None, "list.csv:3: 'ANA' is in line 2 already"),
    ],
)
def test_what_is_no_list_is_refused(
    tmp_path: Path, text: str, key: str | None, said: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        roster(tmp_path, text, key)
    assert said in str(caught.value)
    if key is None and "no column" in said and text:
        assert "Identifier, Full name, Email address" in str(caught.value)

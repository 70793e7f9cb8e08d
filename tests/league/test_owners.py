"""Whose bots are: an entry is its students, wherever its file lies and what it is."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from hand_ins import kept

from arena.league.config.students import StudentRow
from arena.league.entries.entry import Entry
from arena.league.entries.owners import Admission, Owners

KEY = b"k" * 32
ROWS = ("ana@x.edu,ana.py", "ben@x.edu,ben.py", "cy@x.edu,", "eve@x.edu,hand_ins/e/bot")


def entry(path: str, cls: str = "Bot", name: str = "") -> Entry:
    """Return an entry of a file, or one with a name that the league's file gives."""
    file = Path("/course", path)
    return Entry(
        name or f"{file.stem}:{cls}",
        name or cls,
        file,
        cls,
        {},
        (),
        kept("code", file.name),
        is_named=bool(name),
        stem="" if name else file.stem,
    )


def owners(*lines: str, key: bytes = KEY) -> Owners:
    rows = (line.split(",") for line in lines)
    return Owners(
        Path("students.csv"),
        tuple(StudentRow(who, file, i + 2) for i, (who, file) in enumerate(rows)),
        key,
    )


def ids(lines: Iterable[str], *entries: Entry, key: bytes = KEY) -> list[str]:
    """Return the ids that entries get, in their order."""
    found = owners(*lines, key=key).identified(entries)
    by_file = {e.file_id: e.id for e in found}
    return [by_file[e.file_id] for e in entries]


def test_a_student_is_the_same_entry_by_any_file_and_class() -> None:
    (before,) = ids(["ana@x.edu,ana.py"], entry("bots/ana.py", "Ana"))
    for line, bot in (
        ("ana@x.edu,better.py", entry("bots/better.py", "Ana")),
        ("ana@x.edu,ana.py", entry("bots/ana.py", "Better")),
        ("ana@x.edu,w2/final", entry("w2/final", "Best")),
        (" ANA@X.edu ,ana", entry("bots/ana.py", "Ana")),
    ):
        assert ids([line], bot) == [before]
    # Others come and go, in any order of the lines.
    others = ["cy@x.edu,", "ben@x.edu,ben.py", "ana@x.edu,ana.py"]
    assert ids(others, entry("b/ana.py"), entry("b/ben.py"))[0] == before


def test_an_id_tells_nobody_who_it_is() -> None:
    bots = [entry("b/ana.py", "Ana"), entry("b/ben.py")]
    found = owners(*ROWS).identified(bots)
    for bot, who in zip(found, ("ana", "ben"), strict=True):
        assert bot.students == (f"{who}@x.edu",)
        for text in (bot.id, *bot.owners, repr(bot.info(()))):
            assert f"{who}@" not in text
            assert "x.edu" not in text
        assert bot.spec().id == bot.id
        assert bot.spec().called == bot.file_id
    # Who does not know the key can't try names.
    assert not set(ids(ROWS, *bots)) & set(ids(ROWS, *bots, key=b"other"))


def test_a_bot_of_nobody_is_its_file_and_class() -> None:
    bots = [entry("b/zoe.py", "Zoe"), entry("b/bot.py"), entry("b/x.py", name="staff")]
    found = owners(*ROWS, "s,staff").identified(bots)
    assert [bot.id for bot in found] == ["zoe:Zoe", "bot:Bot", "staff"]
    # A name that the league's file gives stays, and has its students.
    assert [bot.students for bot in found] == [(), (), ("s",)]


def test_several_bots_of_a_student_have_ids_of_their_own() -> None:
    two = [entry("b/ana.py", "A"), entry("b/ana.py", "B")]
    more = [*two, entry("b/second.py", "A")]
    lines = ["ana,ana.py", "ana,second.py"]
    found = ids(lines, *more)
    assert len(set(found)) == 3
    # A file of hers that is not there, or that is called otherwise, moves no other.
    assert ids(lines, *two) == found[:2]
    assert ids(lines, more[2]) == found[2:]
    renamed = ["ana,first.py", "ana,second.py"]
    others = [replace(entry("b/first.py", e.bot), stem="first") for e in two]
    assert ids(renamed, *others, more[2]) == found


def test_a_team_is_an_entry_of_its_own() -> None:
    bots = [entry("b/ana.py"), entry("b/team.py")]
    lines = ["ana,ana.py", "ana,team.py", "ben,team.py"]
    found = owners(*lines).identified(bots)
    alone, team = found
    assert alone.students == ("ana",)
    assert team.students == ("ana", "ben")
    assert set(alone.owners) < set(team.owners)
    # In whatever order they stand there, alone she is who she was.
    assert ids(lines[::-1], *bots) == [alone.id, team.id]
    assert ids(lines[:1], *bots) == [alone.id, "team:Bot"]


def test_nobody_gets_the_bot_of_a_file_of_the_same_name() -> None:
    first = entry("hand_ins/ana/bot.py")
    second = replace(entry("hand_ins/ben/bot.py"), stem="ben/bot", id="ben/bot:Bot")
    lines = ["ana,hand_ins/ana/bot.py", "ben,ben/bot.py", "zoe,hand_ins/zoe/bot.py"]
    found = owners(*lines).identified([first, second])
    assert [bot.students for bot in found] == [("ana",), ("ben",)]
    (alone,) = owners(*lines).identified([second])
    assert alone.students == ("ben",)
    # Nor by calling itself like the file.
    liar = replace(entry("hand_ins/eve.py"), name="zoe.py")
    (found_liar,) = owners("zoe,zoe.py").identified([liar])
    assert found_liar.students == ()


def test_what_does_not_fit_is_told() -> None:
    bots = owners(*ROWS).identified([entry("b/ana.py"), entry("b/zoe.py")])
    assert list(owners(*ROWS).notes(bots, ())) == [
        (
            "students.csv",
            "2 files in it are no bot of this league: ben.py, hand_ins/e/bot",
        ),
        (
            "students.csv",
            "names no student for zoe.py; their bots are entered by file and class",
        ),
    ]
    assert len(list(owners(*ROWS[:1]).notes(bots, ("zoe:Bot",)))) == 0


def played(lines: Iterable[str], *bots: Entry, form: int = 5) -> dict[str, str]:
    """Return the ids of bots that may play, by file and class; of a copy its bot's."""
    found, left, _ = Admission(owners(*lines), None, ("b/staff",), form).admit(bots)
    ids = {bot.file_id: bot.id for bot in found}
    others = {x.entry.file_id: x.copy_of.file_id for x in left if x.copy_of}
    assert len(set(ids.values())) == len(ids)
    return ids | others


def test_copies_of_a_student_are_one_bot() -> None:
    """That of the last line plays, and is the entry that the first one was."""
    first, second, third = (entry(f"b/ana{i}.py") for i in range(3))
    lines = [f"ana,ana{i}.py" for i in range(3)]
    alone = played(lines[:1], first)
    found = played(lines, first, second, third)
    assert found == {"ana2:Bot": alone["ana0:Bot"], "ana0:Bot": "ana2:Bot",
                     "ana1:Bot": "ana2:Bot"}  # fmt: skip
    turned = played(lines[::-1], first, second, third)
    assert turned["ana1:Bot"] == turned["ana2:Bot"] == "ana0:Bot"
    # So it was when leagues were frozen that are played again as they were.
    assert len(set(played(lines, first, second, third, form=4).values())) == 3


def test_who_is_no_copy() -> None:
    bot = entry("b/ana.py")
    others = {
        "another class": entry("b/ana2.py", "Other"),
        "other parameters": replace(entry("b/ana2.py"), params={"x": 1}),
        "other code": replace(entry("b/ana2.py"), hand_in=kept("other", "ana2.py")),
        "another command": replace(entry("b/ana2.py"), command=("./x",)),
        "a name by the league": entry("b/ana2.py", name="Named"),
    }
    for what, other in others.items():
        found = played(["ana,ana.py", "ana,ana2.py"], bot, other)
        assert set(map(len, found.values())) <= {20, len("Named")}, what
    for whose in ("ben", "ana2"):
        found = played(["ana,ana.py", f"{whose},ana2.py"], bot, entry("b/ana2.py"))
        assert len(set(found.values())) == 2
    # Nobody knows whose these are; and the staff may have what copies it likes.
    assert played([], bot, entry("b/ana2.py")) == {"ana:Bot": "ana:Bot",
                                                   "ana2:Bot": "ana2:Bot"}  # fmt: skip


def test_copies_of_a_team() -> None:
    team = [f"{who},{file}.py" for file in ("one", "two") for who in ("ana", "ben")]
    one, two, hers = entry("b/one.py"), entry("b/two.py"), entry("b/hers.py")
    found = played([*team, "ana,hers.py"], one, two, hers)
    assert found["one:Bot"] == "two:Bot"
    # What she has by herself is another bot than that of the team.
    assert found["hers:Bot"] != found["two:Bot"]


def test_a_copy_is_none_of_the_bots_that_a_student_may_bring() -> None:
    bots = [entry("b/a.py"), entry("b/b.py"), replace(entry("b/c.py"), bot="Other")]
    found, left, _ = Admission(owners("x,a.py", "x,b.py", "x,c.py"), 2).admit(bots)
    assert [bot.path.name for bot in found] == ["b.py", "c.py"]
    assert [x.entry.path.name for x in left] == ["a.py"]


def test_nobody_brings_more_bots_than_the_league_lets() -> None:
    bots = [
        *(entry("b/ana.py", cls) for cls in "CAB"),
        entry("b/ana2.py"),
        entry("b/ana3.py", name="by the league"),
        entry("b/refs.py", "One"),
        entry("b/refs.py", "Two"),
        entry("b/zoe.py", "X"),
        entry("b/zoe.py", "Y"),
    ]
    lines = ["ana,ana2.py", "ana,ana.py", "ana,ana3.py"]

    def played(most: int, *rows: str) -> tuple[set[str], dict[str, str]]:
        admission = Admission(owners(*rows) if rows else None, most, ("refs:Two",))
        kept, left, _ = admission.admit(bots)
        why = {bot.file_id: reason for bot, reason, _ in left}
        return {bot.file_id for bot in kept}, why

    always = {"ana3:Bot", "refs:One", "refs:Two"}
    kept, left = played(1, *lines)
    # Of a student the file that the students' file names first, and of a file of nobody
    # the class that is first in the alphabet.
    assert kept == always | {"ana2:Bot", "zoe:X"}
    assert left == {
        **{f"ana:{cls}": "a student may bring 1 bot" for cls in "ABC"},
        "zoe:Y": "a file may bring 1 bot",
    }
    kept, _ = played(2, *lines)
    assert kept == always | {"ana2:Bot", "ana:A", "zoe:X", "zoe:Y"}
    kept, _ = played(1)
    assert kept == always | {"ana2:Bot", "ana:A", "zoe:X"}
    # In a team it counts for each of them.
    kept, _ = played(1, "ana,ana2.py", "ana,zoe.py", "ben,zoe.py")
    assert "zoe:X" not in kept


def test_the_organiser_is_told_whose_a_file_is() -> None:
    """In brackets, cut, and not if the file is called as the student."""
    bots = [replace(entry("b/ana/bot.py"), shown="ana/bot.py"), entry("b/cy")]
    bots += [entry("b/team.py"), entry("b/nobody.py"), entry("b/x.py")]
    lines = ["Ana,ana/bot.py", "cy,cy", "A\x1b,x.py", *(f"s{i},team" for i in range(9))]
    assert Admission(owners(*lines)).students_of(bots, ()) == {
        "ana/bot.py": " (Ana)",
        "x.py": " (A\ufffd)",
        "team.py": " (s0, s1, s2, s3, s4, …)",
    }
    (long,) = Admission(owners(f"{'y' * 999},x.py")).students_of(bots, ()).values()
    assert long == f" ({'y' * 119}…)"


def test_students_are_called_by_their_names_and_no_two_alike() -> None:
    rows = (
        ("q1@x.edu", "Ana Alder"),
        ("q2@x.edu", ""),
        ("Cy Cedar", ""),
        ("q4@x.edu", "Dan \x1b[1m Elm"),
        ("q5@x.edu", "ana alder"),
        ("Q1@x.edu", ""),
        ("q2@y.edu", ""),
    )
    found = Owners(
        Path("students.csv"),
        tuple(StudentRow(who, "", i, name) for i, (who, name) in enumerate(rows)),
        KEY,
    )
    assert found.called() == {
        "q1@x.edu": "Ana Alder q1@x.edu",
        "q2@x.edu": "q2 q2@x.edu",
        "cy cedar": "Cy Cedar",
        "q4@x.edu": "Dan [1m Elm",
        "q5@x.edu": "ana alder q5@x.edu",
        "q2@y.edu": "q2 q2@y.edu",
    }

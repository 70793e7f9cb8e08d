"""Who has handed in what, and when, as the exports of each platform say it."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest
from exports import (
    ANA,
    BEN,
    CY,
    EVENING,
    JUERGEN,
    ZOE,
    Entries,
    HandIn,
    Student,
    a_class,
    as_files,
    blackboard,
    brightspace,
    canvas,
    classroom_50,
    clones,
    gradescope,
    latest,
    litter,
    moodle,
    sakai,
)
from hypothesis import example, given, settings
from hypothesis import strategies as st
from matrix import divided

from arena.collect.platforms import understand
from arena.collect.submission import Export, Submission


class Form(NamedTuple):
    """How a platform writes an export, and what it calls a student."""

    platform: str
    write: Callable[[Sequence[HandIn]], Entries]
    id_of: Callable[[Student], str]
    has_all_attempts: bool = False
    has_folders: bool = False
    """True if students' folders stay as they are."""


def flat_moodle(hand_ins: Sequence[HandIn]) -> Entries:
    return moodle(hand_ins, folders=False)


def old_moodle(hand_ins: Sequence[HandIn]) -> Entries:
    return moodle(hand_ins, before_4_1=True)


def no_receipts(hand_ins: Sequence[HandIn]) -> Entries:
    return blackboard(hand_ins, receipts=False)


def flat_brightspace(hand_ins: Sequence[HandIn]) -> Entries:
    return brightspace(hand_ins, flat=True)


def flat_sakai(hand_ins: Sequence[HandIn]) -> Entries:
    return sakai(hand_ins, folders=False)


def folders(hand_ins: Sequence[HandIn]) -> Entries:
    return {
        f"{one.who.name}/{file}": data
        for one in latest(hand_ins)
        for file, data in one.files.items()
    }


def moodle_id(student: Student) -> str:
    return str(student.moodle_id)


def username(student: Student) -> str:
    return student.username


def brightspace_id(student: Student) -> str:
    return str(student.brightspace_id)


FORMS = {
    "canvas": Form("Canvas", canvas, lambda one: str(one.canvas_id)),
    "moodle": Form("Moodle", moodle, moodle_id, has_folders=True),
    "old moodle": Form("Moodle", old_moodle, moodle_id, has_folders=True),
    "flat moodle": Form("Moodle", flat_moodle, moodle_id),
    "blackboard": Form("Blackboard", blackboard, username, True),
    "no receipts": Form("Blackboard", no_receipts, username, True),
    "gradescope": Form(
        "Gradescope", gradescope, lambda one: one.email, has_folders=True
    ),
    "brightspace": Form(
        "Brightspace", brightspace, brightspace_id, True, has_folders=True
    ),
    "flat brightspace": Form("Brightspace", flat_brightspace, brightspace_id, True),
    "sakai": Form("Sakai", sakai, username, has_folders=True),
    "flat sakai": Form("Sakai", flat_sakai, username),
    "clones": Form("clones of repositories", clones, username, has_folders=True),
    "classroom 50": Form(
        "clones of repositories", classroom_50, username, has_folders=True
    ),
    "folders": Form(
        "folders of students", folders, lambda one: one.name, has_folders=True
    ),
}
each_form = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)


def understood(entries: Mapping[str, bytes], name: str = "export") -> Export:
    """Return an export as it is understood; all of its files are somewhere in it."""
    export = understand(name, as_files(entries))
    found = [file.name for one in export.submissions for _, file in one.files]
    found += [name for name, _ in export.left]
    assert sorted(found) == sorted(unicodedata.normalize("NFC", x) for x in entries)
    for one in export.submissions:
        assert len({path for path, _ in one.files}) == len(one.files)
        assert all(person.ids or person.name for person in one.people)
    return export


def by_id(export: Export) -> dict[str, list[Submission]]:
    found: dict[str, list[Submission]] = {}
    for one in export.submissions:
        found.setdefault(one.people[0].ids[0], []).append(one)
    return found


def contents(one: Submission) -> dict[str, bytes]:
    return {
        path: file.read(10**6)
        for path, file in one.files
        if not path.startswith(".git/")
    }


@each_form
def test_200_students(form: Form) -> None:
    class_ = a_class(200)
    hand_ins = [
        HandIn(
            (one,),
            {f"bot {one.number}_{one.last}.py": b"%d" % one.number, "b_2_1.py": b"2"},
            EVENING + timedelta(minutes=one.number),
        )
        for one in class_
    ]
    export = understood(form.write(hand_ins))
    assert export.platform == form.platform
    found = by_id(export)
    assert sorted(found) == sorted(map(form.id_of, class_))
    for one in hand_ins:
        [submission] = found[form.id_of(one.who)]
        assert list(contents(submission).values()) == list(one.files.values())
        if form.write is not no_receipts:
            assert set(contents(submission)) == set(one.files)
        if submission.submitted:
            assert submission.submitted.replace(
                second=0, microsecond=0, tzinfo=None
            ) == one.submitted.replace(second=0)


@each_form
def test_an_export_below_other_folders_and_litter_is_found(form: Form) -> None:
    entries = form.write([HandIn((one,)) for one in a_class(5)])
    plain = understood(entries)
    for top in ("", "Bot 1/", "Downloads/ai (2)/"):
        more = {top + name: data for name, data in entries.items()}
        export = understood({**litter(top), **more, **litter("")})
        assert export.platform == plain.platform
        assert [one.people for one in export.submissions] == [
            one.people for one in plain.submissions
        ]
        assert list(map(contents, export.submissions)) == list(
            map(contents, plain.submissions)
        )


@each_form
def test_one_hand_in_is_enough(form: Form) -> None:
    export = understood(form.write([HandIn((ANA,))]), "submissions")
    assert export.platform == form.platform
    [one] = export.submissions
    assert set(contents(one)) == {"mybot.py"}
    assert one.source.startswith("submissions: ")
    if form.write is not clones:
        # Nothing tells where the user begins.
        assert one.people[0].ids[0] == form.id_of(ANA)


@each_form
def test_files_that_are_not_of_the_platform_are_left(form: Form) -> None:
    entries = form.write([HandIn((one,)) for one in a_class(5)])
    [top, *_] = {name.partition("/")[0] for name in entries}
    is_below = all(name.startswith(f"{top}/") for name in entries)
    own = f"{top}/" * is_below + "my own notes.txt"
    export = understood({own: b"", **entries})
    assert export.platform == form.platform
    assert len(export.submissions) == 5
    assert (own, "of no student") in export.left


@each_form
def test_a_later_attempt_is_known_by_time_or_order(form: Form) -> None:
    attempts = [
        HandIn((ANA,), {"a.py": b"%d" % n}, EVENING + timedelta(hours=n))
        for n in range(3)
    ]
    found = []
    if form.has_all_attempts:
        found = by_id(understood(form.write(attempts)))[form.id_of(ANA)]
    else:
        for n in range(3):
            others = [HandIn((BEN,), submitted=EVENING + timedelta(days=n))]
            entries = form.write([*attempts[: n + 1], *others])
            found += by_id(understood(entries))[form.id_of(ANA)]
    assert [contents(one)["a.py"] for one in found] == [b"0", b"1", b"2"]
    times = [one.submitted for one in found if one.submitted]
    assert times in (sorted(set(times)), [])
    if form.has_all_attempts:
        assert len(times) == 3


@pytest.mark.parametrize(
    "name", [name for name, form in FORMS.items() if form.has_folders]
)
def test_folders_of_students_stay(name: str) -> None:
    form = FORMS[name]
    files = {"bot/__init__.py": b"", "bot/data/w_1_2.json": b"{}", "README": b""}
    export = understood(form.write([HandIn((ANA,), files), HandIn((BEN,))]))
    assert contents(by_id(export)[form.id_of(ANA)][0]) == files


class TestCanvas:
    def test_late_is_late(self) -> None:
        late = HandIn((BEN,), is_late=True)
        ana, ben = understood(canvas([HandIn((ANA,)), late])).submissions
        assert (ana.is_late, ben.is_late) == (False, True)
        assert ben.people[0].name == "birchben"

    def test_a_file_may_have_numbers_in_its_name(self) -> None:
        name = "1_2_LATE_3_4_text.html"
        [one] = understood(canvas([HandIn((ANA,), {name: b"1"})])).submissions
        assert one.people[0].ids == ("10001",)
        assert contents(one) == {name: b"1"}
        assert not one.is_late

    def test_what_is_typed_is_told_and_left(self) -> None:
        text = HandIn((ANA,), {}, text="def &lt;b&gt;\x1b[31m" + "x" * 200)
        link = HandIn((BEN,), {}, link="https://git.example/ben/bot")
        late = HandIn((CY,), {}, text="", link="no link", is_late=True)
        export = understood(canvas([text, link, late]))
        notes = [one.notes for one in export.submissions]
        assert notes[0][0].startswith("has typed a text, which is no file")
        assert "def <b>\ufffd[31mxx" in notes[0][0]
        assert len(notes[0][0]) < 150
        assert notes[1] == (
            "has handed in a link, which is not followed: https://git.example/ben/bot",
        )
        assert notes[2] == ("has handed in a link, which is not followed: a link",)
        assert [one.is_late for one in export.submissions] == [False, False, True]
        assert not any(one.files for one in export.submissions)

    def test_names_are_hidden(self) -> None:
        hand_ins = [HandIn((ANA,)), HandIn((BEN,), is_late=True)]
        hand_ins.append(HandIn((CY,), {}, text="mine"))
        found = understood(canvas(hand_ins, anonymous=True)).submissions
        people = [one.people[0] for one in found]
        assert [person.ids for person in people] == [
            ("anon_x1Yz",),
            ("anon_x2Yz",),
            ("anon_x3Yz",),
        ]
        assert {person.name for person in people} == {""}
        assert [one.is_late for one in found] == [False, True, False]

    def test_a_group_has_its_name(self) -> None:
        one = HandIn((ANA, BEN), {"a.py": b"", "b.py": b""}, team="The A-Team")
        [found] = understood(canvas([one])).submissions
        assert found.people[0].name == "theateam"
        assert found.order == 500_002

    def test_names_of_all_scripts(self) -> None:
        name = unicodedata.normalize("NFC", "คำใส_10001_500001_बॉट.py")
        [one] = understood({name: b""}).submissions
        assert one.people[0].name == "คำใส"
        assert contents(one) == {unicodedata.normalize("NFC", "बॉट.py"): b""}

    @pytest.mark.parametrize("file", ["mine.py", "7_8_mine.py"])
    @pytest.mark.parametrize("is_first", [True, False])
    def test_a_name_that_ends_in_a_number_makes_nobody_else(
        self, file: str, is_first: bool
    ) -> None:
        """Who calls himself `Birch_10002, X` is not the user 10002."""
        fake = {f"x_10002_10009_500009_{file}": b"fake"}
        real = canvas([HandIn((ANA,)), HandIn((BEN,)), HandIn((CY,))])
        export = understood({**fake, **real} if is_first else {**real, **fake})
        found = by_id(export)
        assert sorted(found) == ["10001", "10002", "10003", "10009"]
        assert list(contents(found["10002"][0])) == ["mybot.py"]
        assert list(contents(found["10009"][0])) == [file]

    def test_who_may_be_either_is_left(self) -> None:
        entries = {
            "x_10002_10009_500009_mine.py": b"",
            "birchben_10002_500008_1_2_mine.py": b"",
            **canvas([HandIn((ANA,)), HandIn((CY,)), HandIn((ZOE,))]),
        }
        export = understood(entries)
        assert sorted(by_id(export)) == ["10001", "10003", "10005"]
        assert len(export.left) == 2


class TestMoodle:
    @pytest.mark.parametrize("word", ["Participant", "Teilnehmerin", "Osallistuja"])
    def test_names_are_hidden(self, word: str) -> None:
        hand_ins = [HandIn((ANA,)), HandIn((BEN,))]
        found = understood(moodle(hand_ins, participant=word)).submissions
        assert [one.people[0].ids for one in found] == [("70001",), ("70002",)]
        assert {one.people[0].name for one in found} == {""}

    def test_two_of_one_name_are_two(self) -> None:
        other = replace(ANA, number=77)
        hand_ins = [HandIn((ANA,)), HandIn((other,)), HandIn((BEN,))]
        found = understood(moodle(hand_ins)).submissions
        assert [one.people[0].name for one in found] == [
            "Ana Alder",
            "Ana Alder",
            "Ben Birch",
        ]
        assert len({one.people[0].ids for one in found}) == 3

    def test_teams(self) -> None:
        hand_ins = [
            HandIn((ANA, BEN), team="Team_1"),
            HandIn((CY,), team="Default group"),
        ]
        for folders in (True, False):
            export = understood(moodle(hand_ins, folders=folders))
            people = [one.people[0] for one in export.submissions]
            assert [(x.ids, x.name, x.is_team) for x in people] == [
                (("70001",), "Team 1", False),
                ((), "Default group", True),
            ]

    @pytest.mark.parametrize("folders", [True, False])
    def test_what_is_typed_is_told_and_left(self, folders: bool) -> None:
        one = HandIn((ANA,), text="class <i>MyBot</i>")
        entries = moodle([one, HandIn((BEN,), {}, text="  ")], folders=folders)
        sep = "/" if folders else "_"
        entries[f"Ana Alder_70001_assignsubmission_onlinetext{sep}x.png"] = b""
        ana, ben = understood(entries).submissions
        assert ana.notes == (
            "has typed a text, which is no file and not taken: 'class MyBot'",
        )
        assert list(contents(ana)) == ["mybot.py"]
        assert ben.notes == ()
        assert ben.files == ()

    def test_spaces_of_names_became_underscores(self) -> None:
        entries = {
            name.replace(" ", "_"): data
            for name, data in moodle([HandIn((ANA,)), HandIn((BEN,))]).items()
        }
        people = [one.people[0] for one in understood(entries).submissions]
        assert [person.ids for person in people] == [("70001",), ("70002",)]


class TestBlackboard:
    def test_names_are_those_that_students_have_given(self) -> None:
        files = {"Jürgens бот (1).py": b"1", "a: b.py": b"2", "x.py": b"3"}
        [one] = understood(blackboard([HandIn((JUERGEN,), files)])).submissions
        assert contents(one) == files
        assert one.people[0].name == "Jürgen Müller"
        assert one.submitted == EVENING

    def test_a_title_and_a_user_with_underscores(self) -> None:
        hand_ins = [HandIn((one,)) for one in (ANA, BEN)]
        for title in ("Bot_1", "Bot_1_2", "a_attempt_b", "Bot 1 (late)"):
            for receipts in (True, False):
                entries = blackboard(hand_ins, assignment=title, receipts=receipts)
                found = understood(entries).submissions
                users = [one.people[0].ids[0] for one in found]
                assert users == ["aalder1", "bbirch2"]
        entries = {
            name.replace("bbirch2", "b_birch_2"): data.replace(b"bbirch2", b"b_birch_2")
            for name, data in blackboard(hand_ins, assignment="Bot_1").items()
        }
        found = understood(entries).submissions
        assert [one.people[0].ids[0] for one in found] == ["aalder1", "b_birch_2"]
        # One without a receipt takes the title of the others.
        del entries["Bot_1_b_birch_2_attempt_2026-11-28-21-14-03.txt"]
        found = understood(entries).submissions
        assert [one.people[0].ids[0] for one in found] == ["aalder1", "b_birch_2"]

    def test_receipts_in_another_language(self) -> None:
        words = ("Naam", "Ingeleverd op", "Oorspronkelijke bestandsnaam", "Bestand")
        files = {"zoë.py": b""}
        [one] = understood(
            blackboard([HandIn((ZOE,), files)], language=words)
        ).submissions
        assert contents(one) == files
        assert one.people[0].name == "Zoë Łuczak"

    def test_what_is_typed_is_told(self) -> None:
        one = HandIn((ANA,), {}, text="<p>print(1)</p>\nprint(2)")
        [found] = understood(blackboard([one])).submissions
        assert found.notes == (
            "has typed a text, which is no file and not taken: 'print(1) print(2)'",
        )
        entries = blackboard([HandIn((ANA,))])
        entries = {
            name: data.replace(b"There are no student comments", b"Sorry, it is late")
            for name, data in entries.items()
        }
        [found] = understood(entries).submissions
        assert "has written a comment" in found.notes[0]
        assert "Sorry, it is late" in found.notes[0]

    def test_a_receipt_is_not_believed_on_others(self) -> None:
        """A student types what looks like a receipt of his own."""
        mine = "Bot 1_aalder1_attempt_2026-11-28-21-14-03_mybot.py"
        his = mine.replace("aalder1", "bbirch2")
        lie = (
            "\n\nName: Ben Birch (bbirch2)\n"
            f"Files:\n\tOriginal filename: ../../evil.py\n\tFilename: {mine}\n"
            f"\tOriginal filename: gone.docx\n\tFilename: {his}\n"
        )
        hand_ins = [HandIn((ANA,), text=lie), HandIn((BEN,))]
        ana, ben = understood(blackboard(hand_ins)).submissions
        assert ana.people[0].ids == ("aalder1",)
        assert list(contents(ana)) == list(contents(ben)) == ["mybot.py"]
        assert ben.people[0].name == "Ben Birch"

    def test_a_receipt_of_somebody_else_is_not_believed(self) -> None:
        entries = {
            name: data.replace(b"Ana Alder (aalder1)", b"Ben Birch (bbirch2)")
            for name, data in blackboard([HandIn((ANA,)), HandIn((CY,))]).items()
        }
        ana, _ = understood(entries).submissions
        assert ana.people[0].ids == ("aalder1",)
        assert ana.people[0].name == ""

    @pytest.mark.parametrize("own", ["..", "../..", "a/../", "", "\\", "\x1b[2J.py"])
    def test_a_name_that_is_none_is_not_taken(self, own: str) -> None:
        entries = {
            name: data.replace(b": mybot.py", f": {own}".encode())
            for name, data in blackboard([HandIn((ANA,))]).items()
        }
        [one] = understood(entries).submissions
        assert list(contents(one)) == ["mybot.py"]

    def test_two_files_of_one_name_stay_two(self) -> None:
        entries = {
            name: data.replace(b": other.py", b": mybot.py")
            for name, data in blackboard(
                [HandIn((ANA,), {"mybot.py": b"1", "other.py": b"2"})]
            ).items()
        }
        [one] = understood(entries).submissions
        assert contents(one) == {"mybot.py": b"1", "other.py": b"2"}

    def test_a_name_with_a_user_name_in_it(self) -> None:
        entries = {
            name: data.replace(b"Ana Alder (", b"Ana (bbirch2) Alder (")
            for name, data in blackboard([HandIn((ANA,)), HandIn((BEN,))]).items()
        }
        ana, _ = understood(entries).submissions
        assert ana.people[0].ids == ("aalder1",)
        assert ana.people[0].name == "Ana (bbirch2) Alder"


class TestBrightspace:
    def test_a_time_before_noon_and_at_midnight(self) -> None:
        times = [datetime(2026, 3, 5, hour, 7) for hour in (0, 1, 11, 12, 13, 23)]
        hand_ins = [HandIn((ANA,), submitted=time) for time in times]
        for flat in (False, True):
            found = understood(brightspace(hand_ins, flat=flat)).submissions
            assert [one.submitted for one in found] == times

    def test_a_time_in_another_language_is_none(self) -> None:
        entry = "39001-640693 - Zoë Łuczak - 28 listopada 2026 2114/a.py"
        [one] = understood(
            {entry: b"", entry.replace("9001", "9002"): b""}
        ).submissions[:1]
        assert one.submitted is None
        assert one.people[0].name == "Zoë Łuczak"

    def test_names_with_dashes_and_numbers_of_a_school(self) -> None:
        when = "Nov 28, 2026 914 PM"
        entries = {
            f"39001-640693 - Ana - Maria Alder - {when}/a.py": b"",
            f"39002-640693 - N0123456 - Ben Birch - {when}/a.py": b"",
        }
        ana, ben = understood(entries).submissions
        assert ana.people[0].name == "Ana - Maria Alder"
        assert ben.people[0].ids == ("N0123456", "39002")
        assert ben.people[0].name == "Ben Birch"

    def test_a_number_of_two_people_is_nobodys(self) -> None:
        when = "Nov 28, 2026 914 PM"
        entries = {f"1-640693 - {x.name} - {when}/a.py": b"" for x in (ANA, BEN)}
        people = [one.people[0] for one in understood(entries).submissions]
        assert [(x.ids, x.name) for x in people] == [
            ((), "Ana Alder"),
            ((), "Ben Birch"),
        ]


class TestSakai:
    def test_teams(self) -> None:
        one = HandIn((ANA, JUERGEN))
        for write in (sakai, flat_sakai):
            [found] = understood(write([one])).submissions
            assert [(x.ids, x.name) for x in found.people] == [
                (("aalder1",), "Ana Alder"),
                (("jmuller4",), "Jurgen Muller"),
            ]

    def test_names_are_hidden(self) -> None:
        hand_ins = [HandIn((ANA,)), HandIn((BEN,))]
        found = understood(sakai(hand_ins, anonymous=True)).submissions
        assert [one.people[0].ids for one in found] == [
            ("a4001f0 Anonymous",),
            ("a4002f0 Anonymous",),
        ]
        assert [list(contents(one)) for one in found] == [["mybot.py"]] * 2

    @pytest.mark.parametrize(
        ("attachments", "feedback"),
        [
            ("Submission attachment(s)", "Feedback Attachment(s)"),
            ("Anhänge der Abgabe", "Anhänge der Rückmeldung"),
        ],
    )
    def test_what_the_instructor_has_added_is_left(
        self, attachments: str, feedback: str
    ) -> None:
        hand_ins = [HandIn((ANA,)), HandIn((BEN,))]
        if feedback.startswith("Feedback"):
            # Then it is in more folders than what students have handed in.
            hand_ins.append(HandIn((CY,), {}))
        export = understood(sakai(hand_ins, attachments=attachments, feedback=feedback))
        found = [list(contents(one)) for one in export.submissions]
        assert found[:2] == [["mybot.py"]] * 2
        assert found[2:] in ([], [[]])
        whys = dict(export.left)
        mine = f"Bot 1/Alder, Ana(aalder1)/{unicodedata.normalize('NFC', feedback)}"
        assert whys[f"{mine}/marks.txt"] == "the instructor's"

    def test_what_is_typed_is_told_and_left(self) -> None:
        hand_ins = [HandIn((ANA,), {}, text="mine"), HandIn((BEN,))]
        for write in (sakai, flat_sakai):
            ana, _ = understood(write(hand_ins)).submissions
            assert "'mine'" in ana.notes[0]
            assert ana.files == ()

    def test_times_are_those_of_the_world(self) -> None:
        entries = sakai([HandIn((ANA,))])
        [one] = understood(entries).submissions
        assert one.submitted == EVENING.replace(tzinfo=UTC)
        stamp = "Bot 1/Alder, Ana(aalder1)/timestamp.txt"
        for text, expected in (
            (b"20261128211403000\n", EVENING.replace(tzinfo=UTC)),
            (
                b"2026-11-28T21:14:03.5Z",
                EVENING.replace(microsecond=500000, tzinfo=UTC),
            ),
            (b"yesterday", None),
            (b"\xff", None),
            (b"9" * 150, None),
            (b"1" * 1000, None),
        ):
            [one] = understood({**entries, stamp: text}).submissions
            assert one.submitted == expected


class TestClones:
    def test_the_folder_tells_what_stands_before_users(self) -> None:
        hand_ins = [HandIn((one,)) for one in (ANA, BEN)]
        top = "bot-1-submissions/"
        for git in (True, False):
            export = understood(clones(hand_ins, top=top, git=git))
            assert sorted(by_id(export)) == ["aalder1", "bbirch2"]
        export = understood(clones(hand_ins[:1], git=False), "bot-1-submissions")
        assert sorted(by_id(export)) == ["aalder1"]

    def test_users_alone_and_users_with_dashes(self) -> None:
        names = ["ana-alder", "ana", "bot-1"]
        for slug in ("", "ai-bot-1-"):
            entries = {f"{slug}{name}/.git/HEAD": b"" for name in names}
            assert sorted(by_id(understood(entries))) == sorted(names)

    def test_a_clone_among_folders_makes_no_clones(self) -> None:
        entries = {f"bot-{x}/a.py": b"" for x in ("ana", "ben", "cy")}
        export = understood({**entries, "bot-ana/.git/HEAD": b""})
        assert export.platform == "folders of students"
        assert sorted(by_id(export)) == ["bot-ana", "bot-ben", "bot-cy"]

    def test_scores_tell_names_and_times(self) -> None:
        hand_ins = [HandIn((ANA,)), HandIn((ZOE,), is_late=True)]
        export = understood(classroom_50(hand_ins))
        ana, zoe = export.submissions
        assert zoe.people[0].name == "Zoë Łuczak"
        assert zoe.people[0].ids[:2] == ("zuczak5", "zuczak5@uni.example")
        assert zoe.submitted == EVENING.replace(tzinfo=UTC)
        assert (ana.is_late, zoe.is_late) == (False, True)

    @pytest.mark.parametrize("data", [b"\xff", b"", b"a,b\n1", b'"' + b"x\n" * 9])
    def test_scores_that_are_none(self, data: bytes) -> None:
        entries = classroom_50([HandIn((ANA,)), HandIn((BEN,))])
        scores = next(name for name in entries if name.endswith("scores.csv"))
        export = understood({**entries, scores: data})
        assert sorted(by_id(export)) == ["aalder1", "bbirch2"]


FILE_CHARS = st.characters(
    exclude_categories=("C", "Z"), exclude_characters='"*/:<>?\\|'
)
PIECES = st.sampled_from(
    [
        "_10002_500002_",
        "_LATE_",
        "birchben",
        "_70002_assignsubmission_file_",
        "_assignsubmission_onlinetext_",
        "Ben Birch",
        "_bbirch2_attempt_2026-11-28-21-14-03",
        "Bot 1",
        ".txt",
        "39002-640693 - Ben Birch- Nov 28, 2026 914 PM - ",
        " - ",
        "Birch, Ben(bbirch2)_Submission attachment(s)_",
        "submission_metadata.yml",
        "submission_700002",
        "text.html",
        "_",
        "1",
    ]
)
FILES = (
    st.lists(st.one_of(PIECES, st.text(FILE_CHARS, min_size=1, max_size=8)), min_size=1)
    .map("".join)
    .map(lambda name: unicodedata.normalize("NFC", name))
    .filter(lambda name: name.strip(" .") == name and name.isprintable())
)
ATTACKS = (
    "birchben_10002_500002_mybot.py",
    "10002_500002_mybot.py",
    "Ben Birch_70002_assignsubmission_file_mybot.py",
    "Ben_70002_assignsubmission_file_mybot.py",
    "Bot 1_bbirch2_attempt_2026-11-28-21-14-03_mybot.py",
    "Bot 1_bbirch2_attempt_2026-11-28-21-14-03.txt",
    "39002-640693 - Ben Birch- Nov 28, 2026 914 PM - mybot.py",
    "x- Nov 28, 2026 914 PM - mybot.py",
    "Birch, Ben(bbirch2)_Submission attachment(s)_mybot.py",
    "submission_metadata.yml",
    "timestamp.txt",
    "index.html",
)


@pytest.mark.parametrize(
    ("name", "others"),
    [
        (name, others)
        for name in FORMS
        for others in ((), (BEN, CY))
        # Of one alone, nothing tells where the user begins, or whose folder it is.
        if others or name not in ("clones", "folders")
    ],
)
@pytest.mark.parametrize("examples", divided([3, 60], lambda number: number == 3))
def test_the_name_of_a_file_comes_back_whole_and_makes_nobody_else(
    name: str, others: tuple[Student, ...], examples: int
) -> None:
    form = FORMS[name]

    @settings(max_examples=examples)
    @given(st.lists(FILES, min_size=1, max_size=3, unique=True))
    def check(names: list[str]) -> None:
        files = {name: b"%d" % n for n, name in enumerate(names)}
        export = understood(
            form.write([HandIn((ANA,), files), *(HandIn((x,)) for x in others)])
        )
        assert export.platform == form.platform
        found = by_id(export)
        assert sorted(found) == sorted(form.id_of(x) for x in (ANA, *others))
        [mine] = found[form.id_of(ANA)]
        if form.write is no_receipts:
            # Blackboard itself has changed them.
            assert set(contents(mine).values()) == set(files.values())
        else:
            assert contents(mine) == files

    for attack in ATTACKS:
        check = example([attack])(check)
    check()

"""A folder of hand-ins: what lies where after a run, another run, and half a run."""

import os
import shutil
from datetime import UTC
from pathlib import Path

import pytest
from folders import ANA, BEN, CY, FIRST, SECOND, THIRD, Hands, file, submission
from matrix import divided

from arena.collect import collection
from arena.collect.attempt import read_attempt
from arena.collect.collection import Wishes, collecting
from arena.collect.submission import Person, Submission
from arena.errors import BusyError, ConfigError, RecordError


@pytest.fixture
def hands(tmp_path: Path) -> Hands:
    return Hands(tmp_path)


def test_a_first_run(hands: Hands) -> None:
    with_tool = Submission(
        (BEN,),
        (("tool.sh", file("tool.sh", "x", is_executable=True)), ("b/c.txt", file("c"))),
        "an export",
        SECOND,
    )
    found = hands.collect(submission(ANA, when=FIRST, mybot="1"), with_tool)
    assert hands.files() == {
        "ana-alder/mybot.py": "1",
        "ben-birch/tool.sh": "x",
        "ben-birch/b/c.txt": "",
    }
    assert hands.of("aalder") == {
        "student": "aalder",
        "name": "Ana Alder",
        "file": "ana-alder",
        "submitted": "2026-11-27 20:00:00",
        "late": "",
        "attempts": "1",
        "found": "mybot.py",
        "note": "",
    }
    assert [row.is_first for row in found.rows] == [True, True]
    assert found.is_first
    assert not found.unlisted
    ben = hands.folder / "ben-birch"
    # The instructor may mend them, and who else may look at them is for him to say.
    assert ben.stat().st_mode & 0o777 == 0o755
    assert (ben / "tool.sh").stat().st_mode & 0o777 == 0o755
    assert (ben / "b/c.txt").stat().st_mode & 0o777 == 0o644
    assert hands.folder.stat().st_mode & 0o777 == 0o700


def test_the_same_export_again_changes_nothing(hands: Hands) -> None:
    hands.lists.write_text("student;user\nana;aalder\nben;bbirch\n-zoe;-x\n")
    export = [
        submission(ANA, when=FIRST, mybot="1"),
        submission(ANA, when=SECOND, mybot="2"),
        submission(BEN, when=FIRST, notes=["has typed a text"]),
        submission(CY, when=FIRST, x="3"),
    ]
    hands.collect(*export)
    before = hands.state()
    again = hands.collect(*export)
    assert hands.state() == before
    assert not any(row.is_new for row in again.rows)
    # Nor does it without the list: that of the run before is there.
    hands.lists.unlink()
    hands.collect(*export)
    assert hands.state() == before
    assert [row["student"] for row in hands.rows()] == ["ana", "ben", "'-zoe", "ccedar"]


def test_a_resubmission_under_another_name_takes_the_folder(hands: Hands) -> None:
    hands.collect(submission(ANA, when=FIRST, mybot="1"), submission(BEN, b="x"))
    found = hands.collect(submission(ANA, when=SECOND, mybot_final="2"))
    assert hands.files() == {
        "_earlier/ana-alder-1/mybot.py": "1",
        "ana-alder/mybot_final.py": "2",
        "ben-birch/b.py": "x",
    }
    assert hands.of("aalder")["file"] == "ana-alder"
    assert hands.of("aalder")["attempts"] == "2"
    assert hands.of("bbirch")["file"] == "ben-birch"
    first, second = found.rows
    assert (first.is_new, first.is_first) == (True, False)
    assert not second.is_new


def test_an_older_export_after_a_newer_one(hands: Hands) -> None:
    hands.collect(submission(ANA, when=SECOND, mybot="2"))
    hands.collect(submission(ANA, when=FIRST, mybot="1"))
    assert hands.files() == {
        "_earlier/ana-alder-1/mybot.py": "1",
        "ana-alder/mybot.py": "2",
    }


def test_the_latest_is_by_time_else_by_order_else_as_it_came(hands: Hands) -> None:
    hands.collect(submission(ANA, order=20, a="2"), submission(ANA, order=3, a="1"))
    assert hands.files()["ana-alder/a.py"] == "2"
    # One has no time, so times don't count, and order is another platform's.
    hands.collect(submission(ANA, when=FIRST, order=1, a="3"), platform="Canvas")
    assert hands.files()["ana-alder-2/a.py"] == "3"


def test_where_nothing_tells_the_export_collected_last_has_the_latest(
    hands: Hands,
) -> None:
    old, new = submission(BEN, b="1"), submission(BEN, b="2")
    hands.collect(new)
    [row] = hands.collect(old).rows
    assert hands.files()["ben-birch/b.py"] == "1"
    assert "collected last counts" in row.news[0]
    # The way back is to collect the newer one again; more often changes nothing.
    [row] = hands.collect(new).rows
    assert hands.files()["ben-birch/b.py"] == "2"
    assert "collected last counts" in row.news[0]
    for again in ([new], [old, new]):
        before = hands.state()
        [row] = hands.collect(*again).rows
        assert hands.state() == before
        assert row.news == ()


def test_what_was_mended_before_a_resubmission_is_said(hands: Hands) -> None:
    hands.collect(submission(ANA, when=FIRST, a="1"), submission(BEN, when=FIRST, b=""))
    (hands.folder / "ana-alder" / "a.py").write_text("mended")
    resubmitted = [submission(who, when=SECOND, a="2") for who in (ANA, BEN)]
    ana, ben = hands.collect(*resubmitted).rows
    where = "_earlier/ana-alder-1"
    assert ana.news == (f"a new attempt is here; what was mended lies in {where}",)
    assert ben.news == ()
    assert hands.collect(*resubmitted).rows[0].news == ()


def test_what_has_only_been_renamed_is_the_same_attempt(hands: Hands) -> None:
    hands.collect(submission(ANA, order=5, bot="1", helper="2"))
    before = hands.state()
    found = hands.collect(submission(ANA, order=5, helper_1="2", bot="1"))
    assert hands.state() == before
    assert not found.rows[0].is_new
    # Where nothing else tells attempts apart, a new name is all that was mended.
    hands.collect(submission(BEN, bott="1"))
    hands.collect(submission(BEN, bot="1"))
    assert "ben-birch/bot.py" in hands.files()


def test_what_the_instructor_has_mended_stays(hands: Hands) -> None:
    export = submission(ANA, when=FIRST, mybot="1")
    hands.collect(export)
    (hands.folder / "ana-alder" / "mybot.py").write_text("mended")
    (hands.folder / "ana-alder" / "more.py").write_text("")
    found = hands.collect(export)
    assert hands.files()["ana-alder/mybot.py"] == "mended"
    assert found.rows[0].is_mended
    hands.collect(submission(ANA, when=SECOND, mybot="2"))
    assert hands.files() == {
        "_earlier/ana-alder-1/more.py": "",
        "_earlier/ana-alder-1/mybot.py": "mended",
        "ana-alder/mybot.py": "2",
    }


@pytest.mark.parametrize("renames", [0, 1, 2])
def test_a_run_that_is_killed_is_mended_by_the_next(
    hands: Hands, monkeypatch: pytest.MonkeyPatch, renames: int
) -> None:
    old = submission(ANA, when=FIRST, a="1")
    new = submission(ANA, when=SECOND, a="2")
    hands.collect(old)
    real = collection._rename
    left = [renames]

    def rename(lying: collection.Lying, to: Path) -> None:
        left[0] -= 1
        if left[0] < 0:
            # What is killed puts nothing away.
            shutil.copytree(lying.place.parent, hands.folder / ".new-killed")
            raise KeyboardInterrupt
        real(lying, to)

    monkeypatch.setattr(collection, "_rename", rename)
    if renames < 2:
        with pytest.raises(KeyboardInterrupt):
            hands.collect(new)
    else:
        hands.collect(new)
    monkeypatch.setattr(collection, "_rename", real)
    if renames == 1:
        # Without the new export the old one plays again.
        hands.collect(old)
        assert hands.files() == {"ana-alder/a.py": "1"}
    hands.collect(new)
    assert hands.files() == {
        "_earlier/ana-alder-1/a.py": "1",
        "ana-alder/a.py": "2",
    }
    assert not [x for x in os.listdir(hands.folder) if x.startswith(".new")]


def test_a_full_disk_is_a_sentence_and_changes_nothing(
    hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands.collect(submission(ANA, when=FIRST, a="1"))
    before = hands.state()
    full = OSError(28, "No space left on device", "somewhere")

    def write(place: Path, *_: object) -> None:
        raise full

    for name in ("_write", "write_attempt"):
        with monkeypatch.context() as patch:
            patch.setattr(collection, name, write)
            with pytest.raises(RecordError, match=r"hand_ins: can't be .* \(No space"):
                hands.collect(submission(ANA, when=SECOND, a="2"))
        after = hands.state()
        assert {x: v for x, v in after.items() if not x.endswith("hand_ins")} == before


def test_late_attempts_play_unless_only_those_in_time_may(hands: Hands) -> None:
    export = [
        submission(ANA, when=FIRST, a="1"),
        submission(ANA, when=THIRD, a="2"),
        submission(BEN, when=THIRD, b="1"),
        submission(CY, late=True, c="1"),
    ]
    late = {"deadline": "2026-11-28 18:00"}
    found = hands.collect(*export, **late)  # type: ignore[arg-type]
    assert [row.late for row in found.rows] == ["26 h", "26 h", "yes"]
    assert hands.files().keys() == {
        "_earlier/ana-alder-1/a.py",
        "ana-alder/a.py",
        "ben-birch/b.py",
        "cy-cedar/c.py",
    }
    found = hands.collect(*export, in_time=True, **late)  # type: ignore[arg-type]
    assert hands.files() == {
        "_earlier/ana-alder-2/a.py": "2",
        "_earlier/ben-birch-1/b.py": "1",
        "_earlier/cy-cedar-1/c.py": "1",
        "ana-alder/a.py": "1",
    }
    assert hands.of("aalder")["late"] == ""
    assert "came too late (26 h), so the one before" in hands.of("aalder")["note"]
    assert hands.of("bbirch")["file"] == ""
    assert hands.of("bbirch")["note"] == "came too late, so it does not count"
    assert found.back == ("ana-alder",)
    # And back.
    found = hands.collect(*export, **late)  # type: ignore[arg-type]
    assert sorted(found.back) == ["ana-alder", "ben-birch", "cy-cedar"]
    assert hands.files()["ana-alder/a.py"] == "2"
    assert hands.of("ccedar")["file"] == "cy-cedar"


def test_what_is_not_known_of_times_is_said(hands: Hands) -> None:
    export = [submission(ANA, a="1"), submission(BEN, when=FIRST, b="1")]
    [note] = hands.collect(*export, deadline="2026-11-28").on_times
    assert "1 attempt of 2 came in time" in note


def test_a_deadline_without_a_zone_is_refused_where_times_have_one(
    hands: Hands,
) -> None:
    """Or who is in time on his own clock would be late on that of the platform."""
    export = submission(BEN, when=FIRST.replace(tzinfo=UTC), b="1")
    with pytest.raises(ConfigError, match=r"has no zone, and the times .* are in UTC"):
        hands.collect(export, deadline="2026-11-28")
    assert not hands.files()
    [row] = hands.collect(export, deadline="2026-11-27 21:30+02:00").rows
    assert row.late == "30 min"


def test_all_attempts_may_be_hand_ins(hands: Hands) -> None:
    export = [
        submission(ANA, when=when, a=str(when.day)) for when in (FIRST, SECOND, THIRD)
    ]
    hands.collect(*export, all_attempts=True)
    files = [row["file"] for row in hands.rows()]
    assert files == ["ana-alder", "_earlier/ana-alder-1", "_earlier/ana-alder-2"]
    before = hands.state()
    hands.collect(*export, all_attempts=True)
    assert hands.state() == before
    hands.collect(*export)
    assert [row["file"] for row in hands.rows()] == ["ana-alder"]


def test_a_team_is_one_hand_in_of_all_its_members(hands: Hands) -> None:
    hands.collect(submission(ANA, BEN, when=FIRST, t="1"), submission(CY, c="1"))
    assert [row["file"] for row in hands.rows()] == [
        "ana-alder-ben-birch",
        "ana-alder-ben-birch",
        "cy-cedar",
    ]
    # Who leaves it has a hand-in of his own, and it stays that of the others.
    hands.collect(submission(ANA, when=SECOND, a="2"))
    assert hands.of("aalder")["file"] == "ana-alder"
    assert hands.of("aalder")["attempts"] == "2"
    assert hands.of("bbirch")["file"] == "ana-alder-ben-birch"
    hands.collect(submission(BEN, when=SECOND, b="2"))
    assert hands.files().keys() == {
        "_earlier/ana-alder-ben-birch-1/t.py",
        "ana-alder/a.py",
        "ben-birch/b.py",
        "cy-cedar/c.py",
    }


def test_a_team_that_the_list_tells(hands: Hands) -> None:
    hands.lists.write_text("student,group\nana,Oak\nben,oak\ncy,Elm\n")
    hands.collect(submission(Person((), "Oak", is_team=True), when=FIRST, t="1"))
    assert [row["file"] for row in hands.rows()] == ["oak", "oak", ""]
    hands.collect(submission(Person((), "Ash", is_team=True), when=FIRST, t="2"))
    assert hands.of("Ash")["file"] == "ash"


def test_nobody_hands_in_for_others_by_the_name_of_their_group(hands: Hands) -> None:
    hands.lists.write_text(
        "student,id,name,group\nana,1,Ana Alder,Oak\nben,2,Ben Birch,Oak\n"
    )
    team, ana = Person(("2",), "Oak"), Person(("1",), "Ana Alder")
    hands.collect(submission(team, t="1"))
    assert len({row["file"] for row in hands.rows()} - {""}) == 1
    hands.collect(submission(ana, a="1"), submission(team, t="2"))
    assert hands.of("ana")["attempts"] == "1"
    assert hands.of("ben")["attempts"] == "2"
    assert hands.of("ana")["file"] != hands.of("ben")["file"]
    assert "is called Oak on the platform" in hands.of("ben")["note"]


def test_namesakes(hands: Hands) -> None:
    one, other = Person(("1",), "Ana Alder"), Person(("2",), "Ana Alder")
    hands.collect(submission(one, a="1"), submission(other, a="2"))
    assert [(row["student"], row["file"]) for row in hands.rows()] == [
        ("Ana Alder (1)", "ana-alder"),
        ("Ana Alder (2)", "ana-alder-2"),
    ]
    assert "if they are one, write the id 2 in" in hands.of("Ana Alder (2)")["note"]
    third = Person(("3",), "Ana Alder")
    hands.collect(submission(third, a="3"), submission(one, a="4"))
    assert hands.of("Ana Alder (1)")["attempts"] == "2"
    assert hands.of("Ana Alder (3)")["file"] == "ana-alder-3"


def test_one_with_an_id_for_each_assignment(hands: Hands) -> None:
    """As on Moodle, where a student has another number in each."""
    one, other = Person(("71",), "Ana Alder"), Person(("91",), "Ana Alder")
    ben = Person(("72",), "Ben Birch")
    hands.collect(submission(one, a="1"), submission(ben, b="1"))
    hands.collect(submission(other, a="2"))
    assert hands.of("Ana Alder (91)")["file"] == "ana-alder-2"
    text = "student,id\nAna Alder,71 91\nBen Birch,72\n"
    (hands.folder / "students.csv").write_text(text)
    hands.collect(submission(one, a="1"))
    rows = [(row["student"], row["file"], row["attempts"]) for row in hands.rows()]
    assert rows == [("Ana Alder", "ana-alder", "2"), ("Ben Birch", "ben-birch", "1")]


def test_nobody_becomes_another_by_calling_himself_so(hands: Hands) -> None:
    """On some platforms who hands in says himself what he is called."""
    hands.lists.write_text("student,name\ns1,Ben Birch\ns2,Eve Elder\n")
    ben, eve = Person(("7",), "Ben Birch"), Person(("8",), "Ben Birch")
    found = hands.collect(submission(ben, b="1"), submission(eve, b="2"))
    assert [(row["student"], row["file"]) for row in hands.rows()] == [
        ("s1", ""),
        ("s2", ""),
        ("Ben Birch (7)", "ben-birch"),
        ("Ben Birch (8)", "ben-birch-2"),
    ]
    assert "write the id 8 into the line that is meant" in found.rows[3].doubt
    # The instructor says who is who, in the list or in the file that was written.
    hands.lists.write_text("student,name,id\ns1,Ben Birch,7\ns2,Eve Elder,8\n")
    hands.collect()
    assert [(row["student"], row["file"]) for row in hands.rows()] == [
        ("s1", "ben-birch"),
        ("s2", "ben-birch-2"),
    ]


def test_who_was_found_once_stays_who_he_is(hands: Hands) -> None:
    hands.lists.write_text("student,name\ns1,Ben Birch\n")
    ben, eve = Person(("7",), "Ben Birch"), Person(("8",), "Ben Birch")
    hands.collect(submission(ben, b="1"))
    hands.collect(submission(eve, b="2"))
    assert hands.of("s1")["file"] == "ben-birch"
    assert hands.of("Ben Birch (8)")["file"] == "ben-birch-2"
    # Unless another fits better.
    hands.lists.write_text("student,name,id\ns1,Ben Birch,8\n")
    hands.collect()
    assert hands.of("s1")["file"] == "ben-birch-2"
    assert hands.of("Ben Birch (7)")["file"] == "ben-birch"


def test_two_platforms_know_one_student_by_two_ids(hands: Hands) -> None:
    hands.lists.write_text("student,id,email\nana,71,ana@uni.example\n")
    hands.collect(submission(Person(("71",)), a="1"), platform="Canvas")
    mail = Person(("Ana@Uni.example", "3001"), "Ana Alder")
    hands.collect(submission(mail, a="2"), platform="Gradescope")
    assert hands.of("ana")["attempts"] == "2"
    assert hands.files() == {"_earlier/ana-1/a.py": "1", "ana/a.py": "2"}


def test_a_number_that_a_student_has_typed_makes_him_no_other(hands: Hands) -> None:
    hands.lists.write_text("student,sid,email\nben,3002,ben@uni.example\n")
    eve = Person(("eve@evil.example", "3002"), "Ben Birch")
    hands.collect(submission(eve, a="1"))
    ben = Person(("ben@uni.example",), "Ben Birch")
    found = hands.collect(submission(ben, b="1"))
    assert hands.files()[f"{hands.of('ben')['file']}/b.py"] == "1"
    assert hands.of("eve@evil.example")["attempts"] == "1"
    assert "somebody else who fits as well or better" in found.rows[1].doubt


def test_the_file_that_was_written_may_be_edited(hands: Hands) -> None:
    hands.lists.write_text("student,name\ns1,Ana Alder\n")
    stranger = Person(("zz9",), "nobody knows")
    hands.collect(submission(stranger, a="1"))
    hands.lists.unlink()
    assert hands.of("zz9")["file"] == "nobody-knows"
    path = hands.folder / "students.csv"
    text = path.read_text().replace("student,name", "student,name,other")
    text = text.replace("s1,Ana Alder", "s1,Ana Alder,zz9").replace("zz9,n", "zz9,n")
    text = text.replace("nobody knows,", "nobody knows,,")
    path.write_text(text)
    hands.collect()
    assert [(row["student"], row["file"]) for row in hands.rows()] == [
        ("s1", "nobody-knows")
    ]


def test_columns_and_rows_of_the_list_stay(hands: Hands) -> None:
    hands.lists.write_bytes(
        '\ufeffID;Student;Note;=x\n1;Alder, Ana;mine;-3\n2;"Two\nlines";;\n'.encode()
    )
    hands.collect(submission(Person(("1",), "alderana"), a="1"))
    text = (hands.folder / "students.csv").read_bytes().decode()
    assert text == (
        "\ufeffID;Student;Note;'=x;file;submitted;late;attempts;found\n"
        "1;Alder, Ana;;'-3;ana-alder;;;1;a.py\n"
        '2;"Two\nlines";;;;;;;\n'
    )


def test_what_was_written_into_the_students_file_is_kept(hands: Hands) -> None:
    hands.lists.write_text("student,id\nana,1\nben,2\n")
    export = submission(Person(("1",), "Ana Alder"), a="1")
    hands.collect(export)
    path = hands.folder / "students.csv"
    edited = path.read_text().replace("ben,2", "ben,3")
    path.write_text(edited)
    hands.collect(export)
    assert (hands.folder / "_students-1.csv").read_text() == edited
    assert hands.of("ben")["id"] == "2"
    assert not hands.collect(export).old_list
    hands.lists.write_text("student,id,points\nana,1,\nben,2,7\nCy,4,\n")
    assert not hands.collect(export).old_list
    assert hands.of("ben")["points"] == "7"


HOSTILE = [
    "../../../tmp/x",
    "/etc/passwd",
    "CON",
    ".git",
    ".collected.json",
    "_earlier",
    "a/b",
    "students.csv",
    "\0",
    "…",
    "x" * 300,
    "=HYPERLINK(1)",
    "\x1b[31m\u202ered",
]


def test_names_and_files_that_attack_the_folder(hands: Hands, tmp_path: Path) -> None:
    planted = {
        ".collected.json": "{}",
        "a/.collected.json": "{}",
        ".git/config": "x",
        "ok.py": "1",
    }
    files = tuple((name, file(name, text)) for name, text in planted.items())
    attacks = [
        Submission((Person((name,), name),), files, name, FIRST) for name in HOSTILE
    ]
    found = hands.collect(*attacks)
    places = [row.place for row in found.rows]
    assert len(set(places)) == len(HOSTILE)
    for place in places:
        assert place is not None
        assert place.parent == hands.folder
        assert place.name[0] not in "._"
        assert len(place.name) <= 60
        assert read_attempt(place) is not None
        assert (place / "ok.py").read_text() == "1"
        assert not (place / ".git").exists()
        assert not (place / "a" / ".collected.json").exists()
    assert sorted(os.listdir(tmp_path)) == ["hand_ins"]
    text = (hands.folder / "students.csv").read_text()
    assert "\x1b" not in text
    assert ",=" not in text
    before = hands.state()
    hands.collect(*attacks)
    assert hands.state() == before


def test_a_name_that_the_disk_does_not_take_stops_nobody(hands: Hands) -> None:
    names = ("a", "a/b.py", "x" * 300, "ok.py")
    strange = Submission((ANA,), tuple((x, file(x)) for x in names), "x", FIRST)
    found = hands.collect(strange, submission(BEN, b="1"))
    assert hands.files().keys() >= {"ana-alder/ok.py", "ben-birch/b.py"}
    assert any("left out" in note for note in found.rows[0].notes)


def test_what_is_somebodys_own_is_not_touched(hands: Hands) -> None:
    own = hands.folder / "ana-alder"
    own.mkdir(parents=True)
    (own / "mine.py").write_text("mine")
    (hands.folder / "teams.py").write_text("model")
    (hands.folder / "ben-birch").symlink_to(own)
    earlier = hands.folder / "_earlier" / "ana-alder-2-1"
    earlier.mkdir(parents=True)
    hands.collect(submission(ANA, when=FIRST, a="1"), submission(BEN, b="1"))
    hands.collect(submission(ANA, when=SECOND, a="2"))
    assert hands.files() == {
        "_earlier/ana-alder-2-2/a.py": "1",
        "ana-alder/mine.py": "mine",
        "ana-alder-2/a.py": "2",
        "ben-birch-2/b.py": "1",
    }


def test_a_students_file_of_somebodys_own_is_not_overwritten(hands: Hands) -> None:
    hands.folder.mkdir()
    (hands.folder / "students.csv").write_text("student,file\nana,teams.py\n")
    with pytest.raises(ConfigError, match="was there before anything was collected"):
        hands.collect(submission(ANA, a="1"))
    assert os.listdir(hands.folder) == ["students.csv"]


def test_a_copy_beside_it_is_no_attempt(hands: Hands) -> None:
    export = submission(ANA, when=FIRST, a="1")
    hands.collect(export)
    shutil.copytree(hands.folder / "ana-alder", hands.folder / "ana-alder-x")
    shutil.copytree(hands.folder / "ana-alder", hands.folder / "a")
    found = hands.collect(export)
    assert hands.of("aalder")["file"] == "ana-alder"
    assert found.rows[0].attempts == 1


def test_a_folder_that_was_renamed_or_removed(hands: Hands) -> None:
    export = submission(ANA, when=FIRST, a="1")
    hands.collect(export)
    (hands.folder / "ana-alder").rename(hands.folder / "ana")
    hands.collect(export)
    assert hands.of("aalder")["file"] == "ana"
    hands.collect(submission(ANA, when=SECOND, a="2"))
    assert hands.files() == {"_earlier/ana-1/a.py": "1", "ana/a.py": "2"}
    shutil.rmtree(hands.folder / "ana")
    hands.collect(submission(ANA, when=SECOND, a="2"))
    assert hands.files()["ana/a.py"] == "2"


def test_what_is_known_of_a_hand_in_is_damaged(hands: Hands) -> None:
    hands.collect(submission(ANA, a="1"))
    path = hands.folder / "ana-alder" / ".collected.json"
    for text, said in (("{", "is damaged"), ('{"version": 9', "is damaged")):
        path.write_text(text)
        with pytest.raises(RecordError, match=said):
            hands.collect()


def test_two_folders_put_together(hands: Hands, tmp_path: Path) -> None:
    """As from two sections of a course; their attempts have the same numbers."""
    other = Hands(tmp_path / "other")
    other.folder.parent.mkdir()
    other.collect(submission(BEN, when=FIRST, b="1"))
    hands.collect(submission(ANA, when=FIRST, a="1"))
    shutil.copytree(other.folder / "ben-birch", hands.folder / "ben-birch")
    hands.collect()
    assert hands.of("bbirch")["file"] == "ben-birch"
    assert hands.of("aalder")["file"] == "ana-alder"


def test_who_has_left_the_list_is_told(hands: Hands) -> None:
    hands.lists.write_text("student,name\naalder,\nbbirch,\n")
    export = submission(ANA, when=FIRST, a="1"), submission(BEN, when=FIRST, b="1")
    assert not hands.collect(*export).unlisted
    hands.lists.write_text("student,name\naalder,\n")
    found = hands.collect(*export)
    assert found.unlisted == {"bbirch": "bbirch"}
    assert [row["student"] for row in hands.rows()] == ["aalder", "bbirch"]


def test_a_list_that_comes_later_knows_who_was_there_before(hands: Hands) -> None:
    hands.collect(submission(ANA, when=FIRST, a="1"), submission(BEN, b="1"))
    hands.lists.write_text("student\ncy\naalder\n")
    found = hands.collect()
    assert [row["student"] for row in hands.rows()] == ["cy", "aalder", "bbirch"]
    assert found.unlisted.keys() == {"bbirch"}


def test_two_at_once(hands: Hands) -> None:
    with (
        collecting(hands.folder, Wishes()),
        pytest.raises(BusyError, match=r"another arena collect .* with --into"),
    ):
        hands.collect()
    # Nothing was made, so nothing is left.
    assert not hands.folder.exists()


@pytest.mark.parametrize("size", divided((20, 200), lambda size: size == 20))
def test_a_class(hands: Hands, size: int) -> None:
    people = [Person((str(1000 + i),), f"Ana Alder {i:03}") for i in range(size)]
    lines = [f"{p.name},{p.ids[0]}" for p in people]
    hands.lists.write_text("\n".join(["student,id", *lines]))
    hands.collect(*(submission(p, when=FIRST, a=p.name) for p in people))
    assert [row["student"] for row in hands.rows()] == [p.name for p in people]
    assert {row["file"] for row in hands.rows()} == {
        f"ana-alder-{i:03}" for i in range(size)
    }
    before = hands.state()
    hands.collect(*(submission(p, when=FIRST, a=p.name) for p in people))
    assert hands.state() == before

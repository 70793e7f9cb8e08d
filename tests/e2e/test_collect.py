"""From what a learning platform exports to a league, as an instructor goes."""

import csv
import json
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from commands import Course

NUMBERS = {"Ana Alder": 71, "Jürgen Müller": 72, "Zoë Łuczak": 73}
ROSTER = """\
Identifier;Full name;Email address
Participant 71;Ana Alder;ana@uni.example
Participant 72;Jürgen Müller;jm@uni.example
Participant 73;Zoë Łuczak;zoe@uni.example
Participant 74;Cy Cedar;cy@uni.example
"""
GAME = {"game": "zombie_dice", "fixtures": 1}
GRADING = {"students": "hand_ins/students.csv"}
COLLECT = ("collect", "bot-1.zip", "--into", "hand_ins")
WITH_ROSTER = (*COLLECT, "--students", "grades.csv", "--key", "Email address")


def bot(name: str, choice: str = "obs.legal_actions[0]") -> str:
    return (
        f"from arena import Bot\nclass {name}(Bot):\n"
        f"    def zombie_dice(self, obs): return 'stop' if obs.brains else {choice}\n"
    )


def export(course: Course, hand_ins: Mapping[str, Mapping[str, str]]) -> None:
    """Write what Moodle exports: the files of each by the student's name."""
    with zipfile.ZipFile(course.folder / "bot-1.zip", "w") as file:
        for who, files in hand_ins.items():
            for name, text in files.items():
                place = f"{who}_{NUMBERS[who]}_assignsubmission_file/{name}"
                file.writestr(place, text)


@pytest.fixture
def course(tmp_path: Path) -> Course:
    course = Course(tmp_path / "course")
    (course.folder / "grades.csv").write_text(ROSTER)
    export(
        course,
        {
            "Ana Alder": {"mybot.py": bot("Rolls"), ".collected.json": "{}"},
            "Jürgen Müller": {"bot.py.txt": bot("Waits")},
            "Zoë Łuczak": {"a/bot.py": "1 +", "a/__MACOSX/._bot.py": ""},
        },
    )
    return course


def test_an_export_is_collected_and_all_are_told(course: Course) -> None:
    done = course.arena(*WITH_ROSTER, "--attempts", "all")
    assert done.code == 0
    assert done.out.startswith("bot-1.zip: Moodle, 3 hand-ins\n\nstudent")
    table = [re.split(r"\s{2,}", line) for line in done.out.splitlines()[4:8]]
    assert table == [
        ["Ana Alder", "1", "mybot.py", "Rolls: zombie_dice"],
        [*("Jürgen Müller", "1", "bot.py.txt"), table[1][-1]],
        [*("Zoë Łuczak", "1", "a/bot.py"), "nothing: see note"],
        ["Cy Cedar", "nothing"],
    ]
    assert "4 students: 3 handed in, 1 did not; 1 will play, 2 will not" in done.out
    assert '  bots: [hand_ins, "hand_ins/_earlier/*"]\n' in done.out
    notes = done.err.splitlines()
    assert all(note.startswith("note: ") for note in notes)
    assert any("jürgen-müller (Jürgen Müller): will not play: " in x for x in notes)
    assert any("zoë-łuczak (Zoë Łuczak): will not play: " in x for x in notes)
    text = (course.folder / GRADING["students"]).read_text()
    rows = csv.DictReader(text.splitlines(), delimiter=";")
    assert [(row["student"], row["file"]) for row in rows] == [
        ("ana@uni.example", "ana-alder"),
        ("jm@uni.example", "jürgen-müller"),
        ("zoe@uni.example", "zoë-łuczak"),
        ("cy@uni.example", ""),
    ]


def test_what_is_given_wrong_is_a_sentence(course: Course) -> None:
    (course.folder / "cat.zip").write_text("no zip")
    (course.folder / "photos").mkdir()
    (course.folder / "photos" / "cat.jpg").write_text("miaow")
    for words, said in (
        (("collect", "nowhere.zip", "--into", "x"), "nowhere.zip: "),
        (("collect", "cat.zip", "--into", "x"), "cat.zip"),
        (("collect", "photos", "--into", "x"), "photos: expected an export of "),
        (("collect", "photos", "--into", "photos/x"), "--into: photos/x lies in the"),
        (("collect", ".", "--into", "hand_ins"), "--into: hand_ins lies in the export"),
        ((*COLLECT, "--students", "grades.csv"), "has no column student; name the one"),
        ((*COLLECT, "--key", "ID"), "--key: names a column of a file; give that with"),
        ((*COLLECT, "--deadline", "soon"), "--deadline: expected a day or a day with"),
        ((*COLLECT, "--in-time", "--attempts", "all"), "--attempts: names all that is"),
        ((*COLLECT, "--pattern", "("), "--pattern: '(' is no regular expression"),
        (("collect", "bot-1.zip", "--into", "grades.csv"), "grades.csv: is a file"),
        (("collect", "bot-1.zip"), "Missing option '--into'"),
    ):
        done = course.arena(*words)
        assert (done.code, done.out) == (2, ""), done
        assert said in done.err, done.err
        assert done.err.count("\n") == 1
    assert not (course.folder / "hand_ins").exists()
    assert not (course.folder / "x").exists()


def aliases(course: Course) -> dict[str, str]:
    course.arena("report", "results/small")
    path = course.results() / "private" / "aliases.csv"
    with path.open(newline="") as file:
        return {row["student"]: row["alias"] for row in csv.DictReader(file)}


@pytest.mark.exhaustive
def test_a_student_stays_who_he_is_when_file_and_class_are_renamed(
    course: Course,
) -> None:
    hand_ins = {
        "Ana Alder": {"mybot.py": bot("Rolls")},
        "Jürgen Müller": {"bot.py": bot("Waits")},
        "Zoë Łuczak": {"bot.py": bot("Looks")},
    }
    export(course, hand_ins)
    assert course.arena(*WITH_ROSTER).code == 0
    league = course.write_league(
        GAME, bots=["hand_ins"], grading=GRADING, pseudonyms="a long line of ours"
    )
    course.league(league)
    known = aliases(course)
    ids = {id_ for (id_,) in course.rows("SELECT DISTINCT entry FROM versions")}
    # The records know students by hashes: no file, no folder and no class.
    assert len(ids) == 3
    assert all(re.fullmatch("[0-9a-f]{20}", id_) for id_ in ids)
    hand_ins["Ana Alder"] = {"mybot-1.py": bot("Final", "'roll'")}
    export(course, hand_ins)
    done = course.arena(*COLLECT)
    assert "since the last run: 0 new, 1 again, 2 as before" in done.out
    assert "4 games played, 2 taken from earlier runs" in course.league(league)
    assert aliases(course) == known
    after = {id_ for (id_,) in course.rows("SELECT DISTINCT entry FROM versions")}
    assert after == ids
    rows = json.loads(course.files()["leaderboard.json"])["rows"]
    assert sorted(row["bot"] for row in rows) == ["Final", "Looks", "Waits"]
    assert sorted(row["file"] for row in rows) == [
        "ana-alder",
        "jürgen-müller",
        "zoë-łuczak",
    ]
    # And in a league that is frozen.
    assert course.arena("freeze", league).code == 0
    course.league("frozen/small")
    assert course.export("small-frozen", "--moves") == course.export("small", "--moves")

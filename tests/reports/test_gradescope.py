"""The files for Gradescope: what its autograder takes, and nothing of others."""

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from leagues import bot, fault, fill, game, league
from msgspec.structs import replace

from arena.league.config.settings import BeatsSettings, GradingSettings
from arena.league.results.store import Store
from arena.reports.fault_text import fault_text
from arena.reports.grading.gradebook import file_names, write_grades
from arena.reports.report import Report, read_report

Format = Literal["text", "html", "simple_format", "md", "ansi"]
Visibility = Literal["visible", "hidden", "after_due_date", "after_published"]


class Strict(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    pass


class GradedTest(Strict):
    """One of `tests`, after "Autograder Specifications", of which all is optional."""

    score: float
    max_score: float
    name: str
    output: str
    output_format: Format
    visibility: Visibility
    status: Literal["passed", "failed"] | msgspec.UnsetType = msgspec.UNSET


class Quantity(Strict):
    """One of `leaderboard`, after "Leaderboards"."""

    name: str
    value: float | str
    order: Literal["asc", "desc"]


class ResultsJson(Strict):
    """The whole file; the total is the assignment's, so it has no `max_score`."""

    score: Annotated[float, msgspec.Meta(ge=0.0)]
    output: str
    output_format: Format
    test_output_format: Format
    visibility: Visibility
    tests: list[GradedTest]
    leaderboard: list[Quantity]


REF, ANA, BEN = (bot(name, "dice") for name in ("Ref", "Ana", "Ben"))
CRASH = fault(
    0,
    BEN,
    "crash",
    message="ben.py:3: NameError: name 'x' is not defined",
    traceback='Traceback\n  File "ben.py", line 3, in dice\n    x\nNameError: x',
    output="hello\x1b[31m from Ben",
    observation='{"brains": 2}',
    legal_actions=("roll", "stop"),
)
GAMES = [
    *(game(n, (ANA, REF), (1, 2)) for n in range(0, 8, 2)),
    *(game(n, (REF, ANA), (2, 1)) for n in range(1, 8, 2)),
    game(8, (BEN, REF), (2, 1), faults=(CRASH,)),
    game(9, (REF, BEN), (1, 2), faults=(fault(1, BEN),)),
    game(10, (BEN, REF), (1, 2)),
    game(11, (REF, BEN), (2, 1)),
]
GRADING = GradingSettings(
    beats=[BeatsSettings(bot="ref", points=60.0, confidence=0.9)],
    rank_groups=[0.5],
    cutoffs={"A": 60.0, "F": 0.0},
)


Written = tuple[Path, Report]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    folder = tmp_path_factory.mktemp("runs") / "classroom"
    students = folder.parent / "students.csv"
    text = "student,file\nana@x.edu,ana.py\nben,ben.py\nCÿ,\n"
    students.write_text(text, encoding="utf-8")
    grading = replace(GRADING, students=str(students))
    info = replace(league([REF, ANA, BEN]), grading=grading)
    fill(folder, info, GAMES)
    (folder / "gradescope").mkdir()
    (folder / "gradescope" / "gone.json").write_text("{}")
    (folder / "gradescope" / "notes.txt").write_text("mine")
    with Store.read(folder) as store:
        report = read_report(store)
        write_grades(report, info, folder, "league.yaml")
    return folder, report


def read(folder: Path, name: str) -> ResultsJson:
    data = (folder / "gradescope" / name).read_bytes()
    return msgspec.json.decode(data, type=ResultsJson)


def test_every_student_has_a_file_of_gradescopes_form(written: Written) -> None:
    folder, _ = written
    names = sorted(path.name for path in (folder / "gradescope").iterdir())
    # Those of students who have left are gone, and what is not ours is kept.
    assert len(names) == 4
    assert names[0].startswith("C_~")
    assert names[1:] == ["ana@x.edu.json", "ben.json", "notes.txt"]
    for name in names[:-1]:
        found = read(folder, name)
        assert found.score == sum(test.score for test in found.tests)


def test_marks_are_tests_and_undecided_has_no_status(written: Written) -> None:
    folder, _ = written
    ana, ben = read(folder, "ana@x.edu.json"), read(folder, "ben.json")
    mark, group = ana.tests
    assert (mark.name, mark.status) == ("beats Ref (90 % sure)", "passed")
    assert (mark.score, mark.max_score) == (60, 60)
    assert (group.score, group.max_score) == (0.5, 0.5)
    assert mark.output.startswith("passed: scored 100.0 % of 8 games: 94.1 % sure")
    mark, _ = ben.tests
    assert mark.name == "beats Ref (90 % sure) (undecided)"
    assert mark.status is msgspec.UNSET
    assert (mark.score, mark.max_score) == (0, 60)
    assert ben.output.startswith(
        "0.5 points in Classroom, and 60 that are undecided\n"
        "Grade: F, A if it beats Ref (90 % sure)\n"
        "Ben: rank "
    )


def test_a_student_sees_rank_forfeits_time_and_first_fault(written: Written) -> None:
    folder, report = written
    ben = read(folder, "ben.json")
    (row,) = (row for row in report.rows if row.bot == "Ben")
    replay = "arena replay results/classroom g008 --step 3"
    told = fault_text(CRASH, "Ben", replay=replay)
    lines = ben.output.split("\n")
    assert f"rank {row.rank} of 3" in lines[2]
    assert f"Elo {row.elo:.0f} (95 % range " in lines[2]
    assert lines[3:5] == [
        "Forfeits: 2 of 4 games (1 crash, 1 timeout)",
        "Slowest decision: 0.25 s; the move limit is 0.5 s",
    ]
    assert ben.output.endswith(f"The first forfeit, in dice:\n\n{told}")
    assert "name 'x' is not defined" in told
    assert "\x1b" not in ben.output
    assert [(q.name, q.value, q.order) for q in ben.leaderboard] == [
        ("Rank", row.rank, "asc"),
        ("Elo", row.elo, "desc"),
        ("Score %", 50.0, "desc"),
        ("Forfeits", 2, "asc"),
    ]
    assert "forfeit, in" not in read(folder, "ana@x.edu.json").output


def test_nobody_reads_of_others(written: Written) -> None:
    folder, _ = written
    for path in (folder / "gradescope").glob("*.json"):
        text = path.read_text(encoding="utf-8").casefold()
        for other in ("ana", "ben"):
            assert (other in text) is path.name.startswith(other)


def test_who_has_handed_in_nothing_reads_why(written: Written) -> None:
    folder, _ = written
    (name,) = (path.name for path in (folder / "gradescope").glob("C_*"))
    found = read(folder, name)
    assert found.output == "0 points in Classroom\nGrade: F\nno bot was handed in"
    assert {test.output for test in found.tests} == {"failed: no bot was handed in"}
    assert {test.status for test in found.tests} == {"failed"}
    assert found.leaderboard == []


def test_names_of_files_are_safe_and_differ() -> None:
    students = ["Ana", "ana", "../x", ".x", "x", "", "ä", "ö", "a" * 300, "b.c-d_e"]
    names = file_names(students)
    assert names["b.c-d_e"] == "b.c-d_e.json"
    assert names["x"].startswith("x~")
    assert file_names(students[::-1]) == names


# All that is told apart, without the tables of all characters, which take seconds.
CHARACTERS = st.sampled_from('abAB09._-~ /\\:*?"<>|\0\n\x7fäÄßéİ\u0301名🧟')


@given(st.lists(st.text(CHARACTERS, max_size=90), unique=True, max_size=8))
def test_no_two_students_share_a_file(students: list[str]) -> None:
    names = file_names(students).values()
    assert len({name.casefold() for name in names}) == len(students)
    for name in names:
        assert len(name) <= 100
        assert name.isascii()
        assert name.isprintable()
        assert not set(name) & set('/\\:*?"<>| ')
        assert not name.startswith((".", "-"))


def test_a_bot_without_games_has_no_numbers(tmp_path: Path) -> None:
    info = replace(league([REF, ANA]), grading=GRADING)
    fill(tmp_path, info, [])
    with Store.read(tmp_path) as store:
        write_grades(read_report(store), info, tmp_path, "league.yaml")
    found: dict[str, Any] = json.loads((tmp_path / "gradescope/ana.json").read_text())
    assert [quantity["value"] for quantity in found["leaderboard"]] == [
        *("-", "-", "-", 0)
    ]
    assert "has not met Ref yet" in found["tests"][0]["output"]

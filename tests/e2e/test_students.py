"""A league whose students are known: they stay who they are, and nobody is told who."""

import csv
import json
import re
import shutil
from pathlib import Path

import pytest
from commands import Course

WHO = ("q4711.ana@uni.example", "Benedikt Ypsilon", "cyrilla-99")
SECRETS = re.compile(b"q4711|ypsilon|cyrilla", re.IGNORECASE)
BOTS = ("alpha", "bravo", "delta")
GAME = {"game": "zombie_dice", "fixtures": 1}
ROLLS = ("return 'stop' if obs.brains else obs.legal_actions[0]",)


def write_students(course: Course, *files: str) -> None:
    rows = [f"{who},{file}" for who, file in zip(WHO, files, strict=False)]
    text = "\n".join(["student,file", *rows, "nobody@uni.example,"])
    (course.folder / "students.csv").write_text(text)


@pytest.fixture
def course(tmp_path: Path) -> Course:
    course = Course(tmp_path / "course")
    for stem in BOTS:
        course.write_bot(stem, *ROLLS)
    course.write_bot("staff", *ROLLS)
    write_students(course, *(f"{stem}.py" for stem in BOTS))
    return course


def write_league(course: Course, **keys: object) -> str:
    return course.write_league(GAME, anchor={"bot": "staff"}, **keys)


GRADING = {"students": "students.csv", "beats": [{"bot": "staff", "points": 1}]}


def test_nothing_but_what_is_private_names_a_student(course: Course) -> None:
    course.write_bot("delta", "return 1 / 0")
    file = write_league(course, grading=GRADING, pseudonyms="a long line of ours")
    said = [course.league(file), course.arena("report", "results/small").out]
    said += [json.dumps(course.export("small", "--moves"))]
    assert not SECRETS.search("\n".join(said).encode())
    results = course.results()
    public = {
        path
        for path in results.rglob("*")
        if path.is_file()
        and path.relative_to(results).parts[0] not in ("private", "gradescope")
    }
    told = {path.name for path in public if SECRETS.search(path.read_bytes())}
    assert told == {"grades.csv"}
    assert any(path.suffix == ".html" for path in public)
    # Nor do the pages have the ids by which the records go.
    ids = {id_ for (id_,) in course.rows("SELECT DISTINCT entry FROM versions")}
    assert len(ids) == 4
    pages = b"".join(p.read_bytes() for p in public if "report" in p.parts)
    assert not any(id_.encode() in pages for id_ in ids)
    # Whose is whose stands where only the instructor looks.
    whose = json.loads((results / "private" / "students.json").read_text())["bots"]
    assert [(bot["file"], bot["students"]) for bot in whose] == [
        ("bravo.py", ["benedikt ypsilon"]),
        ("delta.py", ["cyrilla-99"]),
        ("alpha.py", ["q4711.ana@uni.example"]),
    ]


def test_hand_ins_of_one_name_are_told_apart_everywhere(course: Course) -> None:
    """By their folders, and on the terminal by their students; there alone."""
    shutil.rmtree(course.bots)
    text = "from arena import Bot\nclass Mine(Bot):\n    def zombie_dice(self, obs):"
    for folder, rest in (
        ("x1", " return obs.legal_actions[0]\n"),
        ("x2", " return (\n"),
        ("x3", ""),
        ("x4", " return 1 / 0\n"),
    ):
        (course.bots / folder).mkdir(parents=True)
        file = course.bots / folder / "mybot.py"
        file.write_text(text + rest if rest else "x = 1\n")
    rows = [f"{who},x{i}/mybot.py" for i, who in enumerate(WHO, 1)]
    (course.folder / "students.csv").write_text("\n".join(["student,file", *rows]))
    grading = {"students": "students.csv"}
    file = course.write_league(GAME, bots=["bots/*/*.py"], grading=grading)
    done = course.arena("league", file)
    notes = [
        line.partition("; ")[0] for line in done.err.splitlines() if "note:" in line
    ]
    assert notes[:4] == [
        "note: x3/mybot.py (cyrilla-99): not entered: its process says 'no bot found",
        "note: x2/mybot.py (Benedikt Ypsilon): forfeits all games: line 3: its process "
        """says "SyntaxError: '(' was never closed, in `def zombie_dice(self, obs): """
        "return (` (add the bracket that closes it",
        "note: x4/mybot.py: is called like x1/mybot.py",
        "note: the name 'Mine' is taken more than once",
    ]
    (names,) = re.findall("the tables say (.*?);", done.err)
    assert {*names.split(", ")} == {"q4711.ana", "Benedikt Ypsilon", "x4"}
    listed = course.arena("bots", file)
    assert notes[0] in listed.err
    for out in (done.out, listed.out):
        for name in ("q4711.ana", "Benedikt Ypsilon", "x4"):
            assert re.search(rf"^.*?  {name}  ", out, re.M) or f"\n{name} " in out
    files = course.files()
    rows = csv.DictReader(files["leaderboard.csv"].decode().splitlines())
    assert {(row["bot"], row["file"]) for row in rows} == {
        (f"x{i}", f"x{i}/mybot.py") for i in (1, 2, 4)
    }
    rows = csv.DictReader(files["faults.csv"].decode().splitlines())
    assert {row["file"] for row in rows} == {f"x{i}/mybot.py" for i in (2, 3, 4)}
    game_ids = [game["game_id"] for game in course.export()]
    told = [course.arena("replay", "results/small", x).out for x in game_ids]
    assert {line[10:] for out in told for line in out.splitlines()[1:3]} == {
        "q4711.ana",
        "Benedikt Ypsilon",
        "x4",
    }
    course.arena("report", "results/small")
    grades = csv.DictReader((course.results() / "grades.csv").read_text().splitlines())
    assert [(row["student"], row["file"]) for row in grades] == [
        (who, f"x{i}/mybot.py") for i, who in enumerate(WHO, 1)
    ]
    told = [p for p in course.results().rglob("*") if p.is_file()]
    told = [p for p in told if SECRETS.search(p.read_bytes())]
    assert {p.name for p in told if p.parent.name != "private"} == {"grades.csv"}


def aliases(course: Course) -> dict[str, str]:
    """Return the alias of each student."""
    course.arena("report", "results/small")
    path = course.results() / "private" / "aliases.csv"
    with path.open(newline="") as file:
        return {row["student"]: row["alias"] for row in csv.DictReader(file)}


@pytest.mark.exhaustive
def test_who_is_named_later_is_another_entry_and_that_is_said(course: Course) -> None:
    file = write_league(course)
    course.league(file)
    before = course.recorded("small")
    file = write_league(course, grading=GRADING)
    done = course.arena("league", file)
    assert done.code == 0
    assert (
        "note: 3 bots (Alpha, Bravo, Delta) belong to other students than in the last "
        "run, or to some for the first time, so their games are played anew, and they "
        "may get another alias and division; what was played stays as history"
    ) in done.err.splitlines()
    games = course.recorded("small", "plan")
    assert before == games == 12
    assert course.recorded("small") == 24
    again = course.arena("league", file)
    assert "0 games played" in again.out
    assert "belong to other students" not in again.err


@pytest.mark.exhaustive
def test_a_renamed_file_replays_nothing(course: Course) -> None:
    file = write_league(course, grading=GRADING, pseudonyms="a long line of ours")
    course.league(file)
    known = aliases(course)
    shutil.move(course.bots / "alpha.py", course.bots / "zulu_final.py")
    write_students(course, "zulu_final.py", "bravo.py", "delta.py")
    assert "0 games played, 12 taken from earlier runs" in course.league(file)
    assert aliases(course) == known
    # Not even a class that is called otherwise makes another one of her.
    bot = course.bots / "zulu_final.py"
    bot.write_text(bot.read_text().replace("Alpha", "Better"))
    assert "6 games played, 6 taken from earlier runs" in course.league(file)
    assert aliases(course) == known
    assert len(course.rows("SELECT * FROM versions")) == 5
    assert len(course.rows("SELECT DISTINCT entry FROM versions")) == 4


@pytest.mark.exhaustive
def test_divisions_follow_the_student(course: Course) -> None:
    for i in range(5):
        course.write_bot(f"more{i}", *ROLLS)
    divided = {"schedule": "divisions", "references": ["staff"]}
    divided |= {"divisions": {"size": 2}}
    file = write_league(course, grading=GRADING, **divided)

    def division(bot: str) -> str:
        rows = csv.DictReader(course.files()["leaderboard.csv"].decode().splitlines())
        return next(row["division"] for row in rows if row["file"] == f"{bot}.py")

    course.league(file)
    before = division("alpha")
    shutil.move(course.bots / "alpha.py", course.bots / "aaa.py")
    write_students(course, "aaa.py", "bravo.py", "delta.py")
    course.league(file)
    assert division("aaa") == before


@pytest.mark.exhaustive
def test_no_more_bots_than_the_league_lets(course: Course) -> None:
    text = (course.bots / "alpha.py").read_text().splitlines()[1:]
    for cls in ("Beta", "Gamma"):
        more = "\n".join(text).replace("Alpha", cls)
        with (course.bots / "alpha.py").open("a") as file:
            file.write(f"{more}\n")
    league = write_league(course, grading=GRADING, most_bots=2)
    done = course.arena("league", league)
    assert done.code == 0
    assert (
        f"note: alpha.py ({WHO[0]}): Gamma may not play, for a student may bring 2 "
        "bots (most_bots)"
    ) in done.err.splitlines()
    assert len(course.rows("SELECT * FROM versions")) == 5
    listing = course.arena("bots", league)
    assert "Gamma may not play" in listing.err
    assert "Gamma" not in listing.out
    # A file that may bring nothing at all is told with those that hold no bot.
    (course.folder / "students.csv").write_text(
        f"student,file\n{WHO[0]},bravo.py\n{WHO[0]},delta.py\n"
    )
    league = write_league(course, grading=GRADING, most_bots=1)
    done = course.arena("league", league)
    assert (
        f"note: delta.py ({WHO[0]}): not entered: Delta may not play, for a student "
        "may bring 1 bot (most_bots)"
    ) in done.err.splitlines()
    assert [row["file"] for row in course.faults()] == ["delta.py"]


@pytest.mark.exhaustive
def test_a_frozen_league_has_the_same_entries(course: Course) -> None:
    file = write_league(course, grading=GRADING)
    course.league(file)
    done = course.arena("freeze", file)
    assert done.code == 0, done.err
    # What the students call their files later is nothing to it.
    shutil.move(course.bots / "alpha.py", course.bots / "other.py")
    course.league("frozen/small")
    assert course.export("small-frozen", "--moves") == course.export("small", "--moves")
    frozen = course.folder / "frozen" / "small"
    handed_on = [p for p in frozen.rglob("*") if "private" not in p.parts]
    assert not any(SECRETS.search(p.read_bytes()) for p in handed_on if p.is_file())

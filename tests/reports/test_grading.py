"""Marks, points and grades: what a student is given, and every reason for it."""

import csv
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import trio
from leagues import bot, entry, fault, fill, game, label_info, league
from msgspec.structs import replace
from scipy.stats import t as student

from arena.errors import ConfigError
from arena.league.config.info import EntryInfo, LeagueInfo, find_entry
from arena.league.config.keys import Keys
from arena.league.config.league_file import load_config
from arena.league.config.settings import BeatsSettings, GradingSettings
from arena.league.config.students import (
    StudentRow,
    bots_of,
    check_grading,
    read_students,
    with_settings,
)
from arena.league.entries.hand_ins.depot import Depot
from arena.league.play.run import draft_league
from arena.league.results.store import Store
from arena.ratings.match_ups.duels import Duel, LabelDuel
from arena.records.game_record import GameRecord
from arena.reports.grading.gradebook import grades_csv, write_grades
from arena.reports.grading.grades import Grades, grade_students
from arena.reports.grading.marks import MarkResult, needed_to_pass
from arena.reports.report import read_report

ROOT = Path(__file__).parents[2]
REF = bot("Ref", "dice")
ANA = bot("Ana", "dice")
BEN = bot("Ben", "dice")
CY = bot("Cy", "dice")
DAN = bot("Dan", "run")
BEATS = BeatsSettings(bot="ref", points=70.0)


def match(
    who: EntryInfo,
    wins: Sequence[int],
    start: int,
    label: str = "dice",
    other: EntryInfo = REF,
    faulty: bool = False,
) -> list[GameRecord]:
    """Return a fixture of two games for each number: how many of them `who` wins."""
    games = []
    for n, won in enumerate(wins):
        for k in range(2):
            seats = (who, other) if k == 0 else (other, who)
            first = (seats[0] is who) == (k < won)
            faults = (fault(k, who),) if faulty else ()
            places = (1, 2) if first else (2, 1)
            games.append(game(start + 2 * n + k, seats, places, label, faults))
    return games


# Ana has won five fixtures, Ben four, Cy forfeits all.
GAMES = [
    *match(ANA, [2] * 5, 0),
    *match(BEN, [2] * 4, 20),
    *match(CY, [0] * 2, 40, faulty=True),
]
# Bots that play two games.
BOTH = bot("Both", "dice", "run")
EVE = bot("Eve", "dice", "run")


def info_of(
    grading: GradingSettings, entries: Sequence[EntryInfo] = (REF, ANA, BEN, CY, DAN)
) -> LeagueInfo:
    return replace(league(entries, ["dice", "run"]), grading=grading)


def grade(
    folder: Path, info: LeagueInfo, games: Sequence[GameRecord] = GAMES
) -> Grades:
    check_grading(info, "league.yaml")
    if not (folder / "league.sqlite").exists():
        fill(folder, info, games)
    with Store.read(folder) as store:
        return grade_students(read_report(store), info)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    fill(folder, info_of(GradingSettings()), GAMES)
    return folder


def test_a_mark_is_passed_failed_or_undecided(folder: Path) -> None:
    beats = replace(BEATS, game="dice")
    grades = grade(folder, info_of(GradingSettings(beats=[beats])))
    assert [goal.title for goal in grades.criteria] == ["beats Ref in dice"]
    found = {g.student: (g.points, g.marks[0].outcome) for g in grades.students}
    assert found == {
        "ana": (70.0, MarkResult.PASSED),
        "ben": (0.0, MarkResult.UNDECIDED),
        "cy": (0.0, MarkResult.FAILED),
        "dan": (0.0, MarkResult.FAILED),
    }
    ana, ben, cy, dan = (g.marks[0] for g in grades.students)
    assert ana.reason == (
        "scored 100.0 % of 10 games: 96.2 % sure to score over 50 % in the long run; "
        "95 % needed"
    )
    assert int(1000 * student.cdf(5**0.5, 5)) == 962
    assert int(1000 * student.cdf(2, 4)) == 941
    more = Duel([LabelDuel(8, 4, 1.0, 1.0, 1 / 8)], [1.0]).more_games(0.5, 0.95, 0.95)
    assert more == ben.more_games == 8
    assert ben.reason == (
        "scored 100.0 % of 8 games: 94.1 % sure to score over 50 % in the long run; "
        "95 % needed; that takes about 8 more games"
    )
    assert cy.reason == "has forfeited all of its 4 games: 4 timeouts"
    assert dan.reason == "does not play dice"


def test_a_mark_may_ask_for_more_or_less(folder: Path) -> None:
    beats = [
        replace(BEATS, score=0.6, points=1.0),
        replace(BEATS, confidence=0.9, points=2.0),
        replace(BEATS, confidence=0.99, points=4.0),
    ]
    grades = grade(folder, info_of(GradingSettings(beats=beats)))
    titles = [goal.title for goal in grades.criteria]
    assert titles[0] == "scores over 60 % against Ref"
    assert titles[1:] == [f"beats Ref ({n} % sure)" for n in (90, 99)]
    for found in grades.students[:2]:
        assert (found.points, found.undecided_points) == (2.0, 5.0)


def test_a_mark_without_a_game_asks_for_the_mean_of_all(tmp_path: Path) -> None:
    games = [
        *match(EVE, [2] * 6, 0, other=BOTH),
        *match(EVE, [1] * 20, 20, "run", other=BOTH),
        *match(BEN, [2] * 6, 80, other=BOTH),
    ]
    beats = [replace(BEATS, bot="both"), replace(BEATS, bot="both", score=0.45)]
    grading = GradingSettings(beats=beats)
    info = info_of(grading, (BOTH, EVE, BEN))
    ben, eve = grade(tmp_path, info, games).students
    # As before one game would have been enough for him.
    assert (ben.marks[0].outcome, ben.marks[0].reason) == (
        MarkResult.FAILED,
        "does not play run, which counts as lost, so it can't score over 50 % against "
        "Both",
    )
    assert ben.marks[1].outcome is MarkResult.UNDECIDED
    assert ben.marks[1].reason.startswith(
        "scored 100.0 % of 12 games in dice and lost run, which it does not play, "
        "50.0 % on average: "
    )
    # 32 of 52 games, but each of the two counts alike.
    assert eve.marks[0].outcome is MarkResult.PASSED
    assert eve.marks[0].reason.startswith(
        "scored 100.0 % of 12 games in dice and 50.0 % of 40 games in run, 75.0 % on "
        "average: "
    )

    # What a game weighs overall it weighs here.
    heavy = tuple(
        replace(label, weight=0.0 if label.label == "run" else 2.0)
        for label in info.labels
    )
    ben, eve = grade(tmp_path, replace(info, labels=heavy), games).students
    assert ben.marks[0].outcome is eve.marks[0].outcome is MarkResult.PASSED
    assert ben.marks[0].reason.startswith("scored 100.0 % of 12 games: ")
    three = tuple(
        replace(label, weight=3.0 if label.label == "run" else 1.0)
        for label in info.labels
    )
    _, eve = grade(tmp_path, replace(info, labels=three), games).students
    assert ", 62.5 % on average by weight: " in eve.marks[0].reason


def test_a_bot_that_has_yet_to_play_a_game_is_undecided(tmp_path: Path) -> None:
    games = match(EVE, [2] * 6, 0, other=BOTH)
    grading = GradingSettings(beats=[replace(BEATS, bot="both")])
    (eve,) = grade(tmp_path, info_of(grading, (BOTH, EVE)), games).students
    assert eve.marks[0].outcome is MarkResult.UNDECIDED
    assert eve.marks[0].reason == "has not met Both in run yet"


def test_the_best_of_many_bots_has_to_be_surer(tmp_path: Path) -> None:
    students = students_file(
        tmp_path, "student,file\nalone,ana.py\ntwo,ana.py\ntwo,ben.py\ntwo,dan.py\n"
    )
    grading = GradingSettings(beats=[BEATS], students=students)
    games = [*match(ANA, [2] * 5, 0), *match(BEN, [0] * 5, 20)]
    alone, two = grade(tmp_path, info_of(grading), games).students
    assert needed_to_pass(0.95, 1) == 0.95
    assert alone.points == 70.0
    # Ben has lost all; he counts among the bots that might have had luck, whatever came
    # of him. Dan plays another game, and could not.
    assert two.bot == ANA
    assert two.marks[0].outcome is MarkResult.UNDECIDED
    assert two.marks[0].reason == (
        "scored 100.0 % of 10 games: 96.2 % sure to score over 50 % in the long run; "
        "97.5 % needed, as 2 bots of this student play; that takes about 10 more games"
    )
    assert needed_to_pass(0.95, 2) == pytest.approx(0.975)
    duel = Duel([LabelDuel(10, 5, 1.0, 1.0, 1 / 8)], [1.0])
    assert duel.more_games(0.5, 0.975, 0.95) == two.marks[0].more_games == 10

    # To fail takes no more than before: a student fails only if all his bots do.
    games = [*match(ANA, [0] * 5, 0), *match(BEN, [0] * 5, 20)]
    folder = tmp_path / "lost"
    _, two = grade(folder, info_of(grading), games).students
    assert two.marks[0].outcome is MarkResult.FAILED
    assert two.marks[0].reason.endswith("; 95 % needed")


def test_what_is_needed_is_rounded_up(folder: Path, tmp_path: Path) -> None:
    rows = "".join(f"three,{name}.py\n" for name in ("ana", "ben", "cy"))
    students = students_file(tmp_path, f"student,file\n{rows}")
    info = info_of(GradingSettings(beats=[BEATS], students=students))
    (three,) = grade(folder, info).students
    assert "; 98.34 % needed, as 3 bots of this student play" in three.marks[0].reason


def test_who_has_not_met_the_reference_is_undecided(tmp_path: Path) -> None:
    games = [*match(ANA, [2] * 5, 0), *match(BEN, [2] * 5, 20, other=CY)]
    grades = grade(tmp_path, info_of(GradingSettings(beats=[BEATS])), games)

    marks = {g.student: g.marks[0] for g in grades.students}
    assert marks["ben"].outcome is MarkResult.UNDECIDED
    assert marks["ben"].reason == "has not met Ref yet"
    assert marks["ben"].more_games is None
    # It shares no game with the reference, and never will.
    beats_dan = GradingSettings(beats=[replace(BEATS, bot="dan")])
    ben = grade(tmp_path, info_of(beats_dan)).students[1]
    assert ben.marks[0].reason == "plays none of the games that Dan plays"


def test_an_even_score_may_take_any_number_of_games(tmp_path: Path) -> None:
    info = info_of(GradingSettings(beats=[BEATS]), (REF, ANA))
    (ana,) = grade(tmp_path, info, match(ANA, [1] * 4, 0)).students
    assert ana.marks[0].reason.endswith("; that takes more than 10,000 more games")


def test_rank_groups_are_those_of_the_leaderboard(folder: Path) -> None:
    grades = grade(folder, info_of(GradingSettings(rank_groups=[20.0])))

    with Store.read(folder) as store:
        rows = {row.bot: row for row in read_report(store).rows}
    assert [goal.points for goal in grades.criteria] == [20.0]
    for found in grades.students:
        (mark,) = found.marks
        assert found.bot is not None
        row = rows[found.bot.name]
        is_out = row.forfeits == row.games
        assert mark.points == (20.0 if row.group == 1 and not is_out else 0.0)
        start = f"rank {row.rank}, in tie group {row.group} of "
        assert mark.reason.startswith(start) is not is_out
    assert {found.points for found in grades.students} == {0.0, 20.0}


def test_groups_of_ranks_can_have_a_floor(tmp_path: Path) -> None:
    games = [
        *match(ANA, [2] * 19 + [1], 0),
        *match(BEN, [0] * 20, 100),
        *match(ANA, [2] * 20, 200, other=BEN),
    ]
    info = replace(
        info_of(GradingSettings(rank_groups=[20.0, 10.0, 5.0]), (REF, ANA, BEN)),
        labels=(label_info("dice"),),
        references=(REF.id,),
    )
    fill(tmp_path, info, games)
    assert [g.points for g in grade(tmp_path, info).students] == [20.0, 5.0]
    # Who has lost all is paid because there are few groups, and that is said.
    assert write(tmp_path, info)[-1] == (
        "rank_groups gives points to Ben, without a single win: the leaderboard has 3 "
        "tie groups; name a bot under rank_groups_above, and only who is surely above "
        "it gets any"
    )

    grading = GradingSettings(rank_groups=[20.0, 10.0, 5.0], rank_groups_above="ref")
    floored = replace(info, grading=grading)
    ana, ben = grade(tmp_path, floored).students
    assert (ana.points, ben.points) == (20.0, 0.0)
    assert ana.marks[0].reason == (
        "rank 1, in tie group 1 of the leaderboard; from the first group on they give "
        "20, 10, 5"
    )
    assert ben.marks[0].reason == (
        "rank 3, in tie group 3 of the leaderboard, but not surely above Ref"
    )
    assert write(tmp_path, floored)[-1] == "rank group: 1 of 2 passed"


def test_who_is_above_by_chance_has_no_points(tmp_path: Path) -> None:
    games = [*match(ANA, [1, 2], 0), *match(BEN, [1, 1], 20)]
    grading = GradingSettings(rank_groups=[20.0], rank_groups_above="ref")
    info = info_of(grading, (REF, ANA, BEN))
    info = replace(info, labels=(label_info("dice"),))
    for found in grade(tmp_path, info, games).students:
        assert found.marks[0].reason.endswith(
            "in tie group 1 of the leaderboard, but not surely above Ref"
        )


def test_who_does_not_play_all_games_is_in_no_group(tmp_path: Path) -> None:
    games = [
        *match(EVE, [1] * 3, 0, other=BOTH),
        *match(EVE, [1] * 3, 10, "run", other=BOTH),
        *match(BEN, [2] * 3, 20, other=BOTH),
    ]
    info = info_of(GradingSettings(rank_groups=[20.0]), (BOTH, EVE, BEN))
    reasons = {g.student: g.marks[0] for g in grade(tmp_path, info, games).students}
    assert (reasons["both"].points, reasons["eve"].points) == (20.0, 20.0)
    assert reasons["ben"].points == 0.0
    assert reasons["ben"].reason == "has no overall rank, as it has no games in run"


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        (
            {"rank_groups": [1.0], "rank_groups_above": "dan"},
            "Dan does not play dice, so it has no overall rank; name a bot that plays "
            "all games",
        ),
        (
            {"rank_groups_above": "ref"},
            "is of no use without rank_groups; leave it out",
        ),
        (
            {"rank_groups": [1.0], "rank_groups_above": "reff"},
            "no bot is called 'reff'; did you mean 'ref'?",
        ),
    ],
)
def test_a_floor_that_can_not_be_is_refused(
    settings: dict[str, Any], problem: str
) -> None:
    info = replace(info_of(GradingSettings(**settings)), labels=(label_info("dice"),))
    with pytest.raises(ConfigError) as caught:
        check_grading(info, "league.yaml")
    assert str(caught.value) == f"league.yaml: grading.rank_groups_above: {problem}"


def test_games_without_weight_can_not_be_asked_for_together() -> None:
    dice = replace(label_info("dice"), weight=0.0)
    info = replace(info_of(GradingSettings(beats=[BEATS])), labels=(dice,))
    with pytest.raises(ConfigError) as caught:
        check_grading(info, "league.yaml")
    assert str(caught.value) == (
        "league.yaml: grading.beats[0]: no game that Ref plays has any weight; name "
        "one under game"
    )


def test_bots_without_games_are_in_no_group(tmp_path: Path) -> None:
    info = info_of(GradingSettings(rank_groups=[20.0]), (ANA, BEN, CY))
    reasons = {g.marks[0].reason for g in grade(tmp_path, info, []).students}
    assert reasons == {"has no games, so it is in no group"}


def test_points_become_grades_and_say_what_is_open(folder: Path) -> None:
    one = GradingSettings(
        beats=[replace(BEATS, game="dice")], cutoffs={"F": 0.0, "C": 50.0, "A": 90.0}
    )
    two = replace(one, beats=[*one.beats, replace(BEATS, points=20.0, confidence=0.94)])
    three = replace(two, beats=[*one.beats, replace(BEATS, points=20.0)])
    few = replace(one, cutoffs={"A": 80.0})

    def texts(grading: GradingSettings) -> dict[str, str]:
        found = grade(folder, info_of(grading)).students
        return {g.student: g.grade_text for g in found}

    assert texts(one)["ana"] == "C"
    assert texts(one)["ben"] == "F, C if it beats Ref in dice"
    assert texts(one)["cy"] == "F"
    assert texts(two)["ben"] == "F, A if it beats Ref in dice"
    assert texts(three)["ben"] == "F, C with 50, A with 90 of the 90 undecided points"
    # It would change nothing, and there is no grade for so little.
    assert texts(few)["ben"] == ""


def test_references_and_the_anchor_get_no_grade(folder: Path) -> None:
    info = replace(
        info_of(GradingSettings(beats=[BEATS])),
        references=(REF.id, CY.id),
        anchor=(DAN.id, 1000.0),
    )
    assert [g.student for g in grade(folder, info).students] == ["ana", "ben"]
    # Nor does the floor of the groups of ranks.
    grading = GradingSettings(rank_groups=[1.0], rank_groups_above="ben")
    info = replace(info, grading=grading, labels=(label_info("dice"),))
    assert [g.student for g in grade(folder, info).students] == ["ana"]


def students_file(folder: Path, text: str) -> str:
    path = folder / "students.csv"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_students_have_the_bots_that_their_file_says(
    folder: Path, tmp_path: Path
) -> None:
    rows = (
        *("\ufeffName;Student;File", "Zoe;z1;x/bots/ana.py", "Team;t2;ana"),
        *("Two;m3;ben.py", "Two;m3;bots\\cy.py", "None;n4;", ""),
        *("Late;l5;danny.py", "Staff;s6;ref.py", ""),
    )
    students = students_file(tmp_path, "\r\n".join(rows))
    cutoffs = {"F": 0.0, "A": 70.0}
    grading = GradingSettings(students=students, beats=[BEATS], cutoffs=cutoffs)
    grades = grade(folder, info_of(grading))
    missing = "there is no danny.py in this league"
    assert {
        g.student: (g.bot and g.bot.name, g.points, g.grade, g.reason)
        for g in grades.students
    } == {
        "z1": ("Ana", 70.0, "A", ""),
        "t2": ("Ana", 70.0, "A", ""),
        "m3": ("Ben", 0.0, "F", "the one with most points counts: Ben 0, Cy 0"),
        "n4": (None, 0.0, "F", "no bot was handed in"),
        "l5": (None, 0.0, "F", f"no bot was handed in: {missing}"),
        "s6": ("Ref", 0.0, "F", ""),
    }
    # As in the file; what may still pass counts before what has failed.
    assert [g.student for g in grades.students] == ["z1", "t2", "m3", "n4", "l5", "s6"]
    assert grades.students[2].undecided_points == 70.0
    assert grades.students[5].marks[0].reason == "is this very bot"
    assert grades.notes == (
        f"{students}:8: {missing}, so it counts as not handed in; did you mean dan.py, "
        "which is nobody's?",
        f"bots of nobody in {students}: dan.py",
    )


def test_files_that_nobody_handed_in_are_told_in_one_sentence(
    folder: Path, tmp_path: Path
) -> None:
    rows = [f"s{n},{name * 9}.py" for n, name in enumerate("uvwxyzq")]
    rows += ["b,danny.py", "a,ana.py", "c,ref/ben.py"]
    students = students_file(tmp_path, "\n".join(["student,file", *rows]))
    grading = GradingSettings(students=students, beats=[BEATS])
    typo, place, others, *_ = grade(folder, info_of(grading)).notes
    assert typo.startswith(f"{students}:9: there is no danny.py in this league, so it ")
    assert place.startswith(f"{students}:11: there is no ref/ben.py in this league, bu")
    assert others == (
        f"{students}: not handed in, as this league has no such files: "
        "uuuuuuuuu.py, vvvvvvvvv.py, wwwwwwwww.py, xxxxxxxxx.py, yyyyyyyyy.py, … "
        "(7 in all)"
    )


def test_files_that_could_not_be_used_are_told_to_their_authors(tmp_path: Path) -> None:
    eve = bot("Eve", "dice", refused="line 3: it is\nbroken")
    info = replace(
        info_of(GradingSettings(beats=[BEATS]), (REF, ANA, eve)),
        rejected=(("fay.py", "has no bot"), ("gus/", "is a folder")),
    )
    games = [*match(ANA, [2], 0), *match(eve, [0], 20, faulty=True)]
    grades = grade(tmp_path, info, games)
    assert {g.student: (g.file, g.marks[0].reason) for g in grades.students} == {
        "ana": ("ana.py", grades.students[0].marks[0].reason),
        "eve": ("eve.py", "its file can't be read: line 3: it is broken"),
        "fay": ("fay.py", "fay.py takes no part: has no bot"),
        "gus": ("gus/", "gus/ takes no part: is a folder"),
    }
    named = students_file(tmp_path, "student,file\nf,fay.py\n")
    info = replace(info, grading=GradingSettings(students=named, beats=[BEATS]))
    (fay,) = grade(tmp_path, info).students
    assert (fay.file, fay.reason) == ("fay.py", "fay.py takes no part: has no bot")


def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    first = bot("Ana", "dice", id="bot:Ana", file="bot.py", place="ana/bot")
    second = bot("Ben", "dice", id="ben/bot:Ben", file="bot.py", place="ben/bot")
    info = info_of(GradingSettings(rank_groups=[1.0]), (first, second))
    games = match(first, [2], 0, other=second)
    plain = grade(tmp_path, info, games).students
    rows = "student,file\na,x/ana/bot.py\nb,x/ben/bot\nc,bot.py\nd,x/dan/bot.py\n"
    students = students_file(tmp_path, rows)
    grading = GradingSettings(students=students, rank_groups=[1.0])
    named = grade(tmp_path, replace(info, grading=grading)).students
    assert [(g.student, g.bot) for g in plain] == [("ben/bot", second), ("bot", first)]
    found = [(g.student, g.bot) for g in named]
    # Who has handed in nothing gets the bot of nobody else.
    assert found == [("a", first), ("b", second), ("c", first), ("d", None)]
    assert "there is no x/dan/bot.py in this league, but ana/bot and" in named[3].reason


def test_nobody_is_told_of_a_file_in_the_folder_of_another(tmp_path: Path) -> None:
    rejected = (("bot.py", "line 3: Ana's"), ("bot.py", "Ben's"), ("cy", "Cy's"))
    info = replace(
        info_of(GradingSettings(), (REF,)),
        rejected=rejected,
        rejected_at=("ana/bot", "ben/bot", "hand_ins/cy"),
    )
    fill(tmp_path, info, [])
    rows = "student,file\na,x/ana/bot.py\nb,ben/bot.py\nc,hand_ins/cy/main.py\n"
    rows += "z,x/zoe/bot.py\ny,bot.py\n"
    grading = GradingSettings(students=students_file(tmp_path, rows))
    graded = grade(tmp_path, replace(info, grading=grading), []).students
    assert [g.reason.partition(": ")[2] for g in graded[:3]] == [
        "line 3: Ana's",
        "Ben's",
        "Cy's",
    ]
    for g in graded[3:]:
        assert g.reason.startswith("no bot was handed in: there is no ")


def test_a_file_in_a_folder_stands_for_the_hand_in(tmp_path: Path) -> None:
    own = bot("Ana", "dice", id="ana:Ana", file="ana", place="hand_ins/ana")
    for file in ("ana", "hand_ins/ana", "hand_ins/ana/bot.py", "x/ana/src/bot.py"):
        found, _ = bots_of([own, BEN], file)
        assert found == ([] if file.startswith("x/") else [own]), file


def test_programs_of_one_file_name_have_students_of_their_own(tmp_path: Path) -> None:
    one, two = (
        replace(entry(name, "dice", file="main"), id=name, code=code)
        for name, code in (("rust_bot", "1"), ("java_bot", "2"))
    )
    info = info_of(GradingSettings(rank_groups=[1.0]), (one, two))
    games = match(one, [2], 0, other=two)
    found = [g.student for g in grade(tmp_path, info, games).students]
    assert found == ["java_bot", "rust_bot"]
    named = students_file(tmp_path, "student,file\nj,java_bot\n")
    info = replace(info, grading=GradingSettings(students=named, rank_groups=[1.0]))
    (java,) = grade(tmp_path, info).students
    assert java.bot == two


COLUMNS = ":1: expected the columns student and file, once each; found "


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"", f"{COLUMNS}nothing"),
        (b"student;name\na;b\n", f"{COLUMNS}student, name"),
        (b"student,file\n,ana.py\n", ":2: 'ana.py' has no student beside it"),
        (
            b'student,file,note\na,ana.py,"two\nlines"\na,ana\n',
            ":4: 'a' with the file 'ana' is in line 2 already; leave one out",
        ),
        (b"student,file\na,\na,\n", ":3: 'a' with no file is in line 2 already"),
        (
            "student,file\nZo\u00eb,a\nZOE\u0308,b\n".encode(),
            r":3: 'ZOE\u0308' is spelt 'Zo\xeb' in line 2; write each student in one",
        ),
        pytest.param(
            b"student,file\n" + b"x" * 200_000 + b",ana\n",
            ": is no CSV file (field larger than field limit (131072))",
            id="a long cell",
        ),
        pytest.param(
            bytes(2**24 + 1),
            ": the students' file can't be read (longer than 16777216 bytes)",
            id="a long file",
        ),
        (b"student,file\n\xe4,ana\n", ":2: is no text in UTF-8; save it as CSV UTF-8"),
        (None, ": the students' file can't be read (No such file or directory)"),
    ],
)
def test_mistakes_in_the_students_file_name_the_line(
    tmp_path: Path, text: bytes | None, problem: str
) -> None:
    path = tmp_path / "students.csv"
    if text is not None:
        path.write_bytes(text)
    with pytest.raises(ConfigError) as caught:
        check_grading(info_of(GradingSettings(students=str(path))), "league.yaml")
    assert str(caught.value).startswith(f"{path}{problem}")


def test_students_file_is_read_by_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("FILE,x,Student\nteam/ana.py, ,Ana L.\n", encoding="utf-8")
    assert read_students(path) == (StudentRow("Ana L.", "team/ana.py", 2),)


@pytest.mark.parametrize(
    ("beats", "problem"),
    [
        ([{"bot": "reff"}], "[0].bot: no bot is called 'reff'; did you mean 'ref'?"),
        (
            [{"bot": "xyz"}],
            "[0].bot: no bot is called 'xyz'; there are Ref, Ana, Ben, Cy, Dan",
        ),
        (
            [{}, {"game": "dicee"}],
            "[1].game: there is no game 'dicee' in this league; did you mean 'dice'?",
        ),
        (
            [{"bot": "ben", "game": "run"}],
            "[0].game: Ben does not play run; name another bot",
        ),
        (
            [{}, {"bot": "ref.py", "points": 3.0}],
            "[1]: asks for the same as beats[0]; leave one out",
        ),
    ],
)
def test_marks_that_can_not_be_are_refused(
    beats: list[dict[str, Any]], problem: str
) -> None:
    grading = GradingSettings(beats=[replace(BEATS, **parts) for parts in beats])
    with pytest.raises(ConfigError) as caught:
        check_grading(info_of(grading), "league.yaml")
    assert str(caught.value) == f"league.yaml: grading.beats{problem}"


def test_grades_of_the_same_points_are_refused() -> None:
    grading = GradingSettings(cutoffs={"A": 90.0, "B": 90.0})
    problem = "grading.cutoffs.B: takes 90 points as A does; give each grade its own"
    with pytest.raises(ConfigError, match=re.escape(problem)):
        check_grading(info_of(grading), "league.yaml")


def test_a_grading_that_can_not_be_is_refused_before_anything_is_played(
    tmp_path: Path,
) -> None:
    path = tmp_path / "league.yaml"
    path.write_text(
        f"name: x\ngames: [zombie_dice]\nbots: {ROOT / 'bots/random_bot.py'}\n"
        "grading: {beats: [{bot: nobody, points: 1}]}\n",
        encoding="utf-8",
    )
    with pytest.raises(ConfigError, match=r"grading\.beats\[0\]\.bot: .*'nobody'"):
        trio.run(draft_league, load_config(path), Keys.of_seed(0), Depot(tmp_path))


def test_in_a_gauntlet_only_references_can_be_beaten() -> None:
    info = replace(info_of(GradingSettings(beats=[BEATS])), references=(CY.id,))

    problem = (
        r"league.yaml: grading.beats\[0\].bot: not everybody meets Ref in this "
        "schedule; name it under references too$"
    )
    with pytest.raises(ConfigError, match=problem):
        check_grading(info, "league.yaml")
    check_grading(replace(info, references=(CY.id, REF.id)), "league.yaml")


def test_a_bot_can_not_take_the_place_of_another_by_its_name() -> None:
    named = bot("ref", "dice", id="eve:Eve", bot="Eve", file="eve.py")
    assert find_entry((named, REF), "ref") == REF
    assert find_entry((named, REF), "Ref") == REF
    assert find_entry((named, ANA), "Eve") == named
    assert find_entry((named, ANA), "ref") == named
    # Two of one file, and two files of one name, the first of which has kept it.
    assert find_entry((REF, replace(REF, id="ref:Other")), "ref.py") is None
    other = replace(REF, id="b/ref:Ref", stem="b/ref")
    assert find_entry((other, REF), "ref.py") == REF
    # A student's bot has an id that tells neither.
    own = replace(other, id="0123456789abcdef")
    assert find_entry((own, REF), "b/ref") == find_entry((own, REF), "b/ref:Ref") == own


def write(folder: Path, info: LeagueInfo) -> list[str]:
    with Store.read(folder) as store:
        return write_grades(read_report(store), info, folder, "league.yaml")


def test_grades_csv_has_a_row_for_each_student(tmp_path: Path) -> None:
    evil = bot("Evil", "dice", id="=evil:Evil", file="=evil.py")
    grading = GradingSettings(
        beats=[replace(BEATS, points=7.25)],
        rank_groups=[2.0],
        cutoffs={"A": 9.0, "F": 0.0, "A+": 50.0},
    )
    info = info_of(grading, (REF, ANA, BEN, evil))
    fill(tmp_path, info, [*GAMES[:18], *match(evil, [2] * 5, 60)])
    notes = write(tmp_path, info)
    with (tmp_path / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = [*csv.DictReader(file)]
    assert list(rows[0]) == [
        *("student", "bot", "file", "points", "undecided_points", "grade"),
        *("open_grade", "reason"),
        *("beats Ref: points", "beats Ref: outcome", "beats Ref: reason"),
        *("rank group: points", "rank group: outcome", "rank group: reason"),
    ]
    assert [row["student"] for row in rows] == ["'=evil", "ana", "ben"]
    assert (rows[1]["points"], rows[1]["grade"]) == ("9.25", "A")
    assert (rows[2]["points"], rows[2]["undecided_points"]) == ("2", "7.25")
    assert rows[2]["open_grade"] == "A if it beats Ref"
    assert rows[2]["beats Ref: outcome"] == "undecided"
    assert notes == [
        f"3 students are graded in {tmp_path}/grades.csv and {tmp_path}/gradescope",
        "beats Ref: 2 of 3 passed, 1 undecided (about 8 more games each would decide)",
        "rank group: 3 of 3 passed",
        "grades still open: ben",
        "nobody can get A+: it takes 50 of 9.25 points",
    ]


def test_more_games_are_not_said_to_decide_what_they_may_not(tmp_path: Path) -> None:
    """Ben has won four fixtures, Cy every other game."""
    info = info_of(GradingSettings(beats=[BEATS]), (REF, BEN, CY))
    fill(tmp_path, info, [*match(BEN, [2] * 4, 0), *match(CY, [1] * 4, 20)])
    said = "2 undecided (about 8 more games each would decide some)"
    assert said in write(tmp_path, info)[1]


def test_what_weakens_grades_is_said(tmp_path: Path) -> None:
    info = info_of(GradingSettings(beats=[BEATS]), (REF, ANA))
    games = match(ANA, [2], 0) + match(REF, [0], 20, other=ANA, faulty=True)
    fill(tmp_path, info, games)
    with Store.open(tmp_path) as store:
        store.begin(info, [*(record.game_id for record in games), "g999"])
    assert write(tmp_path, info)[2:] == [
        "the league is unfinished (4 of 5 games), so grades will still change",
        "Ref, which bots are compared with, has forfeited 2 games: marks against it "
        "may be gifts",
    ]


def test_a_league_without_grading_writes_nothing(tmp_path: Path) -> None:
    info = league([REF, ANA])
    fill(tmp_path, info, [])
    assert write(tmp_path, info) == []
    assert not (tmp_path / "grades.csv").exists()


def test_marks_can_be_changed_without_playing(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "bots").mkdir()
    students_file(tmp_path, "student,file\nzoe,ana.py\n")
    path = tmp_path / "league.yaml"
    path.write_text(
        "name: Classroom\ngames: [zombie_dice]\nbots: bots\nseed: 99\n"
        "pseudonyms: quite another secret\n"
        "grading:\n  students: students.csv\n"
        "  beats: [{bot: ref, points: 33, score: 0.25}]\n",
        encoding="utf-8",
    )
    with Store.read(folder) as store:
        info = with_settings(store.info(), load_config(path))

    (zoe,) = grade(folder, info).students
    assert (zoe.student, zoe.points, info.seed) == ("zoe", 33.0, 7)
    assert info.pseudonyms is True


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "grading: {beats: [{bot: a, points: 3, confidance: 0.9}]}",
            "grading.beats[0].confidance: unknown key; did you mean 'confidence'?",
        ),
        ("grading: {beats: [{bot: a}]}", "grading.beats[0]: the key 'points' is miss"),
        (
            "grading: {beats: [{bot: a, points: 3, confidence: 95}]}",
            "grading.beats[0].confidence: expected a number < 1.0; found 95",
        ),
        (
            "grading: {cutoffs: {A: ninety}}",
            "grading.cutoffs[...]: expected a number; found {'A': 'ninety'}",
        ),
        ("pseudonyms: short", "pseudonyms: expected text of length >= 8; found 'sh"),
    ],
)
def test_mistakes_in_the_settings_name_the_key(
    tmp_path: Path, text: str, problem: str
) -> None:
    path = tmp_path / "league.yaml"
    path.write_text(f"name: x\ngames: [zombie_dice]\n{text}\n", encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    assert str(caught.value).startswith(f"{path}: {problem}")


def section(page: str, title: str) -> str:
    """Return a section of a README, from its title to the next of any level."""
    text = (ROOT / page).read_text(encoding="utf-8")
    pattern = rf"^#+ {re.escape(title)}\n(.*?)(?=^#+ |\Z)"
    (found,) = re.finditer(pattern, text, re.M | re.S)
    return found[1]


def test_every_setting_and_column_is_explained() -> None:
    settings = section("configs/README.md", "Grades")
    for struct in (GradingSettings, BeatsSettings):
        for field in struct.__struct_fields__:
            assert f"| `{field}` | " in settings
    columns = section("results/README.md", "`grades.csv`")
    header = next(csv.reader([grades_csv(Grades((), (), ()))]))
    assert header
    for column in header:
        assert f"`{column}`" in columns


def test_the_pages_grading_is_one(tmp_path: Path) -> None:
    text = section("configs/README.md", "Grades")
    yaml, students = re.findall(r"```(?:yaml|csv)\n(.*?)```", text, re.S)
    path = tmp_path / "league.yaml"
    path.write_text(f"name: x\ngames: [zombie_dice]\n{yaml}", encoding="utf-8")
    students_file(tmp_path, students)
    played = ("stop_at_two", "weigh_the_odds", "ana", "bot")
    bots = [bot(name, "zombie_dice") for name in played]
    bots[-1] = replace(bots[-1], place="ben/bot")
    info = with_settings(league(bots, ["zombie_dice"]), load_config(path))
    grades = grade(tmp_path, info, [])
    assert [goal.title for goal in grades.criteria] == [
        "beats stop_at_two in zombie_dice",
        "beats weigh_the_odds in zombie_dice (90 % sure)",
        "rank group",
    ]
    files = {g.student.partition("@")[0]: g.file for g in grades.students}
    assert files == {"ana": "ana.py", "ben": "bot.py", "cy": ""}

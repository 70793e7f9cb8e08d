"""The table at the end, as an instructor reads it at his terminal."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from folders import ANA, BEN, CY, FIRST, THIRD, Hands, submission

from arena.cli.views.collected import View
from arena.collect.collected import Collected
from arena.collect.submission import Person
from arena.collect.what_plays import Playing

DEE = Person(("dd",), "Dee Date")
FIN = Person(("fin",), "Fin Fir-Pine-Maple-Oak van der Esche")
SCIPY = "fin/b.py:1: its process says 'no module scipy' (ask for it in the league)"


@pytest.fixture
def hands(tmp_path: Path) -> Hands:
    return Hands(tmp_path)


def view(collected: Collected) -> View:
    """Return what would be shown if each bot were what its text says."""
    found = {}
    for row in collected.rows:
        if row.place is None:
            continue
        text = "".join(path.read_text() for path in row.place.glob("*.py"))
        name, _, games = text.partition(":")
        found[row.place] = {
            "scipy": Playing(problem=SCIPY, forfeits=True),
            "none": Playing(problem="has no bot; call the main one bot.py"),
        }.get(text) or Playing(bots=((name, tuple(games.split(","))),))
    return View(collected, found, 2)


def collected(hands: Hands) -> Collected:
    names = ("Ana Alder", "Ben Birch", "Cy Cedar", "Dee Date", FIN.name, "Eva Elm")
    hands.lists.write_text("\n".join(["student", *names]))
    hands.collect(submission(ANA, when=FIRST, mybot="Old:ox"))
    return hands.collect(
        submission(ANA, when=THIRD, mybot="Rolls:ox,dice"),
        submission(BEN, when=FIRST, bot="none", notes=["has typed a text"]),
        submission(CY, when=FIRST, a="Cy:ox", notes=["has typed a text"]),
        submission(DEE, when=FIRST, d="Dee:dice", notes=["has typed a text"]),
        submission(
            FIN,
            when=FIRST,
            a_name_that_is_longer_than_the_column="scipy",
            notes=["has typed a text"],
        ),
        deadline="2026-11-28",
    )


NARROW = """\
student             handed in     tries    found            will play
------------------  ------------  -------  ---------------  ------------------
Ana Alder           29 Nov 20:00  2        mybot.py         Rolls: ox, dice
                    20 h late
Ben Birch           27 Nov 20:00  1        bot.py           nothing: see note
Cy Cedar            27 Nov 20:00  1        a.py             Cy: ox
Dee Date            27 Nov 20:00  1        d.py             Dee: dice
Fin                 27 Nov 20:00  1        a_name_that_is…  forfeits: see note
Fir-Pine-Maple-Oak
van der Esche
Eva Elm                                    nothing
"""
NOTES = [
    "ben-birch (Ben Birch): will not play: has no bot; call the main one bot.py",
    f"fin-fir-pine-maple-oak-van-der-esche ({FIN.name}): will forfeit all games: "
    + SCIPY,
    # What many have in common is said once, and after what keeps from playing.
    "has typed a text: ben-birch (Ben Birch), cy-cedar (Cy Cedar), dee-date (Dee "
    f"Date), fin-fir-pine-maple-oak-van-der-esche ({FIN.name})",
]
SUMMARY = """\
6 students: 5 handed in, 1 did not; 3 will play, 1 will forfeit all games, 1 will not
since the last run: 4 new, 1 again, 0 as before
"""


def test_at_80_columns(hands: Hands) -> None:
    assert view(collected(hands)).table(80) + "\n" == NARROW


def test_where_there_is_room(hands: Hands) -> None:
    titles, _, ana, ben, *_ = view(collected(hands)).table(190).splitlines()
    assert [re.split(r"\s{2,}", line.strip()) for line in (titles, ana, ben)] == [
        ["student", "folder", "handed in", "tries", "found", "will play"],
        [
            *("Ana Alder", "ana-alder", "29 Nov 20:00, 20 h late"),
            *("2", "mybot.py", "Rolls: ox, dice"),
        ],
        [
            *("Ben Birch", "ben-birch", "27 Nov 20:00"),
            *("1", "bot.py", "nothing: has no bot; call the main one bot.py"),
        ],
    ]


def test_what_is_said_below(hands: Hands) -> None:
    shown = view(collected(hands))
    assert [*shown.notes()] == NOTES
    assert shown.summary() + "\n" == SUMMARY


def test_two_of_one_name_are_told_apart(hands: Hands) -> None:
    hands.lists.write_text("student,name\nalder1,Ana Alder\nalder2,Ana Alder\n")
    found = hands.collect(
        submission(Person(("alder1",), "Ana Alder"), a="Ana:ox", notes=["is a"]),
        submission(Person(("alder2",), "Ana Alder"), a="Ana:ox", notes=["is b"]),
        submission(Person(("birch",)), a="Ben:ox", notes=["is c"]),
    )
    shown = view(found)
    table = " ".join(shown.table(150).split())
    assert "Ana Alder (alder1) ana-alder" in table
    assert "Ana Alder (alder2) ana-alder-2" in table
    assert [note for note in shown.notes() if ": is " in note] == [
        "ana-alder (Ana Alder (alder1)): is a",
        "ana-alder-2 (Ana Alder (alder2)): is b",
        "birch: is c",
    ]


def test_no_line_is_longer_than_the_terminal_and_none_acts_on_it(hands: Hands) -> None:
    hostile = [
        Person((str(number),), name * 30)
        for number, name in enumerate(("x", "\x1b[31m", "a b ", "\u202e", "\n|"))
    ]
    found = hands.collect(
        *(submission(p, when=FIRST, late=True, a=f"{'Y' * 99}:ox") for p in hostile)
    )
    for width in (72, 80, 120, 200):
        lines = view(found).table(width).splitlines()
        assert all(len(line) <= width for line in lines)
        assert all(line.isprintable() for line in lines)


def test_what_to_write_into_the_leagues_file(
    hands: Hands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    hands.collect(submission(ANA, a="Ana:ox"))
    shown = view(replace(hands.collect(), folder=Path("hand_ins")))
    assert shown.next_steps(None, all_attempts=False).splitlines() == [
        "in a league's file in this folder, beside the bots that are there:",
        "  bots: [hand_ins]",
        "  grading:",
        "    students: hand_ins/students.csv",
        "then: arena league LEAGUE.yaml --dry-run",
    ]
    (tmp_path / "configs").mkdir()
    steps = shown.next_steps(None, all_attempts=True)
    assert "in a league's file in configs, beside" in steps
    assert '  bots: [../hand_ins, "../hand_ins/_earlier/*"]' in steps
    steps = shown.next_steps(Path("my leagues/x.yaml"), all_attempts=False)
    assert "in my leagues/x.yaml, beside" in steps
    assert "then: arena league 'my leagues/x.yaml' --dry-run" in steps

"""The names of students' folders: safe, and never those of another."""

import pytest

from arena.collect.folder_names import MAX_CHARS, folder_name
from arena.league.entries.looks import shape_of


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("Ana Alder", "ana-alder"),
        ("Alder, Ana", "ana-alder"),
        ("Jürgen Müller", "jürgen-müller"),
        ("Ju\u0308rgen", "jürgen"),
        ("ZOË ŁUCZAK", "zoë-łuczak"),
        ("ana.alder@uni.example", "ana-alder"),
        ("@uni.example", "uni-example"),
        ("Dea d'Est", "dea-d-est"),
        ("a_b", "a_b"),
        ("../../etc/passwd", "etc-passwd"),
        ("a/b\\c", "a-b-c"),
        (".git", "git"),
        ("_earlier", "earlier"),
        ("CON", "student-con"),
        ("com1", "student-com1"),
        ("zombiedice", "student-zombiedice"),
        ("con.txt", "con-txt"),
        ("", "student"),
        ("\0\n…!?", "student"),
        ("李雷", "李雷"),
        ("x" * 300, "x" * MAX_CHARS),
        ("a\u202eb", "a-b"),
    ],
)
def test_names(name: str, folder: str) -> None:
    assert folder_name(name, ()) == folder


def test_none_is_called_like_another_or_looks_like_it() -> None:
    taken: set[str] = set()
    found = []
    for name in ("Ana Alder", "ANA ALDER", "\u0430na alder", "Ana A1der", "x" * 80):
        found.append(folder_name(name, taken))
        taken.add(shape_of(found[-1]))
    assert found[:4] == ["ana-alder", "ana-alder-2", "\u0430na-alder-3", "ana-a1der-4"]
    assert folder_name("x" * 90, taken) == "x" * (MAX_CHARS - 2) + "-2"

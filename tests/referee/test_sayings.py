"""What a process says is shown as its saying, and places only in own files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.referee.contestant.code_location import (
    location_in,
    method_in,
    told_location,
)
from arena.referee.contestant.misconduct import reported
from arena.referee.work_unit import EntrySpec
from arena.worker.protocol import Failed, Place

FILE = "/bots/ana.py"
OTHER = "/bots/honest.py"
TEXT = b"def act(obs):\r\n    return 1 / 0\rx = 1\n"
ANA = EntrySpec("ana", FILE, "Ana", sources=((FILE, TEXT),))
TEAM = EntrySpec(
    "team",
    "/bots/team",
    "Team",
    folder="/bots/team",
    sources=(("/bots/team/__init__.py", TEXT), ("/bots/team/honest.py", TEXT)),
)
BLAME = "the machine was too slow, honest.py:3 is to blame"


def failed(*calls: Place, message: str = BLAME) -> Failed:
    return Failed(1, "crash", message, "", calls[-1] if calls else None, calls)


def test_calls_are_shown_as_the_files_have_them() -> None:
    calls = Place(FILE, 3, "<module>", (0, 5)), Place(FILE, 2, "act", (11, 16))
    fault = reported(failed(*calls, message="ZeroDivisionError: division"), ANA)
    assert fault.message == "ana.py:2: its process says 'ZeroDivisionError: division'"
    assert fault.traceback == (
        '  File "ana.py", line 3, in <module>\n'
        "    x = 1\n"
        '  File "ana.py", line 2, in act\n'
        "    return 1 / 0\n"
        "           ^^^^^\n"
    )


@pytest.mark.parametrize(
    "place",
    [
        Place(OTHER, 1, "act"),
        Place("/bots/./ana.py", 1),
        Place("ana.py", 1),
        Place("", 1),
        Place(f"{FILE}\n{OTHER}", 1),
        Place(FILE, 0),
        Place(FILE, -1),
        Place(FILE, 5),
        Place(FILE, 2**63),
    ],
)
def test_a_place_that_is_not_in_the_files_is_not_shown(place: Place) -> None:
    fault = reported(failed(place), ANA)
    assert fault.message == f"ana.py: its process says '{BLAME}'"
    assert fault.traceback == ""
    assert method_in(ANA, place, ("act",)) == ""
    dump = f'  File "{place.file}", line {place.line} in act\n'
    assert location_in(ANA, dump) is None


@pytest.mark.parametrize(
    "name",
    [BLAME, "act()", 'act\n  File "honest.py", line 3', "<frozen x>", "a\u202eb"],
)
def test_what_is_no_name_of_a_function_is_not_shown(name: str) -> None:
    place = Place(FILE, 1, name)
    shown = '  File "ana.py", line 1\n    def act(obs):\n'
    assert told_location(ANA, failed(place)).traceback == shown
    location = location_in(ANA, f'  File "{FILE}", line 1 in {name}\n')
    assert location is not None
    assert location.traceback in (shown, shown.replace("1\n", "1, in act\n", 1))
    assert method_in(ANA, place, ("act",)) == "ana.py:1:"


def test_a_method_is_called_as_the_game_calls_it() -> None:
    names = ("zombie_dice", "act")
    assert method_in(ANA, Place(FILE, 1, "act"), names) == "ana.py:1: act()"
    slow = Place(FILE, 1, "the_machine_was_too_slow")
    assert method_in(ANA, slow, names) == "ana.py:1:"


def test_a_file_in_a_folder_is_called_after_the_folder() -> None:
    """Else one could be called like the file of another bot."""
    place = Place("/bots/team/honest.py", 1)
    assert told_location(TEAM, failed(place)).line == "team/honest.py:1"
    assert told_location(TEAM, failed()).line == "team"


def test_columns_out_of_the_line_mark_nothing_beside_it() -> None:
    for columns in ((-9, 2), (99, 999), (9, 3), (0, 2**62)):
        location = told_location(ANA, failed(Place(FILE, 2, "act", columns)))
        assert len(location.traceback.splitlines()) == 2


def test_many_calls_are_shortened() -> None:
    location = told_location(ANA, failed(*[Place(FILE, 2, "act")] * 5000))
    assert location.traceback.count("ana.py") == 12


@given(st.lists(st.sampled_from([b"a", b" ", b"\n", b"\r", b"\r\n"])))
def test_lines_are_counted_as_python_counts_them(parts: list[bytes]) -> None:
    text = b"".join(parts)
    entry = EntrySpec("ana", FILE, "Ana", sources=((FILE, text),))
    lines = [line.decode().strip() for line in [*(text + b"|").splitlines()]]
    lines[-1] = lines[-1].removesuffix("|").strip()
    for number in range(len(lines) + 2):
        location = told_location(entry, failed(Place(FILE, number)))
        if 1 <= number <= len(lines):
            assert location.line == f"ana.py:{number}"
            assert location.traceback.splitlines()[1] == f"    {lines[number - 1]}"
        else:
            assert location.line == "ana.py"

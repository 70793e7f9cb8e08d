"""The line that a bot was at when its time was up: told by itself, and not trusted."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace
from play_units import HONEST, bot_at, play_together, unit_of
from zoo_cases import QUICK

from arena.records.game_record import Termination
from arena.referee.contestant.code_location import CodeLocation, location_in
from arena.referee.work_unit import EntrySpec
from arena.worker.stack_dump import HEADING, cut_dump, is_whole

BOT = "/course/bots/ana.py"
TEXT = b"""\
from helper import deeper

def search(n):
    while n:
        for i in range(n):

            # A comment.
            deeper(i,
    n)

class Ana:
    def act(self, obs):
        for depth in range(9):
            search(depth)
"""
SOURCES = ((BOT, TEXT), ("/course/bots/helper.py", b"def deeper(i, n):\n    pass\n"))


def find_location(
    dump: str, path: str, sources: tuple[tuple[str, bytes], ...]
) -> CodeLocation | None:
    return location_in(EntrySpec("ana", path, "Ana", sources=sources), dump)


def told(*calls: tuple[str, int, str]) -> str:
    """Return calls, the innermost first, as Python writes them down."""
    return "".join(f'  File "{f}", line {n} in {name}\n' for f, n, name in calls)


def test_the_innermost_while_loop_is_named_whatever_lies_within() -> None:
    calls = told(
        ("/usr/lib/python3/random.py", 3, "choice"),
        ("/course/bots/helper.py", 2, "deeper"),
        (BOT, 8, "search"),
        (BOT, 14, "act"),
        ("/arena/worker/serve.py", 1, "_act"),
    )
    assert find_location(calls, BOT, SOURCES) == CodeLocation(
        "helper.py:2",
        "while",
        "ana.py:4",
        '  File "ana.py", line 14, in act\n'
        "    search(depth)\n"
        '  File "ana.py", line 8, in search\n'
        "    deeper(i,\n"
        '  File "helper.py", line 2, in deeper\n'
        "    pass\n",
    )


@pytest.mark.parametrize(
    ("line", "loop"),
    [
        (14, ("for", "ana.py:13")),
        (13, ("for", "ana.py:13")),
        (4, ("while", "ana.py:4")),
        (12, ("", "")),
        (1, ("", "")),
    ],
)
def test_loops_are_those_around_the_line(line: int, loop: tuple[str, str]) -> None:
    location = find_location(told((BOT, line, "act")), BOT, SOURCES)
    assert location is not None
    assert (location.loop, location.loop_line) == loop


def test_names_that_python_escapes_are_found() -> None:
    path = f"/käse/机/\U0001f9df{'x' * 500}.py"
    shown = "/k\\xe4se/\\u673a/\\U0001f9df" + "x" * (500 - len("/käse/机/z")) + "..."
    location = find_location(told((shown, 1, "act")), path, ((path, b"pass"),))
    assert location is not None
    assert location.line == f"\U0001f9df{'x' * 500}.py:1"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        told((BOT, 99, "act")),
        told((BOT, 0, "act")),
        told(("/etc/passwd", 1, "act")),
        f'  File "{BOT}", line {10**30} in act\n',
        '  File "' * 20_000,
    ],
)
def test_what_names_no_line_of_the_bots_is_no_location(text: str) -> None:
    assert find_location(text, BOT, SOURCES) is None


def test_however_much_is_told_little_is_made_of_it() -> None:
    long = ((BOT, b"x" * 10**6 + b"\n" + b" if x:\n" * 100_000 + b"  y\n"),)
    calls = told(*[(BOT, 100_002, "\x1b[2J" * 100)] * 5000)
    location = find_location(calls, BOT, long)
    assert location is not None
    assert len(location.traceback) < 5000
    assert "\x1b" not in location.traceback
    assert find_location(told((BOT, 1, "f")), BOT, long) == CodeLocation(
        "ana.py:1", traceback=f'  File "ana.py", line 1, in f\n    {"x" * 200}\n'
    )


def test_what_was_printed_is_cut_off_before_what_was_told() -> None:
    assert cut_dump(b"printed\n" + HEADING + b"a call\n") == (
        b"printed\n",
        b"a call\n",
    )
    assert cut_dump(b"printed\n") == (b"printed\n", b"")


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("", False),
        (told((BOT, 2, "<module>")), False),
        (told((BOT, 2, "act"), ("/x/arena/worker/__main__.py", 25, "<module>")), True),
        (told((BOT, 2, "act")) + "  ...\n", True),
        (told((BOT, 2, "act")) + "printed  ...\n", False),
    ],
)
def test_it_is_seen_when_all_has_been_told(text: str, whole: bool) -> None:
    assert is_whole(text.encode()) == whole


LIMITS = replace(QUICK, move=0.3)
"""All of them compute side by side: the wall's time must not end them too early."""
WAYS = {
    "tells": "pass",
    "ignores": "signal.signal(signal.SIGUSR2, signal.SIG_IGN)",
    "blocks": "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])",
    "dies": "signal.signal(signal.SIGUSR2, signal.SIG_DFL)",
    "closes": "os.close(1)",
    "lies": "signal.signal(signal.SIGUSR2, lie)",
}
"""Ways of a bot to handle the signal, before its endless loop."""
STUBBORN = '''
import os, signal
from arena import Bot

def lie(*_):
    os.write(1, b"""Stack (most recent call first):
  File "/etc/passwd", line 1 in root
  File "%s", line 2 in told
  File "x", line 1 in <module>
""" % __file__.encode())

class Culprit(Bot):
    def act(self, obs):
        print("printed", flush=True)
        WAY
        while True:
            pass
'''


def test_whatever_it_does_about_the_signal_it_is_ended_as_late(tmp_path: Path) -> None:
    units = []
    for name, way in WAYS.items():
        file = tmp_path / f"{name}.py"
        file.write_text(STUBBORN.replace("WAY", way))
        units.append(unit_of(bot_at(file, "Culprit"), HONEST, games=1, limits=LIMITS))
    records = [record for (record,) in play_together(units)]
    found = {name: r.faults[0] for name, r in zip(WAYS, records, strict=True)}
    locations = {"tells": r"tells\.py:1[67]: ", "lies": r"lies\.py:2: "}
    for name, fault in found.items():
        assert fault.termination == Termination.TIMEOUT
        start = rf"{locations.get(name, '')}it had not decided after"
        assert re.match(start, fault.message), fault.message
        assert fault.output == "printed\n"
    assert found["tells"].traceback.startswith('  File "tells.py", line 1')
    assert found["lies"].traceback == (
        '  File "lies.py", line 2, in told\n    import os, signal\n'
    )

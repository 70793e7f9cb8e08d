"""What verbs print has room in the terminal: whole words, and whole commands."""

import fcntl
import json
import os
import re
import shlex
import struct
import sys
import termios
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from matrix import divided

from arena import cli
from arena.cli import _VERBS
from arena.cli.views.fitted_table import Heading, Kind, fitted_table
from arena.cli.views.terminal import terminal_width
from arena.text import columns, wrapped

WIDTHS = (60, 80, 120, 200)
BOT = """\
from arena import Bot


class MyBot(Bot):
    name = "my_bot"

    def zombie_dice(self, obs):
        return {}
"""
FILES = {
    "alderana_12345_678_my_bot.py": '"stop" if obs.shotguns else "roll"',
    "alderana_12346_679_my_bot.py": '"roll"',
    "birchben_LATE_12347_680_a_file_with_a_rather_long_name.py": '"roll" if',
    "o'neil zoë_12348_681_my_bot.py": '"stop"',
}
LEAGUE = {"name": "a class", "games": [{"game": "zombie_dice"}], "bots": "hand_ins"}
UNBROKEN = re.compile(r"^ +arena |^ *\S+$|`arena [^`]*`|^ *arena \w+ [^;()]*[;)]?$")
"""Lines that may be longer: commands to be copied, and single words."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Be in a folder with a league of files as platforms name them."""
    hand_ins = tmp_path / "hand_ins"
    hand_ins.mkdir()
    for name, action in FILES.items():
        (hand_ins / name).write_text(BOT.format(action))
    rows = ["student,file", *(f"s{i}@x.edu,{x}" for i, x in enumerate(FILES))]
    (tmp_path / "students.csv").write_text("\n".join(rows))
    text = json.dumps(LEAGUE | {"grading": {"students": "students.csv"}})
    (tmp_path / "league.yaml").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def too_long(text: str, width: int) -> list[str]:
    """Return the lines that have no room, though they could have been broken."""
    lines = (line for line in text.splitlines() if columns(line) > width)
    return [line for line in lines if not UNBROKEN.search(line)]


Run = Callable[..., str]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command in a terminal of a width; return all that it prints."""

    def run_one(width: int, *words: str) -> str:
        monkeypatch.setenv("COLUMNS", str(width))
        monkeypatch.setattr(sys, "argv", ["arena", *words])
        with pytest.raises(SystemExit):
            cli.main()
        return "".join(capsys.readouterr())

    return run_one


@pytest.mark.parametrize("width", WIDTHS)
def test_help_and_rules(run: Run, width: int) -> None:
    for words in (
        *([verb, "--help"] for verb in ("", *_VERBS)),
        *(["secret", verb, "--help"] for verb in ("verify", "import")),
        ["games"],
        ["rules", "zombie_mania"],
        ["rules", "zombie_run", "--rulings"],
    ):
        text = run(width, *filter(None, words))
        assert text
        assert too_long(text, width) == []


COMMANDS = ["bots hand_ins", "bots league.yaml", "league league.yaml --dry-run"]


@pytest.mark.parametrize(
    ("command", "width"),
    divided(
        [(x, width) for x in COMMANDS for width in WIDTHS],
        lambda case: case in ((COMMANDS[0], 60), (COMMANDS[1], 80)),
    ),
)
def test_lists_and_notes(folder: Path, run: Run, command: str, width: int) -> None:
    text = run(width, *command.split())
    assert "note: " in text
    assert too_long(text, width) == []
    if command == COMMANDS[1]:
        for student in ("s0", "s1", "MyBot", "s3"):
            assert re.search(rf"^{student} |^bot: {student}$", text, re.MULTILINE)


WRONG = [
    ["league", "nowhere.yaml"],
    ["rules"],
    ["lague"],
    ["collect", "x", "--into", "y", "--key", "z"],
    ["play", "zombie_dice", "human", "human"],
    ["replay", "hand_ins", "0123456789"],
    ["bots", "hand_ins", "students.csv"],
]


@pytest.mark.parametrize("width", WIDTHS)
def test_errors(folder: Path, run: Run, width: int) -> None:
    for words in WRONG:
        text = run(width, *words)
        assert text.startswith("arena")
        assert too_long(text, width) == []


def test_who_says_no_width_has_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    for said in ("", "0", "-5", "wide", "9" * 30):
        monkeypatch.setenv("COLUMNS", said)
        # The streams of tests are no terminals.
        assert terminal_width() == terminal_width(err=True) == 80
    monkeypatch.setenv("COLUMNS", "132")
    assert terminal_width() == 132
    monkeypatch.setenv("COLUMNS", "3")
    assert terminal_width() == 20


def test_a_command_to_be_copied_is_in_one_line() -> None:
    command = shlex.join(["arena", "report", "results/a class of forty", "--open"])
    for width in range(20, 100):
        text = f"to see every game: {command}; it ends with Ctrl-C"
        assert any(command in line for line in wrapped(text, width, "  "))
        text = f"play it first (`{command}`), then look"
        assert any(command in line for line in wrapped(text, width, "  "))


NAMES = ["my_bot (Ana Alder)", "機器人 (Ben)", "experts"]


@pytest.mark.parametrize("width", range(20, 90, 7))
def test_a_table_has_room_or_is_a_list(width: int) -> None:
    headings: Sequence[Heading] = (
        Heading("bot", Kind.NAME),
        Heading("games"),
        Heading("why", Kind.TEXT),
    )
    why = "forfeits all games: its file can't be read"
    rows = [[name, 1000 + i, why] for i, name in enumerate(NAMES)]
    text = fitted_table(headings, rows, width)
    assert max(map(columns, text.splitlines())) <= max(width, 30)
    told = " ".join(text.split())
    assert all(str(1000 + i) in told for i in range(len(NAMES)))
    notes = [[f"  note {i}"] for i in range(len(NAMES))]
    noted = fitted_table(headings, rows, width, notes)
    words = noted.split()
    marks = [words.index(str(1000 + i)) for i in range(len(NAMES))]
    found = [i for i, word in enumerate(words) if word == "note"]
    assert [min(x for x in found if x > mark) for mark in marks] == found
    without = "\n".join(x for x in noted.splitlines() if "note" not in x)
    assert without == text
    assert fitted_table(headings, [], width).splitlines()[0].split() == [
        *("bot", "games", "why")
    ]


def test_the_width_is_that_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    parent, child = os.openpty()
    with os.fdopen(child, "w") as terminal:
        fcntl.ioctl(parent, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 97, 0, 0))
        monkeypatch.setattr(sys, "stderr", terminal)
        assert terminal_width(err=True) == 97
    os.close(parent)

"""What lies in a folder of bots and does not play is said, once, with the remedy."""

import os
from pathlib import Path

import pytest

from arena.league.config.settings import BotSettings
from arena.league.entries.bot_file import files_of
from arena.league.entries.passed_over import passed_over

PROGRAM = "in another language; name it under bots: with its command"
PYTHON = "Python by another name; let the name end in .py"
DOCUMENT = "no plain text; save the code alone in a file whose name ends in .py"
PACKED = "packed; unpack it into a folder of its own"


def write(*names: str, text: str = "{}") -> None:
    """Write files in folders that need not be there."""
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)


def notes(*texts: str, known: tuple[str, ...] = (), **keys: str) -> dict[str, str]:
    """Return what is said of what these name under `bots:`; the last with more keys."""
    bots = [BotSettings(file=os.path.abspath(text)) for text in texts[:-1]]
    bots.append(BotSettings(file=os.path.abspath(texts[-1]), **keys))
    files = files_of(bots, "bots")
    found = passed_over(bots, files, {Path(os.path.abspath(x)) for x in known})
    assert len(dict(found)) == len(found)
    return {names: why.removeprefix("left out: ") for names, why in found}


@pytest.fixture(autouse=True)
def ground(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with bots, to which all that is in no note may belong."""
    monkeypatch.chdir(tmp_path)
    write("in/ana.py", "in/ben/bot.py", "in/ben/table.csv", "in/sec/cy/bot.py")
    write("in/README", "in/readme.txt", "in/LICENSE.md", "in/limits.md", "in/.DS_Store")
    write("in/__pycache__/ana.pyc", "in/_staff/notes.txt", "in/_notes.txt")
    write("in/students.csv")
    # These are told of as those who take no part.
    write("in/x.py.txt", "in/y.ipynb", "in/Z.PY", "in/w.zip", "in/dora/all.ipynb")


def test_what_is_no_hand_in_for_a_good_reason_is_not_told() -> None:
    assert notes("in") == notes("in/*") == {}


ALONE = [
    ("in/data.csv", "not Python"),
    ("in/memo.txt", "not Python"),
    ("in/essay.docx", DOCUMENT),
    ("in/bot.rar", PACKED),
    ("in/bot.tar.gz", PACKED),
    ("in/bot.js", PROGRAM),
    ("in/bot.cpp", PROGRAM),
    ("in/bot.pyw", PYTHON),
    ("in/bot.py.bak", PYTHON),
    ("in/bot.py~", PYTHON),
    ("in/bot.pyc", "compiled Python; ask for the text, NAME.py"),
    ("in/_draft.py", "name begins with _"),
    ("in/sec/more.csv", "not Python"),
]


@pytest.mark.parametrize(("name", "why"), ALONE)
def test_a_file_that_does_not_play(name: str, why: str) -> None:
    write(name)
    assert notes("in") == {name: why}


def test_a_text_with_python_in_it_is_meant() -> None:
    for text in (
        "from arena import Bot",
        "\n\nclass A(Bot):\n    x = 1\n",
        "def f(x):",
    ):
        write("in/bot.txt", text=text)
        assert notes("in") == {"in/bot.txt": PYTHON}
    write("in/bot.txt", text="import what you like, he said")
    assert notes("in") == {"in/bot.txt": PYTHON}
    write("in/bot.txt", text="a class of its own")
    assert notes("in") == {"in/bot.txt": "not Python"}


FOLDERS = [
    ((), "empty"),
    (("a.csv",), "without Python"),
    (("essay.pdf", "a.csv"), f"without Python, but with essay.pdf: {DOCUMENT}"),
    (("bot.js", "essay.pdf"), f"without Python, but with bot.js: {PROGRAM}"),
    (("bot.7z", "main.c"), f"without Python, but with bot.7z: {PACKED}"),
    (("1/2/3/4/5/bot.py",), "too many folders in each other; name eve/1/2/3/4/5 itself "
     "under bots:"),
]  # fmt: skip


@pytest.mark.parametrize(("names", "why"), FOLDERS)
def test_a_folder_that_does_not_play(names: tuple[str, ...], why: str) -> None:
    os.makedirs("in/eve")
    write(*(f"in/eve/{name}" for name in names))
    assert notes("in") == {"in/eve": why}
    # So it is if the league's file names it.
    assert notes("in", "in/eve") == ({} if "name eve" in why else {"eve": why})


def test_many_of_a_kind_are_told_of_together() -> None:
    write(*(f"in/f{i}.csv" for i in range(9)), "in/a.rar", "in/b.rar")
    os.makedirs("in/void")
    assert notes("in") == {
        "in/a.rar and in/b.rar": PACKED,
        "in/f0.csv, in/f1.csv, in/f2.csv and 6 more": "not Python",
        "in/void": "empty",
    }


def test_links_and_pipes() -> None:
    os.symlink("nowhere", "in/broken")
    os.symlink("/etc/passwd", "in/passwd.txt")
    os.mkfifo("in/pipe")
    assert notes("in") == {
        "in/broken and in/passwd.txt": "a link; put what it leads to in its place",
        "in/pipe": "neither a file nor a folder",
    }


def test_what_the_league_names_otherwise_is_not_told() -> None:
    write("in/bot.js", "in/shared.csv", "in/class.csv", "in/machine/bot")
    known = ("in/shared.csv", "in/class.csv")
    found = notes("in", "in/bot.js", known=known, command="/bin/true")
    assert found == {"in/machine": "without Python"}
    found = notes("in", "in/machine", known=known, command="/bin/true")
    assert found == {"in/bot.js": PROGRAM}


def test_what_a_pattern_matches_and_does_not_play() -> None:
    write("in/ben/essay.pdf", "in/eve/essay.pdf", "in/eve/x.csv")
    assert notes("in/*/*.p*") == {"in/ben/essay.pdf and in/eve/essay.pdf": DOCUMENT}
    # In a folder that plays all is part of that.
    assert notes("in/**") == {
        "in/eve": f"without Python, but with essay.pdf: {DOCUMENT}"
    }


def test_names_that_would_break_the_note() -> None:
    write("in/a\nb.csv", f"in/{'x' * 200}.csv")
    (names,) = notes("in")
    assert names == f"in/a\ufffdb.csv and in/{'x' * 96}…"

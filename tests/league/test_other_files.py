"""What is named on a command line is found, or there is a sentence on what it is."""

import gzip
import os
from pathlib import Path

import pytest

from arena.errors import ConfigError
from arena.league.entries.bot_file import file_of
from arena.league.entries.other_files import misnamed
from arena.league.entries.sources import find_bot_file


def write(path: str, data: bytes = b"") -> None:
    """Write a file, in a folder that need not be there."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(data)


@pytest.fixture(autouse=True)
def ground(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with some files."""
    monkeypatch.chdir(tmp_path)
    for name in ("ana.py", "bots/bo b.py", "bots/team/__init__.py", "a=b.py", "a:b.py"):
        write(name)
    write("bots/bot.js")
    write("bots/machine/bot", b"\x7fELF")
    os.chmod("bots/machine/bot", 0o755)


NAMED = [
    ("ana.py", ("ana.py", None, None)),
    ("ana.py:Ana", ("ana.py", "Ana", None)),
    ("ana.py:", ("ana.py", None, None)),
    ("bo b", ("bots/bo b.py", None, None)),
    ("bo b:Bob", ("bots/bo b.py", "Bob", None)),
    ("team", ("bots/team", None, None)),
    ("a=b.py", ("a=b.py", None, None)),
    ("a:b.py", ("a:b.py", None, None)),
    ("bots/bot.js=node bot.js", ("bots/bot.js", None, "node bot.js")),
    ("bot.js=node --x=y bot.js", ("bots/bot.js", None, "node --x=y bot.js")),
    ("bots/machine=./bot", ("bots/machine", None, "./bot")),
    ("bots/machine/bot", ("bots/machine/bot", None, ["./bot"])),
]


@pytest.mark.parametrize(("text", "expected"), NAMED)
def test_what_a_text_names(text: str, expected: tuple[str, object, object]) -> None:
    found = find_bot_file(text)
    file, *rest = expected
    assert found.file == str(Path(file).resolve())
    assert [found.bot, found.command] == rest


OTHERS = [
    ("x.ipynb", "jupyter nbconvert --to script x.ipynb"),
    ("x.py.txt", "rename it to x.py"),
    ("x.txt", "rename it to x.py"),
    ("x.PY", "rename it to x.py"),
    ("x.py.bak", "rename it to x.py"),
    ("x.pyc", "take the file with the text, NAME.py"),
    ("x.docx", "save the code alone, as plain text"),
    ("x.tar.gz", "no archive, but plain text; if there is Python in it, rename it to "
     "x.tar.py"),
    ("x.yaml", "name a bot, and the league with --league x.yaml"),
    ("x y.c", "with cc -O2 -o 'x y' 'x y.c' in its folder, then name what comes out"),
    ("sub/X.java", "with javac X.java in its folder, then name that with what starts "
     "it: 'sub=java -cp . X'"),
    ("sub/x.js", "name it with what starts it: 'sub/x.js=node x.js'"),
    ("x.tcl", "named with what starts it in its folder: x.tcl=COMMAND"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "expected"), OTHERS)
def test_what_a_file_is_that_is_no_bot(name: str, expected: str) -> None:
    write(name, b"{}")
    with pytest.raises(ConfigError) as caught:
        file_of(find_bot_file(name), name)
    assert str(caught.value).startswith(f"{name}: is ")
    assert str(caught.value).endswith(expected) or expected in str(caught.value)


def test_an_archive_is_known_by_what_is_in_it() -> None:
    for data in (b"PK\3\4\x14\0", gzip.compress(b"")):
        write("x.zip", data)
        with pytest.raises(ConfigError, match="an archive; unpack it, and name"):
            file_of(find_bot_file("x.zip"), "x.zip")
    write("x.zip", b"# " + 100 * "Ä".encode())
    with pytest.raises(ConfigError, match=r"no archive, but plain text; .* to x\.py"):
        file_of(find_bot_file("x.zip"), "x.zip")


def test_a_notebook_may_be_none() -> None:
    for data, expected in (
        (b"", "is an empty file; has it been saved?"),
        (b"import arena\n", "is no notebook, but plain text; if there is Python in it"),
    ):
        write("x.ipynb", data)
        with pytest.raises(ConfigError) as caught:
            file_of(find_bot_file("x.ipynb"), "x.ipynb")
        assert str(caught.value).startswith(f"x.ipynb: {expected}")


def test_a_script_says_itself_what_runs_it() -> None:
    write("play", b"#!/usr/bin/env -S ruby -w\n")
    os.chmod("play", 0o755)
    with pytest.raises(ConfigError, match="starts it: 'play=ruby play'"):
        file_of(find_bot_file("play"), "play")


def test_what_is_not_there() -> None:
    for folder in ("empty", "bots/deep/down"):
        os.makedirs(folder)
    write("bots/deep/down/bot.py")
    os.symlink("nowhere.py", "link.py")
    os.mkfifo("pipe.py")
    for text, expected in (
        ("nobody", "no such file or folder; expected FILE, FILE:CLASS, FILE=COMMAND, "
         "random or sensible"),
        ("zzz.py", "no such file or folder; expected FILE"),
        ("anna.py", "no such file or folder; did you mean 'ana.py'?"),
        ("bot_b", "no such file or folder; did you mean 'bots/bo b.py'?"),
        ("empty", "is an empty folder; expected one with a Python file"),
        ("randm", "no such file or folder; did you mean 'random'?"),
        ("bots/deep", "is a folder without a Python file; there is one in "
         "bots/deep/down"),
        ("link.py", "is a link to nowhere.py, which does not exist"),
        ("BOT", "expected FILE, FILE:CLASS or FILE=COMMAND; found ''"),
        ("pipe.py", "is neither a file nor a folder"),
    ):  # fmt: skip
        with pytest.raises(ConfigError) as caught:
            find_bot_file("" if text == "BOT" else text)
        assert str(caught.value).startswith(f"{text}: {expected}")


MISNAMED = [
    ("bot.py", ""),
    ("bot.PY", "bot.py"),
    ("bot.py.txt", "bot.py"),
    ("Bot.Py.txt", "Bot.py"),
    ("bot.pyw", "bot.py"),
    ("bot.py~", "bot.py"),
    ("\u0130.PY", "\u0130.py"),
    ("bot.pyc", ""),
    ("bot.pyramid", ""),
    ("happy", ""),
    (".py.txt", ""),
]


@pytest.mark.parametrize(("name", "expected"), MISNAMED)
def test_what_a_file_in_python_should_be_called(name: str, expected: str) -> None:
    assert misnamed(name) == expected


def test_a_folder_of_several_hand_ins_is_told_so() -> None:
    for name in ("ana", "ben", "cy/deep"):
        write(f"in/{name}/bot.py")
    with pytest.raises(ConfigError) as caught:
        find_bot_file("in")
    assert str(caught.value) == (
        "in: is a folder of 3 hand-ins; name one: in/ana, in/ben, in/cy/deep (arena "
        "bots in tells what each of them is)"
    )


INSIDE = [
    ("bot.py.txt", "and bot.py.txt in it is no Python file, whose name ends in .py"),
    ("bot.ipynb", "and bot.ipynb in it is a notebook; export it as a Python file"),
    ("bot.rar", "and bot.rar in it is no archive, but plain text; if there is"),
    ("bot.js", "and bot.js in it is a program in another language; name it with what"),
    ("x.csv", "such as bot.py; found x.csv"),
]


@pytest.mark.parametrize(("name", "expected"), INSIDE)
def test_what_is_in_a_folder_without_python(name: str, expected: str) -> None:
    write("in/a.csv")
    write(f"in/{name}", b"{}")
    with pytest.raises(ConfigError, match="in: is a folder without a Python") as caught:
        find_bot_file("in")
    assert expected.replace("found x", "found a.csv, x") in str(caught.value)

"""Submissions as students send them: what lies in their folders, and what is said."""

import bz2
import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from attacks import BOT, LINK, file, submission, taken, tarred, zipped, zipped_raw

from arena.collect import prepare as prepare_module
from arena.collect.attempt import contents_hash
from arena.collect.prepare import Prepared, prepare
from arena.collect.submission import Person, Submission, TooLargeError

AGAIN = "have it handed in again, as an ordinary zip"
UNPACK = f"unpack it in its folder, or {AGAIN}"
NOTHING = "has no file that can be taken; ask for one in Python, such as bot.py"
HELPER = b"def best():\n    return 1\n"
USES = b"from helper import best\n" + BOT
NOTEBOOK = json.dumps(
    {"cells": [{"cell_type": "code", "source": BOT.decode(), "execution_count": 1}]}
).encode()


def prepared(files: Mapping[str, bytes]) -> Prepared:
    """Return what has become of a submission; nothing of it has vanished."""
    found = prepare(submission(files))
    said = " ".join((*found.notes, found.problem))
    there = {data for data, _ in found.files.values()}
    for name, data in files.items():
        is_unpacked = found.found.startswith(f"{name}: ") or name.endswith(".zip")
        is_litter = name.startswith(".")
        is_too_much = bool(found.problem) and not found.files
        assert (
            data in there
            or name[:99] in said
            or is_unpacked
            or is_litter
            or (is_too_much)
        ), name
    assert said.isprintable()
    return found


def names(found: Prepared) -> list[str]:
    return [*found.files]


def _id(value: object) -> str:
    """Return a name of a case that is the same in each process."""
    return str([*value] if isinstance(value, dict) else value)[:40]


PLAYS: list[tuple[dict[str, bytes], list[str], str, list[str]]] = [
    ({"mybot.py": BOT}, ["mybot.py"], "mybot.py", []),
    ({"bot.zip": zipped({"bot.py": BOT})}, ["bot.py"], "bot.zip: 1 file", []),
    (
        {"bot.tar.gz": tarred({"x/bot.py": USES, "x/helper.py": HELPER}, "w:gz")},
        ["bot.py", "helper.py"],
        "bot.tar.gz: 2 files",
        ["its files were moved out of the folder x"],
    ),
    # An archive of an archive, in folders; and one that is called otherwise.
    (
        {"a.zip": zipped({"a/b.zip": tarred({"c/d/bot.py": BOT, "c/d/x.csv": b"1"})})},
        ["bot.py", "x.csv"],
        "a.zip: 2 files",
        [
            "its files were moved out of the folder c/d",
            "its files were moved out of the folder a",
        ],
    ),
    ({"bot.py": zipped({"bot.py": BOT})}, ["bot.py"], "bot.py: 1 file", []),
    (
        {"bot.zip": zipped({
            "bot/bot.py": BOT, "bot/.DS_Store": b"1", "__MACOSX/bot/._bot.py": b"2",
            "bot/__pycache__/bot.cpython-311.pyc": b"3", "bot/.git/HEAD": b"4",
            "bot/env/pyvenv.cfg": b"5", "bot/env/lib/x.py": b"6", "bot/x.pyc": b"7",
            "bot/y.pyc": b"8", "bot/desktop.ini": b"9", "bot/.collected.json": b"10",
        })},
        ["bot.py"],
        "bot.zip: 1 file",
        [
            "its files were moved out of the folder bot",
            "left out __MACOSX, .DS_Store, .collected.json, .git, __pycache__ and 3 "
            "other things",
        ],
    ),
    # Beside its work there are others of its folder, and what it reads.
    (
        {"README.md": b"#", "src/bot.py": BOT, "src/w/x.json": b"{}",
         "tests/t.py": b"1"},
        ["README.md", "bot.py", "tests/t.py", "w/x.json"],
        "src/bot.py, tests/t.py, README.md, … (4 in all)",
        ["its files were moved out of the folder src"],
    ),
    (
        {"p/__init__.py": b"from .a import A", "p/a.py": BOT},
        ["__init__.py", "a.py"],
        "p/__init__.py, p/a.py",
        ["its files were moved out of the folder p"],
    ),
    # The folder is imported by its name.
    (
        {"p/__init__.py": b"", "p/main.py": b"from p.a import best\n" + BOT,
         "p/a.py": HELPER},
        ["main.py", "p/__init__.py", "p/a.py", "p/main.py"],
        "p/__init__.py, p/main.py, p/a.py",
        ["put a copy of p/main.py beside the folder p, which its files import"],
    ),
    (
        {"bot.py": BOT, "lib.zip": zipped({"lib/helper.py": HELPER, "bot.py": BOT})},
        ["bot.py", "lib/helper.py"],
        "bot.py, lib.zip",
        [],
    ),
    (
        {"bot.py": BOT, "old.zip": zipped({"bot.py": b"other"})},
        ["bot.py"],
        "bot.py, old.zip",
        ["left out bot.py of old.zip, as there is another one beside that"],
    ),
    # The bot may read these as they are.
    ({"bot.py": BOT, "data.zip": zipped({"a.csv": b"1"})}, ["bot.py", "data.zip"],
     "bot.py, data.zip", []),
    ({"bot.py": BOT, "w.json.gz": gzip.compress(b"{}", mtime=0)},
     ["bot.py", "w.json.gz"], "bot.py, w.json.gz",
     []),
    ({"bot.py": BOT, "data.zip": b"PK\3\4"}, ["bot.py", "data.zip"],
     "bot.py, data.zip",
     [f"data.zip is a damaged archive; {AGAIN}"]),
    # Renamed by platforms, browsers and computers.
    ({"bot-1.py": BOT}, ["bot.py"], "bot-1.py", ["bot-1.py is called bot.py here"]),
    ({"bot (3).py": BOT}, ["bot.py"], "bot (3).py",
     ["bot (3).py is called bot.py here"]),
    ({"bot - Kopie.py": BOT}, ["bot.py"], "bot - Kopie.py",
     ["bot - Kopie.py is called bot.py here"]),
    (
        {"bot.py": BOT + b"#old", "bot-1.py": BOT, "bot copy.py": b"backup"},
        ["bot.py"],
        "bot.py, bot-1.py, bot copy.py",
        [
            "left out bot copy.py, as bot-1.py is the later one",
            "left out bot.py, as bot-1.py is the later one",
            "bot-1.py is called bot.py here",
        ],
    ),
    (
        {"bot.py": USES, "helper-2.py": HELPER},
        ["bot.py", "helper.py"],
        "bot.py, helper-2.py",
        ["helper-2.py is called helper.py here"],
    ),
    (
        {"bot.py": b"import my_helper\n" + BOT, "my helper_.py": HELPER},
        ["bot.py", "my_helper.py"],
        "bot.py, my helper_.py",
        ["my helper_.py is called my_helper.py here, as it is imported"],
    ),
    (
        {"bot.py": b"W = open('w.json')\n" + BOT, "w-1.json": b"{}", "x-1.json": b"{}"},
        ["bot.py", "w.json", "x-1.json"],
        "bot.py, w-1.json, x-1.json",
        ["w-1.json is called w.json here, as the code calls it so"],
    ),
    (
        {"bot.ipynb": NOTEBOOK},
        ["bot.py"],
        "bot.ipynb",
        ["made bot.py of the code in bot.ipynb"],
    ),
    (
        {"Copy of hw 3: bot (1).ipynb": NOTEBOOK},
        ["hw_3_bot.py"],
        "Copy of hw 3: bot (1).ipynb",
        [
            "Copy of hw 3: bot (1).ipynb is called hw 3: bot.ipynb here",
            "made hw_3_bot.py of the code in hw 3: bot.ipynb",
        ],
    ),
    (
        {"bot.py": BOT, "bot.ipynb": NOTEBOOK},
        ["bot.py"],
        "bot.py, bot.ipynb",
        ["left out bot.ipynb, as bot.py is beside it"],
    ),
    ({"class.ipynb": NOTEBOOK}, ["bot_class.py"], "class.ipynb",
     ["made bot_class.py of the code in class.ipynb"]),
    ({"bot.py": BOT, "report.pdf": b"%PDF"}, ["bot.py", "report.pdf"],
     "bot.py, report.pdf", []),
    (
        {"bot.py": BOT, "helper.py.txt": HELPER},
        ["bot.py", "helper.py.txt"],
        "bot.py, helper.py.txt",
        ["helper.py.txt is no Python file, whose name ends in .py; if there is Python "
         "in it, rename it to helper.py"],
    ),
    ({"bot.py ": BOT}, ["bot.py"], "bot.py ",
     ["bot.py  is called bot.py here, to fit on disks"]),
    (
        {"Read.me": b"1", "read.me": b"2", "a": b"3", "A/b": b"4", "bot.py": BOT},
        ["A/b", "bot.py", "read.me"],
        "bot.py, Read.me, read.me, … (5 in all)",
        [
            "left out Read.me, as read.me is the same name on many computers",
            "left out a, as there is a folder of that name",
        ],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("files", "expected", "shown", "notes"), PLAYS, ids=_id)
def test_what_may_play(
    files: dict[str, bytes], expected: list[str], shown: str, notes: Sequence[str]
) -> None:
    found = prepared(files)
    assert found.problem == ""
    assert found.found == shown
    assert sorted(found.files) == sorted(expected)
    assert sorted(found.notes) == sorted(notes)


NEVER: list[tuple[dict[str, bytes], list[str], str]] = [
    ({}, [], NOTHING),
    ({".DS_Store": b"1"}, [], NOTHING),
    (
        {"mybot.py.txt": BOT},
        ["mybot.py.txt"],
        "mybot.py.txt is no Python file, whose name ends in .py; if there is Python in "
        "it, rename it to mybot.py",
    ),
    ({"X.PY": BOT}, ["X.PY"], "X.PY is no Python file, whose name ends in .py; if "
     "there is Python in it, rename it to X.py"),
    ({"x.pyw": BOT}, ["x.pyw"], "x.pyw is no Python file, whose name ends in .py; if "
     "there is Python in it, rename it to x.py"),
    ({"x.docx": b"PK\3\4"}, ["x.docx"], "x.docx is a document; save the code alone, as "
     "plain text, in a file whose name ends in .py"),
    ({"a.png": b"\x89", "z.pdf": b"%PDF"}, ["a.png", "z.pdf"], "z.pdf is a document; "
     "save the code alone, as plain text, in a file whose name ends in .py"),
    ({"x.rar": b"Rar!\x1a\7\1\0"}, ["x.rar"], f"x.rar is a RAR archive; {UNPACK}"),
    ({"x.zip": b"7z\xbc\xaf\x27\x1c"}, ["x.zip"],
     f"x.zip is a 7-Zip archive; {UNPACK}"),
    ({"x.zip": BOT}, ["x.zip"], "x.zip is no archive, but plain text; if there is "
     "Python in it, rename it to x.py"),
    ({"x.zip": zipped({"bot.py": BOT})[:-9]}, ["x.zip"],
     f"x.zip is a damaged archive; {AGAIN}"),
    ({"x.zip": zipped({})}, ["x.zip"], f"x.zip is an archive of no files; {AGAIN}"),
    ({"x.zip": zipped_raw({b"bot.py": b"1"}, 1)}, ["x.zip"],
     f"x.zip has bot.py, which is encrypted with a password; {AGAIN}"),
    ({"x.zip": zipped({"../evil.py": b"1"})}, ["x.zip"], "x.zip has a file, which "
     f"is called '../evil.py' and leads out of its folder; {AGAIN}"),
    ({"bot.py": b" \n"}, ["bot.py"], "bot.py is an empty file; has it been saved?"),
    ({"a.py": BOT, "b.py": BOT}, ["a.py", "b.py"], "has several files with bots (a.py, "
     "b.py); call the main one bot.py, or remove the others"),
    ({"a/x.py": BOT, "b/y.py": BOT}, ["a/x.py", "b/y.py"], "has files in Python in "
     "folders alone (a, b); put the bot's file bot.py beside these folders"),
    ({"a.py": b"1", "b.py": b"2"}, ["a.py", "b.py"], "has no file with a bot; call the "
     "main one bot.py"),
    ({"x.ipynb": b"{"}, ["x.ipynb"], "x.ipynb is a damaged notebook; have it "
     "handed in again, as Jupyter saves it"),
    ({"x.java": b"class"}, ["x.java"], "x.java is the text of a program; compile it "
     "first, with javac x.java in its folder, then name that with what starts it: "
     "'.=java -cp . x'"),
    ({"x.py.gz": gzip.compress(BOT, mtime=0)}, ["x.py.gz"],
     f"x.py.gz is compressed, but no archive; {AGAIN}"),
    ({"x": b""}, ["x"], "x is an empty file; has it been saved?"),
    ({"README.md": b"#"}, ["README.md"], "has no file in Python, only README.md; ask "
     "for one, such as bot.py"),
]  # fmt: skip


@pytest.mark.parametrize(("files", "expected", "problem"), NEVER, ids=_id)
def test_what_never_plays(
    files: dict[str, bytes], expected: list[str], problem: str
) -> None:
    found = prepared(files)
    assert found.problem == problem
    assert names(found) == expected
    assert all(found.files[x][0] == files[x] for x in expected)


def test_contents_stay_as_they_are() -> None:
    text = "# größe\r\n".encode("utf-16") + b"\0\xff"
    assert prepared({"bot-1.py": text}).files == {"bot.py": (text, False)}


def test_what_may_be_started_stays_so() -> None:
    data = zipped({"bot": b"\x7fELF"}, modes={"bot": 0o100755})
    assert prepared({"x.zip": data}).files == {"bot": (b"\x7fELF", True)}


def test_what_attacks_is_left_out_and_the_rest_is_taken() -> None:
    evil = {"../../evil.py": b"1", "/etc/evil": b"2", "link": b"/etc/passwd"}
    found = prepared({"x.zip": zipped({**evil, "bot.py": BOT}, modes={"link": LINK})})
    assert names(found) == ["bot.py"]
    assert found.problem == ""
    assert found.notes == (
        "left out a file of x.zip, which is called '../../evil.py' and leads "
        "out of its folder",
        "left out a file of x.zip, which is called '/etc/evil', an absolute path",
        "left out link of x.zip, which is a link",
    )


def test_a_name_that_a_platform_was_told_leads_nowhere() -> None:
    told = [
        "../../evil.py",
        "/etc/evil.py",
        "a\\..\\..\\b.py",
        "\0",
        "x\x1b[2J.py",
        "..",
    ]
    files = tuple((name, file("x", b"1")) for name in told)
    found = prepare(Submission((Person(("ana",)),), files, "an export"))
    for name in found.files:
        assert not {"", ".", ".."} & set(name.split("/"))
        assert name.isprintable()
    assert len(found.files) == len(told) - 1
    assert found.notes[-1] == "left out __, as there is a folder of that name"


def test_two_files_of_one_name_are_both_there() -> None:
    files = tuple(("bot.py", file("x", data)) for data in (b"old", BOT))
    found = prepare(Submission((Person(("ana",)),), files, "an export"))
    assert found.files == {"bot.py": (BOT, False)}
    assert found.notes[0] == "left out bot.py, as bot-2.py is the later one"


def test_names_fit_on_disks() -> None:
    long = {"x" * 300 + ".py": BOT, "\U0001f9df" * 99 + ".csv": b"1", "y" * 300: b"2",
            "y" * 301: b"3"}  # fmt: skip
    found = prepared(long)
    assert len(found.files) == 4
    for name in found.files:
        assert len(name) <= 100
        assert len(name.encode()) <= 255
    assert [name[-4:] for name in found.files if name.endswith(".py")] == ["x.py"]


def test_what_a_notebook_needs_and_writes_has_its_place() -> None:
    cells = [
        "import my_helper\n" + BOT.decode(),
        "%%writefile bot.py/x.py\n1",
        f"%%writefile {'y' * 200}.py\n1",
    ]
    found = [{"cell_type": "code", "source": text} for text in cells]
    data = json.dumps({"cells": found}).encode()
    made = prepared({"bot.ipynb": data, "my-helper.py": HELPER})
    assert names(made) == ["bot.py/x.py", "my_helper.py", "y" * 97 + ".py"]
    assert "left out bot.py, as there is a folder of that name" in made.notes


def test_old_code_pages_are_said() -> None:
    data = zipped_raw({"größe.py".encode("cp850"): BOT})
    assert prepared({"x.zip": data}).notes == (
        "x.zip has names in an old code page; größe.py may be misspelt",
    )


JUNK = {f"{i}.pyc": bytes(5000) for i in range(5)}
JUNK_TGZ = tarred(JUNK, "w:gz")
LIMITS = [
    ({"bytes": 500}, zipped({"bot.py": b"x" * 9000})),
    ({"bytes": 9000}, zipped({f"{i}.csv": bytes(1000) for i in range(20)})),
    ({"bytes": 9000}, zipped({"a.zip": zipped({"b.zip": zipped({"c": bytes(9000)})})})),
    ({"files": 20}, zipped({f"{i}.py": b"" for i in range(20)})),
    ({"files": 20}, tarred({f"{i}.py": b"" for i in range(20)}, "w:xz")),
    ({"entries": 9}, zipped({"a.zip": zipped(JUNK), "b.zip": zipped(JUNK)})),
    (
        {"bytes": 2**16},
        zipped({"a.tgz": JUNK_TGZ, "b.tgz": JUNK_TGZ, "c.tgz": JUNK_TGZ}),
    ),
    ({"python": 500}, zipped({"bot.py": b"x" * 501})),
]


@pytest.mark.parametrize(("limits", "data"), LIMITS)
def test_too_much_is_refused(limits: dict[str, int], data: bytes) -> None:
    with pytest.raises(TooLargeError, match=r"^has (x\.zip, which )?.*"):
        taken(data, "x.zip", **limits)
    taken(data, "x.zip")


def test_too_much_is_said_and_nothing_of_it_is_there() -> None:
    many = {f"{i}.py": BOT for i in range(1001)}
    found = prepared({"x.zip": zipped(many)})
    assert found.files == {}
    assert found.problem == (
        "has x.zip, which has more than 1000 files; leave out what the bot does not "
        "need"
    )
    folders = prepared({f"{i}/x.csv": b"1" for i in range(600)} | {"bot.py": BOT})
    assert folders.files == {}
    assert folders.problem.startswith("has more than 1000 files and folders; leave out")
    deep = prepared({"/".join("abcdefghijk") + ".csv": b"1", "bot.py": BOT})
    assert deep.files == {}
    assert deep.problem == "has folders in each other, 11 deep; 10 are allowed"


def test_all_files_together_may_be_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    for most, is_too_much in ((len(BOT) + 3, False), (len(BOT) + 2, True)):
        monkeypatch.setattr(prepare_module, "MAX_BYTES", most)
        found = prepared({"bot.py": BOT, "x.csv": b"123"})
        assert bool(found.problem) == is_too_much
        assert bool(found.files) != is_too_much


def test_archives_in_archives_come_to_an_end() -> None:
    data = zipped({"bot.py": BOT})
    for _ in range(6):
        data = zipped({"x.zip": data})
    found = prepared({"x.zip": data})
    assert names(found) == ["x.zip"]
    assert found.problem == f"x.zip lies in 3 other archives; {AGAIN}"


def test_damaged_archives_come_to_an_end() -> None:
    # A bomb that is damaged in the end has been read for all that.
    bomb = bz2.compress(tarred({"x.py": b""}) + b"\0" * 2**20)[:-4]
    bombs = {f"{i}.tar.bz2": bomb for i in range(9)}
    with pytest.raises(TooLargeError, match="of more than 0 MiB"):
        taken(zipped(bombs), "x.zip", bytes=2**22)
    few = {f"{i}.tgz": b"\x1f\x8b\x08" for i in range(10)}
    assert len(prepared({"x.zip": zipped(few)}).files) == 10
    found = prepared({"x.zip": zipped({**few, "z.zip": b"PK\3\4"})})
    assert found.problem == (
        "has x.zip, which has more than 10 archives that can't be read"
    )


def test_many_notebooks_are_too_much_python() -> None:
    notebook = json.dumps(
        {"cells": [{"cell_type": "code", "source": "x" + " " * (2**20 - 9)}]}
    ).encode()
    for number in (4, 5):
        found = prepared({f"x{i}.ipynb": notebook for i in range(number)})
        assert found.problem.startswith("has more than 4 MiB of Python") == (number > 4)


def test_litter_counts_for_nothing() -> None:
    many = {f"node_modules/{i}/x.py": b"" for i in range(1200)}
    found = prepared({"x.zip": zipped({"bot.py": BOT, **many})})
    assert names(found) == ["bot.py"]
    assert found.notes == ("left out node_modules",)


def test_there_are_never_many_notes() -> None:
    files = {f"b{i}-1.py": BOT for i in range(100)} | {"x" * 999: b""}
    found = prepare(submission(files))
    assert len(found.notes) == 21
    assert found.notes[-1] == "and 81 more notes like these"


def test_it_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    prepared(
        {"x.zip": zipped({"../evil.py": b"1", "a/b.tgz": tarred({"/x": b"2"}, "w:gz")})}
    )
    assert [*tmp_path.rglob("*")] == []


def test_an_attempt_is_known_by_what_is_no_litter() -> None:
    work = submission({"bot.py": BOT})
    for litter in (".git/index", "__MACOSX/._bot.py", "bot.pyc"):
        other = submission({litter: b"1", "bot.py": BOT})
        assert contents_hash(other) == contents_hash(work)
    assert contents_hash(submission({"bot.py": BOT, "x": b""})) != contents_hash(work)

"""A bot can import its own modules, from memory, and those of its league."""

import inspect
import json
import linecache
import py_compile
import traceback
from collections.abc import Iterator, Mapping, Sequence
from importlib.machinery import EXTENSION_SUFFIXES, PathFinder
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from confined import run
from loading import LEAGUE, imports_undone, load, write

from arena.worker.explain import explain
from arena.worker.imports import refusal


@pytest.fixture(autouse=True)
def _undo_imports(tmp_path: Path) -> Iterator[None]:
    with imports_undone(tmp_path):
        yield


def alone(folder: Path, texts: Mapping[str, str], parts: Sequence[str] = ()) -> Any:
    """Load a bot in a process without other packages; return its `FOUND`."""
    sources = [(str(folder / name), dedent(text)) for name, text in texts.items()]
    program = f"""
import json
from pathlib import Path
from arena.worker.file_loader import FileLoader
sources = [(name, text.encode()) for name, text in {sources!r}]
bot = FileLoader(Path({str(folder / "it.py")!r}), sources, {LEAGUE!r}, {{}}, {parts!r})
print(json.dumps(bot.load().module.FOUND))
"""
    return json.loads(run(program))


# From memory.


def test_no_file_needs_to_be_there(tmp_path: Path) -> None:
    texts = {
        "it.py": """
            import one, team.tables
            from team.deep.er.down import VALUE
            FOUND = [one.VALUE, team.tables.VALUE, VALUE]
            PATHS = [one.__file__, team.__file__, list(team.__path__)]
            """,
        "one.py": "VALUE = 1",
        "team/__init__.py": "",
        "team/tables.py": "VALUE = 2",
        # Python looks for a package first.
        "team.py": "never this",
        "team/deep/er/down.py": "from ...tables import VALUE\nVALUE += 1",
    }
    module = load(tmp_path / "it.py", texts)
    assert module.FOUND == [1, 2, 3]
    assert module.__file__ == str(tmp_path / "it.py")
    assert [
        str(tmp_path / "one.py"),
        str(tmp_path / "team" / "__init__.py"),
        [str(tmp_path / "team")],
    ] == module.PATHS


def test_what_is_a_package_is_seen_without_the_disk(tmp_path: Path) -> None:
    texts = {
        "team/__init__.py": "from . import brain\nimport beside",
        "team/brain.py": "import inside",
        "team/inside.py": "",
        "beside.py": "",
    }
    module = load(tmp_path / "team", texts)
    assert module.__name__ == "team"
    assert module.__path__ == [str(tmp_path / "team")]
    assert module.brain.inside.__file__ == str(tmp_path / "team" / "inside.py")


@pytest.mark.parametrize("bot", ["it.py", "team"])
def test_the_text_that_was_sent_counts_not_the_file(tmp_path: Path, bot: str) -> None:
    texts = {
        "it.py": "from team import VALUE",
        "team/__init__.py": "from team.more import VALUE",
        "team/more.py": "VALUE = 'sent'",
    }
    write(tmp_path, dict.fromkeys(texts, "VALUE = 'on disk'"))
    write(tmp_path, {"sent.py": ""})
    # A compiled file that is up to date for Python.
    for name in texts:
        py_compile.compile(str(tmp_path / name))
    assert (tmp_path / "team" / "__pycache__").is_dir()
    assert load(tmp_path / bot, texts).VALUE == "sent"


def test_nothing_is_written_beside_it(tmp_path: Path) -> None:
    texts = {"team/__init__.py": "from . import more", "team/more.py": ""}
    write(tmp_path, texts)
    load(tmp_path / "team", texts)
    assert not list(tmp_path.rglob("*.pyc"))


def test_a_file_alone_sees_nothing_else_on_the_disk(tmp_path: Path) -> None:
    write(tmp_path, {"unsent.py": "", "team/__init__.py": "", "team/unsent.py": ""})
    for name in ("compiled", "team/compiled"):
        write(tmp_path, {f"{name}{EXTENSION_SUFFIXES[0]}": ""})
    texts = {
        "it.py": """
            import importlib, os, sys
            sys.path.append(os.path.dirname(__file__))
            import team
            FOUND = []
            for name in ("unsent", "compiled", "team.unsent", "team.compiled"):
                try:
                    importlib.import_module(name)
                except ModuleNotFoundError as error:
                    FOUND.append(error.name)
            """,
        "team/__init__.py": "",
    }
    refused = ["unsent", "compiled", "team.unsent", "team.compiled"]
    assert alone(tmp_path, texts) == refused


def test_a_folder_that_was_looked_into_before_is_not_remembered(
    tmp_path: Path,
) -> None:
    assert PathFinder.find_spec("helper", [str(tmp_path)]) is None
    texts = {"it.py": "import helper", "helper.py": ""}
    load(tmp_path / "it.py", texts)


def test_data_files_and_compiled_modules_of_a_package(tmp_path: Path) -> None:
    texts = {
        "team/__init__.py": """
            import importlib.resources, importlib.util, pkgutil
            from pathlib import Path
            from team import more
            READ = [
                pkgutil.get_data(__name__, "more/book.txt"),
                importlib.resources.files(more).joinpath("book.txt").read_bytes(),
                (Path(__file__).parent / "more" / "book.txt").read_bytes(),
            ]
            SPECS = [
                importlib.util.find_spec(name)
                for name in ("team.fast", "fast", "team.more.fast")
            ]
            NAMES = [name for _, name, _ in pkgutil.iter_modules(__path__)]
            """,
        "team/more/__init__.py": "",
    }
    write(tmp_path, {"team/more/book.txt": b"e4", "team/fast.py": "never this"})
    for name in ("team/fast", "team/more/fast"):
        write(tmp_path, {f"{name}{EXTENSION_SUFFIXES[0]}": b""})
    texts["team/fast.py"] = "it is slow"
    module = load(tmp_path / "team", texts)
    assert module.READ == [b"e4"] * 3
    assert [spec.origin for spec in module.SPECS] == [
        str(tmp_path / f"{name}{EXTENSION_SUFFIXES[0]}")
        for name in ("team/fast", "team/fast", "team/more/fast")
    ]
    assert module.NAMES == ["fast", "more"]


def test_a_package_beside_the_bot_lists_its_modules(tmp_path: Path) -> None:
    texts = {
        "it.py": """
            import pkgutil, kit
            FOUND = [tuple(m)[1:] for m in pkgutil.iter_modules(kit.__path__, "kit.")]
            """,
        "kit/__init__.py": "",
        "kit/b.py": "",
        "kit/a/__init__.py": "",
        "kit/a/deeper.py": "",
    }
    module = load(tmp_path / "it.py", texts)
    assert module.FOUND == [("kit.a", True), ("kit.b", False)]


ENCODED = {
    "utf-8": "NAME = 'été'\n".encode(),
    "with a mark": b"\xef\xbb\xbf" + "NAME = 'été'\n".encode(),
    "latin-1": b"# -*- coding: latin-1 -*-\nNAME = '\xe9t\xe9'\n",
    "second line": b"#!python\n# vim: set fileencoding=cp1252 :\nNAME = '\xe9t\xe9'",
    "windows": "pass\r\nNAME = 'été'\r\n".encode(),
}


@pytest.mark.parametrize("how", ENCODED)
def test_encodings_are_pythons_own(tmp_path: Path, how: str) -> None:
    module = load(tmp_path / "it.py", {"it.py": ENCODED[how]})
    assert module.NAME == "été"
    assert linecache.getlines(str(tmp_path / "it.py"))[-1].strip() == "NAME = 'été'"


@pytest.mark.parametrize(
    "added",
    [
        "os.path.join(os.path.dirname(__file__), 'lib')",
        "'lib'",
        "os.path.join('.', 'lib', '')",
    ],
)
def test_a_folder_of_its_own_that_it_puts_into_the_path(
    tmp_path: Path, added: str
) -> None:
    texts = {
        "it.py": f"""
            import os, sys
            sys.path.append({added})
            import tools, colorsys
            FOUND = [tools.VALUE, colorsys.__name__, hasattr(colorsys, "VALUE")]
            """,
        "lib/tools.py": "VALUE = 1",
        # What is Python's own goes before what lies where the bot starts.
        "colorsys.py": "VALUE = 2",
    }
    assert alone(tmp_path, texts) == [1, "colorsys", False]


def test_a_comment_in_another_encoding_does_no_harm(tmp_path: Path) -> None:
    """Python itself does not mind."""
    text = b"# \xe9t\xe9\ndef fail(): return 1 / 0\n"
    module = load(tmp_path / "it.py", {"it.py": text})
    assert inspect.getsource(module.fail) == "def fail(): return 1 / 0\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"x = 1\ny = (\n", "2: SyntaxError: '(' was never closed"),
        (b"def f():\nx\n", "2: IndentationError: expected an inden"),
        (b"x = '\xe9'\n", "1: SyntaxError: (unicode error) 'utf-8'"),
        (b"# coding: no\n", "1: SyntaxError: unknown encoding: no"),
    ],
)
def test_what_is_no_python_is_placed(
    tmp_path: Path, text: bytes, sentence: str
) -> None:
    with pytest.raises(SyntaxError) as raised:
        load(tmp_path / "it.py", {"it.py": "import faulty", "faulty.py": text})
    number, _, told = sentence.partition(": ")
    message, (place,) = explain(raised.value, {str(tmp_path / "faulty.py"): text})
    assert (place.line, message[: len(told)]) == (int(number), told)


def test_null_bytes_are_no_python(tmp_path: Path) -> None:
    """Which error that is depends on the version of Python."""
    with pytest.raises((SyntaxError, ValueError)) as raised:
        load(tmp_path / "it.py", {"it.py": "import faulty", "faulty.py": b"x\0y"})
    message, calls = explain(raised.value, {str(tmp_path / "it.py"): b""})
    assert [call.line for call in calls] == [1]
    assert "null bytes" in message


def test_lines_are_shown_as_they_were_sent(tmp_path: Path) -> None:
    """Wherever the file is: away, there but closed, or there and changed."""
    text = """
        from arena import Bot
        \x0c
        class Mine(Bot):
            def act(self, obs):
                raise ValueError(1)  # sent
        """
    write(tmp_path, {"it.py": "1\n2\n3\n4\n5\n6 on disk\n"})
    module = load(tmp_path / "it.py", {"it.py": text})
    with pytest.raises(ValueError, match="1") as raised:
        module.Mine().act(None)
    linecache.checkcache()
    shown = "".join(traceback.format_exception(raised.value))
    where = f'File "{tmp_path / "it.py"}", line 6, in act'
    assert f"{where}\n    raise ValueError(1)  # sent\n" in shown
    assert inspect.getsource(module.Mine).startswith("class Mine(Bot):\n")
    assert inspect.getsource(module.Mine.act).endswith("# sent\n")


# The guard.

REFUSED = (
    "No module named 'tabulate': bots of this league may import Python's own modules "
    "and numpy (put files of your own into one folder with the bot, which sees no "
    "other bots; ask for more with shared: or packages: in the league's file)"
)


def test_what_the_league_does_not_have_is_refused_though_installed(
    tmp_path: Path,
) -> None:
    texts = {
        "it.py": """
            import importlib, importlib.util
            FOUND = []
            for name in ("tabulate", "trio", "wcwidth.x", "it_is_nowhere"):
                try:
                    importlib.import_module(name)
                except ModuleNotFoundError as error:
                    FOUND.append([error.name, str(error)])
                assert importlib.util.find_spec(name.partition(".")[0]) is None
            """
    }
    found = dict(alone(tmp_path, texts))
    assert list(found) == ["tabulate", "trio", "wcwidth", "it_is_nowhere"]
    assert found["tabulate"] == REFUSED


IN_PART = """
import importlib, importlib.util
FOUND = []
for statement in {statements}:
    try:
        exec(statement, {{}})
    except ImportError as error:
        FOUND.append(str(error))
    else:
        FOUND.append("")
assert importlib.util.find_spec("arena.games.luck") is None
assert importlib.util.find_spec("arena.games.core")
"""


def test_of_a_package_that_is_open_in_part_the_rest_is_refused(tmp_path: Path) -> None:
    allowed = ["import arena.games.core", "from arena.games import Game, registry"]
    refused = ["import arena.testing", "import arena.games.luck.value", "import pit.x"]
    refused += ["from arena.games import luck", "from arena import Boot"]
    refused += ["import arena.games.cores"]
    sources = {"it.py": IN_PART.format(statements=allowed + refused)}
    parts = ["arena", "arena.bot", "arena.games", "arena.games.core", "pit"]
    parts += ["arena.games.registry"]
    found = alone(tmp_path, sources, parts)
    assert found[:2] == ["", ""]
    assert found[2] == (
        "No module named 'arena.testing': bots may import of arena what they play "
        "with, such as Bot and the rules of games, but no tools, partners or values of "
        "positions"
    )
    assert found[3].startswith("No module named 'arena.games.luck': bots may import of")
    assert found[4].startswith("No module named 'pit")
    assert found[5] == found[3]
    assert found[6].startswith("cannot import name 'Boot' from 'arena' (")
    assert found[7].startswith(
        "No module named 'arena.games.cores': did you mean "
        "'arena.games.core'? Bots may import of "
    )


def test_what_may_be_imported_can_be(tmp_path: Path) -> None:
    texts = {
        "it.py": """
            import asyncio, decimal, email.mime.text, sqlite3, sysconfig, helper
            import arena.games, msgspec, numpy.linalg
            from importlib.metadata import version
            import xml.etree.ElementTree, test, importlib.util, concurrent.futures
            sysconfig.get_config_vars()
            for name in ("json", "numpy", "it", "helper"):
                assert importlib.util.find_spec(name)
            FOUND = version("numpy") == numpy.__version__
            """,
        "helper.py": "",
    }
    assert alone(tmp_path, texts) is True


def test_nobody_is_hidden_by_a_file_of_the_same_name(tmp_path: Path) -> None:
    texts = {
        "it.py": """
            import colorsys, numpy, msgspec, arena, test
            FOUND = [m.__file__ for m in (colorsys, numpy, msgspec, arena)]
            TEST = test.MINE
            """,
        "colorsys.py": "",
        "numpy.py": "",
        "msgspec/__init__.py": "",
        "arena.py": "",
        # Not one of its modules, as Python itself says.
        "test.py": "MINE = True",
    }
    for file in alone(tmp_path, texts):
        assert not file.startswith(str(tmp_path))


def test_a_helper_wins_over_what_happens_to_be_installed(tmp_path: Path) -> None:
    texts = {"it.py": "import tabulate\nFOUND = tabulate.MINE", "tabulate.py": "MINE=1"}
    assert alone(tmp_path, texts) == 1


@pytest.mark.parametrize(
    ("modules", "allowed"),
    [
        (["arena", "msgspec"], "only Python's own modules"),
        (["_b", "numpy", "a", "numpy.libs"], "Python's own modules, a and numpy"),
        (list("abcdefgh"), "Python's own modules, a, b, c, d, e, f, g and h"),
        (list("abcdefghij"), "Python's own modules, a, b, c, d, e, f, g, h and 2 more"),
    ],
)
def test_the_refusal_says_what_may_be_imported(
    modules: list[str], allowed: str
) -> None:
    assert f"bots of this league may import {allowed} (put " in refusal("x", modules)

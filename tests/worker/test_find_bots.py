"""The bots that are found in a file, and the messages if there are none."""

import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from loading import LEAGUE, imports_undone, load_files, read_files, write

from arena.worker.explain import LoadError, explain, sendable
from arena.worker.find_bots import describe_bots
from arena.worker.protocol import BotInfo

GAMES = ("zombie_dice", "ox_blocks")
PLAIN = "from arena import Bot\nclass Mine(Bot):\n    def act(self, obs): return ''\n"


@pytest.fixture(autouse=True)
def _undo_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "path", list(sys.path))
    with imports_undone(tmp_path):
        yield


def described(path: Path) -> list[BotInfo]:
    reading = read_files(path)
    files = [str(file) for file in path.parent.rglob("*.py")]
    return describe_bots(GAMES, reading.module, reading.bots, reading.guests, files)


@pytest.mark.parametrize(
    "name",
    ["plain", "my-bot", "3rd try", "random", "json", "numpy", "arena", "été", "class"],
)
def test_file_of_any_name(tmp_path: Path, name: str) -> None:
    write(tmp_path, {f"{name}.py": PLAIN})
    (info,) = described(tmp_path / f"{name}.py")
    assert info.bot == "Mine"
    assert info.games == GAMES


def test_bot_called_like_a_module_takes_no_ones_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "import random, numpy\nTHEIRS = random, numpy\n" + PLAIN
    names = ("random", "numpy", "tabnanny")
    write(tmp_path, {f"{name}.py": text for name in names})
    # No one has imported this one yet.
    monkeypatch.delitem(sys.modules, "tabnanny", raising=False)
    loaded = [load_files(tmp_path / f"{name}.py") for name in names]
    import tabnanny

    import numpy

    assert [module.THEIRS for module in loaded] == [(random, numpy)] * 3
    assert numpy.pi > 3.14
    assert tabnanny not in loaded


def test_package_with_relative_and_absolute_imports(tmp_path: Path) -> None:
    lines = "from . import tables\nimport team.tables\n"
    texts = {
        "team/__init__.py": "from .brain import Mine\nfrom .more.deep import Deep",
        "team/brain.py": lines + PLAIN.replace("act", "ox_blocks"),
        "team/tables.py": "",
        "team/more/__init__.py": "",
        "team/more/deep.py": "from ..brain import Mine\nclass Deep(Mine): pass",
    }
    write(tmp_path, texts)
    infos = described(tmp_path / "team")
    assert [(info.bot, info.games) for info in infos] == [
        ("Mine", ("ox_blocks",)),
        ("Deep", ("ox_blocks",)),
    ]


def test_package_whose_name_is_no_identifier(tmp_path: Path) -> None:
    texts = {
        "our-team/__init__.py": "from .brain import Mine",
        "our-team/brain.py": "import neighbour_in_the_package\n" + PLAIN,
        "our-team/neighbour_in_the_package.py": "",
    }
    write(tmp_path, texts)
    assert [info.bot for info in described(tmp_path / "our-team")] == ["Mine"]


WHAT_COUNTS = [
    ("class A(Bot):\n    def act(self, obs): pass", ["A"]),
    ("class B(Bot):\n    def act(self, obs): pass\nclass A(B): pass", ["B", "A"]),
    ("class _Base(Bot):\n    def act(self, obs): pass\nclass A(_Base): pass", ["A"]),
    ("class Base(Bot): pass\nclass A(Base):\n    def zombie_dice(self, obs): 0", ["A"]),
    ("class A(Bot):\n    def act(self, obs): pass\nAlias = A", ["A"]),
    ("from lent_by_a_friend import Lent\nclass A(Lent): pass", ["A"]),
    ("from its_sister import Lent\nclass A(Lent): pass", ["A"]),
    ("class A(Bot):\n    act = 3", []),
    ("class A:\n    def act(self, obs): pass", []),
    ("class A(Bot):\n    def pig(self, obs): pass", []),
]


@pytest.mark.parametrize(("text", "names"), WHAT_COUNTS)
def test_what_counts_as_a_bot(tmp_path: Path, text: str, names: list[str]) -> None:
    lent = PLAIN.replace("Mine", "Lent")
    write(tmp_path, {"lent_by_a_friend.py": lent, "its_sister.py": lent})
    (tmp_path / "it.py").write_text(f"from arena import Bot\n{text}\n")
    if names:
        assert [info.bot for info in described(tmp_path / "it.py")] == names
    else:
        with pytest.raises(LoadError) as raised:
            described(tmp_path / "it.py")
        place = raised.value.place
        assert place is not None
        assert (place.file, place.line) in {
            (str(tmp_path / "it.py"), n) for n in (2, 3)
        }


def test_description_tells_all(tmp_path: Path) -> None:
    text = """
        from arena import Bot
        class One(Bot):
            name = "First of " + "x" * 100
            version = "1.2"
            def __init__(self, depth, *rest, width=3): ...
            def ox_blocks(self, obs): ...
            def end(self, result): ...
        class Two(Bot):
            name = 5
            version = "odd \\udcff"
            def __init__(self, **options): ...
            def zombie_dice(self, obs): ...
            def ox_blocks(self, obs): ...
        class Three(Bot):
            def act(self, obs): ...
            def start(self, obs): ...
        """
    write(tmp_path, {"it.py": text})
    title = ("First of " + "x" * 100)[:80]
    assert described(tmp_path / "it.py") == [
        BotInfo("One", title, "1.2", ("ox_blocks",), ("depth", "width"), True),
        BotInfo("Two", "", "odd \\udcff", GAMES, ("**",), False),
        BotInfo("Three", "", "", GAMES, (), False),
    ]


COMPLAINTS = [
    (
        "import json",
        "no bot found; define a class that inherits arena.Bot, with a method "
        "act(self, obs) (found nothing)",
    ),
    (
        "def show(it): pass\nclass Mine: pass\n",
        "(found function show, class Mine)",
    ),
    (
        "from arena import Bot\nclass Mine(Bot):\n    def zombiedice(self, obs): 0\n",
        "it.py:3: Mine has no method named after a game; it has 'zombiedice', "
        "did you mean 'zombie_dice'?",
    ),
    (
        "from arena import Bot\nclass Mine(Bot):\n    def choose(self, obs): pass\n",
        "it.py:3: Mine has no method named after a game; write def act(self, obs): "
        "in place of its choose",
    ),
    (
        "from arena import Bot\nclass A(Bot): pass\nclass B(Bot):\n    x = 1\n",
        "it.py:2: A has no method named after a game; write one for zombie_dice, "
        "ox_blocks, or def act(self, obs): for all",
    ),
    (
        "from arena import Bot\nclass Mine(Bot):\n    def zombie_run(self, obs): 0\n",
        "it.py:2: Mine plays zombie_run, and here only zombie_dice, ox_blocks is ",
    ),
    (
        "from lent_by_a_friend import Lent\n",
        "no bot found; Lent is defined in lent_by_a_friend.py, and counts only as a "
        "bot of that file: write in it.py class MyLent(Lent): pass",
    ),
]


@pytest.mark.parametrize(("text", "complaint"), COMPLAINTS)
def test_file_without_a_bot_is_explained(
    tmp_path: Path, text: str, complaint: str
) -> None:
    write(tmp_path, {"lent_by_a_friend.py": PLAIN.replace("Mine", "Lent")})
    (tmp_path / "it.py").write_text(text)
    with pytest.raises(LoadError) as raised:
        described(tmp_path / "it.py")
    place = raised.value.place
    where = f"{Path(place.file).name}:{place.line}: " if place is not None else ""
    assert complaint in f"{where}{raised.value}"


def test_file_that_is_no_python(tmp_path: Path) -> None:
    (tmp_path / "it.txt").write_text(PLAIN)
    with pytest.raises(LoadError, match="not a Python file"):
        load_files(tmp_path / "it.txt")


def failure(
    path: Path, call: str = "", modules: tuple[str, ...] = LEAGUE
) -> BaseException:
    """Return the exception of reading a file, or of calling something in it."""
    try:
        module = load_files(path, modules)
        getattr(module, call)()
    except BaseException as error:
        return error
    raise AssertionError("nothing was raised")


def explained(error: BaseException, folder: Path) -> tuple[str, list[str]]:
    """Return the sentence on an error, with its place, and the places of the calls."""
    own = [path for path in folder.rglob("*.py") if "venv" not in path.parts]
    files = {str(path): path.read_bytes() for path in own}
    message, calls = explain(error, files)
    places = [f"{Path(x.file).relative_to(folder)}:{x.line}" for x in calls]
    return f"{places[-1]}: {message}" if places else message, places


def test_error_is_placed_in_the_students_own_lines(tmp_path: Path) -> None:
    helper = "import json\ndef read(text):\n    return json.loads(text)\n"
    text = "from helpers_of_that import read\ndef go():\n    return read('[1,')\n"
    write(tmp_path, {"it.py": text, "helpers_of_that.py": helper})
    message, places = explained(failure(tmp_path / "it.py", "go"), tmp_path)
    assert message.startswith("helpers_of_that.py:3: JSONDecodeError: Expecting value")
    assert places == ["it.py:3", "helpers_of_that.py:3"]


def test_packages_installed_below_are_not_the_students_own(tmp_path: Path) -> None:
    below = "venv/lib/python3/site-packages"
    text = f"""
        import sys
        sys.path.append(__file__.replace("it.py", {below!r}))
        import installed_somewhere
        def go():
            installed_somewhere.fail()
        """
    installed = "def fail():\n    raise OSError(5)"
    write(tmp_path, {"it.py": text, f"{below}/installed_somewhere.py": installed})
    error = failure(tmp_path / "it.py", "go", (*LEAGUE, "installed_somewhere"))
    assert explained(error, tmp_path) == ("it.py:6: OSError: 5", ["it.py:6"])


def test_deep_recursion_is_shortened(tmp_path: Path) -> None:
    write(tmp_path, {"it.py": "def go():\n    back()\ndef back():\n    go()\n"})
    message, places = explained(failure(tmp_path / "it.py", "go"), tmp_path)
    assert re.match(r"it\.py:[24]: RecursionError: maximum recursion depth", message)
    assert len(places) == 12


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("raise ValueError('one\\ntwo')", "it.py:1: ValueError: one"),
        ("raise ValueError", "it.py:1: ValueError"),
        (
            "x = (\n\ny = 1\n",
            "it.py:1: SyntaxError: '(' was never closed, in `x = (` "
            "(add the bracket that closes it; write `x = ()`)",
        ),
        ("raise ValueError('x' * 10**6)", "it.py:1: ValueError: " + "x" * 300),
        ("raise ValueError('\\udcff')", "it.py:1: ValueError: \udcff"),
    ],
)
def test_error_becomes_one_sentence(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "it.py").write_text(text)
    told, _ = explained(failure(tmp_path / "it.py"), tmp_path)
    assert told == message
    sendable(told).encode()


@pytest.mark.parametrize("odd", ["7", -1, 10**30, None, 7.0])
def test_a_syntax_error_with_odd_numbers_has_a_place_that_can_be_sent(
    odd: object,
) -> None:
    """A bot may raise one of its own."""
    error = SyntaxError("so so")
    error.filename = "it.py"
    for name in ("lineno", "offset", "end_lineno", "end_offset"):
        setattr(error, name, odd)
    message, (place,) = explain(error, {"it.py": b"x = 1\n"})
    assert message.startswith("SyntaxError: so so")
    assert (place.line, place.columns) == (1, (0, 1))


def test_an_error_without_a_call_in_the_files_has_no_place(tmp_path: Path) -> None:
    assert explain(ValueError("odd"), {str(tmp_path): b""}) == ("ValueError: odd", ())


def test_files_below_the_bot_are_its_own(tmp_path: Path) -> None:
    helper = {
        "deep/__init__.py": "",
        "deep/helper.py": "def fail():\n    return 1 / 0\n",
    }
    write(tmp_path, {"it.py": "from deep.helper import fail", **helper})
    message, _ = explained(failure(tmp_path / "it.py", "fail"), tmp_path)
    assert message == "deep/helper.py:2: ZeroDivisionError: division by zero"
    write(tmp_path, {"it.py": "import far.broken", "far/broken.py": "1 +"})
    message, places = explained(failure(tmp_path / "it.py"), tmp_path)
    assert message.startswith("far/broken.py:1: SyntaxError")
    assert places == ["far/broken.py:1"]

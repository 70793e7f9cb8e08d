"""What a bot file consists of: a change to any of it is a change to the bot."""

import os
from pathlib import Path

import pytest

from arena.league.entries.sources import bot_files, local_files, outline
from arena.referee.contestant.bot_code import code_hash


def write(folder: Path, *names: str, **texts: str) -> None:
    """Write empty files, and modules with a text."""
    for name in [*names, *(f"{stem}.py" for stem in texts)]:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(texts.get(path.stem, ""))


def test_what_counts_as_a_bot_of_a_folder(tmp_path: Path) -> None:
    write(
        tmp_path,
        "zoe.py",
        "ana.py",
        "my bot.py",
        "über-bot.py",
        "_helper.py",
        ".hidden.py",
        "notes.txt",
        "team/__init__.py",
        "team/parts.py",
        "_team/__init__.py",
        "data/table.py",
        "__pycache__/ana.py",
    )
    names = [path.name for path in bot_files(tmp_path)]
    assert names == ["ana.py", "my bot.py", "team", "zoe.py", "über-bot.py"]


IMPORTS = [
    "import helper",
    "import os, helper",
    "import helper as h, os",
    "import helper.part",
    "from helper import x",
    "from .helper import x",
    "from helper.part import (\n    x,\n)",
    "    import helper",
    "import os; import helper",
    "try: import helper\nexcept ImportError: pass",
    "import first",
]


@pytest.mark.parametrize("text", IMPORTS)
@pytest.mark.parametrize("kind", ["helper.py", "helper/__init__.py"])
@pytest.mark.parametrize("bot", ["bot.py", "bot/__init__.py"])
def test_what_a_bot_imports_belongs_to_it(
    tmp_path: Path, text: str, kind: str, bot: str
) -> None:
    write(tmp_path, kind, bot, "other.py", first="from helper import x")
    (tmp_path / bot).write_text(text)
    path = tmp_path / Path(bot).parts[0]
    assert local_files(path)[0] == tmp_path / bot
    before = code_hash(local_files(path))
    (tmp_path / "other.py").write_text("changed = 1")
    assert code_hash(local_files(path)) == before
    (tmp_path / kind).write_text("changed = 1")
    assert code_hash(local_files(path)) != before


STRANGERS = [
    "import helpers",
    "import os.helper",
    "# helper",
    "import random",
    "from math import helper",
    "text = 'helper'",
]


@pytest.mark.parametrize("text", STRANGERS)
def test_what_it_does_not_import_does_not_belong_to_it(
    tmp_path: Path, text: str
) -> None:
    # A bot called random.py is never what `import random` means to its neighbours.
    write(tmp_path, "helper.py", "random.py", "math.py", bot=text)
    assert local_files(tmp_path / "bot.py") == [tmp_path / "bot.py"]


def test_modules_that_import_each_other(tmp_path: Path) -> None:
    write(tmp_path, a="import b", b="import c", c="import a")
    names = [path.name for path in local_files(tmp_path / "b.py")]
    assert names == ["b.py", "c.py", "a.py"]


def test_all_of_a_package_belongs_to_it(tmp_path: Path) -> None:
    write(tmp_path, "team/__init__.py", "team/part.py", "team/weights.json")
    write(tmp_path, "team/__pycache__/part.pyc")
    before = code_hash(local_files(tmp_path / "team"))
    for name, belongs in [
        ("__pycache__/part.pyc", False),
        ("weights.json", True),
        ("part.py", True),
    ]:
        old = (tmp_path / "team" / name).read_text()
        (tmp_path / "team" / name).write_text("1")
        assert (code_hash(local_files(tmp_path / "team")) != before) == belongs
        (tmp_path / "team" / name).write_text(old)
        assert code_hash(local_files(tmp_path / "team")) == before


def test_a_hash_tells_texts_and_names_apart(tmp_path: Path) -> None:
    write(tmp_path / "1", bot="import helper", helper="x = 1")
    write(tmp_path / "2", bot="import helper", helper="x = 2")
    write(tmp_path / "3", bot="import helperx = 1", helper="")
    write(tmp_path / "4", bot="import helper", helper="x = 1")
    hashes = [
        code_hash(local_files(tmp_path / str(i) / "bot.py")) for i in (1, 2, 3, 4)
    ]
    # Where the folder is makes no difference.
    assert hashes[0] == hashes[3]
    assert len(set(hashes)) == 3


GAMES = ("zombie_dice", "ox_blocks")
OUTLINES = [
    ("class A(Bot):\n    def zombie_dice(self, obs):\n", {"A": ("zombie_dice",)}),
    ("class A(Bot):\n\tasync def ox_blocks(self):\n", {"A": ("ox_blocks",)}),
    ("class A(Bot):\n    def act(self, obs): (\n", {"A": GAMES}),
    ("class Ödön(Bot):\n    def act(self, obs):\n", {"Ödön": GAMES}),
    (
        "class A:\n  def act(\nclass B:\n  def ox_blocks(",
        {"A": GAMES, "B": ("ox_blocks",)},
    ),
    ("class _A(Bot):\n    def act(self, obs):\n", {}),
    ("class A(Bot):\n    def play(self, obs):\n", {}),
    ("def zombie_dice(obs):\n    pass\n", {}),
    ("", {}),
    ("\0\ud800 nonsense", {}),
]


@pytest.mark.parametrize(("text", "found"), OUTLINES)
def test_outline_of_a_file_that_can_not_be_read(
    tmp_path: Path, text: str, found: dict[str, tuple[str, ...]]
) -> None:
    (tmp_path / "bot.py").write_bytes(text.encode(errors="surrogatepass"))
    assert outline(tmp_path / "bot.py", GAMES) == found
    write(tmp_path, "team/__init__.py")
    (tmp_path / "bot.py").rename(tmp_path / "team" / "__init__.py")
    assert outline(tmp_path / "team", GAMES) == found


def test_a_name_that_is_no_text_has_a_hash_too(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.touch()
    odd = tmp_path / os.fsdecode(b"\xff.bin")
    odd.touch()
    assert code_hash([path, odd]) != code_hash([path])

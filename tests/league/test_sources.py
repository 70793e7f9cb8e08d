"""What a bot file consists of: a change to any of it is a change to the bot."""

from pathlib import Path

import pytest
from hand_ins import files_with
from hand_ins import with_beside as of_old

from arena.league.config.settings import BotSettings
from arena.league.entries.bot_file import files_of
from arena.league.entries.hand_ins.contents import Contents, of_bot
from arena.league.entries.hand_ins.outline import outline, slips
from arena.league.entries.hand_ins.regular_files import RefusedError, read_files
from arena.league.entries.sources import bot_files


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
        "plain/table.py",
        "data/table.csv",
        "__pycache__/ana.py",
    )
    names = [path.name for path in bot_files(tmp_path)]
    assert names == [
        "ana.py",
        "my bot.py",
        "plain",
        "team",
        "zoe.py",
        "über-bot.py",
    ]
    names.remove("plain")
    assert [x.name for x in bot_files(tmp_path, form=1)] == names


def test_what_was_collected_of_a_student_is_one_hand_in(tmp_path: Path) -> None:
    """Else who hands in folders of bots would have many, and none be his."""
    for folder in ("ana", "ben"):
        write(tmp_path / folder, "one/bot.py", "two/bot.py", "bot.py.txt")
        (tmp_path / folder / "bot.py.txt").write_text("x = 1\n")
    write(tmp_path, "ana/.collected.json")
    assert bot_files(tmp_path) == [
        tmp_path / "ana",
        *(tmp_path / "ben" / name for name in ("bot.py.txt", "one", "two")),
    ]
    # Also where it is named itself, and what lies in it is said.
    write(tmp_path, "cy/.collected.json", "cy/bot.py.txt")
    (tmp_path / "cy" / "bot.py.txt").write_text("x = 1\n")
    ana, cy = files_of(
        [BotSettings(file=str(tmp_path / name)) for name in ("ana", "cy")], "bots"
    )
    assert (ana.path, cy.path) == (tmp_path / "ana", tmp_path / "cy")
    assert "there is one in" in ana.problem
    assert "rename it to bot.py" in cy.problem


def consists(path: Path, *shared: Path) -> Contents:
    """Return what a bot consists of."""
    return of_bot(
        path.name,
        read_files(str(path)),
        {x.name.removesuffix(".py"): read_files(str(x)) for x in shared},
        GAMES,
        {},
    )


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
@pytest.mark.parametrize("bot", ["bot.py", "bot/__init__.py", "bot/bot.py"])
def test_only_what_is_shared_and_imported_belongs_to_a_bot(
    tmp_path: Path, text: str, kind: str, bot: str
) -> None:
    write(tmp_path, kind, bot, "other.py", first="from helper import x")
    (tmp_path / bot).write_text(text)
    path = tmp_path / Path(bot).parts[0]
    helper = tmp_path / Path(kind).parts[0]
    shared = (helper, tmp_path / "first.py", tmp_path / "other.py")
    assert consists(path, *shared).files[0].name == bot
    ways = [lambda: consists(path, *shared).code]
    if bot != "bot/bot.py":  # It was no hand-in of a league of form 1.
        ways.append(lambda: of_old(path).code)
    for code in ways:
        before = code()
        (tmp_path / "other.py").write_text("changed = 1")
        assert code() == before
        (tmp_path / kind).write_text("changed = 1")
        assert code() != before
        (tmp_path / kind).write_text("")
    alone = consists(path)
    assert [file.name for file in alone.files] == [bot]


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
    assert files_with(tmp_path / "bot.py") == [tmp_path / "bot.py"]
    found = consists(tmp_path / "bot.py", tmp_path / "helper.py")
    assert [file.name for file in found.files] == ["bot.py"]


def test_modules_that_import_each_other(tmp_path: Path) -> None:
    write(tmp_path, a="import b", b="import c", c="import a")
    names = [path.name for path in files_with(tmp_path / "b.py")]
    assert names == ["b.py", "c.py", "a.py"]
    found = consists(tmp_path / "b.py", *(tmp_path / f"{x}.py" for x in "ac"))
    assert [file.name for file in found.files] == ["b.py", "c.py", "a.py"]


def test_all_of_a_folder_but_caches_and_hidden_files_belongs_to_it(
    tmp_path: Path,
) -> None:
    team = tmp_path / "team"
    own = ("__init__.py", "weights.json", "part.py", "deep/er/x.txt")
    not_own = ("__pycache__/part.pyc", ".git/HEAD", ".hidden", "deep/.DS_Store")
    write(team, *own, *not_own)
    before = consists(team)
    assert {file.name for file in before.files} == {f"team/{name}" for name in own}
    for name in (*own, *not_own):
        old = (team / name).read_text()
        (team / name).write_text("1")
        assert (consists(team).code != before.code) == (name in own), name
        (team / name).write_text(old)
        assert consists(team).code == before.code


def test_a_hash_tells_texts_and_names_apart(tmp_path: Path) -> None:
    write(tmp_path / "1", "team/__init__.py", "team/a.py")
    write(tmp_path / "2", "team/__init__.py", "team/b.py")
    write(tmp_path / "3", "team/__init__.py", a="")
    write(tmp_path / "4", "team/__init__.py", "team/a.py")
    (tmp_path / "3" / "team" / "__init__.py").write_text("import a")
    # Where a folder lies, and what it is called, makes no difference.
    (tmp_path / "4" / "team").rename(tmp_path / "4" / "renamed")
    codes = [
        consists(tmp_path / "1" / "team").code,
        consists(tmp_path / "2" / "team").code,
        consists(tmp_path / "3" / "team", tmp_path / "3" / "a.py").code,
        consists(tmp_path / "4" / "renamed").code,
    ]
    assert codes[0] == codes[3]
    assert len(set(codes)) == 3


def test_what_a_hand_in_is_called_makes_no_difference(tmp_path: Path) -> None:
    write(tmp_path, "ana.py", "ben.py", "one/bot.py", "two/bot.py", "two/ana.py")
    assert consists(tmp_path / "ana.py").code == consists(tmp_path / "ben.py").code
    one, two = consists(tmp_path / "one"), consists(tmp_path / "two")
    assert len({one.code, two.code, consists(tmp_path / "ana.py").code}) == 3


MAINS = [
    (("bot.py", "team.py", "a.py"), "bot.py"),
    (("team.py", "a.py", "_b.py"), "team.py"),
    (("a.py",), "a.py"),
    (("a.py", "_b.py"), "a.py"),
    (("a.py", "empty.py", "data.json"), "a.py"),
    (("__init__.py", "bot.py"), "team"),
]


@pytest.mark.parametrize(("names", "main"), MAINS)
def test_the_main_file_of_a_folder(
    tmp_path: Path, names: tuple[str, ...], main: str
) -> None:
    team = tmp_path / "team"
    write(team, *names)
    for name in names:
        if name != "empty.py":
            (team / name).write_text("class A(Bot):\n    def act(self, obs): pass\n")
    found = consists(team)
    assert found.main == (main if main == "team" else f"team/{main}")
    assert found.folder == "team"


NOT_ONE = [
    (("a.py", "b.py"), r"has several files with bots \(a.py, b.py\), and a folder is "),
    (
        tuple(f"s{i}.py" for i in range(10, 50)),
        r"\(s10.py, .*, s14.py and 35 more\), .*: call its main file bot.py; if they "
        r"belong to several students, put them beside the other bots, or name the "
        r"folder itself under bots:",
    ),
    (("deep/bot.py", "x.txt"), "has no file with a bot; call the main one bot.py"),
    ((), "is an empty folder"),
]


@pytest.mark.parametrize(("names", "why"), NOT_ONE)
def test_a_folder_that_is_not_one_hand_in(
    tmp_path: Path, names: tuple[str, ...], why: str
) -> None:
    team = tmp_path / "team"
    team.mkdir()
    for name in names:
        write(team, name)
        (team / name).write_text("class A(Bot):\n    def act(self, obs): pass\n")
    with pytest.raises(RefusedError, match=why):
        consists(team)


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
    text: str, found: dict[str, tuple[str, ...]]
) -> None:
    assert outline(text.encode(errors="surrogatepass"), GAMES) == found


ZOMBIEDICE = {"zombiedice": "arena.worker.compat.zombiedice:ZombieDiceGuest"}
TWICE = """import zombiedice

class A:
    def turn(self, gameState):
        return A

# A
zombies = []
{}

class A:
    def turn(self, gameState): pass

zombiedice.runTournament([*zombies, A()], 3)
"""
HIDDEN = "a second class A takes the place of that of line 3; give it another name"
BETWEEN = [
    ("zombies.append(A())", False),
    ("zombies = (\n    A(),\n)", False),
    ("if 1:\n    zombies.append(A())", False),
    ("", True),
    ("zombies.append(AA())", True),
    ("def main():\n    zombies.append(A())", True),
]


@pytest.mark.parametrize(("between", "is_hidden"), BETWEEN)
def test_a_class_of_which_a_guest_was_made_is_not_hidden(
    between: str, is_hidden: bool
) -> None:
    text = TWICE.format(between)
    found = slips(text.encode(), GAMES, ZOMBIEDICE)
    line = text[: text.rindex("class A")].count("\n") + 1
    assert found == [f"line {line}: {HIDDEN}"] * is_hidden
    assert slips(text.encode(), GAMES) == [f"line {line}: {HIDDEN}"]


IN_QUOTES = [
    ("'''\nclass A:\n    pass\n'''\nclass A:\n    pass\n", 0),
    (
        'class A:\n    """\nclass A:\n"""\n    a = "\'\'\'"  # \'\'\'\nclass A: pass\n',
        6,
    ),
    ('a = \'\\\'\nclass A: pass\n# """\nclass A: pass\n# """\n', 4),
    ('class A: pass\nclass A:\n    """ never ends\n', 2),
]


@pytest.mark.parametrize(("text", "line"), IN_QUOTES)
def test_a_class_within_quotes_hides_none(text: str, line: int) -> None:
    """Many keep old code so."""
    found = slips(text.encode(), GAMES)
    assert [x.split(":")[0] for x in found] == [f"line {line}"] * bool(line)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("new_game", "newGame"),
        ("NewGame", "newGame"),
        ("newgame", "newGame"),
        ("endgame", "endGame"),
        ("end_game", "endGame"),
        ("Turn", "turn"),
        ("turns", "turn"),
        ("TURN", "turn"),
        ("return_score", ""),
        ("on_turn_over", ""),
        ("newGame", ""),
    ],
)
def test_methods_that_guests_almost_have(name: str, meant: str) -> None:
    text = f"import zombiedice\nclass A:\n    def {name}(self): pass\n"
    hint = f"line 3: zombiedice calls no {name}(); did you mean {meant}()?"
    assert slips(text.encode(), GAMES, ZOMBIEDICE) == [hint] * bool(meant)
    assert slips(text.encode(), GAMES) == []


@pytest.mark.parametrize(
    ("head", "meant"),
    [
        ("endGame(self)", "endGame(self, gameState)"),
        ("newGame(self, gameState)", "newGame(self)"),
        ("endGame(self, state)", ""),
        ("endGame(self, gameState=None)", ""),
        ("newGame(self, *args)", ""),
        ("newGame(self)", ""),
    ],
)
def test_what_guests_are_not_called_with(head: str, meant: str) -> None:
    """Nobody would hear of a fault at the end of a game, which is over."""
    text = f"import zombiedice\nclass A:\n    def {head}:\n        pass\n"
    told = [f"line 3: it is called otherwise; write def {meant}:"] * bool(meant)
    assert slips(text.encode(), GAMES, ZOMBIEDICE) == told

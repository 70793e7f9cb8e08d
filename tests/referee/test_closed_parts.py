"""What a contestant gets at of a package that brings a game, at each level."""

import ast
import py_compile
import sys
from pathlib import Path

import pytest
import trio
from distributions import install, write
from matrix import divided
from sandboxes import best_level, why_not

from arena.referee.ask_bot import ask_for_bots
from arena.referee.contestant.misconduct import Misconduct
from arena.referee.isolation import probe
from arena.referee.sandbox import LEVELS, SANDBOXES, SandboxSpec, open_sandbox
from arena.referee.sandbox.library import find_library
from arena.referee.work_unit import EntrySpec, Limits

FILES = {
    "__init__.py": "from pit.game import Pit, deal, peek\n",
    "game.py": """
        class Pit:
            pass

        def deal():
            from pit import cards
            from pit.deep.er import DEPTH
            return cards.COUNT + DEPTH

        def peek():
            from pit import luck
        """,
    "cards.py": "COUNT = 50\n",
    "deep/__init__.py": "",
    "deep/er.py": "DEPTH = 2\n",
    "luck.py": "VALUE = 'secret'\n",
    "partner.py": "VALUE = 'secret'\n",
    "solver.py": "VALUE = 'secret'\n",
    "table.json": "'secret'\n",
}
CLOSED = ("luck", "partner", "solver")
TRY = """
import os
import pit
from importlib import import_module
from importlib.machinery import SourcelessFileLoader

def read(name):
    with open(os.path.join(pit.__path__[0], name), "rb") as file:
        assert b"secret" in file.read()

def load(name):
    tag = f"{name}.{pit.__spec__.cached.split('.', 1)[1]}"
    path = os.path.join(pit.__path__[0], "__pycache__", tag)
    assert SourcelessFileLoader("mine", path).get_code("mine")

got = []
tries = [("deal", pit.deal), ("peek", pit.peek)]
tries += [(f"import {name}", import_module, f"pit.{name}") for name in CLOSED]
tries += [(f"read {name}.py", read, f"{name}.py") for name in CLOSED]
tries += [("read table.json", read, "table.json")]
tries += [(f"load {name}", load, name) for name in CLOSED]
for what, attempt, *arguments in tries:
    try:
        attempt(*arguments)
        got.append(what)
    except (ImportError, OSError):
        pass
print([pit.deal(), *got])
"""
READS = {
    *(f"read {name}.py" for name in CLOSED),
    *(f"load {name}" for name in CLOSED),
    "read table.json",
}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages with one that brings a game."""
    folder = tmp_path / "site"
    points = "[arena]\npit = pit.plugin\n"
    install(folder, "the-pit", [f"pit/{n}" for n in FILES], entry_points__txt=points)
    for name, text in FILES.items():
        write(folder / "pit", [name], text)
        if name.endswith(".py"):
            py_compile.compile(str(folder / "pit" / name))
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    return folder


def spec_for(level: str) -> SandboxSpec:
    return SandboxSpec(level, SANDBOXES[level], find_library((), ["pit:Pit"]))


def said(level: str) -> list[object]:
    """Return what a bot prints that tries it all."""
    text = f"CLOSED = {CLOSED}\n{TRY}".encode()
    bot = EntrySpec("it", "/it.py", "", sources=(("/it.py", text),))

    async def ask() -> object:
        with open_sandbox(spec_for(level)) as sandbox:
            return await ask_for_bots(bot, ("pit",), Limits(start=60.0), sandbox)

    heard = trio.run(ask)
    assert isinstance(heard, Misconduct)
    found: list[object] = ast.literal_eval(heard.output or heard.message)
    return found


@pytest.mark.parametrize("level", divided(LEVELS, lambda level: level == "filters"))
def test_a_games_values_are_closed_and_its_rules_open(level: str, site: Path) -> None:
    if reason := why_not(level):
        pytest.skip(reason)
    answer, *got = said(level)
    assert answer == 52
    # At the weak levels any file can be opened, but imports are refused.
    open_anyhow = READS if level in LEVELS[2:] else set()
    assert {*got} == {"deal"} | open_anyhow


def test_a_game_that_needs_its_values_is_said_to_be_unplayable(site: Path) -> None:
    write(site / "pit", ["__init__.py"], "from pit import luck")
    spec = spec_for(best_level())
    assert trio.run(probe, spec, {"pit": "pit:Pit"}).broken_games == (
        "game pit can not be loaded by a contestant: ModuleNotFoundError: No module "
        "named 'pit.luck': bots may import of pit what they play with, such as Bot and "
        "the rules of games, but no tools, partners or values of positions",
    )

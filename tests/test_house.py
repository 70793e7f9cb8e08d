"""The rooms: a game is one folder, a verb one module that nothing else imports."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest
from click import Context

from arena.cli import cli
from arena.games import game_class
from arena.games.registry import OUR_GAMES, game_file, game_part

ARENA = Path(__file__).parents[1] / "arena"
GAMES = ARENA / "games"
# Plays bots that were written for another library, which has this game only.
ADAPTER = ARENA / "worker" / "compat" / "zombiedice"
NAMES = [*OUR_GAMES, *(game_class(name).__name__ for name in OUR_GAMES)]
NAMED = re.compile(rf"\b({'|'.join(NAMES)})\b")


def code(path: Path) -> str:
    """Return a file without its docstrings and comments, which may give examples."""
    text = path.read_text("utf-8")
    if path.suffix != ".py":
        return re.sub(r"(?s:/\*.*?\*/)|//.*", "", text)
    lines = io.StringIO(text).readline
    kept = []
    begins_statement = True
    for token in tokenize.generate_tokens(lines):
        is_docstring = token.type == tokenize.STRING and begins_statement
        if token.type != tokenize.COMMENT and not is_docstring:
            kept.append(token.string)
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            begins_statement = token.type in (
                tokenize.NEWLINE,
                tokenize.INDENT,
                tokenize.DEDENT,
            )
    return " ".join(kept)


def files() -> Iterator[Path]:
    """Yield all that runs: in Python, or in the browser."""
    for path in sorted(ARENA.rglob("*")):
        if path.suffix in (".py", ".js", ".html", ".css"):
            yield path


def test_only_the_folder_of_a_game_and_the_registry_name_it() -> None:
    folders = [GAMES / name for name in OUR_GAMES]
    seen = 0
    for path in files():
        if path.is_relative_to(ADAPTER) or path == GAMES / "registry.py":
            continue
        own = next((x.name for x in folders if path.is_relative_to(x)), None)
        named = set(NAMED.findall(code(path)))
        if own is not None:
            named -= {own, game_class(own).__name__}
        assert not named, path
        seen += 1
    assert seen > 200


def test_examples_are_told_from_names(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_text('"""As ox_blocks."""\nx = 1  # ox_blocks\n"""As ox_blocks."""\n')
    assert not NAMED.search(code(path))
    for line in (
        "ox_blocks = 1",
        "f('ox_blocks')",
        "x = 'ox_blocks'",
        "def ox_blocks():",
    ):
        path.write_text(f"{line}\n")
        assert NAMED.search(code(path))


@pytest.mark.parametrize("name", OUR_GAMES)
def test_each_game_has_all_its_parts(name: str) -> None:
    for part in ("rules", "observation", "options", "state", "luck", "drawing"):
        assert game_part(name, part) is not None
    for file in ("drawing.js", "positions.py", "partner.py"):
        assert game_file(name, file) == GAMES / name / file


def test_no_module_imports_a_verb() -> None:
    verbs = {f"arena.cli.{verb}" for verb in cli.list_commands(Context(cli))}
    for path in ARENA.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = set()
            if isinstance(node, ast.Import):
                names = {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names = {node.module, *(f"{node.module}.{a.name}" for a in node.names)}
            assert not names & verbs, path

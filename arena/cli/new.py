"""`arena new`"""

import re
import shlex
import sys
from collections.abc import Iterator
from keyword import iskeyword
from pathlib import Path
from textwrap import indent

import click

from arena.cli.views.terminal import echo, tell
from arena.errors import ConfigError
from arena.games import Game, GameSpecError
from arena.games.observation_fields import Field, observation_fields
from arena.games.registry import OUR_GAMES
from arena.league.built_in.bots import method_of
from arena.league.config.league_file import make_game
from arena.league.config.settings import MAX_NAME_CHARS
from arena.plugins import load_plugins
from arena.text import some_of, wrapped
from arena.worker.compat import GUESTS

_DEFAULT = next(iter(OUR_GAMES))
_COMMENT_COLUMNS = 74
"""Width of comments, which are indented."""
_MAX_COLUMN_CHARS = 16
"""Longest name that a column of names is made wide enough for."""
_SHOWN_ACTIONS = 8
_ACTIONS = re.compile(r"^Actions\b[^\n]*:\n(?:^    .*\n?)+", re.M)
"""How the rules of a game list its actions."""
_TESTS = "_tests"
"""In a folder of bots; nobody looks for bots in a name that begins with `_`."""
_TEST = '''\
"""What {name} should do. Run this with: python -m pytest {folder}"""

from pathlib import Path

import pytest

from arena.testing import assert_faster_than, assert_legal
from arena.testing import load_bot, play_match, position

BOT = Path(__file__).parents[1] / "{file}"


@pytest.mark.parametrize("game", {games})
def test_its_first_decision_is_legal_and_fast(game):
    bot = load_bot(BOT)
    obs = position(game, "")
    assert_legal(bot, obs)
    assert_faster_than(bot, obs, seconds=0.1)


@pytest.mark.parametrize("game", {games})
def test_it_plays_to_the_end(game):
    match = play_match(BOT, BOT, game, games=2, seed=1)
    assert match.faults == ()
'''


@click.command()
@click.argument("name")
@click.option(
    "--game",
    "games",
    multiple=True,
    metavar="GAME",
    help=f"A game to play; may be given several times. [default: {_DEFAULT}]",
)
@click.option(
    "--as-folder",
    is_flag=True,
    help="Make a folder NAME with the bot in bot.py, for one of several files.",
)
@click.option("--test", is_flag=True, help=f"Also make a test of it, in {_TESTS}/.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("bots"),
    help="Where to put it. [default: bots]",
)
def command(
    name: str, games: tuple[str, ...], as_folder: bool, test: bool, folder: Path
) -> None:
    """Make a bot file NAME.py that plays as it is, and explains what it sees."""
    load_plugins()
    chosen = [_game(game) for game in dict.fromkeys(games or (_DEFAULT,))]
    _check_name(name)
    _check_free(name, folder)
    is_new = not folder.exists()
    file = folder / (name if as_folder else f"{name}.py")
    files = {file / "bot.py" if as_folder else file: bot_text(name, chosen)}
    if test:
        files[folder / _TESTS / f"test_{name}.py"] = test_text(file, chosen)
    for path in files:
        if path.exists():
            raise ConfigError(str(path), "is there already; choose another name")
    try:
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8") as opened:
                opened.write(text)
    except OSError as error:
        raise ConfigError(
            str(error.filename or folder),
            f"can't be written ({error.strerror}); choose another place with --folder",
        ) from None
    if is_new:
        tell(f"made the folder {folder}")
    for path in files:
        tell(f"made {path}")
    first = chosen[0]
    rivals = ["random"] * (first.players - 1)
    tell("\nWatch a game, try it as the league would, then change it:\n")
    commands: list[list[object]] = [
        ["arena", "play", first.name, file, *rivals],
        ["arena", "check", file],
    ]
    if test:
        commands.append(["python", "-m", "pytest", folder / _TESTS])
    for words in commands:
        echo(f"    {shlex.join(map(str, words))}")


def _game(name: str) -> Game:
    try:
        return make_game(name, None, {})
    except GameSpecError as error:
        raise ConfigError("--game", error.problem) from None


def _check_name(name: str) -> None:
    """Raise `ConfigError` unless a bot's file and class can be called so."""
    if name.endswith(".py") and name[:-3].isidentifier():
        raise ConfigError(name, f"say it without .py: arena new {name[:-3]}")
    if iskeyword(name):
        raise ConfigError(name, f"is a word of Python's; choose another: {name}_bot")
    if not name.isidentifier() or name.startswith("_"):
        raise ConfigError(
            name,
            "expected a name of letters, digits and _ that begins with a letter, such "
            "as my_bot",
        )
    if len(name) > MAX_NAME_CHARS:
        raise ConfigError(name, f"expected {MAX_NAME_CHARS} letters at most")
    if name in sys.stdlib_module_names:
        raise ConfigError(
            name,
            "is the name of a module of Python's, which other files would then miss; "
            f"choose another, such as {name}_bot",
        )
    if name in ("arena", "numpy", *GUESTS):
        raise ConfigError(
            name, f"is the name of a package; choose another, such as {name}_bot"
        )


def _check_free(name: str, folder: Path) -> None:
    """Raise `ConfigError` if there is a bot of this name in the folder."""
    if folder.exists() and not folder.is_dir():
        raise ConfigError(str(folder), "is a file; expected a folder")
    names = {f"{name}.py".casefold(), name.casefold()}
    for path in sorted(folder.iterdir()) if folder.exists() else ():
        # Some systems take upper and lower case for the same.
        if path.name.casefold() in names:
            raise ConfigError(str(path), "is there already; choose another name")


def class_name(name: str) -> str:
    """Return the class that a file is to have: `MyBot` in `my_bot.py`."""
    parts = [part[:1].upper() + part[1:] for part in name.split("_")]
    found = "".join(parts)
    return "TheBot" if found == "Bot" else found


def bot_text(name: str, games: list[Game]) -> str:
    """Return a bot file with one method for each game."""
    methods = "\n".join(_method(game) for game in games)
    return (
        f'"""{name}: say here what it tries to do."""\n\n'
        "from arena import Bot\n\n\n"
        f"class {class_name(name)}(Bot):\n"
        f'    """What it does, in a sentence."""\n\n'
        f'    name = "{name}"\n\n'
        f"{methods}"
    )


def _method(game: Game) -> str:
    """Return the method of a game, below a comment with all it takes to change it."""
    lines = [
        f"{game.name}: `arena rules {game.name}` prints its rules.",
        "",
        "Return one of obs.legal_actions.",
        *_actions(game),
        "",
        "What you know, each as obs.seat:",
        *_fields(game),
    ]
    comment = "".join(f"# {line}".rstrip() + "\n" for line in lines)
    return indent(comment + method_of(game.name), "    ")


def _actions(game: Game) -> Iterator[str]:
    """Yield the actions in the words of the rules, or else some of their names."""
    told = _ACTIONS.search(game.rules_text())
    if told:
        yield from map(str.rstrip, told[0].splitlines())
        return
    shown = map(repr, game.actions[:_SHOWN_ACTIONS])
    names = some_of(shown, game.num_actions, with_total=True)
    yield from wrapped(f"Actions: {names}", _COMMENT_COLUMNS, "    ")


def _fields(game: Game) -> Iterator[str]:
    told = set()
    seat = Field("seat", "Your seat, counted from 0.")
    unused = game.unused_fields()
    every = [seat, *observation_fields(game.observation_type)]
    fields = [field for field in every if field.name not in unused]
    names = [len(field.name) for field in fields]
    column = max(length for length in names if length <= _MAX_COLUMN_CHARS) + 2
    for field in fields:
        text = field.text
        if field.parts and field.parts not in told:
            told.add(field.parts)
            parts = ", ".join(f".{part}" for part in field.parts)
            text += f" Ask it for {parts}."
        name = f"{field.name}  "
        line = f"    {name:{column}}{text}"
        yield from wrapped(line, _COMMENT_COLUMNS, " " * (column + 4))
    if unused:
        others = ", ".join(field.name for field in every if field.name in unused)
        yield ""
        yield from wrapped(
            f"With other options of the game also: {others}.", _COMMENT_COLUMNS, "    "
        )


def test_text(file: Path, games: list[Game]) -> str:
    """Return tests of a bot's file or folder, for pytest."""
    names = ", ".join(f'"{game.name}"' for game in games)
    return _TEST.format(
        name=file.stem,
        file=file.name,
        games=f"[{names}]",
        folder=file.parent / _TESTS,
    )

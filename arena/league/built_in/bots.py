"""The bots that come with arena, by the words that stand for them.

They are hand-ins as all others are: read, kept, hashed, and run in processes of their
own; nothing imports them.  For that they are written to a folder while somebody needs
them: a bot's process finds nothing that lies beside a bot's file, and beside the
partners of games lie the games.
"""

import ast
import atexit
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from textwrap import dedent

from arena.errors import LeagueError
from arena.games.registry import game_file, game_paths

RANDOM_BOT = Path(__file__).parent / "random_partner.py"
"""Plays all games."""
NAMES = ("random", "sensible")
"""The words."""
_FOLDER = "arena"
"""Where they lie: part of what people call a file."""
_UNKNOWN = """\
def {game}(self, obs):
    # What comes of an action can be tried out: obs.sample_state(self.rng) is a copy
    # of the position.
    return self.rng.choice(obs.legal_actions)
"""
_SENSIBLE = '''\
"""Plays each game as the sensible bot of that game does."""

from importlib import import_module

from arena import Bot

CLASSES = {classes}
"""The class of each game's bot, in the file of its name."""


class Sensible(Bot):
    """Does what a person would do after a few games."""

    def start(self, obs):
        game = obs.game.name
        self.bot = getattr(import_module(f"{{game}}_partner"), CLASSES[game])()
        self.bot.rng = self.rng
        self.bot.start(obs)
'''
_SENSIBLE_METHOD = """
    def {game}(self, obs):
        return self.bot.{game}(obs)
"""


def built_in_bot(name: str) -> Path | None:
    """Return the file or folder of the bot that a word stands for; None if none does.

    Raises:
        LeagueError: it can't be written.
    """
    if name not in NAMES:
        return None
    try:
        folder = _place()
        if name == "sensible":
            return _write_sensible(folder / name)
        file = folder / f"{name}.py"
        shutil.copyfile(RANDOM_BOT, file)
        return file
    except OSError as error:
        raise LeagueError(
            f"the bot {name} of arena's own can't be written to {gettempdir()} "
            f"({error.strerror}); make room there"
        ) from None


def is_built_in(path: Path) -> bool:
    """Return True if a hand-in is one of these bots."""
    return bool(_place.cache_info().currsize) and path.parent == _place()


def own_instead(word: str, path: Path) -> str:
    """Return a sentence if a hand-in is called like one of these bots.

    `word` is how it was named; the sentence is empty if nothing else could be meant.
    """
    if word not in NAMES or is_built_in(path):
        return ""
    return (
        f"the word {word} stands for {path} here, and not for the bot {word} that "
        f"comes with arena; to have that one, give {path.name} another name"
    )


@cache
def _place() -> Path:
    folder = Path(mkdtemp(prefix="arena-")).resolve()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    place = folder / _FOLDER
    place.mkdir()
    return place


def _write_sensible(folder: Path) -> Path:
    """Write a bot that plays each game that has a partner, whatever a league plays.

    So it stays the same bot if a league gets another game.
    """
    folder.mkdir(exist_ok=True)
    classes = {}
    for game in sorted(game_paths()):
        text = sensible_partner(game)
        for cls, _ in _methods(text or "", game):
            classes[game] = cls
            (folder / f"{game}_partner.py").write_text(text or "", "utf-8", newline="")
            break
    text = _SENSIBLE.format(classes=classes)
    text += "".join(_SENSIBLE_METHOD.format(game=game) for game in classes)
    (folder / "bot.py").write_text(text, "utf-8")
    return folder


def sensible_partner(game: str) -> str | None:
    """Return the text of the sensible bot of a game; None if the game brings none."""
    file = game_file(game, "partner.py")
    try:
        return None if file is None else file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def method_of(game: str) -> str:
    """Return the method with which its sensible bot plays a game, as its source.

    Of a game that has none, one that plays it at random.
    """
    text = sensible_partner(game) or ""
    for _, node in _methods(text, game):
        lines = text.splitlines()[node.lineno - 1 : node.end_lineno]
        return dedent("\n".join(lines)) + "\n"
    return _UNKNOWN.format(game=game)


def _methods(text: str, game: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield the methods of a bot's file that play a game, each behind its class."""
    try:
        nodes = ast.parse(text).body
    except (ValueError, SyntaxError):
        return  # `arena check` says what is wrong with it.
    for cls in nodes:
        if not isinstance(cls, ast.ClassDef):
            continue
        for node in cls.body:
            if isinstance(node, ast.FunctionDef) and node.name == game:
                yield cls.name, node

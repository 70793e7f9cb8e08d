"""Where hand-ins are: the files and folders of bots, by their names."""

import os
from collections.abc import Callable
from pathlib import Path

from arena.errors import ConfigError
from arena.league.built_in.bots import built_in_bot
from arena.league.config.settings import BotSettings
from arena.league.entries.other_files import is_meant, why_not_found
from arena.league.entries.programs import is_binary


def bot_files(folder: Path, *, packages_only: bool = False) -> list[Path]:
    """Return all in a folder that may be a hand-in, by name.

    These are files in Python and folders with such files, for a league of form 1 only
    packages.  Names that begin with `_` or `.` are left out.  What can't be handed in,
    such as a link or a notebook, is among them: there is a sentence on it when it is
    read.

    Raises:
        OSError: the folder can't be read.
    """
    is_folder = is_package if packages_only else has_python

    def may_be(path: Path) -> bool:
        if path.is_dir() and not path.is_symlink():
            return is_folder(path)
        return path.is_dir() or path.suffix == ".py" or is_meant(path)

    return [
        path
        for path in sorted(folder.iterdir())
        if path.name[0] not in "_." and may_be(path)
    ]


def find_bot_file(text: str) -> BotSettings:
    """Return what `FILE`, `FILE:CLASS` or `FILE=COMMAND` names on a command line.

    A bare name stands for a file or folder in `bots/`, and if there is none for a bot
    that comes with arena.  A program that is a file of its own needs no command.

    Raises:
        ConfigError: there is no such file or folder.
    """
    found = _find(text, has_python)
    if found is not None:
        is_program = found.suffix != ".py" and is_binary(found)
        command = [f"./{found.name}"] if is_program else None
        return BotSettings(file=str(found), command=command)
    name, _, bot = text.rpartition(":")
    found = _find(name, has_python)
    if found is not None:
        return BotSettings(file=str(found), bot=bot or None)
    if (own := built_in_bot(text)) is not None:
        return BotSettings(file=str(own), name=text)
    name, equals, command_text = text.partition("=")
    found = _find(name, os.path.isdir) if equals else None
    if found is not None:
        return BotSettings(file=str(found), command=command_text)
    raise ConfigError(text.strip() or "BOT", why_not_found(text))


def _find(name: str, is_folder: Callable[[Path], bool]) -> Path | None:
    """Return the real path of a file or folder; None if there is none."""
    for path in (Path(name), Path("bots") / f"{name}.py", Path("bots") / name):
        if name and (os.path.isfile(path) or is_folder(path)):
            return path.resolve()
    return None


def is_package(path: Path) -> bool:
    """Return True if a path is the folder of a Python package."""
    return os.path.isfile(path / "__init__.py")


def has_python(path: Path) -> bool:
    """Return True if a path is a folder with files in Python."""
    try:
        return any(path.glob("*.py"))
    except OSError:
        return False

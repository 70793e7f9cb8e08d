"""Where hand-ins are: the files and folders of bots, by their names."""

import os
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from arena.errors import ConfigError
from arena.league.built_in.bots import built_in_bot
from arena.league.config.settings import NEWEST_FORM, BotSettings
from arena.league.entries.other_files import is_meant, why_not_found
from arena.league.entries.programs import is_binary
from arena.text import printable, some_of

COLLECTED = ".collected.json"
"""The file that `arena collect` puts beside the files of a student: the folder is one
hand-in, whatever lies in it."""
MAX_DEPTH = 4
"""Folders in each other below one of bots that are looked through for hand-ins."""

_SHOWN = 3
"""Names in a sentence."""


def bot_files(folder: Path, *, form: int = NEWEST_FORM) -> list[Path]:
    """Return all in a folder that may be a hand-in, by name, in a league of a form.

    These are files in Python and folders with such files; a folder that has them only
    deeper down is looked through.  In leagues of older forms it is none, and in form 1
    only packages are.  Names that begin with `_` or `.` are left out.  What can't be
    handed in, such as a link or a notebook, is among them: there is a sentence on it
    when it is read.

    Raises:
        OSError: the folder can't be read.
    """
    return [
        found
        for path in sorted(folder.iterdir())
        if path.name[0] not in "_."
        for found in hand_ins_at(path, form=form)
    ]


def hand_ins_among(paths: Sequence[Path], *, form: int = NEWEST_FORM) -> list[Path]:
    """Return what may be a hand-in of matches of a pattern, as if in a folder of bots.

    What lies in a folder that is a hand-in itself is part of that.
    """
    found = {inner: None for path in paths for inner in hand_ins_at(path, form=form)}
    return [path for path in found if not any(x in found for x in path.parents)]


def hand_ins_at(
    path: Path, *, form: int = NEWEST_FORM, most_deep: int = MAX_DEPTH
) -> list[Path]:
    """Return what may be a hand-in of a path in a folder of bots; see `bot_files`."""
    if not is_real_folder(path):
        may_be = path.is_dir() or path.suffix == ".py" or is_meant(path)
        return [path] if may_be else []
    if is_collected(path) or is_package(path) or (form > 1 and has_python(path)):
        return [path]
    if form < 5 or not most_deep:
        return []
    try:
        inner = [x for x in sorted(path.iterdir()) if x.name[0] not in "_."]
    except OSError:
        return [path]
    found = [y for x in inner for y in hand_ins_at(x, most_deep=most_deep - 1)]
    # Who has handed in a folder with nothing but a notebook has handed in one thing.
    is_one = any(map(is_meant, inner)) and not any(
        x.suffix == ".py" or has_python(x) for x in found
    )
    return [path] if is_one else found


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
    raise ConfigError(text.strip() or "BOT", _why_several(text) or why_not_found(text))


def _why_several(text: str) -> str:
    """Say that a folder has several hand-ins in it; nothing if it has not."""
    if not text.strip() or not os.path.isdir(text):
        return ""
    try:
        found = bot_files(Path(text))
    except OSError:
        return ""
    if len(found) < 2:
        return ""
    names = some_of(map(printable, map(str, found[:_SHOWN])), len(found))
    return (
        f"is a folder of {len(found)} hand-ins; name one: {names} (arena bots "
        f"{shlex.quote(text)} tells what each of them is)"
    )


def _find(name: str, is_folder: Callable[[Path], bool]) -> Path | None:
    """Return the real path of a file or folder; None if there is none."""
    for path in (Path(name), Path("bots") / f"{name}.py", Path("bots") / name):
        if name and (os.path.isfile(path) or is_folder(path)):
            return path.resolve()
    return None


def is_package(path: Path) -> bool:
    """Return True if a path is the folder of a Python package."""
    return os.path.isfile(path / "__init__.py")


def is_collected(path: Path) -> bool:
    """Return True if a path is a folder that `arena collect` has made of a hand-in."""
    return os.path.isfile(path / COLLECTED)


def has_python(path: Path) -> bool:
    """Return True if a path is a folder with files in Python."""
    try:
        return any(path.glob("*.py"))
    except OSError:
        return False


def is_real_folder(path: Path) -> bool:
    """Return True if a path is a folder, and no link to one."""
    return path.is_dir() and not path.is_symlink()

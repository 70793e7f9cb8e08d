"""Where hand-ins are: the files and folders of bots, by their names."""

import os
from pathlib import Path

from arena.errors import ConfigError


def bot_files(folder: Path, *, packages_only: bool = False) -> list[Path]:
    """Return all in a folder that may be a hand-in, by name.

    These are files in Python and folders with such files, for a league of form 1 only
    packages.  Names that begin with `_` or `.` are left out.  What can't be handed in,
    such as a link, is among them: there is a sentence on it when it is read.

    Raises:
        OSError: the folder can't be read.
    """
    is_folder = is_package if packages_only else has_python

    def may_be(path: Path) -> bool:
        if path.is_dir() and not path.is_symlink():
            return is_folder(path)
        return path.is_dir() or path.suffix == ".py"

    return [
        path
        for path in sorted(folder.iterdir())
        if path.name[0] not in "_." and may_be(path)
    ]


def find_bot_file(text: str) -> tuple[Path, str | None]:
    """Return the file or folder and, if given, the class of `FILE[:CLASS]`.

    A bare name stands for a file or folder in `bots/`.

    Raises:
        ConfigError: there is no such hand-in.
    """
    for file, bot in ((text, ""), text.rpartition(":")[::2]):
        for path in (Path(file), Path("bots") / f"{file}.py", Path("bots") / file):
            if file and (os.path.isfile(path) or has_python(path)):
                return path.resolve(), bot or None
    raise ConfigError(
        text, "no such file or folder with a bot; expected FILE or FILE:CLASS"
    )


def is_package(path: Path) -> bool:
    """Return True if a path is the folder of a Python package."""
    return os.path.isfile(path / "__init__.py")


def has_python(path: Path) -> bool:
    """Return True if a path is a folder with files in Python."""
    try:
        return any(path.glob("*.py"))
    except OSError:
        return False

"""Bot files as text: where they are, what they belong to, what they consist of.

Nothing here runs or parses a line of them.
"""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.errors import ConfigError
from arena.registry import load
from arena.text import did_you_mean
from arena.worker.compat import GUESTS, Guest

_IMPORT = re.compile(
    r"(?:^|[;:])[ \t]*(?:from[ \t]+\.*(\w+)|import[ \t]+(\w[\w., \t]*))", re.M
)
_CLASS = re.compile(r"^class[ \t]+([^\W\d_]\w*)", re.M)
_METHOD = re.compile(r"^[ \t]+(?:async[ \t]+)?def[ \t]+(\w+)", re.M)
_LIKENESS = 0.85
"""From 0 to 1: how like the name of a game that of a method is that was meant so."""
_MAX_OUTLINE_BYTES = 1_000_000


def bot_files(folder: Path) -> list[Path]:
    """Return the files and packages of a folder that may hold bots, by name.

    Names that begin with `_` or `.` are left out.
    """
    return [
        path
        for path in sorted(folder.iterdir())
        if path.name[0] not in "_."
        and (path.suffix == ".py" if path.is_file() else is_package(path))
    ]


def find_bot_file(text: str) -> tuple[Path, str | None]:
    """Return the file and, if given, the class of `FILE[:CLASS]`.

    A bare name stands for a file or package in `bots/`.

    Raises:
        ConfigError: there is no such file.
    """
    for file, bot in ((text, ""), text.rpartition(":")[::2]):
        for path in (Path(file), Path("bots") / f"{file}.py", Path("bots") / file):
            if file and (os.path.isfile(path) or is_package(path)):
                return path.resolve(), bot or None
    raise ConfigError(text, "no such bot file; expected FILE or FILE:CLASS")


def unopened_folders(folder: Path) -> list[Path]:
    """Return the folders in one that hold Python files but are no packages, by name.

    They are not searched for bots.  Names that begin with `_` or `.` are left out.
    """
    return [
        path
        for path in sorted(folder.iterdir())
        if path.name[0] not in "_."
        and path.is_dir()
        and not is_package(path)
        and any(path.glob("*.py"))
    ]


def is_package(path: Path) -> bool:
    """Return True if a path is the folder of a Python package."""
    return os.path.isfile(path / "__init__.py")


def local_files(path: Path) -> list[Path]:
    """Return the files that a bot file or package consists of, its own first.

    The others are the modules and packages beside it that it imports, directly or
    through each other.
    """
    found = own_files(path)
    for file in found:
        for name in _imported(file):
            # What is imported from beside a bot never hides Python's own modules, nor
            # those that guests stand in for.
            if name in sys.stdlib_module_names or name in GUESTS:
                continue
            beside = path.parent / name
            if not is_package(beside):
                beside = path.parent / f"{name}.py"
                if not beside.is_file():
                    continue
            found += [f for f in own_files(beside) if f not in found]
    return found


def imported_modules(files: Sequence[Path]) -> set[str]:
    """Return the top-level modules that files seem to import, by their text."""
    return {name for file in files if file.suffix == ".py" for name in _imported(file)}


def own_files(path: Path) -> list[Path]:
    """Return a file, or all files of a folder, by name."""
    if not path.is_dir():
        return [path]
    return [f for f in sorted(path.rglob("*")) if _counts(f)]


def _counts(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts


def _imported(path: Path) -> Iterator[str]:
    for match in _IMPORT.finditer(path.read_bytes().decode(errors="replace")):
        for name in (match[1] or match[2]).split(","):
            yield name.split(".")[0].split(" as ")[0].strip()


def _guests(path: Path) -> Iterator[type[Guest]]:
    """Return the guests whose modules a bot file or package seems to import."""
    imported = imported_modules(own_files(path))
    for name, guest in GUESTS.items():
        if name in imported:
            yield load(guest)


def outline(path: Path, games: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Guess from its text alone which classes of a broken file play which games."""
    methods = {game: {game, "act"} for game in games}
    for guest in _guests(path):
        if guest.game in methods:
            methods[guest.game].add(guest.method)
    text = _text(path)
    starts = list(_CLASS.finditer(text))
    found = {}
    for match, after in zip(starts, [*starts, None][1:], strict=True):
        body = text[match.end() : after.start() if after else len(text)]
        defined = set(_METHOD.findall(body))
        playable = tuple(game for game in games if defined & methods[game])
        if playable:
            found[match[1]] = playable
    return found


def slips(path: Path, games: Sequence[str]) -> list[str]:
    """Return a sentence on each likely mistake of a bot's author.

    These are classes that are hidden by later ones of their name, and methods that are
    almost named after one of `games` that the file does not play.
    """
    text = _text(path)
    methods = set(_METHOD.findall(text))
    missing = [game for game in games if game not in methods and "act" not in methods]
    lines: dict[str, int] = {}
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        match = _METHOD.match(line)
        if match and match[1] not in games:
            hint = did_you_mean(match[1], missing, likeness=_LIKENESS)
            if hint:
                found.append(f"line {number}: no game is called {match[1]!r}; {hint}")
        match = _CLASS.match(line)
        if match and match[1] in lines:
            found.append(
                f"line {number}: a second class {match[1]} takes the place of that of "
                f"line {lines[match[1]]}; give it another name"
            )
        if match:
            lines[match[1]] = number
    return found


def _text(path: Path) -> str:
    """Return the text of a bot's own file, not all of it if it is very long."""
    source = path / "__init__.py" if path.is_dir() else path
    with source.open("rb") as file:
        return file.read(_MAX_OUTLINE_BYTES).decode(errors="replace")

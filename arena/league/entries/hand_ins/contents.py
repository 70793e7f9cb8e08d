"""What a hand-in consists of: its own files, and what it may import beside them."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from arena.league.entries.hand_ins.hand_in import SHARED
from arena.league.entries.hand_ins.outline import imported, outline
from arena.league.entries.hand_ins.regular_files import ReadFile, RefusedError, shown
from arena.referee.contestant.bot_code import code_hash

MAX_PYTHON_BYTES = 4 * 2**20
"""Of all files in Python together: they are sent to each process of the bot."""
MAIN = "bot.py"
"""The usual name of the bot's file in a folder that is no package."""
NO_MAIN = f"has no file with a bot; call the main one {MAIN}"
_INIT = "__init__.py"
_EXECUTABLE = "\0executable"
_MAX_MODULES = 1000
_SHOWN_FILES = 5


class Contents(NamedTuple):
    """All files of a hand-in, in the order in which they are hashed."""

    main: str
    """The bot's own file, or the folder of a package or of a program."""
    folder: str
    """The folder that its process may read; empty if it is a single file."""
    files: tuple[ReadFile, ...]
    """Its own file first; names as they are kept."""
    names: tuple[str, ...]
    """What each is called in the hash."""
    beside: tuple[str, ...] = ()
    """Names of files beside it that are not its own."""

    @property
    def text(self) -> bytes:
        """The text of its own file."""
        return self.files[0].data if self.files else b""

    @property
    def modules(self) -> frozenset[str]:
        """Names of the modules that it seems to import."""
        found: dict[str, None] = {}
        for file in self.files:
            if file.name.endswith(".py"):
                found.update(dict.fromkeys(imported(file.data)))
        return frozenset([*found][:_MAX_MODULES])

    @property
    def code(self) -> str:
        """Hash of all its files."""
        return code_hash(self.names, [file.data for file in self.files])

    @property
    def alike(self) -> str:
        """Hash of all its files, whatever the main one is called."""
        names = ("", *self.names[1:])
        return code_hash(names, [file.data for file in self.files])


def of_program(name: str, files: Sequence[ReadFile], form: int) -> Contents:
    """Return what a program consists of: a file, or a folder with all in it.

    Raises:
        RefusedError: there is nothing in it.
    """
    if not files:
        raise RefusedError("is an empty folder")
    names = _names_of_form_1(files)
    if form > 1:
        # It matters whether a file can be started.
        names = [_inside(f.name) + _EXECUTABLE * f.is_executable for f in files]
    return Contents(name, name, tuple(files), tuple(names))


def of_bot(
    name: str,
    files: Sequence[ReadFile],
    shared: Mapping[str, Sequence[ReadFile]],
    games: Sequence[str],
    guests: Mapping[str, str],
) -> Contents:
    """Return what a bot in Python consists of: its own files and those it imports.

    `shared` are the files that all bots may import, by the module's name; `guests` the
    import paths of guests by the names of their modules.

    Raises:
        RefusedError: it is not clear which of its files is the bot, or it is too large.
    """
    if not files:
        raise RefusedError("is an empty folder")
    by_name = {file.name: file for file in files}
    is_folder = name not in by_name
    main, own = name, files[0].name
    if is_folder:
        own = f"{name}/{_INIT}"
        if own not in by_name:
            main = own = main_file(name, files, games, guests)
    # What is shared lies where Python would look for it: beside the bot.
    beside = os.path.dirname(main)
    found = [by_name[own], *(file for file in files if file.name != own)]
    names = [_inside(file.name) for file in found]
    has = {_module(_inside(file.name) or file.name) for file in files}
    has.add(_module(name))
    for file in _followed(found):
        if not file.name.endswith(".py"):
            continue
        for module in imported(file.data):
            if module in has or module not in shared:
                continue
            has.add(module)
            for other in shared[module]:
                place = f"{beside}/{other.name}" if beside else other.name
                if place in by_name or place.partition("/")[0] == name != beside:
                    raise RefusedError(
                        f"is called like the shared {other.name} that it imports; "
                        "give the bot another name"
                    )
                found.append(other._replace(name=place))
                names.append(SHARED + other.name)
    _check_python(found)
    return Contents(main, name if is_folder else "", tuple(found), tuple(names))


def of_form_1(
    name: str,
    files: Sequence[ReadFile],
    read_beside: Callable[[str], Sequence[ReadFile]],
    guests: Mapping[str, str],
) -> Contents:
    """Return what a bot of a league of form 1 consists of.

    It has all that lies beside it and that it imports.  `read_beside` reads that, and
    returns nothing if it is not there.

    Raises:
        RefusedError: there is nothing in it.
    """
    if not files:
        raise RefusedError("is an empty folder")
    is_folder = files[0].name != name
    found = {file.name: file for file in files}
    done: set[str] = set()
    for file in _followed(found):
        for module in imported(file.data):
            if module in done or module in sys.stdlib_module_names or module in guests:
                continue
            done.add(module)
            for other in read_beside(module):
                found.setdefault(other.name, other)
    beside = [other for other in found if other.partition("/")[0] != name]
    return Contents(
        name,
        name if is_folder else "",
        tuple(found.values()),
        tuple(_names_of_form_1([*found.values()])),
        tuple(beside),
    )


def _names_of_form_1(files: Sequence[ReadFile]) -> list[str]:
    first = os.path.dirname(files[0].name)
    return [os.path.relpath(file.name, first or ".") for file in files]


def _followed(files: list[ReadFile] | dict[str, ReadFile]) -> Iterator[ReadFile]:
    """Yield all files, also those that are added meanwhile."""
    done = 0
    while done < len(files):
        now = list(files.values() if isinstance(files, dict) else files)
        yield from now[done:]
        done = len(now)


def _inside(name: str) -> str:
    """Return a name without that of the hand-in, which does not count."""
    return name.partition("/")[2]


def _module(name: str) -> str:
    return name.partition("/")[0].removesuffix(".py")


def main_file(
    name: str,
    files: Sequence[ReadFile],
    games: Sequence[str],
    guests: Mapping[str, str],
) -> str:
    """Return the file of a folder that is no package in which the bot is.

    `name` is the folder's, `games` are all that there are, and `guests` import paths by
    the names of modules.

    Raises:
        RefusedError: there is none, or there are several.
    """
    bots = main_files(name, files, games, guests)
    if len(bots) == 1:
        return bots[0]
    if not bots:
        raise RefusedError(NO_MAIN)
    raise RefusedError(
        f"has several files with bots ({some_names(map(_inside, bots))}), and a folder "
        f"is one hand-in: call its main file {MAIN}; if they belong to several "
        "students, put them beside the other bots, or name the folder itself under "
        "bots:"
    )


def main_files(
    name: str,
    files: Sequence[ReadFile],
    games: Sequence[str],
    guests: Mapping[str, str],
) -> list[str]:
    """Return the files of a folder that is no package, one of which must be the bot."""
    top = {
        _inside(file.name): file
        for file in files
        if file.name.endswith(".py") and file.name.count("/") == 1
    }
    for usual in (MAIN, f"{name}.py"):
        if usual in top:
            return [top[usual].name]
    bots = [file for own, file in top.items() if not own.startswith("_")]
    if len(bots) > 1:
        bots = [
            file
            for file in bots
            if outline(
                file.data,
                games,
                [guests[x] for x in set(imported(file.data)) if x in guests],
            )
        ]
    return [file.name for file in bots]


def some_names(names: Iterable[str]) -> str:
    """Return names of files as sentences show them, and not too many."""
    names = list(names)
    some = ", ".join(map(shown, names[:_SHOWN_FILES]))
    more = len(names) - _SHOWN_FILES
    return f"{some} and {more} more" if more > 0 else some


def _check_python(files: Sequence[ReadFile]) -> None:
    size = sum(len(file.data) for file in files if file.name.endswith(".py"))
    if size > MAX_PYTHON_BYTES:
        raise RefusedError(
            f"has more than {MAX_PYTHON_BYTES // 2**20} MiB of Python; put tables "
            "into a file of data in a folder"
        )

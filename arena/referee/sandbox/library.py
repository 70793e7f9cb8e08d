"""The modules and files that a contestant may import and read."""

import csv
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from importlib.machinery import all_suffixes
from importlib.metadata import (
    Distribution,
    PackageNotFoundError,
    distribution,
    distributions,
)
from importlib.util import find_spec
from inspect import getmodulename
from pathlib import Path

import msgspec

from arena.games.luck import VALUES
from arena.games.registry import GAMES, OUR_GAMES, PARTS
from arena.referee.sandbox.followed_imports import FollowedImports, imports
from arena.referee.sandbox.readable_paths import with_python
from arena.registry import load, module_of
from arena.worker.compat import GUESTS

_OURS = "bot-arena"
_START = "arena.worker.__main__"
"""The module that is a contestant's process."""
_SUFFIXES = tuple(all_suffixes())
_METADATA = (".dist-info", ".egg-info", ".libs")
"""Ends of the names of folders that belong to a distribution's modules."""


class Library(msgspec.Struct, frozen=True):
    """Modules for contestants, beside Python's own and the bot's."""

    modules: tuple[str, ...]
    """Names of top-level modules, sorted."""
    read: tuple[str, ...]
    """Files and folders that hold them and Python itself, sorted: absolute paths in
    real folders, none below another."""
    search: tuple[str, ...]
    """Entries for `sys.path` beside those of Python's own modules, in order."""
    guests: tuple[tuple[str, str], ...] = ()
    """Modules that have a stand-in, each with the import path of its guest, sorted."""
    parts: tuple[str, ...] = ()
    """Modules by their full names, sorted: of a package that has one here, a contestant
    may import and read no others."""
    folders: tuple[str, ...] = ()
    """Folders of these packages, sorted: only some of their files are in `read`."""


class MissingPackageError(Exception):
    """A package is not installed; `package` is the name that was asked for."""

    def __init__(self, package: str) -> None:
        super().__init__(f"{package} is not installed")
        self.package = package


def find_library(
    packages: Sequence[str],
    game_paths: Sequence[str],
    guests: Mapping[str, str] | None = None,
) -> Library:
    """Return the library for the contestants of a league, without importing anything.

    It has the rules of arena's own games, what runs in a contestant's process, numpy if
    it is installed, the modules of the games (`module:Class`) and of `guests` (the
    same, by module name; all that are registered if left out), and `packages`: each by
    the name it is installed by, else by the one it is imported by.

    Of arena and of packages that bring games or guests it has the modules that are
    needed, as their import statements say, but never a part that lies beside a game.
    Of all others it has everything, with what they require, as far as it is installed.

    Raises:
        MissingPackageError: one of `packages` is not installed.
    """
    guests = GUESTS if guests is None else guests
    found = _Found(game_paths, tuple(guests.values()))
    found.add_package("numpy")
    for name in packages:
        if not found.add_package(name):
            raise MissingPackageError(name)
    found.close()
    folders = sorted(f for fs in found.followed.folders.values() for f in fs)
    ordered = sorted(found.search.items(), key=lambda item: (item[1], item[0]))
    return Library(
        modules=tuple(sorted(found.modules)),
        read=tuple(with_python(found.read, folders)),
        search=tuple(folder for folder, _ in ordered),
        guests=tuple(sorted(guests.items())),
        parts=tuple(sorted(found.followed.files)),
        folders=tuple(folders),
    )


class _Found:
    """Gathers modules, their files, and the folders they are found in."""

    def __init__(self, games: Sequence[str], guests: Sequence[str]) -> None:
        """Begin with what all need, with games and guests, by their import paths."""
        self.modules: set[str] = set()
        """Top-level modules of which everything is there."""
        self.read: set[str] = set()
        self.search: dict[str, int] = {}
        """Index in `sys.path` of each folder."""
        # A game that requires the framework need not bring what that requires.
        self._distributions = {_OURS}
        lie_beside = {*map(module_of, (*GAMES.values(), *games))}
        closed = {f"{module}.{part}" for module in lie_beside for part in PARTS}
        # A value may be in the module of its game.
        closed |= {*map(module_of, VALUES.values())} - lie_beside
        needed = [_START, *map(module_of, (*OUR_GAMES.values(), *games, *guests))]
        for guest in guests:
            # Who plays with one that can't be loaded will be told why.
            with suppress(Exception, SystemExit):
                needed += load(guest).modules.values()
        self._brought = {_top(module) for module in (*lie_beside, *needed)}
        """Top-level modules of arena and of what plugins bring."""
        self.followed = FollowedImports(self._is_followed, closed)
        for module in needed:
            self.followed.add(module)

    def add_package(self, name: str) -> bool:
        """Add a package by either of its names; say whether it is installed."""
        found = _installed(name)
        if found is None:
            return self.add_imported(name)
        self._add_distributions([found])
        return True

    def add_imported(self, name: str) -> bool:
        """Add a top-level module and what it requires; say whether there is one."""
        if name in self.modules or name in sys.stdlib_module_names:
            return True
        if name in self._brought:
            return self.followed.add(name)
        if not name.isidentifier() or not self.add_module(name):
            return False
        owners = self._owners(name)
        self._add_distributions(owners)
        if not owners:
            # Only its text says what it requires.
            for path in map(Path, self._paths_of(name)):
                for file in path.rglob("*.py") if path.is_dir() else [path]:
                    for other in sorted(imports(file)):
                        self.add_imported(_top(other))
        return True

    def add_module(self, name: str) -> bool:
        """Add a top-level module from where it would be imported."""
        for path in self._paths_of(name):
            self._add(name, path)
        return name in self.modules

    def close(self) -> None:
        """Add what is imported of others, and no files but those that are needed."""
        seen: set[str] = set()
        while more := self.followed.others - seen:
            seen |= more
            for name in sorted(more - sys.stdlib_module_names):
                self.add_package(name)
                self.add_imported(name)
        parts = self.followed.files
        for name in [n for n in parts if _top(n) in self.modules]:
            # Somebody has asked for all of it.
            del parts[name]
            self.followed.folders.pop(name, None)
        for name in sorted({*map(_top, parts)}):
            for path in self._paths_of(name):
                self._find_in(path)
            for owner in self._owners(name) if name != "arena" else ():
                self._add_files(owner)
        for file in filter(None, parts.values()):
            self.read.update(filter(os.path.exists, (file, _compiled(file))))
        self.modules |= {*map(_top, parts)}

    @cached_property
    def _installed(self) -> list[Distribution]:
        return list(distributions())

    def _owners(self, module: str) -> list[Distribution]:
        found = _installed(module)
        if found is not None and _owns(found, module):
            return [found]
        return [other for other in self._installed if _owns(other, module)]

    def _is_followed(self, module: str) -> bool:
        """Say whether a top-level module belongs to what plugins bring, or to none."""
        if module in self._brought or module in sys.stdlib_module_names:
            return module in self._brought
        return all(self._is_brought(owner) for owner in self._owners(module))

    def _is_brought(self, found: Distribution) -> bool:
        return bool(found.entry_points.select(group="arena")) or any(
            _owns(found, module) for module in self._brought
        )

    def _paths_of(self, name: str) -> Iterator[str]:
        try:
            spec = find_spec(name)
        except ValueError:
            return  # It was made at run time, without a file.
        if spec is not None:
            for path in spec.submodule_search_locations or [spec.origin or ""]:
                if os.path.exists(path):
                    yield os.path.abspath(path)

    def _add(self, name: str, path: str) -> None:
        self.modules.add(name)
        self.read.add(os.path.realpath(path))
        self._find_in(path)

    def _find_in(self, path: str) -> None:
        """Let the module at a path be found."""
        entries = [os.path.abspath(entry) for entry in sys.path]
        folder = os.path.dirname(path)
        order = entries.index(folder) if folder in entries else len(entries)
        # A link is replaced by the folder where the module really is.
        folder = os.path.dirname(os.path.realpath(path))
        self.search[folder] = min(order, self.search.get(folder, order))

    def _add_distributions(self, waiting: list[Distribution]) -> None:
        """Add distributions, and what they require as far as it is installed."""
        while waiting:
            found = waiting.pop()
            name = _plain(found.name)
            if name in self._distributions:
                continue
            self._distributions.add(name)
            if self._is_brought(found):
                for module in filter(None, _tops(found).values()):
                    self.followed.add(module)
                continue
            self._add_files(found)
            required = map(_installed, _required(found))
            waiting += [other for other in required if other is not None]

    def _add_files(self, found: Distribution) -> None:
        """Add the files of a distribution: of one that plugins bring no modules."""
        is_open = not self._is_brought(found)
        has_modules = False
        for top, module in sorted(_tops(found).items()):
            path = os.path.abspath(str(found.locate_file(top)))
            if module and os.path.exists(path):
                has_modules = True
                if is_open:
                    self._add(module, path)
            elif os.path.isdir(path) and (is_open or top.endswith(_METADATA)):
                self.read.add(os.path.realpath(path))
        if is_open and (not has_modules or _is_editable(found)):
            names = (found.read_text("top_level.txt") or "").split()
            for name in names or [_plain(found.name).replace("-", "_")]:
                if name.isidentifier():
                    self.add_module(name)


def _installed(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except (PackageNotFoundError, ValueError):
        return None


def _plain(name: str) -> str:
    """Return the normal spelling of a distribution's name."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _required(found: Distribution) -> Iterator[str]:
    """Return the names of what a distribution requires, leaving out its extras."""
    for line in found.requires or ():
        requirement, _, marker = line.partition(";")
        name = re.match(r"[\w.-]+", requirement.strip())
        if name and not re.search(r"\bextra\b", marker):
            yield name[0]


def _tops(found: Distribution) -> dict[str, str]:
    """Return the top-level entries of a distribution with their module names.

    The name is empty for entries that are no module: metadata and shared libraries.
    """
    tops: dict[str, str] = {}
    rows = csv.reader((found.read_text("RECORD") or "").splitlines())
    for file, *_ in filter(None, rows):
        top, slash, _ = file.partition("/")
        if top in ("", "..", "__pycache__"):
            continue
        if not slash:
            tops[top] = getmodulename(top) or ""
        elif top.isidentifier() and file.endswith(_SUFFIXES):
            tops[top] = top
        else:
            tops.setdefault(top, "")
    return tops


def _is_editable(found: Distribution) -> bool:
    """Say whether its modules have been left where they were written."""
    text = found.read_text("direct_url.json") or "{}"
    try:
        return bool(msgspec.json.decode(text)["dir_info"]["editable"])
    except (LookupError, TypeError, msgspec.DecodeError):
        return False


def _owns(found: Distribution, module: str) -> bool:
    """Say whether a top-level module belongs to a distribution."""
    if module in _tops(found).values():
        return True
    if module in (found.read_text("top_level.txt") or "").split():
        return True
    points = found.entry_points.select(group="arena")
    return any(re.split("[.:]", point.value)[0] == module for point in points)


def _top(module: str) -> str:
    return module.partition(".")[0]


def _compiled(file: str) -> str:
    """Return the path where contestants look for a module that has been compiled."""
    folder, name = os.path.split(file)
    tag = sys.implementation.cache_tag
    return os.path.join(folder, "__pycache__", f"{getmodulename(name)}.{tag}.pyc")

"""The modules and files that a contestant may import and read."""

import ast
import csv
import os
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from glob import glob
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

from arena.registry import module_of
from arena.worker.compat import GUESTS

_SYSTEM = (
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/usr/share/zoneinfo",
)
"""Shared libraries and time zones of the system."""
_RUNTIMES = (
    "/etc/java-*/security",
    "/usr/share/lua",
    "/usr/share/nodejs",
    "/usr/share/perl",
    "/usr/share/perl5",
    "/usr/share/php",
)
"""Folders of languages outside of the system's folders of libraries."""
_OURS = "bot-arena"
_SUFFIXES = tuple(all_suffixes())


class Library(msgspec.Struct, frozen=True):
    """Modules for contestants, beside Python's own and the bot's."""

    modules: tuple[str, ...]
    """Names of top-level modules, sorted."""
    read: tuple[str, ...]
    """Files and folders that hold them and Python itself: real, absolute paths."""
    search: tuple[str, ...]
    """Entries for `sys.path` beside those of Python's own modules, in order."""
    guests: tuple[tuple[str, str], ...] = ()
    """Modules that have a stand-in, each with the import path of its guest, sorted."""


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

    It has `arena`, msgspec, pluggy and greenlet, numpy if it is installed, the modules
    of the games (`module:Class`) and of `guests` (the same, by module name; all that
    are registered if left out), and `packages`: each by the name it is installed by,
    else by the one it is imported by.  All but `arena` come with what they require, as
    far as it is installed.

    Raises:
        MissingPackageError: one of `packages` is not installed.
    """
    found = _Found()
    found.add_module("arena")
    # The module of a game may also be a plugin, which imports pluggy.
    for name in ("msgspec", "pluggy", "greenlet", "numpy"):
        found.add_package(name)
    guests = GUESTS if guests is None else guests
    for path in (*game_paths, *guests.values()):
        found.add_imported(module_of(path).partition(".")[0])
    for name in packages:
        if not found.add_package(name):
            raise MissingPackageError(name)
    read = _outermost({*found.read, *_python(), *_system()})
    ordered = sorted(found.search.items(), key=lambda item: (item[1], item[0]))
    return Library(
        modules=tuple(sorted(found.modules)),
        read=tuple(_outermost({*read, *_mapped(read)})),
        search=tuple(folder for folder, _ in ordered),
        guests=tuple(sorted(guests.items())),
    )


class _Found:
    """Gathers modules, their files, and the folders they are found in."""

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self.read: set[str] = set()
        self.search: dict[str, int] = {}
        """Index in `sys.path` of each folder."""
        # A game that requires the framework need not bring what that requires.
        self._distributions = {_OURS}

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
        if not name.isidentifier() or not self.add_module(name):
            return False
        owners = [found for found in self._installed if _owns(found, name)]
        self._add_distributions(owners)
        if not owners:
            # Only its text says what it requires.
            for path in list(self._paths_of(name)):
                for other in sorted(_imports(Path(path))):
                    self.add_imported(other)
        return True

    def add_module(self, name: str) -> bool:
        """Add a top-level module from where it would be imported."""
        for path in self._paths_of(name):
            self._add(name, path)
        return name in self.modules

    @cached_property
    def _installed(self) -> list[Distribution]:
        return list(distributions())

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
        real = os.path.realpath(path)
        self.read.add(real)
        entries = [os.path.abspath(entry) for entry in sys.path]
        folder = os.path.dirname(path)
        order = entries.index(folder) if folder in entries else len(entries)
        # A link is replaced by the folder where the module really is.
        folder = os.path.dirname(real)
        self.search[folder] = min(order, self.search.get(folder, order))

    def _add_distributions(self, waiting: list[Distribution]) -> None:
        """Add distributions, and what they require as far as it is installed."""
        while waiting:
            found = waiting.pop()
            name = _plain(found.name)
            if name not in self._distributions:
                self._distributions.add(name)
                self._add_files(found)
                required = map(_installed, _required(found))
                waiting += [other for other in required if other is not None]

    def _add_files(self, found: Distribution) -> None:
        has_modules = False
        for top, module in sorted(_tops(found).items()):
            path = os.path.abspath(str(found.locate_file(top)))
            if module and os.path.exists(path):
                has_modules = True
                self._add(module, path)
            elif os.path.isdir(path):
                self.read.add(os.path.realpath(path))
        if not has_modules or _is_editable(found):
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


def _imports(module: Path) -> set[str]:
    """Return the top-level modules that a module, or those of a package, import."""
    names: set[str] = set()
    for path in module.rglob("*.py") if module.is_dir() else [module]:
        try:
            tree = ast.parse(path.read_bytes())
        except (OSError, SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names.update(alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.partition(".")[0])
    return names


def _python() -> Iterator[str]:
    """Yield the paths of Python's standard library and its program."""
    prefixes = {
        "installed_base": sys.base_prefix,
        "installed_platbase": sys.base_exec_prefix,
        "platbase": sys.base_exec_prefix,
    }
    for name in ("stdlib", "platstdlib"):
        yield os.path.realpath(sysconfig.get_path(name, vars=prefixes))
    yield os.path.realpath(sys.executable)


def _system() -> Iterator[str]:
    return (os.path.realpath(path) for path in _SYSTEM if os.path.exists(path))


def _mapped(read: Sequence[str]) -> Iterator[str]:
    """Yield the paths of this process's shared libraries that are not in `read`."""
    try:
        maps = Path("/proc/self/maps").read_bytes().decode(errors="replace")
    except OSError:
        return
    entries = [os.path.realpath(entry) for entry in sys.path if os.path.isdir(entry)]
    packages = [entry for entry in entries if not _is_below(sys.base_prefix, [entry])]
    closed = [os.path.realpath(Path.home()), *packages]
    closed = [folder for folder in closed if not _is_below(folder, read)]
    for path in sorted(set(re.findall(r"(/.*\.so(?:\.[\w.]+)?)$", maps, re.M))):
        # Libraries of packages come with the packages.
        if not _is_below(path, [*read, *packages]):
            folder = os.path.dirname(path)
            is_open = not any(_is_below(other, [folder]) for other in closed)
            yield folder if is_open else path


def _is_below(path: str, folders: Iterable[str]) -> bool:
    """Say whether a path is one of `folders` or lies in one; all are absolute."""
    return any(f"{path}/".startswith(f"{folder.rstrip('/')}/") for folder in folders)


def _outermost(paths: set[str]) -> list[str]:
    """Return the paths that lie below no other, sorted."""
    return sorted(
        path for path in paths if not paths & {str(p) for p in Path(path).parents}
    )


def shared_runtimes() -> list[str]:
    """Return the real paths that any program may read."""
    return sorted(os.path.realpath(path) for name in _RUNTIMES for path in glob(name))


def runtime(program: str) -> tuple[str, ...]:
    """Return the paths of a program and of the libraries installed with it.

    These are in the folder `lib` beside the `bin` that the program is in.
    """
    folder, name = os.path.split(os.path.dirname(program))
    libraries = os.path.join(folder, "lib")
    if name == "bin" and os.path.isdir(libraries):
        return program, libraries
    return (program,)

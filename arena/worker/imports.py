"""The modules that a bot can import: its own, from memory, and those of its league.

A contestant's process may not open the bot's files; it is sent their text.  The modules
made from it are as if they had been read from the disk: the same `__file__`, tracebacks
with their lines, sources that can be inspected, data files beside them as far as the
process may read them.
"""

import io
import linecache
import os
import sys
from collections.abc import Container, Iterator, Mapping, Sequence
from importlib.machinery import (
    BYTECODE_SUFFIXES,
    EXTENSION_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
    PathFinder,
    SourceFileLoader,
    SourcelessFileLoader,
)
from importlib.util import decode_source, find_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from arena.registry import load
from arena.text import listed
from arena.worker.compat import Guest
from arena.worker.remedies import name_hint
from arena.worker.remedies.of_names import module_hint

_INIT = "__init__.py"
_OURS = ("arena", "greenlet", "msgspec", "pluggy")
_MOST_NAMES = 8
_PYTHONS_FOLDER = os.path.dirname(os.__file__)


class SourceLoader(SourceFileLoader):
    """Loads a module from the text of its file, and data beside it from the disk."""

    def __init__(self, name: str, path: str, own: "OwnModules") -> None:
        super().__init__(name, path)
        self._own = own

    def get_data(self, path: str) -> bytes:
        """Return the contents of the file at `path`."""
        text = self._own.texts.get(path)
        return super().get_data(path) if text is None else text

    def path_stats(self, path: str) -> Mapping[str, Any]:
        """Refuse: a compiled file on the disk may be of another text."""
        raise OSError

    def get_code(self, fullname: str) -> CodeType | None:
        """Compile the text, and let tracebacks show its lines."""
        code = self._own.codes.get(self.path)
        if code is not None:
            return code
        code = super().get_code(fullname)
        if code is not None:
            self._own.codes[self.path] = code
        # Later they would be looked for on the disk, where there may be others.
        text = self.get_data(self.path)
        lines = io.StringIO(_decode(text)).readlines()
        linecache.cache[self.path] = (len(text), None, lines, self.path)
        return code

    def source_to_code(  # type: ignore[override]
        self, data: bytes, path: str, *, _optimize: int = -1
    ) -> CodeType:
        """Compile it, and say in which line is what is no text of Python.

        Python often does not.
        """
        try:
            return super().source_to_code(data, path, _optimize=_optimize)
        except ValueError as error:
            problem = str(error)
        except SyntaxError as error:
            if error.filename and error.lineno and "'utf-8' codec" not in error.msg:
                raise
            problem = error.msg
        raise SyntaxError(problem, (path, _line_of_bad_bytes(data), None, None))


def _line_of_bad_bytes(data: bytes) -> int:
    """Return the first line with bytes that are no text; 1 if there are none."""
    first = data.find(0)
    if first < 0:
        try:
            data.decode()
        except UnicodeDecodeError as error:
            first = error.start
    return data.count(b"\n", 0, max(0, first)) + 1


def _decode(data: bytes) -> str:
    try:
        return decode_source(data)
    except (SyntaxError, UnicodeError):  # Python lets comments be in any encoding.
        return data.decode(errors="replace")


def own_module_spec(name: str, file: str, own: "OwnModules") -> ModuleSpec:
    """Return the spec that loads the module `name` from the text of `file`."""
    own.names.add(name)
    folder, last = os.path.split(file)
    spec = spec_from_file_location(
        name,
        file,
        loader=SourceLoader(name, file, own),
        submodule_search_locations=[folder] if last == _INIT else None,
    )
    assert spec is not None
    return spec


class StandInLoader(SourceFileLoader):
    """Loads a module under the name of another that it stands in for."""

    def __init__(
        self, name: str, path: str, guest: Guest, codes: dict[str, CodeType]
    ) -> None:
        super().__init__(name, path)
        self._guest = guest
        self._codes = codes

    def get_code(self, fullname: str) -> CodeType | None:
        """Compile it once for all games."""
        code = self._codes.get(self.path)
        if code is None:
            code = super().get_code(fullname)
            if code is not None:
                self._codes[self.path] = code
        return code

    def exec_module(self, module: ModuleType) -> None:
        """Run it; it finds the guest that it belongs to as `_guest`."""
        vars(module)["_guest"] = self._guest
        super().exec_module(module)


class OwnModules:
    """The modules that are a bot's own, and those that stand in for others."""

    def __init__(self, texts: Mapping[str, bytes], guests: Mapping[str, str]) -> None:
        """Begin with nothing; `guests` are import paths by module name."""
        self.texts = texts
        """Text of each file, by path."""
        self.codes: dict[str, CodeType] = {}
        """Compiled code, by path: a file may be loaded for each game."""
        self.names: set[str] = set()
        """Names of modules that have been found."""
        self.guests: dict[str, Guest] = {}
        """Guests of the active loaded file, by module name."""
        self.guest_paths = guests
        self._files: dict[str, str] = {}
        """Files of the modules that stand in for others, by their own names."""

    def spec(self, name: str) -> ModuleSpec | None:
        """Return the spec of the module that stands in for `name`, if there is one."""
        top = _top(name)
        if top not in self.guest_paths:
            return None
        guest_type: type[Guest] = load(self.guest_paths[top])
        path = guest_type.modules.get(name)
        if path is None:
            return None
        if top not in self.guests:
            self.guests[top] = guest_type()
        if path not in self._files:
            source = find_spec(path)
            if source is None or source.origin is None:
                raise ModuleNotFoundError(f"No module {path!r} to stand in for {name}")
            self._files[path] = source.origin
        self.names.add(name)
        file = self._files[path]
        loader = StandInLoader(name, file, self.guests[top], self.codes)
        # It may have submodules, which are found by their names alone.
        return ModuleSpec(name, loader, origin=file, is_package=top == name)


class FolderFinder:
    """Finds the modules of one folder among the texts of a bot's files.

    Where the folder `is_open` to the process, also the compiled ones in it.
    """

    def __init__(
        self, folder: str, own: OwnModules, parents: set[str], is_open: bool
    ) -> None:
        self._folder = folder
        self._own = own
        self._parents = parents
        self._compiled: FileFinder | None = None
        if is_open:
            self._compiled = FileFinder(
                folder,
                (ExtensionFileLoader, EXTENSION_SUFFIXES),
                (SourcelessFileLoader, BYTECODE_SUFFIXES),
            )

    def find_spec(
        self, name: str, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module, in Python's own order."""
        base = os.path.join(self._folder, name.rpartition(".")[2])
        compiled = self._compiled.find_spec(name) if self._compiled else None
        if compiled is not None and isinstance(compiled.loader, ExtensionFileLoader):
            return compiled
        for file in (os.path.join(base, _INIT), f"{base}.py"):
            if file in self._own.texts:
                return own_module_spec(name, file, self._own)
        if compiled is None and base in self._parents:
            self._own.names.add(name)
            compiled = ModuleSpec(name, None, is_package=True)
            compiled.submodule_search_locations = [base]
        return compiled

    def iter_modules(self, prefix: str = "") -> Iterator[tuple[str, bool]]:
        """List the modules for `pkgutil`: pairs of name and whether it is a package."""
        for file in sorted(self._own.texts):
            folder, last = os.path.split(file)
            if folder == self._folder and last != _INIT:
                yield prefix + last.removesuffix(".py"), False
            elif os.path.dirname(folder) == self._folder and last == _INIT:
                yield prefix + os.path.basename(folder), True


class ImportGuard(PathFinder):
    """Replaces `PathFinder`, and refuses modules that a bot may not import.

    Modules that its league does not have are not found even where they happen to be
    installed: a bot plays the same on every machine.
    """

    def __init__(
        self,
        main: str,
        folders: Sequence[str],
        parents: Container[str],
        modules: Sequence[str],
        parts: Sequence[str],
        own: OwnModules,
    ) -> None:
        """Begin to guard.

        Args:
            main: path of the file that begins to run.
            folders: where the bot's own modules are looked for; it starts in the last.
            parents: all folders of its files.
            modules: top-level modules that it may import beside Python's own.
            parts: full names of modules: of a package that has one, no others.
            own: the bot's own modules.
        """
        self._folders = tuple(folders)
        self._parents = parents
        self._start = self._folders[-1]
        self._own = own
        self._main = main
        self._modules = tuple(modules)
        self._parts = frozenset(parts)
        self._in_part = {_top(name) for name in parts}

    def find_spec(  # type: ignore[override]
        self,
        name: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Find a module.

        Raises:
            ModuleNotFoundError: no bot of this league may import it.
        """
        spec = self._own.spec(name)
        if spec is not None:
            return spec
        top = _top(name)
        if top in self._in_part and name not in self._parts:
            if _is_question():
                return None
            hint = self._meant(name)
            # With its name, `from ... import` says instead that it can't import that:
            # clearer of what is only misspelt, but no reason for anything else.
            named = name if hint else None
            raise ModuleNotFoundError(refusal_of_part(name, top, hint), name=named)
        if path is not None:
            return super().find_spec(name, path, target)
        # To join both would copy much memory that contestants share.
        if name in sys.stdlib_module_names or name in self._modules:
            return super().find_spec(name, self._path_of_known(), target)
        folders = [*self._folders, *self._added(), _PYTHONS_FOLDER]
        spec = super().find_spec(name, folders, target)
        if spec is None and not _is_question():
            guests = self._own.guest_paths
            known = (*sys.stdlib_module_names, *self._modules, *guests, *self._beside())
            hint = module_hint(name, known)
            raise ModuleNotFoundError(refusal(name, self._modules, hint), name=name)
        return spec

    def _path_of_known(self) -> list[str]:
        """Return where modules lie that are not the bot's own.

        The bot's folder, which a program finds at the beginning of its path, must not
        come before them.
        """
        return sys.path[1:] if sys.path[:1] == [self._start] else sys.path

    def _added(self) -> Iterator[str]:
        """Yield the folders of the bot that it has put into the path itself."""
        for folder in sys.path:
            if type(folder) is str:
                place = os.path.abspath(folder)
                if place in self._parents:
                    yield place

    def _meant(self, name: str) -> str:
        """Ask for what is in the same package and is called almost so."""
        package, _, last = name.rpartition(".")
        parts = (part.rpartition(".") for part in sorted(self._parts))
        known = [own for parent, _, own in parts if parent == package]
        module = sys.modules.get(package)
        hint = name_hint(last, [*known, *(vars(module) if module else ())])
        return hint.replace("'", f"'{package}.", 1)

    def _beside(self) -> Iterator[str]:
        """Yield the names of the bot's own modules and packages."""
        for file in self._own.texts:
            if file == self._main:
                continue
            name = os.path.relpath(file, self._start)
            yield name.removesuffix(f"/{_INIT}").removesuffix(".py").replace("/", ".")


def _top(module: str) -> str:
    return module.partition(".")[0]


def _is_question() -> bool:
    """Say whether `importlib.util.find_spec` asks whether there is some module."""
    asking = sys._getframe(2).f_back
    return asking is not None and asking.f_code.co_name == "find_spec"


def refusal_of_part(name: str, package: str, hint: str) -> str:
    """Return one sentence on what is not there in a package that is open in part.

    `hint` asks for what is there, and is called almost so.
    """
    start = f"{hint} Bots" if hint else "bots"
    return (
        f"No module named {name!r}: {start} may import of {package} what they play "
        "with, such as Bot and the rules of games, but no tools, partners or values of "
        "positions"
    )


def refusal(name: str, modules: Sequence[str], hint: str = "") -> str:
    """Return one sentence on a module that is not there for bots.

    `hint` asks for one that is, and is called almost so.
    """
    others = [m for m in sorted(modules) if m not in _OURS and m.isidentifier()]
    others = [m for m in others if not m.startswith("_")]
    if len(others) > _MOST_NAMES:
        others[_MOST_NAMES:] = [f"{len(others) - _MOST_NAMES} more"]
    allowed = listed(["Python's own modules", *others])
    if not others:
        allowed = f"only {allowed}"
    start = f"{hint} Bots" if hint else "bots"
    return (
        f"No module named {name!r}: {start} of this league may import {allowed} "
        "(put files of your own into one folder with the bot, which sees no other "
        "bots; ask for more with shared: or packages: in the league's file)"
    )


def install_import_guard(
    path: Path,
    texts: Mapping[str, bytes],
    modules: Sequence[str],
    guests: Mapping[str, str],
    parts: Sequence[str],
    open_folder: str = "",
) -> OwnModules:
    """Let this process import the modules of one bot, and beside them only `modules`.

    `path` is the bot's file, or the folder of its package.  `open_folder`, if there is
    one, may be looked into on the disk as well.  `guests` are import paths by the names
    of the modules that they stand in for.  Of a package that has one of `parts` no
    other modules can be imported.
    """
    own = OwnModules(texts, guests)
    beside, itself = os.path.dirname(path), str(path)
    is_package = os.path.join(itself, _INIT) in texts
    parents = {beside}
    for file in texts:
        folder = os.path.dirname(file)
        while folder not in parents:
            parents.add(folder)
            folder = os.path.dirname(folder)

    def find_in(folder: str) -> FolderFinder:
        if folder not in parents:
            raise ImportError
        is_open = bool(open_folder) and Path(folder).is_relative_to(open_folder)
        return FolderFinder(folder, own, parents, is_open)

    sys.path_hooks.insert(0, find_in)
    for folder in parents:
        sys.path_importer_cache.pop(folder, None)
    folders = [beside, itself] if is_package else [beside]
    guard = ImportGuard(itself, folders, parents, modules, parts, own)
    sys.meta_path[:] = [
        finder
        for finder in sys.meta_path
        if finder is not PathFinder and not isinstance(finder, ImportGuard)
    ]
    sys.meta_path.append(guard)
    return own

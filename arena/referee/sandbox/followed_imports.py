"""Which modules others need, by their import statements; nothing is imported for it."""

import ast
import os
import sys
from collections.abc import Callable, Container, Iterator
from functools import lru_cache
from importlib.machinery import (
    BYTECODE_SUFFIXES,
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
    SourceFileLoader,
    SourcelessFileLoader,
)
from importlib.util import find_spec
from pathlib import Path

_LOADERS = (
    (ExtensionFileLoader, EXTENSION_SUFFIXES),
    (SourceFileLoader, SOURCE_SUFFIXES),
    (SourcelessFileLoader, BYTECODE_SUFFIXES),
)
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
"""Fields of statements that have statements in them."""


class FollowedImports:
    """Modules, those that they import, and so on.

    Statements anywhere in a module count, but for those that only type checkers read.
    """

    def __init__(
        self, is_followed: Callable[[str], bool], closed: Container[str]
    ) -> None:
        """Begin with nothing.

        Args:
            is_followed: says of a top-level module whether its text is looked at.
            closed: names of modules that are left out, with all that lies in them.
        """
        self.files: dict[str, str] = {}
        """File of each module, by its name; only that of a folder can be empty."""
        self.folders: dict[str, tuple[str, ...]] = {}
        """Folders of each package, by its name."""
        self.others: set[str] = set()
        """Top-level modules that are imported and not followed."""
        self._is_followed = is_followed
        self._closed = closed
        self._seen = set(sys.stdlib_module_names)
        """Names that nothing more has to be done about."""

    def add(self, name: str) -> bool:
        """Add a module, and what it needs; say whether there is one to follow."""
        waiting = {name}
        while waiting := waiting - self._seen:
            self._seen |= waiting
            waiting = {other for one in waiting for other in self._add(one)}
        return name in self.files

    def _add(self, name: str) -> Iterator[str]:
        """Add a module with its parents; yield the names of what they import."""
        names = name.split(".")
        if names[0] in sys.stdlib_module_names or names[0] in self.others:
            return
        if not self._is_followed(names[0]):
            self.others.add(names[0])
            return
        for count in range(1, len(names) + 1):
            module = ".".join(names[:count])
            if module in self.files:
                continue
            spec = self._find(module)
            if spec is None or module in self._closed:
                return
            places = spec.submodule_search_locations
            if places is not None:
                self.folders[module] = tuple(map(os.path.realpath, places))
            file = _real(spec.origin) if spec.has_location and spec.origin else ""
            self.files[module] = file
            if file.endswith(tuple(SOURCE_SUFFIXES)):
                yield from imports(Path(file), module, places is not None)

    def _find(self, module: str) -> ModuleSpec | None:
        parent, _, _ = module.rpartition(".")
        if not parent:
            try:
                return find_spec(module)
            except ValueError:
                return None  # It was made at run time, without a file.
        found = None
        for folder in self.folders.get(parent, ()):
            # `importlib.util.find_spec` would import the parent.
            spec = FileFinder(folder, *_LOADERS).find_spec(module)
            if spec is not None and spec.loader is not None:
                return spec
            found = found or spec
        return found


def _real(file: str) -> str:
    """Return the path of a file in its real folder; it may itself be a link."""
    folder, name = os.path.split(file)
    return os.path.join(os.path.realpath(folder), name)


def imports(file: Path, module: str = "", is_package: bool = False) -> set[str]:
    """Return the names of what the text of a module imports; some are of no module.

    What is imported relative to `module` is left out if that is not given.
    """
    try:
        stat = file.stat()
        statements = _statements(file, stat.st_mtime_ns, stat.st_size)
    except OSError:
        return set()
    package = module.split(".") if is_package else module.split(".")[:-1]
    found: set[str] = set()
    for base, level, names in statements:
        if level:
            above = package[: len(package) - level + 1]
            base = ".".join(filter(None, [*above, base])) if above else ""
        if base:
            found |= {base, *(f"{base}.{name}" for name in names if name != "*")}
    return found


@lru_cache(maxsize=1024)
def _statements(
    file: Path, changed: int, size: int
) -> tuple[tuple[str, int, tuple[str, ...]], ...]:
    """Return module, level and names of each import statement of a file.

    A file is read again once its date or size has changed.
    """
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        return ()
    return tuple(_in_block(tree.body))


def _in_block(block: list[ast.stmt]) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    for node in block:
        if isinstance(node, ast.Import):
            yield from ((alias.name, 0, ()) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names = tuple(alias.name for alias in node.names)
            yield node.module or "", node.level, names
        elif isinstance(node, ast.If) and _is_for_types(node.test):
            yield from _in_block(node.orelse)
        else:
            for field in _BLOCKS:
                yield from _in_block(getattr(node, field, []))


def _is_for_types(test: ast.expr) -> bool:
    return ast.unparse(test).endswith("TYPE_CHECKING")

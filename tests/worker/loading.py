"""Loads bots in the tests' own process, which afterwards imports as before."""

import linecache
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent
from types import ModuleType

from own_process import own_process_kept

from arena.worker.file_loader import FileLoader, LoadedFile

LEAGUE = ("arena", "msgspec", "numpy")


@contextmanager
def imports_undone(folder: Path) -> Iterator[None]:
    """Forget, at the end, what has been imported from `folder`."""
    yield
    # A package without a file asks its parent where it lies.
    for name in [n for n, m in sys.modules.items() if _lies_in(folder, m)]:
        del sys.modules[name]
    for path in list(linecache.cache):
        if path.startswith(str(folder)):
            del linecache.cache[path]


def _lies_in(folder: Path, module: ModuleType) -> bool:
    places = [getattr(module, "__file__", None), *getattr(module, "__path__", [])]
    return any(place and place.startswith(str(folder)) for place in places)


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else dedent(text).encode()


def write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(_bytes(text))


def read(
    path: Path, texts: Mapping[str, str | bytes], modules: Sequence[str] = LEAGUE
) -> LoadedFile:
    """Read a bot from `texts`: names below its folder, and what these files hold."""
    sources = tuple(
        (str(path.parent / name), _bytes(text)) for name, text in texts.items()
    )
    try:
        folder = str(path) if f"{path.name}/__init__.py" in texts else ""
        with own_process_kept():
            return FileLoader(path, sources, modules, {}, folder=folder).load()
    finally:
        for folder in list(sys.path_importer_cache):
            if folder.startswith(str(path.parent)):
                del sys.path_importer_cache[folder]


def load(
    path: Path, texts: Mapping[str, str | bytes], modules: Sequence[str] = LEAGUE
) -> ModuleType:
    """Return the module that is read from `texts`."""
    return read(path, texts, modules).module


def read_files(path: Path, modules: Sequence[str] = LEAGUE) -> LoadedFile:
    """Read a bot from the files of its folder."""
    folder = path.parent
    texts = {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and "site-packages" not in file.parts
    }
    return read(path, texts, modules)


def load_files(path: Path, modules: Sequence[str] = LEAGUE) -> ModuleType:
    """Return the module that is read from the files of its folder."""
    return read_files(path, modules).module

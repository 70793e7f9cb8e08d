"""Reads the files of mistakes in the process of the tests: what is told of them."""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from mistake import Mistake
from own_process import own_process_kept

from arena.worker.explain import LoadError, explain
from arena.worker.file_loader import FileLoader
from arena.worker.find_bots import describe_bots
from arena.worker.remedies.of_errors import advise
from arena.worker.remedies.raised import HandIn

MODULES = ("arena", "msgspec", "numpy")


def files_of(
    mistake: Mistake, folder: Path, *, remedied: bool = False
) -> dict[Path, bytes]:
    """Return the files of a hand-in, of which the bot's own is the first."""
    text = mistake.remedied if remedied else mistake.text
    beside = {**mistake.beside, **(mistake.remedied_beside if remedied else {})}
    named: Mapping[str, str | bytes] = {"mistake.py": text, **beside}
    return {
        folder / name: data.encode() if isinstance(data, str) else data
        for name, data in named.items()
    }


def told(files: Mapping[Path, bytes], game: str) -> tuple[str, str]:
    """Return what the author of these files is told, by which line of which file.

    Both are empty if there is a bot.
    """
    path, *_ = files
    sources = {str(file): data for file, data in files.items() if file.suffix == ".py"}
    try:
        with own_process_kept():
            loader = FileLoader(path, [*sources.items()], MODULES, {})
            loaded = loader.load()
            describe_bots((game,), loaded.module, loaded.bots, {}, sources)
    except (Exception, SystemExit) as error:
        advise(error, HandIn(str(path), sources, ""))
        message, place = str(error), getattr(error, "place", None)
        if not isinstance(error, LoadError):
            message, calls = explain(error, sources)
            place = calls[-1] if calls else None
        line = f"{Path(place.file).name}:{place.line}" if place else path.name
        return line, message
    finally:
        forget(files)
    return "", ""


def forget(files: Iterable[Path]) -> None:
    """Forget what has been imported from these files."""
    names = {str(file) for file in files}
    for name, module in [*sys.modules.items()]:
        if getattr(module, "__file__", None) in names:
            del sys.modules[name]

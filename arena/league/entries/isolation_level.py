"""The isolation of a league's bots: what they may see, and the level in force."""

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from arena.games import game_paths
from arena.league.entries.sources import imported_modules, is_package, local_files
from arena.referee.isolation import AUTO, Isolation, find_isolation
from arena.referee.sandbox import Sandbox
from arena.referee.sandbox.library import Library, find_library
from arena.registry import module_of

_SLOW_TO_LOAD = ("numpy",)


@asynccontextmanager
async def isolated(
    files: Sequence[Path],
    games: Iterable[str],
    library: Library | None = None,
    wanted: str = AUTO,
    required: str | None = None,
    programs: Sequence[Path] = (),
) -> AsyncIterator[tuple[Isolation, Sandbox]]:
    """Find the level for contestants of some bot files, and have a sandbox of it.

    `programs` are the files and folders that bots in other languages need.

    Raises:
        LeagueError: this machine can't give the level that is wanted or required,
            or contestants there can't load one of `games`.
    """
    paths = {name: path for name, path in game_paths().items() if name in set(games)}
    library = library or find_library((), tuple(paths.values()))
    imported: set[str] = set()
    folders = []
    for file in files:
        try:
            imported |= imported_modules(local_files(file))
        except OSError:
            continue  # It is said of the file itself when it is to be entered.
        if is_package(file):
            folders.append(str(file))
    folders += [str(p) for p in programs if not _is_in(p, library.read)]
    preload = [
        name for name in _SLOW_TO_LOAD if name in imported and name in library.modules
    ]
    guests = [path for name, path in library.guests if name in imported]
    preload += map(module_of, guests)
    async with find_isolation(
        wanted, required, library, folders, preload, paths
    ) as found:
        yield found


def _is_in(path: Path, places: Sequence[str]) -> bool:
    return any(path.is_relative_to(place) for place in places)

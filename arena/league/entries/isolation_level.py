"""The isolation of a league's bots: what they may see, and the level in force."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from arena.games import game_paths
from arena.league.entries.bot_file import BotFile
from arena.league.entries.sources import imported_modules, is_package, local_files
from arena.referee.isolation import AUTO, Isolation, find_isolation
from arena.referee.sandbox import Sandbox
from arena.referee.sandbox.library import Library, find_library
from arena.registry import module_of

_SLOW_TO_LOAD = ("numpy",)


@asynccontextmanager
async def isolated(
    files: Iterable[BotFile],
    games: Iterable[str],
    library: Library | None = None,
    wanted: str = AUTO,
    required: str | None = None,
) -> AsyncIterator[tuple[Isolation, Sandbox]]:
    """Find the level for contestants of some bot files, and have a sandbox of it.

    Raises:
        LeagueError: this machine can't give the level that is wanted or required,
            or contestants there can't load one of `games`.
    """
    paths = {name: path for name, path in game_paths().items() if name in set(games)}
    library = library or find_library((), tuple(paths.values()))
    imported: set[str] = set()
    folders: list[Path] = []
    for file in files:
        if file.command:
            needed = (file.path, Path(file.program))
            folders += [
                p for p in needed if not any(map(p.is_relative_to, library.read))
            ]
            continue
        try:
            imported |= imported_modules(local_files(file.path))
        except OSError:
            continue  # It is said of the file itself when it is to be entered.
        if is_package(file.path):
            folders.append(file.path)
    preload = [
        name for name in _SLOW_TO_LOAD if name in imported and name in library.modules
    ]
    guests = [path for name, path in library.guests if name in imported]
    preload += map(module_of, guests)
    async with find_isolation(
        wanted,
        required,
        library,
        list(dict.fromkeys(map(str, folders))),
        preload,
        paths,
    ) as found:
        yield found

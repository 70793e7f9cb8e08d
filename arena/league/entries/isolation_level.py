"""The isolation of a league's bots: what they may see, and the level in force."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from arena.games import game_paths
from arena.league.entries.bot_file import BotFile
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
    """Find the level for contestants of hand-ins that were read, and have a sandbox.

    Raises:
        LeagueError: this machine can't give the level that is wanted or required,
            or contestants there can't load one of `games`.
    """
    paths = {name: path for name, path in game_paths().items() if name in set(games)}
    library = library or find_library((), tuple(paths.values()))
    imported: set[str] = set()
    folders: list[str] = []
    for file in files:
        if file.hand_in is None:
            continue
        imported |= file.hand_in.modules
        needed = [file.hand_in.read_folder] if file.hand_in.folder else []
        if file.command:
            needed = [
                path
                for path in (*needed, file.program)
                if not any(map(Path(path).is_relative_to, library.read))
            ]
        folders += needed
    preload = [
        name for name in _SLOW_TO_LOAD if name in imported and name in library.modules
    ]
    guests = [path for name, path in library.guests if name in imported]
    preload += map(module_of, guests)
    async with find_isolation(
        wanted,
        required,
        library,
        list(dict.fromkeys(folders)),
        preload,
        paths,
    ) as found:
        yield found

"""What of a folder of hand-ins would play, asked as a league asks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.games import game_paths
from arena.league.config.league_file import LeagueConfig
from arena.league.config.settings import BotSettings
from arena.league.entries.bot_file import files_of
from arena.league.entries.enrolment import describe_all, taken_in
from arena.referee.work_unit import Limits

_PASSED_OVER = (
    "the name of its folder begins with _, so no league takes it; rename the folder"
)


@dataclass(frozen=True, slots=True)
class Playing:
    """What plays of a hand-in."""

    bots: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Classes, each with the games it plays."""
    problem: str = ""
    """Why nothing plays."""
    forfeits: bool = False
    """True if it takes part for all that, and forfeits all games."""
    notes: tuple[str, ...] = ()


async def what_plays(
    folders: Sequence[Path], where: str, config: LeagueConfig | None
) -> tuple[Mapping[Path, Playing], str]:
    """Return what plays of each hand-in, and a warning if isolation is weak.

    That is in a league, or without one in any game.

    Raises:
        LeagueError: the machine could not start a process.
        RecordError: hand-ins can't be kept for a moment.
    """
    if not folders:
        return {}, ""
    games = tuple(game_paths()) if config is None else config.game_names
    shared = () if config is None else config.shared
    library = None if config is None else config.library
    limits = Limits() if config is None else config.limits
    bots = [BotSettings(file=str(folder.resolve())) for folder in folders]
    files = files_of(bots, where, shared=shared)
    async with taken_in(files, games, where, shared, library) as (isolation, sandbox):
        await describe_all(files, games, limits, sandbox)
    found = {}
    for folder, file in zip(folders, files, strict=True):
        if folder.name.startswith("_"):
            found[folder] = Playing(problem=_PASSED_OVER)
            continue
        refused = next((x.refused for x in file.entries if x.refused), "")
        found[folder] = Playing(
            bots=() if refused else tuple((x.bot, x.games) for x in file.entries),
            problem=file.problem or refused,
            forfeits=bool(refused),
            notes=tuple(file.notes),
        )
    return found, isolation.warning()

"""All bots of one file, tried as a league would play them."""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from arena.check.trial import Trial, try_bot
from arena.check.trial_league import partners, trial_config
from arena.errors import ConfigError, LeagueError, starting_contestants
from arena.league.config.league_file import LeagueConfig, check_isolation
from arena.league.config.settings import BotSettings
from arena.league.entries.bot_file import BotFile, files_of
from arena.league.entries.enrolment import Enrolment, enrol
from arena.league.entries.entry import Entry
from arena.league.entries.isolation_level import isolated
from arena.league.entries.sources import local_files, outline
from arena.records.game_record import Termination
from arena.referee.ask_bot import ask_for_bots
from arena.referee.contestant.misconduct import Misconduct
from arena.referee.isolation import AUTO, Isolation
from arena.referee.sandbox import Sandbox
from arena.referee.work_unit import EntrySpec, Limits
from arena.text import counted, printable


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a file can't play."""

    misconduct: Misconduct
    classes: tuple[str, ...]
    """Bots that seem to be in the file: they would forfeit all their games."""


@dataclass(frozen=True, slots=True)
class FileCheck:
    """The trials of the bots in a file."""

    config: LeagueConfig
    isolation: Isolation
    entries: tuple[Entry, ...]
    """The bots of the file, and their partners."""
    trials: tuple[Trial, ...]
    notes: tuple[str, ...]
    """What the author should know of the file, a sentence each."""


async def check_file(
    file: Path,
    bot: str | None,
    where: str,
    league: LeagueConfig | None,
    games: int | None,
    seed: int,
) -> FileCheck | Refusal:
    """Try the bots of a file, or only the class `bot`, on the terms of a league.

    `where` names the file in errors; for `games` see `try_bot`.

    Raises:
        ConfigError: the file can't be tried, or there is no such class in it.
        LeagueError: the machine can't start a process.
    """
    if file.is_file() and file.suffix != ".py":
        raise ConfigError(
            where,
            "is no Python file; programs can't be tried here, name it in a league's "
            "file and run that",
        )
    config = trial_config(file.stem, seed, league)
    check_isolation(config)
    names = config.game_names
    name = printable(file.name, lines=False)
    with TemporaryDirectory() as copies:
        bots = (*_settings(file, bot, league), *partners(config.games, Path(copies)))
        files = files_of(bots, where)
        async with _sandbox(files, names, config) as (isolation, sandbox):
            refusal = await _read(file, names, config.limits, sandbox)
            if refusal is not None:
                return refusal
            found = await enrol(bots, names, config.limits, sandbox, where)
            mine = [entry for entry in found.entries if entry.path == file]
            others = [entry for entry in found.entries if entry.path != file]
            for rejected, problem in found.rejected:
                if rejected == name and not mine:
                    return Refusal(Misconduct(Termination.START_FAILURE, problem), ())
            notes = tuple(_notes(found, name, others))
            most = config.most_bots
            if bot is None and most is not None and len(mine) > most:
                notes = (
                    *notes,
                    f"{name}: has {counted(len(mine), 'bot')}, and in this league "
                    f"nobody may bring more than {most}: the others would be left out",
                )
            others = [entry for entry in others if not entry.refused]
            share = 1.0 / max(1, len(mine))
            trials = [
                await try_bot(entry, others, config, sandbox, games, share)
                for entry in mine
            ]
    return FileCheck(config, isolation, found.entries, tuple(trials), notes)


def _notes(found: Enrolment, name: str, partners: Sequence[Entry]) -> Iterator[str]:
    for _, problem in found.rejected:
        yield f"a partner can't be used: {problem}"
    for file, note in found.notes:
        if file == name:
            yield f"{file}: {note}"
    for partner in partners:
        if partner.refused:
            yield f"{partner.name} can't be used: {partner.refused}"


def _settings(
    file: Path, bot: str | None, league: LeagueConfig | None
) -> list[BotSettings]:
    """Return the settings of the bots of a file in a league, or those by default."""
    found = [
        replace(settings, bot=bot or settings.bot)
        for settings in (() if league is None else league.bots)
        if Path(settings.file) == file and (not bot or settings.bot in (None, bot))
    ]
    return found or [BotSettings(file=str(file), bot=bot)]


@asynccontextmanager
async def _sandbox(
    files: list[BotFile], games: tuple[str, ...], config: LeagueConfig
) -> AsyncIterator[tuple[Isolation, Sandbox]]:
    """Have the isolation level of a league, or the strongest that this machine has."""
    async with AsyncExitStack() as stack:
        try:
            found = await stack.enter_async_context(
                isolated(files, games, config.library, config.isolation)
            )
        except LeagueError:
            if config.isolation == AUTO:
                raise
            found = await stack.enter_async_context(
                isolated(files, games, config.library)
            )
        yield found


async def _read(
    file: Path, games: tuple[str, ...], limits: Limits, sandbox: Sandbox
) -> Refusal | None:
    """Have a file read as in a league; None if nothing is wrong with it."""
    try:
        files = tuple(map(str, local_files(file)))
        guess = tuple(outline(file, games))
    except OSError as error:
        raise ConfigError(str(file), f"can't be read ({error.strerror})") from None
    spec = EntrySpec(str(file), str(file), "", files=files)
    with starting_contestants():
        heard = await ask_for_bots(spec, games, limits, sandbox)
    return Refusal(heard, guess) if isinstance(heard, Misconduct) else None

"""All bots of one file, tried as a league would play them."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from arena.check.trial import Trial, try_bot
from arena.check.trial_league import partners, trial_config
from arena.errors import LeagueError
from arena.league.config.league_file import LeagueConfig, check_isolation
from arena.league.config.settings import BotSettings
from arena.league.entries.bot_file import BotFile, file_of, files_of
from arena.league.entries.enrolment import Enrolment, enrol, take_in
from arena.league.entries.entry import Entry
from arena.league.entries.hand_ins.depot import temporary_depot
from arena.league.entries.isolation_level import isolated
from arena.league.entries.programs import command_words
from arena.records.game_record import Termination
from arena.referee.contestant.json_lines import PROGRAM
from arena.referee.contestant.misconduct import Misconduct
from arena.referee.isolation import AUTO, Isolation
from arena.referee.sandbox import Sandbox
from arena.referee.work_unit import Limits
from arena.text import counted, printable


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a file can't play."""

    misconduct: Misconduct
    classes: tuple[str, ...]
    """Bots that would be entered all the same, and forfeit all their games."""


@dataclass(frozen=True, slots=True)
class FileCheck:
    """The trials of the bots in a file."""

    config: LeagueConfig
    isolation: Isolation
    entries: tuple[Entry, ...]
    """The bots of the file, and their partners."""
    trials: list[Trial]
    """Those that have begun."""
    notes: tuple[str, ...]
    """What the author should know of the file, a sentence each."""


async def check_file(
    named: BotSettings,
    where: str,
    league: LeagueConfig | None,
    games: int | None,
    seed: int,
    watch: Callable[[FileCheck], None],
) -> FileCheck | Refusal:
    """Try the bots of a hand-in on the terms of a league.

    `named` is what `where` names on the command line; for `games` see `try_bot`.
    `watch` is told how far it has come, after each game.

    Raises:
        ConfigError: it can't be tried, or there is no such class in it.
        LeagueError: the machine can't start a process.
    """
    file, bot = Path(named.file), named.bot
    config = trial_config(file.stem, seed, league)
    check_isolation(config)
    names = config.game_names
    name = printable(file.name, lines=False)
    with TemporaryDirectory() as copies, temporary_depot() as depot:
        files = [
            *_hand_ins(_settings(named, league), where),
            *files_of([*partners(config.games, Path(copies), file.stem)], where),
        ]
        await take_in(
            files, names, depot, where, shared=config.shared, form=config.form
        )
        async with _sandbox(files, names, config) as (isolation, sandbox):
            refusal = await _described(files[0], names, config.limits, sandbox)
            if refusal is not None:
                return refusal
            found = await enrol(files, names, config.limits, sandbox, where)
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
            check = FileCheck(config, isolation, found.entries, [], notes)
            for entry in mine:
                its = next(
                    x for x in files if (x.path, x.command) == (file, entry.command)
                )
                trial = Trial(entry, its.reading_s, its.is_read_for_each_game)
                check.trials.append(trial)
                tell = partial(watch, check)
                tell()
                await try_bot(trial, others, config, sandbox, games, share, tell)
    return check


def _notes(found: Enrolment, name: str, partners: Sequence[Entry]) -> Iterator[str]:
    for _, problem in found.rejected:
        yield f"a partner can't be used: {problem}"
    for file, note in found.notes:
        if file == name:
            yield f"{file}: {note}"
    for partner in partners:
        if partner.refused:
            yield f"{partner.name} can't be used: {partner.refused}"


def _settings(named: BotSettings, league: LeagueConfig | None) -> list[BotSettings]:
    """Return the settings of the bots of a hand-in in a league, or those by default."""
    found = [
        replace(settings, bot=named.bot or settings.bot)
        for settings in (() if league is None else league.bots)
        if Path(settings.file) == Path(named.file)
        and (not named.bot or settings.bot in (None, named.bot))
        and (not named.command or _words(settings) == _words(named))
    ]
    return found or [named]


def _words(settings: BotSettings) -> Sequence[str]:
    try:
        return command_words(settings.command or ())
    except ValueError:
        return ()


def _hand_ins(found: Sequence[BotSettings], where: str) -> list[BotFile]:
    """Return the hand-in that settings name, once for each command that starts it."""
    files: dict[str, BotFile] = {}
    for settings in found:
        file = file_of(settings, where)
        files.setdefault(file.key, file).settings.append((where, settings))
    return list(files.values())


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


async def _described(
    file: BotFile, games: tuple[str, ...], limits: Limits, sandbox: Sandbox
) -> Refusal | None:
    """Have a file described as in a league; None if nothing is wrong with it."""
    if file.hand_in is None:
        return Refusal(Misconduct(Termination.START_FAILURE, file.problem), ())
    heard = await file.ask(games, limits, sandbox)
    if isinstance(heard, Misconduct):
        # A program that does not start is entered all the same.
        classes = (PROGRAM,) if file.command else tuple(file.hand_in.outline)
        apart = file.misnamed() or file.apart()
        if apart:
            heard.message += f"; it {apart}"
        return Refusal(heard, classes)
    return None

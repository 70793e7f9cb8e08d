"""`arena check`"""

import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import click
from msgspec.structs import replace
from rich.console import Console

from arena.check.trial import Trial, try_bot
from arena.check.trial_league import partners, record_trials, trial_config
from arena.check.trial_text import CheckTerms, Refusal, refusal_text, trial_text
from arena.cli import EXIT_FAULTS
from arena.cli.views.events import print_note
from arena.errors import ConfigError, LeagueError, starting_contestants
from arena.league.config.league_file import LeagueConfig
from arena.league.config.settings import BotSettings
from arena.league.entries.enrolment import enrol
from arena.league.entries.entry import Entry, bot_paths
from arena.league.entries.isolation_level import isolated
from arena.league.entries.sources import find_bot_file, local_files, outline
from arena.league.play.interrupts import run_interruptible
from arena.league.results.thaw import open_league
from arena.plugins import load_plugins
from arena.records.game_record import Termination
from arena.referee.ask_bot import describe
from arena.referee.contestant.misconduct import Misconduct
from arena.referee.isolation import AUTO, Isolation
from arena.referee.sandbox import Sandbox
from arena.referee.work_unit import EntrySpec, Limits
from arena.text import printable

_WIDEST = 100
"""Columns that are good to read."""


@click.command()
@click.argument("bot")
@click.option(
    "--league",
    type=click.Path(path_type=Path),
    metavar="CONFIG",
    help="Take games, limits and isolation from this league's file.",
)
@click.option(
    "--results",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the games. [default: results/check/NAME]",
)
@click.option(
    "--games",
    type=click.IntRange(1, 10_000),
    help="Games with each partner, in each game, however long they take. "
    "[default: 20, fewer for a slow bot]",
)
@click.option("--seed", type=click.IntRange(0), default=0, help="[default: 0]")
def command(
    bot: str, league: Path | None, results: Path | None, games: int | None, seed: int
) -> int:
    """Try BOT as a league would, and say what would happen there.

    It plays each of its games against a random and a sensible partner, from every
    seat. BOT is a file, FILE:CLASS, or the name of a file in bots/. The exit code is 0
    if it would play without a fault, and 1 if it would forfeit.
    """
    load_plugins()
    file, cls = find_bot_file(bot)
    if file.is_file() and file.suffix != ".py":
        raise ConfigError(
            bot,
            "is no Python file; programs can't be tried here, name it in a league's "
            "file and run that",
        )
    check = _Check(
        bot, file, cls, None if league is None else open_league(league).config
    )
    folder = results or Path("results") / "check" / file.stem
    width = max(40, min(_WIDEST, shutil.get_terminal_size().columns))
    with Console(stderr=True).status(f"trying {file.name}"):
        refusal = run_interruptible(check.play, games, seed)
    if refusal is not None:
        name = printable(file.name, lines=False)
        click.echo(refusal_text(refusal, name, width))
        return EXIT_FAULTS
    level = check.isolation.level
    record_trials(folder, check.config, level, check.entries, check.trials)
    terms = CheckTerms(check.config, check.isolation, league, folder)
    for note in check.notes:
        print_note(note)
    click.echo("\n\n".join(trial_text(x, terms, width) for x in check.trials))
    return 0 if all(trial.is_clean for trial in check.trials) else EXIT_FAULTS


class _Check:
    """A bot file's trials: what is played, and what came of it."""

    def __init__(
        self, text: str, file: Path, bot: str | None, league: LeagueConfig | None
    ) -> None:
        self._text = text
        self._file = file
        self._league = league
        self._bots = _settings(file, bot, league)
        self.trials: list[Trial] = []
        self.entries: tuple[Entry, ...] = ()
        self.notes: list[str] = []
        """What should be known of the file, a sentence each."""

    async def play(self, games: int | None, seed: int) -> Refusal | None:
        """Try all bots of the file, or return why they can't be tried.

        Raises:
            ConfigError: what is asked for does not fit what is there.
            LeagueError: the machine could not start a process.
        """
        self.config = trial_config(self._file.stem, seed, self._league)
        names = tuple(dict.fromkeys(game.spec.name for game in self.config.games))
        bots = (*self._bots, *partners(self.config.games))
        paths = bot_paths(bots, self._text)
        async with _sandbox(paths, names, self.config) as (self.isolation, sandbox):
            refusal = await _read(self._file, names, self.config.limits, sandbox)
            if refusal is not None:
                return refusal
            found = await enrol(bots, names, self.config.limits, sandbox, self._text)
            mine = [entry for entry in found.entries if entry.path == self._file]
            others = [entry for entry in found.entries if entry.path != self._file]
            name = printable(self._file.name, lines=False)
            for file, problem in found.rejected:
                if file == name and not mine:
                    return Refusal(Misconduct(Termination.START_FAILURE, problem), ())
                self.notes.append(f"a partner can't be used: {problem}")
            self.entries = found.entries
            self.notes += [
                f"{file}: {note}"
                for file, note in found.notes
                # A file may be called as those of partners are.
                if file == name
                and not note.startswith(tuple(str(e.path) for e in others))
            ]
            self.notes += [
                f"{entry.name} can't be used: {entry.refused}"
                for entry in others
                if entry.refused
            ]
            others = [entry for entry in others if not entry.refused]
            for entry in mine:
                share = 1.0 / len(mine)
                self.trials.append(
                    await try_bot(entry, others, self.config, sandbox, games, share)
                )
        return None


def _settings(
    file: Path, bot: str | None, league: LeagueConfig | None
) -> list[BotSettings]:
    """Return how a league enters the bots of a file, or how it would."""
    found = [
        replace(settings, bot=bot or settings.bot)
        for settings in (() if league is None else league.bots)
        if Path(settings.file) == file and (not bot or settings.bot in (None, bot))
    ]
    return found or [BotSettings(file=str(file), bot=bot)]


@asynccontextmanager
async def _sandbox(
    files: list[Path], games: tuple[str, ...], config: LeagueConfig
) -> AsyncIterator[tuple[Isolation, Sandbox]]:
    """Have the level of a league, or the strongest if that can't be had here."""
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
    """Have a file read as it will be in a league; return what is wrong with it."""
    try:
        files = tuple(map(str, local_files(file)))
        guess = tuple(outline(file, games))
    except OSError as error:
        raise ConfigError(str(file), f"can't be read ({error.strerror})") from None
    spec = EntrySpec(str(file), str(file), "", files=files)
    with starting_contestants():
        heard = await describe(spec, games, limits, sandbox)
    return Refusal(heard, guess) if isinstance(heard, Misconduct) else None

"""`arena check`"""

import shutil
from pathlib import Path

import click
from rich.console import Console

from arena.check.file_check import Refusal, check_file
from arena.check.trial_league import record_trials
from arena.check.trial_text import CheckTerms, refusal_text, trial_text
from arena.cli import EXIT_FAULTS
from arena.cli.views.events import print_note
from arena.cli.views.terminal import echo
from arena.league.entries.sources import find_bot_file
from arena.league.play.interrupts import run_interruptible
from arena.league.results.thaw import open_league
from arena.plugins import load_plugins
from arena.text import printable

_MIN_WIDTH, _MAX_WIDTH = 40, 100
"""Columns."""


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
    seat. BOT is a file or folder, FILE:CLASS, the name of one in bots/, one of arena's
    own, random or sensible, or for a program in another language FILE=COMMAND:
    'bots/bot.js=node bot.js'. The exit code is 0 if it played without a fault, and 1 if
    it would forfeit.
    """
    load_plugins()
    named = find_bot_file(bot)
    file = Path(named.file)
    config = None if league is None else open_league(league).config
    folder = results or Path("results") / "check" / (file.stem.strip(".") or "_")
    width = max(_MIN_WIDTH, min(_MAX_WIDTH, shutil.get_terminal_size().columns))
    with Console(stderr=True).status(f"trying {file.name}"):
        check = run_interruptible(check_file, named, bot, config, games, seed)
    if isinstance(check, Refusal):
        name = printable(file.name, lines=False)
        echo(refusal_text(check, name, width))
        return EXIT_FAULTS
    level = check.isolation.level
    record_trials(folder, check.config, level, check.entries, check.trials)
    terms = CheckTerms(check.config, check.isolation, league, folder)
    for note in check.notes:
        print_note(note)
    echo("\n\n".join(trial_text(x, terms, width) for x in check.trials))
    return 0 if all(trial.is_clean for trial in check.trials) else EXIT_FAULTS

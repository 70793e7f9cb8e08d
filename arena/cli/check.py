"""`arena check`"""

import os
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from arena.check.file_check import FileCheck, Refusal, check_file
from arena.check.trial import MAX_GAMES
from arena.check.trial_league import record_trials
from arena.check.trial_text import (
    CheckTerms,
    interrupted_text,
    progress_text,
    refusal_text,
    trial_text,
)
from arena.cli import EXIT_FAULTS, EXIT_INTERRUPTED
from arena.cli.views.events import print_note
from arena.cli.views.terminal import echo, tell, terminal_width
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
    type=click.IntRange(1, MAX_GAMES),
    help="Games with each of the partners, in each game that BOT plays, from all seats "
    "together; however long they take. [default: 20, fewer for a slow bot]",
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
    width = max(_MIN_WIDTH, min(_MAX_WIDTH, terminal_width()))
    name = printable(file.name, lines=False)
    begun: list[FileCheck] = []
    is_interrupted = False
    with Console(stderr=True).status(Text(f"trying {name}")) as status:

        def watch(check: FileCheck) -> None:
            begun[:] = [check]
            status.update(Text(f"trying {name}: {progress_text(check.trials[-1])}"))

        try:
            check = run_interruptible(
                check_file, named, bot, config, games, seed, watch
            )
        except KeyboardInterrupt:
            if not begun:
                raise
            (check,) = begun
            is_interrupted = True
    if isinstance(check, Refusal):
        echo(refusal_text(check, name, width))
        return EXIT_FAULTS
    *trials, last = check.trials
    if is_interrupted:
        for label in last.labels:
            label.count(last.entry)
    else:
        trials.append(last)
    level = check.isolation.level
    record_trials(folder, check.config, level, check.entries, check.trials)
    if os.path.islink(bot):
        print_note(f"{bot} is a link, and a league takes none: hand in {file.name}")
    for note in check.notes:
        print_note(note)
    terms = CheckTerms(check.config, check.isolation, league, folder)
    echo("\n\n".join(trial_text(x, terms, width) for x in trials), nl=bool(trials))
    if is_interrupted:
        tell(interrupted_text(last, folder), err=True)
        return EXIT_INTERRUPTED
    return 0 if all(trial.is_clean for trial in trials) else EXIT_FAULTS

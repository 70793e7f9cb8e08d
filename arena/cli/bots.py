"""`arena bots`"""

import os
from collections.abc import Sequence
from pathlib import Path

import click

from arena.cli.views.events import print_note
from arena.cli.views.fitted_table import Heading, Kind, fitted_table
from arena.cli.views.terminal import echo, terminal_width
from arena.errors import ConfigError
from arena.games import game_paths
from arena.league.built_in.bots import built_in_bot
from arena.league.config.league_file import load_config
from arena.league.config.settings import BotSettings
from arena.league.entries.bot_file import files_of
from arena.league.entries.enrolment import Enrolment, enrol, taken_in
from arena.league.entries.other_files import why_not_found
from arena.league.entries.owners import Admission
from arena.league.entries.passed_over import passed_over
from arena.league.entries.patterns import is_pattern
from arena.league.play.interrupts import run_interruptible
from arena.plugins import load_plugins
from arena.referee.work_unit import Limits
from arena.text import behind

_HEADINGS = (
    Heading("bot", Kind.NAME),
    Heading("file", Kind.NAME),
    Heading("class", Kind.NAME),
    Heading("games", Kind.TEXT),
)


@click.command()
@click.argument("places", nargs=-1, metavar="[WHERE]", type=click.Path(path_type=Path))
def command(places: tuple[Path, ...]) -> None:
    """List the bots of WHERE: a folder, a bot file or a league's YAML file.

    It may be a pattern in quotes, such as 'hand_ins/*'. The words random and sensible
    stand for the bots that come with arena. [default: bots]
    """
    load_plugins()
    _list_bots(_one(places))


def _one(places: Sequence[Path]) -> Path:
    """Return what is to be listed.

    Raises:
        ConfigError: it is more than one.
    """
    if len(places) > 1:
        raise ConfigError(
            "WHERE",
            f"expected one; found {len(places)}. Put a pattern in quotes, so that the "
            "shell leaves it alone: arena bots 'hand_ins/*'",
        )
    return next(iter(places), Path("bots"))


def _list_bots(where: Path) -> None:
    games = tuple(game_paths())
    bots: tuple[BotSettings, ...] = (BotSettings(file=str(where.resolve())),)
    limits = Limits()
    library = admission = None
    shared: tuple[Path, ...] = ()
    known: tuple[Path, ...] = ()
    place = str(where)
    if not os.path.exists(where) and not is_pattern(where.resolve()):
        own = built_in_bot(str(where))
        if own is None:
            raise ConfigError(str(where), why_not_found(str(where)))
        bots = (BotSettings(file=str(own), name=str(where)),)
    if where.suffix in (".yaml", ".yml"):
        config = load_config(where)
        bots, limits, library = config.bots, config.limits, config.library
        shared, known = config.shared, config.known_files
        place = f"{where}: bots"
        games = config.game_names
        admission = Admission.of(config, b"")

    async def enrol_isolated() -> Enrolment:
        files = files_of(bots, place, shared=shared)
        read = taken_in(files, games, str(where), shared, library)
        async with read as (isolation, sandbox):
            print_note(isolation.warning())
            found = await enrol(files, games, limits, sandbox, place, admission)
            return found.noting(passed_over(bots, files, known))

    enrolment = run_interruptible(enrol_isolated)
    rows = [
        [e.called, e.file, e.bot, behind(e.file, e.refused) or ", ".join(e.games)]
        for e in sorted(enrolment.entries, key=lambda e: e.called.casefold())
    ]
    echo(fitted_table(_HEADINGS, rows, terminal_width()))
    for note in enrolment.told(refused=False):
        print_note(note)

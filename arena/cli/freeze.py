"""`arena freeze`"""

import shlex
from pathlib import Path

import click

from arena.cli.views.events import print_note
from arena.cli.views.terminal import tell
from arena.league.play.interrupts import signals_as_interrupts
from arena.league.results.freeze import freeze
from arena.plugins import load_plugins


@click.command()
@click.argument("config", type=click.Path(path_type=Path))
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    help="The folder to be written. [default: frozen/NAME]",
)
@click.option(
    "--results",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder that the league was played into, whose luck is kept too. "
    "[default: as with arena league]",
)
def command(config: Path, output: Path | None, results: Path | None) -> None:
    """Keep the league of the YAML file CONFIG as it is, to play it again.

    All that it takes goes into one folder: the bots with all that belongs to
    them, the league's file, and a manifest with the hash of every file; what
    only you should read, such as the keys of its luck, into a folder in it.
    `arena league` plays the folder and gives the same results.
    """
    for problem in load_plugins():
        print_note(problem)
    with signals_as_interrupts():
        kept = freeze(config, output, results)
    for note in kept.notes:
        print_note(note)
    tell(
        f"{kept.folder} keeps {kept.files} files; manifest.json has the hash of each, "
        f"and its own SHA-256 is {kept.digest}\nWrite this number down: whoever "
        "changes a file and the manifest can't keep it.\nTo play it again:\n"
        f"  {shlex.join(['arena', 'league', str(kept.folder)])}"
    )

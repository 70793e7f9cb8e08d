"""`arena report`"""

from pathlib import Path

import click

from arena.cli.views.events import print_note
from arena.cli.views.terminal import echo
from arena.errors import RecordError
from arena.league.play.interrupts import signals_as_interrupts
from arena.league.results.store import Store
from arena.plugins import load_plugins

_REAL, _ALIASES = "real", "aliases"


@click.command()
@click.argument("results", type=click.Path(path_type=Path))
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the pages. [default: RESULTS/report]",
)
@click.option(
    "--names",
    type=click.Choice([_REAL, _ALIASES]),
    help="What bots are called on the pages. [default: aliases if the league has "
    "pseudonyms, else real]",
)
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="A league file whose grading and pseudonyms count instead of those that the "
    "league was played with.",
)
def command(
    results: Path, output: Path | None, names: str | None, config: Path | None
) -> None:
    """Write the pages and the grades of the league in RESULTS.

    The pages are a folder that opens from any disk, without a network.  It is replaced
    as a whole.  Grades are written beside the games, if the league has grading, and so
    are the reports that plugins bring.
    """
    # Imported late: numpy and scipy take longer than a look at --help should.
    from arena.reports.publish import publish

    for problem in load_plugins():
        print_note(problem)
    with signals_as_interrupts(), Store.read(results) as store, store.snapshot():
        folder = output or results / "report"
        if output is None and folder.is_symlink():
            raise RecordError(
                f"{folder}: leads out of the results folder; remove the link, or name "
                "the place of the pages with --output"
            )
        with_aliases = None if names is None else names == _ALIASES
        for line in publish(store, results, folder, config, with_aliases=with_aliases):
            echo(line)

"""`arena export`"""

from pathlib import Path

import click

from arena.cli.views.terminal import echo
from arena.league.results.store import Store
from arena.reports.export import export_lines


@click.command()
@click.argument("results", type=click.Path(path_type=Path))
@click.option(
    "--moves", is_flag=True, help="With the chance outcomes and actions, in order."
)
def command(results: Path, moves: bool) -> None:
    """Print the games of the league in RESULTS, one JSON object a line.

    Each has all that its rating rests on: places, luck, and the league's terms.
    """
    with Store.read(results) as store, store.snapshot():
        for line in export_lines(store, moves=moves):
            echo(line)

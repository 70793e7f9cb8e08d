"""`arena report`"""

import os
from pathlib import Path

import click

from arena.league.store import Store


@click.command()
@click.argument("results", type=click.Path(path_type=Path))
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the pages. [default: RESULTS/report]",
)
def command(results: Path, output: Path | None) -> None:
    """Write the pages and grades of the league in RESULTS.

    The pages are a folder of their own, which opens from any disk without a network;
    it is replaced as a whole.
    """
    # Read when numpy is imported: last bits may depend on the number of threads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Imported late: numpy and scipy take longer than a look at --help should.
    from arena.reports.games import read_games
    from arena.reports.pages import write_pages
    from arena.reports.report import read_report

    folder = output or results / "report"
    with Store.read(results) as store:
        report = read_report(store)
        games = read_games(store, report)
        write_pages(report, games, store, folder, str(results))
    click.echo(f"pages of {len(report.rows)} bots; open {folder / 'index.html'}")

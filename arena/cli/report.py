"""`arena report`"""

import os
import tempfile
import webbrowser
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Thread

import click

from arena.cli.views.events import print_note
from arena.cli.views.terminal import tell
from arena.errors import RecordError
from arena.league.play.interrupts import signals_as_interrupts
from arena.league.results.store import Store
from arena.plugins import load_plugins
from arena.reports.local_server import LocalServer
from arena.worker.confinement import make_undumpable

_REAL, _ALIASES = "real", "aliases"
_LEADS_TO = (
    "<!DOCTYPE html><html lang='en'><meta charset='utf-8'><title>arena</title>"
    "<meta http-equiv='refresh' content='0; url={0}'><a href='{0}'>The pages</a></html>"
)


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
    help="A league file whose grading, pseudonyms and watch count instead of those "
    "that the league was played with.",
)
@click.option(
    "--private",
    is_flag=True,
    help="Write pages for yourself alone, into RESULTS/private/report: with real names "
    "and all games to watch.",
)
@click.option(
    "--open",
    "is_open",
    is_flag=True,
    help="Write nothing, and show the private pages in the browser until Ctrl-C. "
    "There every game can be watched, however many there are.",
)
def command(
    results: Path,
    output: Path | None,
    names: str | None,
    config: Path | None,
    private: bool,
    is_open: bool,
) -> None:
    """Write the pages and the grades of the league in RESULTS.

    The pages are a folder that opens from any disk, without a network.  It is replaced
    as a whole.  Grades are written beside the games, if the league has grading, and so
    are the reports that plugins bring.
    """
    # Imported late: numpy and scipy take longer than a look at --help should.
    from arena.reports.grading.private import private_folder
    from arena.reports.publish import publish

    _check_options(output, names, config, private, is_open)
    for problem in load_plugins():
        print_note(problem)
    if is_open:
        _show(results)
        return
    with signals_as_interrupts(), Store.read(results) as store, store.snapshot():
        home = private_folder(results) if private else results
        folder = output or home / "report"
        if output is None and folder.is_symlink():
            raise RecordError(
                f"{folder}: leads out of the results folder; remove the link, or name "
                "the place of the pages with --output"
            )
        with_aliases = None if names is None else names == _ALIASES
        for line in publish(
            store, results, folder, config, with_aliases=with_aliases, private=private
        ):
            tell(line)


def _check_options(
    output: Path | None,
    names: str | None,
    config: Path | None,
    private: bool,
    is_open: bool,
) -> None:
    """Check that no option says the contrary of another one.

    Raises:
        UsageError: one does.
    """
    if is_open and (output or names or config or private):
        raise click.UsageError(
            "--open shows the private pages and writes nothing: expected no other "
            "option with it"
        )
    if private and (output or names):
        raise click.UsageError(
            "--private decides where the pages are and what bots are called: expected "
            "neither --output nor --names with it"
        )


def _show(results: Path) -> None:
    """Show the private pages in the browser, until Ctrl-C."""
    from arena.reports.publish import replay_for_one, write_for_one

    with (
        signals_as_interrupts(),
        tempfile.TemporaryDirectory(prefix="arena-") as temporary,
    ):
        pages = Path(temporary, "pages")
        with Store.read(results) as store, store.snapshot():
            names = write_for_one(store, results, pages)
        # Bots of the same user could read the address in this process's memory.
        make_undumpable()
        pack = partial(replay_for_one, results, names)
        with (
            suppress(KeyboardInterrupt),
            LocalServer(pages, pack, print_note) as server,
        ):
            # Everybody on this machine can read what a browser is started with, so that
            # is a file that nobody else can read.
            way_in = Path(temporary, "open.html")
            way_in.write_text(_LEADS_TO.format(server.address))
            tell(
                f"{server.address}\nshows every game, to you alone; end it with Ctrl-C."
            )
            opens = partial(_open_browser, way_in.as_uri())
            Thread(target=opens, daemon=True).start()
            server.serve_forever()


def _open_browser(address: str) -> None:
    with suppress(webbrowser.Error):
        browser = webbrowser.get()
        # One that draws into this terminal would take it away, unless it was chosen.
        draws_here = type(browser) is webbrowser.GenericBrowser
        if "BROWSER" in os.environ or not draws_here:
            browser.open(address)

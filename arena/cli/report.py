"""`arena report`"""

from pathlib import Path

import click

from arena.cli.views.events import print_note
from arena.errors import ConfigError
from arena.games import GameSpecError, get_game
from arena.league.config.info import LeagueInfo
from arena.league.config.league_file import load_config
from arena.league.config.students import with_settings
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
    for problem in load_plugins():
        print_note(problem)
    with signals_as_interrupts(), Store.read(results) as store, store.snapshot():
        info, where = store.info(), str(results)
        _check_games(info, results)
        if config is not None:
            info, where = with_settings(info, load_config(config)), str(config)
        is_public = names == _ALIASES or (names is None and info.pseudonyms is not None)
        for line in _write(store, info, results, output, where, is_public=is_public):
            click.echo(line)


def _check_games(info: LeagueInfo, results: Path) -> None:
    """See that all games are there, as replays need their rules.

    Raises:
        ConfigError: one is not.
    """
    for label in info.labels:
        try:
            get_game(label.game, label.players, label.options)
        except GameSpecError as error:
            raise ConfigError(
                f"{results}: {label.label}",
                f"{error}; install the plugin that this league was played with",
            ) from None


def _write(
    store: Store,
    info: LeagueInfo,
    results: Path,
    output: Path | None,
    where: str,
    *,
    is_public: bool,
) -> list[str]:
    """Write everything; return what there is to say, a line each."""
    # Imported late: numpy and scipy take longer than a look at --help should.
    from arena.reports.games import read_games
    from arena.reports.grading.aliases import aliases_for
    from arena.reports.grading.gradebook import write_grades
    from arena.reports.pages import write_pages
    from arena.reports.plugin_reports import write_further
    from arena.reports.report import read_report

    lines = []
    report = None
    if info.grading is not None or not is_public:
        report = read_report(store)
        lines += write_grades(report, info, results, where)
    if is_public:
        report = read_report(store, aliases_for(info, results))
    assert report is not None
    called = Path("results", results.absolute().name) if is_public else results
    folder = output or results / "report"
    games = read_games(store, report)
    problems = write_pages(report, games, store, folder, str(called))
    lines += [f"note: {problem}" for problem in problems]
    who = "bots under aliases" if is_public else "bots"
    lines.append(
        f"pages of {len(report.rows)} {who}, {len(games.replays)} games to replay: "
        f"open {folder / 'index.html'}"
    )
    lines += write_further(report, games, results)
    return lines

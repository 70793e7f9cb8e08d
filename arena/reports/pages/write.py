"""All pages of a league."""

from pathlib import Path

from arena.league.config.settings import Watch
from arena.league.results.store import Store
from arena.reports.games import Games
from arena.reports.highlights import usual_losses
from arena.reports.loses_by import loses_by
from arena.reports.pages.bot_page import write_bot_page
from arena.reports.pages.crosstables import write_crosstables
from arena.reports.pages.faults_page import write_faults_page
from arena.reports.pages.game_list import write_game_list
from arena.reports.pages.leaderboards import write_how_page, write_leaderboards
from arena.reports.pages.replace import replacing
from arena.reports.pages.site import Site
from arena.reports.pages.times_page import axis_of, write_times_page
from arena.reports.playing_style import PlayingStyles, playing_styles
from arena.reports.replay.packs import write_on_demand, write_replays
from arena.reports.report import Report


def write_pages(
    report: Report,
    games: Games,
    store: Store,
    folder: Path,
    results: str,
    *,
    on_demand: bool = False,
) -> list[str]:
    """Write all pages into `folder`, in the place of an earlier report.

    `results` is what the results folder is called in commands.  With `on_demand` they
    hold no replay: a server makes each when it is wanted.  Readers see the old pages
    until the new ones are complete; the same league gives the same bytes.

    Returns a sentence about each drawing or style of a game that can't be used.

    Raises:
        RecordError: they can't be written, and the old ones are as they were; or the
            folder holds something else.
    """
    with replacing(folder) as new:
        site = Site(report, new, results)
        site.copy_static()
        write_leaderboards(site, games)
        write_how_page(site)
        write_crosstables(site)
        write_faults_page(site, games)
        axis = axis_of(report)
        write_times_page(site, axis)
        styles = PlayingStyles({}, ())
        if report.watch == Watch.ALL:
            styles = playing_styles(store, report, games)
        losses = loses_by(report, games)
        usual = usual_losses(games.refs, games.replays)
        for row in report.rows:
            own = styles.by_bot.get(row.bot, ())
            lost = usual.get(row.bot, ())
            write_bot_page(site, games, axis, row, own, losses[row.bot], lost)
        write_game_list(site, games)
        problems = [*styles.problems]
        problems += site.write_replay_page({x.label.game for x in report.boards})
        if on_demand:
            write_on_demand(new, results)
        else:
            problems += write_replays(
                store,
                report.names,
                games.replays,
                new,
                results=results,
                anonymous=report.is_anonymous,
                private=report.is_private,
            )
    return sorted({*problems})

"""All pages of a league."""

from pathlib import Path

from arena.league.results.store import Store
from arena.reports.games import Games, Highlight, Reason
from arena.reports.pages import bot_page as bots
from arena.reports.pages.charts import TimeAxis
from arena.reports.pages.crosstables import CROSSTABLE, heat_maps
from arena.reports.pages.faults_page import faults_by_bot, reasons, told
from arena.reports.pages.game_list import write_game_list
from arena.reports.pages.leaderboards import label_columns, label_tables, overall_tables
from arena.reports.pages.replace import replacing
from arena.reports.pages.site import Site
from arena.reports.pages.slugs import slug
from arena.reports.pages.times_page import (
    axis_of,
    bot_histograms,
    percent,
    seconds,
    times_tables,
)
from arena.reports.replay.packs import write_replays
from arena.reports.report import Report, ReportRow
from arena.reports.tables.legend import full_legend
from arena.reports.tables.notes import cycles, seats, warnings
from arena.text import computing_time

_MOST_HIGHLIGHTS = 8
"""Of a kind, on the first page."""
_KINDS = (
    (Reason.CLOSEST, "The closest"),
    (Reason.UPSET, "The biggest upsets"),
    (Reason.LONGEST, "The longest"),
    (Reason.FORFEIT, "Forfeits"),
)


def write_pages(
    report: Report, games: Games, store: Store, folder: Path, results: str
) -> list[str]:
    """Write all pages into `folder`, in the place of an earlier report.

    `results` is what the results folder is called in commands.  Readers see the old
    pages until the new ones are complete; the same league gives the same bytes.

    Returns a sentence about each drawing of a game that can't be used.

    Raises:
        RecordError: they can't be written, and the old ones are as they were; or the
            folder holds something else.
    """
    with replacing(folder) as new:
        site = Site(report, new, results)
        site.copy_static()
        _write_leaderboards(site, games)
        _write_crosstables(site)
        _write_faults(site, games)
        axis = axis_of(report)
        _write_times(site, axis)
        for row in report.rows:
            _write_bot(site, games, axis, row)
        write_game_list(site, games)
        problems = site.write_replay_page({x.label.game for x in report.boards})
        problems += write_replays(
            store,
            report.names,
            games.replays,
            new,
            results=results,
            anonymous=report.is_anonymous,
        )
    return sorted({*problems})


def _write_leaderboards(site: Site, games: Games) -> None:
    report = site.report
    site.write(
        "index.html",
        "index.html",
        "Leaderboard",
        boards=overall_tables(report),
        label_columns=label_columns(report),
        about=[board.label.description for board in report.boards],
        warnings=warnings(report),
        highlights=_highlights(games),
        forfeits=len(report.forfeits),
        seats=seats(report),
        cycles=cycles(report),
        legend=full_legend(report, "a rule", "The page of faults"),
    )
    if report.columns:
        sections = [
            {
                "anchor": f"game-{i}",
                "crosstable": f"crosstable-{i}.html",
                "title": board.label.label,
                "about": board.label.description,
                "house_rules": board.label.house_rules,
                "boards": label_tables(board),
            }
            for i, board in enumerate(report.boards, 1)
        ]
        site.write("labels.html", "labels.html", "By game", sections=sections)


def _highlights(games: Games) -> list[tuple[str, list[Highlight], bool]]:
    """Return highlights by kind: title, games, True if they are forfeits."""
    found = []
    for reason, title in _KINDS:
        own = [x for x in games.highlights if x.reason is reason]
        is_forfeit = reason is Reason.FORFEIT
        if is_forfeit:
            # One of each bot says more than many of one.
            firsts: dict[str | None, Highlight] = {}
            for highlight in own:
                firsts.setdefault(highlight.bot, highlight)
            own = list(firsts.values())
        if own:
            found.append((title, own[:_MOST_HIGHLIGHTS], is_forfeit))
    return found


def _write_crosstables(site: Site) -> None:
    maps = heat_maps(site.report)
    if not maps:
        site.write(CROSSTABLE, "crosstable.html", "Crosstable", map=None, maps=maps)
    for found in maps:
        title = f"Crosstable of {found.title}" if found is not maps[0] else "Crosstable"
        site.write(found.page, "crosstable.html", title, map=found, maps=maps)


def _write_faults(site: Site, games: Games) -> None:
    report = site.report
    site.write(
        "faults.html",
        "faults.html",
        "Faults",
        bots=faults_by_bot(report, site.replay_command),
        reasons=reasons(report),
        replays=games.replays,
    )


def _write_times(site: Site, axis: TimeAxis) -> None:
    report = site.report
    site.write(
        "times.html",
        "times.html",
        "Times",
        tables=times_tables(report, axis),
        pondered=any(row.pondered for row in report.times),
        axis=axis,
        bars=axis.count,
        limit=_limit(report),
        seconds=seconds,
        percent=percent,
    )


def _limit(report: Report) -> str:
    return computing_time(report.times[0].limit) if report.times else ""


def _write_bot(site: Site, games: Games, axis: TimeAxis, row: ReportRow) -> None:
    report = site.report
    found = games.by_bot.get(row.bot)
    fault = None if found is None else found.first_fault
    lines = bots.meetings(report, games, row.bot)
    site.write(
        f"bots/{slug(row.bot)}.html",
        "bot.html",
        row.bot,
        row=row,
        elo_range=bots.elo_range(row),
        refused=next((e.refused for e in report.refused if e.name == row.bot), ""),
        fault=fault,
        fault_text="" if fault is None else told(fault, site.replay_command),
        replays=games.replays,
        by_label=bots.elo_by_label(row),
        losses=bots.losses(row, found),
        highlights=bots.highlights_of(games, row.bot),
        meetings=lines,
        extremes=bots.extremes(report, lines),
        by_luck=bots.by_luck(report),
        histograms=bot_histograms(report, row.bot, axis),
        times=next((x for x in report.times if x.bot == row.bot and x.decisions), None),
        axis=axis,
        bars=axis.count,
        limit=_limit(report),
        seconds=seconds,
        percent=percent,
    )

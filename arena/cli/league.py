"""`arena league`"""

import shlex
import shutil
import sys
import time
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import click

from arena.cli import EXIT_FAULTS, EXIT_INTERRUPTED
from arena.cli.views.dry_run import load_warnings, plan_fields, show_plan
from arena.cli.views.events import Output
from arena.cli.views.live import LiveView, live_view
from arena.cli.views.progress import progress_view
from arena.cli.views.terminal import tell as tell_people
from arena.cli.views.terminal import terminal_width
from arena.errors import RecordError
from arena.league.config.league_file import LeagueConfig, check_level
from arena.league.entries.hand_ins.depot import HAND_INS, Depot
from arena.league.play.cluster.cluster_executor import check_cluster
from arena.league.play.interrupts import run_interruptible, signals_as_interrupts
from arena.league.play.league_luck import work_out_luck
from arena.league.play.recorder import Progress
from arena.league.play.run import (
    Draft,
    LeagueEnd,
    check_results_folder,
    draft_league,
    other_entries,
    play_league,
)
from arena.league.results.league_keys import ChosenKeys, choose_keys
from arena.league.results.secret import read_secret
from arena.league.results.store import Store
from arena.league.results.thaw import MANIFEST, open_league
from arena.plugins import load_plugins
from arena.referee.cores import count_cores
from arena.reports.grading.private import organiser_names, write_whose_bots
from arena.reports.live.process import LiveOrder
from arena.reports.tables.on_demand import EXTRA_COLUMNS, asked_columns

_CLUSTER_REFEREES = 16
"""On a cluster, unless --workers says otherwise; a guess that does for most."""


_LIVE_S = 5
"""Between two live pages, if nothing else is said."""
_MOST_LIVE_S = 3600


def _seconds(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> int | None:
    """Return the seconds of an option that may stand without them."""
    if value is None:
        return None
    if value.isascii() and value.isdecimal() and 1 <= int(value) <= _MOST_LIVE_S:
        return int(value)
    raise click.BadParameter(
        f"expected 1 to {_MOST_LIVE_S} seconds, found {value[:80]!r}; to leave them "
        "out, put --live behind CONFIG",
        ctx,
        param,
    )


@click.command()
@click.argument("config", type=click.Path(path_type=Path))
@click.option(
    "--workers",
    type=click.IntRange(1, 1024),
    help="Referees at a time; the results are the same for any number. "
    "[default: the cores of this machine; 16 with --executor]",
)
@click.option(
    "--results",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the results. [default: results/NAME; with a seed "
    "results/NAME-seed-N; for a frozen league results/FOLDER-frozen]",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**53),
    help="Play with public luck, all of which comes from this number: for "
    "demonstrations and tests. [default: the file's, else secret luck]",
)
@click.option(
    "--fresh",
    is_flag=True,
    help="Draw new luck and play all games again: the final run, once nobody can "
    "change a bot any more.",
)
@click.option(
    "--isolation",
    metavar="LEVEL",
    help="What keeps bots in, instead of what the file says: auto, namespaces, "
    "filters, limits or process. [default: the file's, else auto]",
)
@click.option(
    "--require-isolation",
    metavar="LEVEL",
    help="Play nothing at a weaker level than this.",
)
@click.option(
    "--executor",
    metavar="ADDRESS",
    help="Play on the Dask cluster whose scheduler is at dask://HOST:PORT. "
    "[default: on this machine]",
)
@click.option(
    "--columns",
    metavar="NAMES",
    default="",
    help=f"More columns in the table: all, or some of {', '.join(EXTRA_COLUMNS)}, with "
    "commas.",
)
@click.option(
    "--live",
    callback=_seconds,
    is_flag=False,
    flag_value=str(_LIVE_S),
    metavar="[SECONDS]",
    help="While it is played, write a page for a projector again and again, "
    f"RESULTS/live/index.html: every {_LIVE_S} seconds, or as many as are given.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be played; play nothing.")
@click.option(
    "--strict",
    is_flag=True,
    help="Exit with 1 if a bot has forfeited any game that counts, in this run or an "
    "earlier one.",
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Tell other programs on stdout what happens, one JSON object a line; all "
    "text for people goes to stderr.",
)
def command(
    config: Path,
    workers: int | None,
    results: Path | None,
    seed: int | None,
    fresh: bool,
    isolation: str | None,
    require_isolation: str | None,
    executor: str | None,
    columns: str,
    live: int | None,
    dry_run: bool,
    strict: bool,
    as_json: bool,
) -> int:
    """Run the league that the YAML file CONFIG describes, or a frozen one.

    The same command goes on after an interruption, and plays only what is
    missing when a bot, a rule or a limit has changed.

    Luck is secret unless there is a seed: it hangs on a private file beside the
    results folder, .secrets/FOLDER.json, of which you should keep a copy.
    """
    output = Output(as_json)
    asked = asked_columns(columns)
    with signals_as_interrupts():
        for problem in load_plugins():
            output.note(problem)
        found = open_league(config, seed)
        if found.frozen is not None:
            output.note(
                f"{found.frozen / MANIFEST} has the SHA-256 {found.digest}; compare it "
                "with the one that you wrote down when the league was frozen"
            )
        for change in found.notes:
            output.note(change)
        league = _with_isolation(found.config, isolation, require_isolation)
        if executor is not None:
            check_cluster(league, executor)
        folder = results or found.results
        check_results_folder(found, folder)
        here = executor is None or dry_run
        workers = workers or (count_cores() if here else _CLUSTER_REFEREES)
        if dry_run:
            show_plan(league, folder, workers, output, fresh=fresh, frozen=found.secret)
            output.event("done", exit=0, results=str(folder))
            return 0
        with Store.open(folder) as store:
            chosen = choose_keys(
                league, folder, store, fresh=fresh, frozen=found.secret
            )
            order = None if live is None else _live_order(league, store, folder, live)
            try:
                with live_view(order, output) as view:
                    return _play_and_report(
                        league,
                        chosen,
                        store,
                        folder,
                        workers,
                        executor,
                        output,
                        view,
                        columns=asked,
                        strict=strict,
                    )
            except KeyboardInterrupt:
                if not fresh or read_secret(folder) != chosen.secret:
                    raise
                _tell_interrupted("interrupted", output)
                return EXIT_INTERRUPTED


def _with_isolation(
    league: LeagueConfig, isolation: str | None, required: str | None
) -> LeagueConfig:
    check_level("--isolation", isolation, auto=True)
    check_level("--require-isolation", required)
    return replace(
        league,
        isolation=isolation or league.isolation,
        require_isolation=required or league.require_isolation,
    )


def _live_order(
    league: LeagueConfig, store: Store, folder: Path, seconds: int
) -> LiveOrder:
    return LiveOrder(
        results=str(folder),
        seconds=seconds,
        is_first=next(store.faults(), None) is None,
        has_pseudonyms=bool(league.pseudonyms),
        alias_text=league.alias_text,
    )


def _play_and_report(
    league: LeagueConfig,
    chosen: ChosenKeys,
    store: Store,
    folder: Path,
    workers: int,
    executor: str | None,
    output: Output,
    live: LiveView | None,
    *,
    columns: Collection[str],
    strict: bool,
) -> int:
    end, draft = _play(league, chosen, store, folder, workers, executor, output, live)
    if end.is_interrupted:
        done = end.progress
        up_to = "up to " if done.is_open else ""
        _tell_interrupted(
            f"interrupted: {done.recorded} of {up_to}{done.planned} games are done",
            output,
            results=str(folder),
            **_counts(done),
        )
        return EXIT_INTERRUPTED
    if live is not None:
        live.all_played()
    # This run may be kept already, if it is played again.
    known = {x.entry for run in store.runs.kept()[-2:] for x in run.standings}
    write_whose_bots(draft.enrolment.entries, folder, known)
    processes = workers if executor is None else count_cores()
    run_interruptible(work_out_luck, draft.config, store, processes, output.note)
    began = time.monotonic()
    code = show_results(
        store, folder, end.progress, output, columns=columns, strict=strict
    )
    if live is not None:
        live.finish(time.monotonic() - began)
    return code


def _play(
    league: LeagueConfig,
    chosen: ChosenKeys,
    store: Store,
    folder: Path,
    workers: int,
    executor: str | None,
    output: Output,
    live: LiveView | None,
) -> tuple[LeagueEnd, Draft]:
    async def play() -> tuple[LeagueEnd, Draft]:
        depot = Depot(folder / HAND_INS)
        draft = await draft_league(league, chosen.keys, depot)
        if chosen.is_revealed:
            missing = draft.remaining(store, workers).missing
            chosen.check_missing(folder, missing)
        depot.tidy(draft.hand_ins())
        load = load_warnings(workers) if executor is None else []
        changes = other_entries(draft, store)
        for note in (*chosen.notes, *draft.notes, *changes, *load):
            output.note(note)
        tell_people(f"isolation: {draft.isolation}", err=True)
        if output.as_json:
            output.event("plan", **plan_fields(draft, folder))
        chosen.keep(folder)
        with progress_view() as show:

            def tell(progress: Progress) -> None:
                show(progress)
                if live is not None:
                    live.go_on()
                output.event(
                    "progress",
                    planned=progress.planned,
                    open=progress.is_open,
                    recorded=progress.recorded,
                    played=progress.played,
                    forfeits=progress.forfeits,
                    stage=progress.stage,
                )

            end = await play_league(draft, store, workers, tell, output.note, executor)
        if not end.is_interrupted:
            for note in await draft.changes():
                output.note(note)
        if end.lost:
            times = "once" if end.lost == 1 else f"{end.lost} times"
            output.note(
                f"a referee was lost {times}; {end.void} games were void and have "
                "been played again"
            )
        return end, draft

    return run_interruptible(play)


def show_results(
    store: Store,
    folder: Path,
    done: Progress,
    output: Output,
    *,
    columns: Collection[str],
    strict: bool,
) -> int:
    """Write the files of a league that is over, print its table; return the exit code.

    Raises:
        RecordError: a file can't be written.
    """
    # Imported late: numpy and scipy take longer than a look at --help should.
    from arena.reports.files import write_files
    from arena.reports.forfeits import count_not_played
    from arena.reports.report import read_report
    from arena.reports.tables.notes import run_notes
    from arena.reports.tables.terminal import leaderboard_text, verdict_text

    report = read_report(store)
    write_files(report, folder)
    kept = report.run
    # What is written may be handed on; what is printed is for the organiser.
    if called := organiser_names(store.info(), folder):
        report = read_report(store, called=called)
    if kept is not None:
        try:
            store.runs.keep(kept)
        except RecordError as error:
            # It is no part of the results.
            output.note(f"the next run can't say what changed since this one: {error}")
    for note in run_notes(report):
        output.note(note)
    width = terminal_width(err=output.as_json)
    text = leaderboard_text(report, width, columns)
    output.show(text)
    output.say(f"to write its pages: arena report {shlex.quote(str(folder))}")
    word, left = "played", ""
    if unplayed := count_not_played(report.forfeits):
        word, left = "done", f", {unplayed:,} of them not played (quarantine)"
    output.say(
        f"{done.played:,} games {word}, {done.recorded - done.played:,} taken from "
        f"earlier runs{left}; results in {folder}"
    )
    lines = shutil.get_terminal_size().lines
    if sys.stdout.isatty() and text.count("\n") > lines:
        # It stands at the beginning, which is out of sight.
        output.show(f"\n{verdict_text(report, width)}")
    code = EXIT_FAULTS if strict and report.forfeits else 0
    output.event(
        "done",
        exit=code,
        results=str(folder),
        **_counts(done),
        forfeits=len(report.forfeits),
    )
    return code


def _counts(done: Progress) -> dict[str, int]:
    return {
        "planned": done.planned,
        "recorded": done.recorded,
        "played": done.played,
    }


def _tell_interrupted(what: str, output: Output, **facts: object) -> None:
    """Print the command that goes on with a run whose luck is kept."""
    # To draw again would lose what was played.
    words = [word for word in sys.argv[1:] if word != "--fresh"]
    message = f"{what}; to go on:\n  {shlex.join(['arena', *words])}"
    tell_people(f"\n{message}", err=True)
    output.event("interrupted", exit=EXIT_INTERRUPTED, message=message, **facts)

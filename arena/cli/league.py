"""`arena league`"""

import os
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

import click
from tabulate import tabulate

from arena.cli import EXIT_FAULTS, EXIT_INTERRUPTED
from arena.cli._progress import duration, progress_view
from arena.cli._run import run
from arena.errors import ConfigError
from arena.league.cluster import OPTION, dask_address
from arena.league.config import LeagueConfig, load_config
from arena.league.estimate import estimate
from arena.league.executors import cores
from arena.league.isolate import check_level
from arena.league.luck import work_out_luck
from arena.league.run import (
    Draft,
    Outcome,
    default_folder,
    draft_league,
    play_league,
)
from arena.league.settings import Placing
from arena.league.store import FILE_NAME, Store
from arena.plugins import load_plugins
from arena.referee.batch import Batch
from arena.referee.sandbox import open_sandbox

if TYPE_CHECKING:
    from arena.reports.report import Report

_REFEREES = 16
"""Of a cluster: a guess that does for most."""


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
    help="Folder for the results. [default: results/NAME]",
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
@click.option("--dry-run", is_flag=True, help="Say what would be played; play nothing.")
@click.option("--strict", is_flag=True, help="Exit with 1 if a bot has forfeited.")
def command(
    config: Path,
    workers: int | None,
    results: Path | None,
    isolation: str | None,
    require_isolation: str | None,
    executor: str | None,
    dry_run: bool,
    strict: bool,
) -> int:
    """Run the league that the YAML file CONFIG describes.

    The same command goes on after an interruption, and plays only what is
    missing when a bot, a rule or a limit has changed.
    """
    # Read when numpy is imported.  Several threads share out sums by their number, so
    # last bits would differ between machines; on a busy one they wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for problem in load_plugins():
        click.echo(f"note: {problem}", err=True)
    league = _with_isolation(load_config(config), isolation, require_isolation)
    if executor is not None:
        _refuse_programs(league)
        dask_address(executor)
    folder = results or default_folder(league)
    here = executor is None or dry_run
    workers = workers or (cores() if here else _REFEREES)
    if dry_run:
        _show_plan(league, folder, workers)
        return 0
    with Store.open(folder) as store:
        outcome, draft = _play(league, store, workers, executor)
        if outcome.is_interrupted:
            _say_how_to_go_on(outcome)
            return EXIT_INTERRUPTED
        processes = workers if executor is None else cores()
        run(work_out_luck, draft.config, store, processes, _tell)
        return _report(draft, store, folder, outcome, strict)


def _refuse_programs(league: LeagueConfig) -> None:
    """Let none go to other machines, which may not have what starts them.

    Raises:
        ConfigError: there is one.
    """
    for i, bot in enumerate(league.bots):
        if bot.command is not None:
            raise ConfigError(
                OPTION,
                f"programs play on this machine only, and bots[{i}] of {league.path} "
                "is one; leave this option out",
            )


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


def _load_warnings(workers: int) -> list[str]:
    """Return what slows the league down, a sentence each; no result depends on it."""
    warnings = []
    if workers > cores():
        warnings.append(
            f"{workers} workers on {cores()} cores: more bots may compute at a time "
            "than there are cores"
        )
    busy = os.getloadavg()[0]
    if busy > cores():
        warnings.append(
            f"the machine is busy (load {busy:.1f} on {cores()} cores): the league "
            "will take longer, and bots that sleep have less time"
        )
    return warnings


def _tell(what: str) -> None:
    click.echo(f"note: {what}", err=True)


def _play(
    league: LeagueConfig, store: Store, workers: int, executor: str | None
) -> tuple[Outcome, Draft]:
    async def play() -> tuple[Outcome, Draft]:
        draft = await draft_league(league)
        load = _load_warnings(workers) if executor is None else []
        for note in (*draft.notes, *load):
            _tell(note)
        click.echo(f"isolation: {draft.isolation}", err=True)
        with progress_view() as show:
            outcome = await play_league(draft, store, workers, show, _tell, executor)
        if outcome.lost:
            times = "once" if outcome.lost == 1 else f"{outcome.lost} times"
            _tell(
                f"a referee was lost {times}; {outcome.void} games were void and have "
                "been played again"
            )
        return outcome, draft

    return run(play)


def _report(
    draft: Draft, store: Store, folder: Path, outcome: Outcome, strict: bool
) -> int:
    # Imported late: numpy and scipy take longer than a look at --help should.
    from arena.reports.wording import run_notes

    report, text = _write_report(store, folder)
    for note in run_notes(report):
        click.echo(f"note: {note}", err=True)
    click.echo(text)
    kept = outcome.recorded - outcome.played
    click.echo(
        f"{outcome.played} games played, {kept} taken from earlier runs; "
        f"results in {folder}"
    )
    return EXIT_FAULTS if strict and report.forfeits else 0


def _write_report(store: Store, folder: Path) -> tuple["Report", str]:
    """Write the files beside the games; return the report, and its table as text."""
    # Imported late: numpy and scipy take longer than a look at --help should.
    from arena.reports.files import write_files
    from arena.reports.report import read_report
    from arena.reports.terminal import leaderboard_text

    report = read_report(store)
    write_files(report, folder)
    return report, leaderboard_text(report, shutil.get_terminal_size().columns)


def _say_how_to_go_on(outcome: Outcome) -> None:
    command_line = shlex.join(["arena", *sys.argv[1:]])
    up_to = "up to " if outcome.is_open else ""
    click.echo(
        f"\ninterrupted: {outcome.recorded} of {up_to}{outcome.planned} games are "
        f"recorded; to go on:\n  {command_line}",
        err=True,
    )


def _show_plan(league: LeagueConfig, folder: Path, workers: int) -> None:
    async def draft_and_estimate() -> tuple[Draft, int, int, float]:
        draft = await draft_league(league)
        if (folder / FILE_NAME).is_file():
            with Store.read(folder) as store:
                queue = draft.outlook(store, workers)
        else:
            queue = draft.outlook(None, workers)
        missing = queue.missing
        seconds = time.monotonic() - begun
        if missing:
            with open_sandbox(draft.isolation.spec) as sandbox:
                found = await estimate(league, draft.plan, queue, workers, sandbox)
            seconds += found.seconds + _time_report(draft, found.batches)
        return draft, queue.planned - missing, missing, seconds

    # A league has as much to read and to import.
    begun = time.monotonic() - time.process_time()
    draft, played, missing, seconds = run(draft_and_estimate)
    for note in (*draft.notes, *_load_warnings(workers)):
        click.echo(f"note: {note}", err=True)
    entries = draft.enrolment.entries
    games = draft.plan.games_by_label()
    matches = draft.plan.matches_by_label()
    meetings = draft.plan.meetings_by_label()
    rows = []
    for game in league.games:
        label = game.label
        playing = sum(game.spec.name in entry.games for entry in entries)
        low, high = meetings.get(label, (0, 0))
        meet = f"{low}" if low == high else f"{low}-{high}"
        count = games.get(label, 0)
        seats = game.spec.players
        rows.append([label, playing, seats, meet, matches.get(label, 0), count])
    headers = ["game", "bots", "seats", "two bots meet", "matches", "games"]
    align = ("left", *["right"] * (len(headers) - 1))
    click.echo(tabulate(rows, headers, colalign=align))
    _show_power(draft)
    total = sum(games.values())
    up_to = "up to " if draft.scheduler.is_adaptive else ""
    click.echo(f"\n{up_to}{total} games, of which {played} are recorded in {folder}")
    if missing:
        click.echo(f"about {duration(seconds)} with {workers} workers on this machine")


def _time_report(draft: Draft, batches: Sequence[Batch]) -> float:
    """Return how long it takes to report these games, which are not recorded."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Store.open(folder) as store:
            store.begin(draft.info(), [x for batch in batches for x in batch.game_ids])
            store.add(batches)
            _write_report(store, folder)
    return time.monotonic() - begun


def _show_power(draft: Draft) -> None:
    """Say what the plan can tell apart, whatever is recorded already."""
    # Imported late: numpy and scipy take longer than a look at --help should.
    from arena.ratings.power import (
        DIFFERENCE,
        Power,
        Precision,
        label_precision,
        overall_precision,
        power,
    )
    from arena.ratings.strengths import MAX_LOOKS

    def cells(found: Power) -> tuple[str, str]:
        if found.smallest == inf:
            return "-", "-"
        percent = 100.0 * found.probability
        shown = (
            "< 1" if percent < 1.0 else "> 99" if percent > 99.0 else f"{percent:.0f}"
        )
        return f"{shown} %", f"{found.smallest:.0f} Elo"

    rows = []
    parts = []
    everybody: set[str] = set()
    is_adaptive = draft.scheduler.is_adaptive
    for game in draft.config.games:
        matches = [match for match in draft.plan.matches if match.label == game.label]
        if not matches:
            rows.append((game.label, "-", "-"))
            parts.append((game.weight, Precision(0.0)))
            continue
        playing = {entry.id for match in matches for entry in match.entries}
        everybody |= playing
        k, seats = len(playing), game.spec.players
        games = sum(map(len, matches))
        found = label_precision(
            k,
            seats,
            games * (seats - 1) / (k * (k - 1)),
            winner_only=game.placing is Placing.WINNER,
        )
        looks = MAX_LOOKS + 1 if is_adaptive and seats == 2 else 1
        rows.append((game.label, *cells(power(k, found, looks=looks))))
        parts.append((game.weight, found))
    if not everybody:
        return
    if len(rows) > 1:
        looks = MAX_LOOKS + 1 if is_adaptive else 1
        overall = power(len(everybody), overall_precision(parts), looks=looks)
        rows.append(("overall", *cells(overall)))
    headers = ["game", f"{DIFFERENCE:.0f} Elo apart", "80 % from"]
    table = tabulate(rows, headers, colalign=("left", "right", "right"))
    click.echo(
        f"\n{table}\n\nWith this plan, two bots {DIFFERENCE:.0f} Elo apart are told "
        "apart with the probability shown,\nand with 80 % from the difference shown; "
        "for independent games of even bots."
    )
    if is_adaptive:
        click.echo(
            "As if all games were shared out evenly: pairs still undecided get more."
        )

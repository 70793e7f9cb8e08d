"""The dry run: what a league would play, for how long, and how well it tells apart."""

import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import Any

from arena.cli.views.events import VERSION, Output
from arena.cli.views.fitted_table import Heading, Kind, fitted_table
from arena.cli.views.terminal import terminal_width
from arena.league.config.league_file import LeagueConfig
from arena.league.entries.hand_ins.depot import temporary_depot
from arena.league.play.estimate import estimate
from arena.league.play.interrupts import run_interruptible
from arena.league.play.run import Draft, draft_league
from arena.league.results.league_keys import choose_keys
from arena.league.results.secret import Secret
from arena.league.results.store import FILE_NAME, Store
from arena.records.batch import Batch
from arena.referee.cores import count_cores
from arena.referee.sandbox import open_sandbox
from arena.text import counted, waiting_time

_PLAN_HEADINGS = (
    Heading("game", Kind.NAME),
    Heading("bots"),
    Heading("seats"),
    Heading("two bots meet"),
    Heading("matches"),
    Heading("games"),
)


def load_warnings(workers: int) -> list[str]:
    """Return warnings of what slows the league down, but changes no result."""
    warnings = []
    cores, load = count_cores(), os.getloadavg()[0]
    if workers > cores:
        warnings.append(
            f"{workers} workers on {cores} cores: more bots may compute at a time "
            "than there are cores"
        )
    if load > cores:
        warnings.append(
            f"the machine is busy (load {load:.1f} on {cores} cores): the league "
            "will take longer"
        )
    return warnings


def plan_fields(draft: Draft, folder: Path) -> dict[str, Any]:
    """Return the fields of the event `plan` (`configs/README.md`)."""
    config, plan = draft.config, draft.plan
    games = plan.games_by_label()
    matches = plan.matches_by_label()
    meetings = plan.meetings_by_label()
    entries = draft.enrolment.entries
    names = {entry.id: entry.name for entry in entries}
    return {
        "version": VERSION,
        "league": config.name,
        "results": str(folder),
        "isolation": draft.isolation.level,
        "schedule": config.schedule,
        "planned": len(plan),
        "open": draft.schedule.depends_on_results,
        "bots": len(names),
        "references": [names[id_] for id_ in draft.schedule.references],
        "divisions": draft.schedule.division_sizes,
        "labels": [
            {
                "label": game.label,
                "bots": sum(game.spec.name in entry.games for entry in entries),
                "players": game.spec.players,
                "meetings": meetings.get(game.label, (0, 0)),
                "matches": matches.get(game.label, 0),
                "games": games.get(game.label, 0),
            }
            for game in config.games
        ],
    }


def show_plan(
    league: LeagueConfig,
    folder: Path,
    workers: int,
    output: Output,
    *,
    fresh: bool = False,
    frozen: Secret | None = None,
) -> None:
    """Show the games that a league would play into a folder; record nothing.

    With `fresh` it would play with new luck, and with the keys of a `frozen` league if
    it is one.
    """

    async def draft_and_estimate() -> tuple[Draft, int, int, float]:
        with _store(folder) as store:
            chosen = choose_keys(league, folder, store, fresh=fresh, frozen=frozen)
            if chosen.secret is None:
                for note in chosen.notes:
                    output.note(note)
            draft = await draft_league(league, chosen.keys, depot)
            queue = draft.remaining(store, workers)
        missing = queue.missing
        chosen.check_missing(folder, missing)
        seconds = time.monotonic() - begun
        if missing:
            with open_sandbox(draft.isolation.spec) as sandbox:
                to_play, batches = await estimate(
                    league, draft.plan, queue, workers, sandbox
                )
            seconds += to_play + _time_report(draft, batches)
        return draft, queue.planned - missing, missing, seconds

    # The league itself reads and imports as much as this process has so far.
    begun = time.monotonic() - time.process_time()
    with temporary_depot() as depot:
        draft, played, missing, seconds = run_interruptible(draft_and_estimate)
    for note in (*draft.notes, *load_warnings(workers)):
        output.note(note)
    told = plan_fields(draft, folder)
    seconds = seconds if missing else 0.0
    output.event("plan", **told, recorded=played, seconds=round(seconds, 1))
    rows = []
    for label in told["labels"]:
        low, high = label["meetings"]
        meet = f"{low}" if low == high else f"{low}-{high}"
        rows.append([*(label | {"meetings": meet}).values()])
    width = terminal_width(err=output.as_json)
    output.show(fitted_table(_PLAN_HEADINGS, rows, width))
    names = {entry.id: entry.name for entry in draft.enrolment.entries}
    if lines := draft.schedule.overview(names):
        output.say("\n" + "\n".join(lines))
    _show_power(draft, output)
    up_to = "up to " if told["open"] else ""
    output.say(
        f"\n{up_to}{len(draft.plan)} games, of which {played} are recorded in {folder}"
    )
    if missing:
        time_left, who = waiting_time(seconds), counted(workers, "worker")
        output.say(f"about {time_left} with {who} on this machine")


@contextmanager
def _store(folder: Path) -> Iterator[Store | None]:
    """Read the store of a results folder, if there is one."""
    if (folder / FILE_NAME).is_file():
        with Store.read(folder) as store:
            yield store
    else:
        yield None


def _time_report(draft: Draft, batches: Sequence[Batch]) -> float:
    """Report these games into a folder that is thrown away; return the seconds."""
    begun = time.monotonic()
    # Imported late: numpy and scipy take longer than a look at --help should.
    from arena.reports.files import write_files
    from arena.reports.report import read_report

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Store.open(folder) as store:
            store.begin(draft.info(), [x for batch in batches for x in batch.game_ids])
            store.add(batches)
            write_files(read_report(store), folder)
    return time.monotonic() - begun


def _show_power(draft: Draft, output: Output) -> None:
    """Print how well the plan tells bots apart, whatever is recorded already."""
    # Imported late: numpy and scipy take longer than a look at --help should.
    from arena.league.schedule.plan_power import plan_power
    from arena.ratings.power import DIFFERENCE_ELO, Power

    def cells(found: Power) -> tuple[str, str]:
        if found.smallest == inf:
            return "-", "-"
        percent = 100.0 * found.probability
        shown = (
            "< 1" if percent < 1.0 else "> 99" if percent > 99.0 else f"{percent:.0f}"
        )
        return f"{shown} %", f"{found.smallest:.0f} Elo"

    if not draft.plan.matches:
        return
    powers, overall = plan_power(draft.config, draft.schedule, draft.plan)
    rows = [(label, *cells(found)) for label, found in powers.items()]
    if overall is not None:
        rows.append(("overall", *cells(overall)))
    headings = (
        Heading("game", Kind.NAME),
        Heading(f"{DIFFERENCE_ELO:.0f} Elo apart"),
        Heading("80 % from"),
    )
    width = terminal_width(err=output.as_json)
    output.show(f"\n{fitted_table(headings, rows, width)}\n")
    output.say(
        f"With this plan, two bots {DIFFERENCE_ELO:.0f} Elo apart are told apart with "
        "the probability shown, and with 80 % from the difference shown; for "
        "independent games of even bots."
    )
    if draft.schedule.power_note:
        output.say(draft.schedule.power_note)

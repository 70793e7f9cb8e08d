"""What comes before and after play: starting, planning, luck, ratings, reports.

Part of `speed.py`.
"""

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median

from metering import Spent, arena
from playing import League, Options
from timing import Row, milliseconds, per, shown, take_turns

STARTS = 7
"""So many times more often than a league is a start measured."""
ENTRIES = 8
AGAIN = "again, with nothing to play"
UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0}


def measure_startup(options: Options) -> dict[str, list[Row]]:
    """Start programs, and run all of a league but its play."""
    return {
        "start": _starts(options.rounds * STARTS),
        **_league(options),
    }


def _starts(runs: int) -> list[Row]:
    python = [sys.executable, "-c"]
    ways = {
        "python -c pass": [*python, "pass"],
        "python -c 'import arena'": [*python, "import arena"],
        "python -c 'from arena import Bot'": [*python, "from arena import Bot"],
        "arena --help": [*arena(), "--help"],
        "arena games": [*arena(), "games"],
    }
    found = take_turns({name: partial(_start, x) for name, x in ways.items()}, runs)
    nothing = median(found["python -c pass"])
    return [
        {
            "start": name,
            **milliseconds(seconds),
            "more than pass, ms": shown(1000.0 * (median(seconds) - nothing)),
        }
        for name, seconds in found.items()
    ]


def _start(words: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - started


def _league(options: Options) -> dict[str, list[Row]]:
    workers = max(options.workers)
    more = ["--workers", str(workers)]
    with tempfile.TemporaryDirectory() as folder:
        pair = League(Path(folder, "pair"), "zombie_dice")
        pairs = ENTRIES * (ENTRIES - 1) // 2
        fixtures = max(1, pair.fixtures_for(options.seconds) // pairs)
        league = League(Path(folder, "league"), "zombie_dice", ENTRIES)
        command = [*league.write(fixtures), *more]
        dry_run = [*command, "--dry-run", "--results", "nowhere"]
        plans = [league.run(dry_run) for _ in range(options.rounds)]
        played = league.run(command)
        games, _ = league.recorded()
        steps: dict[str, list[Spent]] = {
            f"dry run of {games} games": plans,
            f"league of {games} games": [played],
        }
        steps[AGAIN] = [league.run(command) for _ in range(options.rounds)]
        lucky = [*league.write(fixtures, luck_adjustment=True), *more]
        steps["again, with luck to be worked out"] = [league.run(lucky)]
        steps["again, with luck known"] = [
            league.run(lucky) for _ in range(options.rounds)
        ]
        results = league.course.folder / "results"
        # Processes that are new have nothing imported yet.
        reports = []
        for _ in range(options.rounds):
            with get_context("spawn").Pool(1) as processes:
                reports.append(processes.apply(_report, (results,)))
    said = median(_estimate(plan.said) for plan in plans)
    rows = [
        {
            "step": name,
            "runs": len(each),
            "s": shown(median(x.wall for x in each)),
            "CPU-s": shown(median(x.cpu for x in each)),
            "MB": shown(max(x.peak for x in each) / 1e6),
        }
        for name, each in steps.items()
    ]
    play = played.wall - median(x.wall for x in steps[AGAIN])
    estimate = {
        "said, s": shown(said),
        "play, s": shown(play),
        "said / play": shown(per(said, play)),
        "whole command, s": shown(played.wall),
        "said / whole": shown(per(said, played.wall)),
    }
    parts = [
        {
            "part of the report": part,
            "runs": len(reports),
            "CPU ms": shown(1000.0 * median(report[part] for report in reports)),
        }
        for part in reports[0]
    ]
    return {"league": rows, "estimate of the dry run": [estimate], "report": parts}


def _estimate(text: str) -> float:
    """Return the seconds that a dry run has announced; not a number if none."""
    found = re.search(r"^about ([\d.]+) (s|min|h) with", text, re.MULTILINE)
    return float(found[1]) * UNITS[found[2]] if found else float("nan")


def _report(results: Path) -> dict[str, float]:
    """Return the CPU seconds of each part of a report."""
    spent: dict[str, float] = {}

    def timed(name: str, step: Callable[[], object]) -> object:
        before = time.process_time()
        found = step()
        spent[name] = time.process_time() - before
        return found

    timed("imports", _import_reports)
    from arena.league.results.store import Store
    from arena.reports.files import write_files
    from arena.reports.report import Report, read_report
    from arena.reports.tables.terminal import leaderboard_text

    with Store.read(results) as store:
        report = timed("records read and rated", lambda: read_report(store))
    assert isinstance(report, Report)
    with tempfile.TemporaryDirectory() as folder:
        timed("files written", lambda: write_files(report, Path(folder)))
    timed("leaderboard as text", lambda: leaderboard_text(report, 100))
    return spent


def _import_reports() -> None:
    import arena.reports.files
    import arena.reports.report
    import arena.reports.tables.terminal  # noqa: F401

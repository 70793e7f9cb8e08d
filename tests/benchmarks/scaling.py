"""How time and memory grow with games, entries and workers.

Part of `speed.py`.
"""

import tempfile
from functools import partial
from math import log
from pathlib import Path

from playing import League, Options, Run, shares
from timing import (
    Row,
    Share,
    cpu_per_game,
    games_per_second,
    per,
    ratio,
    shown,
    take_turns,
)

GAME = "zombie_dice"
LEAST_GAMES = 1000
LINEAR_FROM = 10_000
"""Below, what every league has to do is too large a part."""
ENTRIES = (10, 30, 100, 300)
MANY_WORKERS = 4


def measure_scaling(options: Options) -> dict[str, list[Row]]:
    """Play ever larger leagues, and one league with ever more referees."""
    with tempfile.TemporaryDirectory() as folder:
        sizes, slopes = _by_games(Path(folder, "games"), options)
        return {
            "games, two bots": sizes,
            "slopes: 1 if ten times the games take ten times as long": slopes,
            "entries, two games a pair": _by_entries(Path(folder), options),
            "workers": _by_workers(Path(folder, "workers"), options),
        }


def _by_games(folder: Path, options: Options) -> tuple[list[Row], list[Row]]:
    league = League(folder, GAME)
    workers = max(options.workers)
    rows: list[Row] = []
    large: list[Share] = []
    games = min(LEAST_GAMES, options.most_games)
    while games <= options.most_games:
        start = league.play(1, workers)
        run = league.play(games // 2, workers)
        share = run.beyond(start)
        if games >= LINEAR_FROM:
            large.append(share)
        rows.append({"games": games, "workers": workers, **_figures(run, share)})
        games *= 10
    if len(large) < 2:
        return rows, []
    first, last = large[0], large[-1]
    tens = log(last.games / first.games)
    slopes: Row = {
        "from": first.games,
        "to": last.games,
        "of s": shown(log(per(last.wall, first.wall)) / tens),
        "of CPU-s": shown(log(per(last.cpu, first.cpu)) / tens),
    }
    return rows, [slopes]


def _by_entries(folder: Path, options: Options) -> list[Row]:
    rows = []
    for entries in sorted({min(n, options.most_entries) for n in ENTRIES}):
        league = League(folder / f"{entries}", GAME, entries)
        run = league.play(1, max(options.workers))
        row = {
            "entries": entries,
            "games": run.games,
            "s until play": shown(run.whole.until_play),
        }
        rows.append({**row, **_figures(run, run.share)})
    return rows


def _by_workers(folder: Path, options: Options) -> list[Row]:
    league = League(folder, GAME)
    fixtures = league.fixtures_for(options.seconds)
    numbers = sorted({1, *options.workers, MANY_WORKERS})
    ways = {}
    for n in numbers:
        ways[f"start, {n}"] = partial(league.play, 1, n)
        ways[f"{n}"] = partial(league.play, fixtures, n)
    found = take_turns(ways, options.rounds)
    played = shares(found, {f"{n}": f"start, {n}" for n in numbers})
    alone = played["1"]
    rows = []
    for n in numbers:
        each = played[f"{n}"]
        # The run in the middle stands for all.
        middle = sorted(range(len(each)), key=lambda i: each[i].wall)[len(each) // 2]
        row: Row = {"workers": n, "runs": len(each), "games": each[middle].games}
        row.update(_figures(found[f"{n}"][middle], each[middle]))
        row["x games/s of 1"] = ratio(each, alone, games_per_second)
        row["x CPU of 1"] = ratio(each, alone, cpu_per_game)
        rows.append(row)
    return rows


def _figures(run: Run, share: Share) -> Row:
    return {
        "s of play": shown(share.wall),
        "games/s": shown(games_per_second(share)),
        "CPU ms/game": shown(1e3 * cpu_per_game(share)),
        "s, whole command": shown(run.whole.wall),
        "s, second run": shown(run.again.wall),
        "MB in play": shown(run.whole.peak_in_play / 1e6),
        "MB at most": shown(run.whole.peak / 1e6),
    }

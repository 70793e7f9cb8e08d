"""How time and memory grow with games, entries and workers.

Part of `speed.py`.
"""

import tempfile
from functools import partial
from math import log
from pathlib import Path

from playing import League, Options, Run
from timing import Row, cpu_per_game, games_per_second, ratio, shown, take_turns

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
    runs: dict[int, Run] = {}
    games = min(LEAST_GAMES, options.most_games)
    while games <= options.most_games:
        runs[games] = league.play(games // 2, workers)
        games *= 10
    rows = [{"games": n, "workers": workers, **_figures(x)} for n, x in runs.items()]
    large = [n for n in runs if n >= LINEAR_FROM]
    if len(large) < 2:
        return rows, []
    first, last = large[0], large[-1]
    a, b = runs[first].share, runs[last].share
    tens = log(last / first)
    slopes: Row = {
        "from": first,
        "to": last,
        "of s": shown(log(b.wall / a.wall) / tens),
        "of CPU-s": shown(log(b.cpu / a.cpu) / tens),
    }
    return rows, [slopes]


def _by_entries(folder: Path, options: Options) -> list[Row]:
    rows = []
    for entries in sorted({min(n, options.most_entries) for n in ENTRIES}):
        league = League(folder / f"{entries}", GAME, entries)
        run = league.play(1, max(options.workers))
        until_play = shown(run.whole.until_play)
        row = {"entries": entries, "games": run.games, "s until play": until_play}
        rows.append({**row, **_figures(run)})
    return rows


def _by_workers(folder: Path, options: Options) -> list[Row]:
    league = League(folder, GAME)
    fixtures = league.fixtures_for(options.seconds)
    numbers = sorted({1, *options.workers, MANY_WORKERS})
    ways = {f"{n}": partial(league.play, fixtures, n) for n in numbers}
    found = take_turns(ways, options.rounds)
    shares = {workers: [run.share for run in runs] for workers, runs in found.items()}
    rows = []
    for workers, runs in found.items():
        middle = sorted(runs, key=lambda run: run.share.wall)[len(runs) // 2]
        cpu = ratio(shares[workers], shares["1"], cpu_per_game)
        row = {"workers": workers, "runs": len(runs), "games": middle.games}
        rows.append({**row, **_figures(middle), "CPU x 1 worker": cpu})
    return rows


def _figures(run: Run) -> Row:
    share = run.share
    return {
        "s of play": shown(share.wall),
        "games/s": shown(games_per_second(share)),
        "CPU ms/game": shown(1e3 * cpu_per_game(share)),
        "s, whole command": shown(run.whole.wall),
        "s, second run": shown(run.again.wall),
        "MB in play": shown(run.whole.peak_in_play / 1e6),
        "MB at most": shown(run.whole.peak / 1e6),
    }

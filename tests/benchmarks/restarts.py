"""What it costs that bots get new processes for each seating.

Part of `speed.py`.
"""

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from playing import League, Options, Run
from timing import Row, cpu_per_game, games_per_second, medians, ratio, take_turns

from arena.referee.work_unit import Restart

GAME = "zombie_dice"
ENTRIES = 30
RESTARTS = (Restart.LEAGUE, Restart.MATCH)


def measure_restarts(options: Options) -> dict[str, list[Row]]:
    """Play the same league with processes that live on, and without."""
    with tempfile.TemporaryDirectory() as folder:
        pairs = {
            x: League(Path(folder, f"pair {x}"), GAME, restart=x) for x in RESTARTS
        }
        few = {
            x: League(
                Path(folder, f"few {x}"),
                GAME,
                min(ENTRIES, options.most_entries),
                restart=x,
            )
            for x in RESTARTS
        }
        fixtures = pairs[Restart.MATCH].fixtures_for(options.seconds)
        return {
            "two bots, long match": _rows(pairs, fixtures, options),
            "one fixture a pair": _rows(few, 1, options),
        }


def _rows(leagues: dict[Restart, League], fixtures: int, options: Options) -> list[Row]:
    workers = max(options.workers)
    ways: dict[str, Callable[[], Run]] = {
        name: partial(league.play, fixtures, workers)
        for name, league in leagues.items()
    }
    found = take_turns(ways, options.rounds)
    shares = {name: [run.share for run in runs] for name, runs in found.items()}
    kept = shares[Restart.LEAGUE]
    return [
        {
            "restart": name,
            "runs": len(played),
            "workers": workers,
            "games": played[0].games,
            "games/s": medians(played, games_per_second),
            "CPU ms/game": medians(played, lambda x: 1e3 * cpu_per_game(x)),
            "x games/s of league": ratio(played, kept, games_per_second),
            "x CPU of league": ratio(played, kept, cpu_per_game),
        }
        for name, played in shares.items()
    ]

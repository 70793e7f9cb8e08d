"""Measures what it is worth to take the luck of the dice out of real games.

    python tests/benchmarks/luck.py leagues [--json] [--leagues N] [--fixtures N]
    python tests/benchmarks/luck.py games [--json] [--games N] [--only TEXT]

Leagues are played by the referee, between bots whose strength is known exactly.  Games
are played without one, between two unequal contestants.
"""

import sys
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from multiprocessing import get_context
from pathlib import Path

sys.path += [
    str(Path(__file__).parents[1] / name) for name in ("", "ratings", "referee")
]

import numpy as np
import trio
from msgspec.structs import replace
from play_units import GENEROUS, bot_at
from sandboxes import best_level, spec_of
from score_blind import BOTS, ESTIMATORS, SOURCE, Played, exact_chances, rate
from timing import Row, command_line, rounded, show
from unequal import CASES, Sample, play_case, standard_error, together

from arena.games import derive_seed, game_paths, get_game
from arena.games.luck import Value, find_value
from arena.league.play.local_executor import LocalExecutor
from arena.records.batch import Batch, read_histories, read_records
from arena.referee.cores import count_cores
from arena.referee.work_unit import EntrySpec, GameTask, WorkUnit
from arena.worker.protocol import GameSpec

GAME = "zombie_dice"
IN_FLIGHT = 64
CHUNK = 1200
"""Games that a process plays at a time: fixtures of two, three or four."""
WITHIN = 3.0
"""Standard errors between which the means of raw and adjusted scores must agree."""
PART = 10
"""Games that are not a main one are played so many times less often."""


def measure_leagues(leagues: int, fixtures: int) -> dict[str, list[Row]]:
    """Rate leagues in four ways, and compare with the exact strengths."""
    game = get_game(GAME, 2)
    chance = exact_chances(BOTS, game)
    value = find_value(game)
    assert value is not None
    started = time.monotonic()
    played = play_leagues(value, leagues, fixtures)
    seconds = time.monotonic() - started
    rated = {each: rate(played, chance, each) for each in ESTIMATORS}
    best = min(each.rmse for each in rated.values())
    games = len(chance) * (len(chance) - 1) * fixtures
    rows = [
        {
            "Elo": estimator.name,
            "RMSE": rounded(found.rmse, 1),
            "SE": rounded(found.rmse_error, 2),
            "study": estimator.study,
            "coverage": rounded(found.covered.mean(), 3),
            "half-width": rounded(found.half_widths.mean(), 1),
            "right champion": rounded(found.champions.mean(), 3),
            "pairs told apart": rounded(found.decided.mean(), 1),
            "leagues with a wrong claim": rounded(found.wrong.mean(), 4),
            f"games to be as good as the best of {games}": round(
                (found.rmse / best) ** 2 * games
            ),
        }
        for estimator, found in rated.items()
    ]
    count = played.score.size
    pairs = []
    for adjusted in (False, True):
        correlation = played.correlation(adjusted=adjusted)
        pairs.append(
            {
                "scores": "luck-adjusted" if adjusted else "raw",
                "correlation in a fixture": rounded(correlation, 3),
                "variance of a game": rounded(_variance(played, adjusted=adjusted), 4),
                "games": count,
                "games/s": round(count / seconds),
                "isolation": best_level(),
            }
        )
    return {"leagues": rows, "fixtures": pairs}


def _variance(played: Played, *, adjusted: bool) -> float:
    score = played.score - played.luck if adjusted else played.score
    return float(score.reshape(len(score), -1).var(axis=1).mean())


def play_leagues(value: Value, leagues: int, fixtures: int) -> Played:
    """Have the referee play one long match of each pair, enough for all leagues."""
    pairs = list(combinations(range(len(BOTS)), 2))
    shape = (len(pairs), leagues, fixtures, 2)
    played = Played(BOTS, np.full(shape, np.nan), np.full(shape, np.nan))
    score, luck = (x.reshape(-1) for x in (played.score, played.luck))

    async def deliver(batches: Sequence[Batch]) -> None:
        for batch in batches:
            records = read_records(batch.records)
            histories = read_histories(batch.histories)
            for record, history in zip(records, histories, strict=True):
                assert record.forfeits == (False, False), record.faults
                number = int(record.game_id)
                swapped = number % 2
                (found,) = value.luck(history)
                first, second = record.places[::-1] if swapped else record.places
                score[number] = 0.5 + 0.5 * ((first < second) - (first > second))
                luck[number] = -found if swapped else found

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "blind.py")
        path.write_text(SOURCE)
        entries = [
            replace(bot_at(path, "Blind", **bot._asdict()), id=bot.name) for bot in BOTS
        ]
        units = [
            _match((entries[i], entries[j]), pair, leagues * fixtures)
            for pair, (i, j) in enumerate(pairs)
        ]
        say = partial(print, file=sys.stderr)
        executor = LocalExecutor(count_cores(), spec_of(best_level()), say)
        trio.run(executor.play, _Units(units), deliver)
    assert not np.isnan(played.score).any()
    return played


def _match(entries: tuple[EntrySpec, EntrySpec], pair: int, fixtures: int) -> WorkUnit:
    names = sorted(entry.id for entry in entries)
    return WorkUnit(
        label=GAME,
        game=GameSpec(GAME, game_paths()[GAME], 2, {}),
        entries=entries,
        games=tuple(
            GameTask(
                game_id=str(2 * (pair * fixtures + number) + swapped),
                fixture_id=f"{pair} {number}",
                match_id=f"match {pair}",
                seed=derive_seed("luck", *names, number),
                seats=(1, 0) if swapped else (0, 1),
            )
            for number in range(fixtures)
            for swapped in (0, 1)
        ),
        limits=GENEROUS,
        max_decisions=get_game(GAME, 2).max_decisions,
        in_flight=IN_FLIGHT,
    )


class _Units:
    """Matches to be played, one a unit."""

    def __init__(self, units: Sequence[WorkUnit]) -> None:
        self._matches = iter(units)

    def next(self) -> WorkUnit | None:
        unit = next(self._matches, None)
        print(".", end="", flush=True, file=sys.stderr)
        return unit

    def give_back(self, unit: WorkUnit, left: Sequence[GameTask]) -> None:
        raise AssertionError(f"{unit.games[0].match_id} was broken off")


def measure_games(games: int, only: str) -> dict[str, list[Row]]:
    """Compare scores with and without luck, and how much they scatter."""
    rows = []
    with get_context("spawn").Pool(count_cores()) as processes:
        for name, case in CASES.items():
            if only not in name:
                continue
            wanted = games if case.is_main else games // PART
            fixtures = CHUNK // case.players
            starts = range(0, max(1, wanted // case.players), fixtures)
            chunks = [(name, start, fixtures) for start in starts]
            rows.append(_row(name, together(processes.starmap(play_case, chunks, 1))))
            print(".", end="", flush=True, file=sys.stderr)
    return {"games": rows}


def _row(name: str, sample: Sample) -> Row:
    raw, adjusted = sample.raw.mean(axis=1), sample.adjusted.mean(axis=1)
    return {
        "game": name,
        "games": sample.raw.size,
        "raw": rounded(raw.mean(), 5),
        "SE": rounded(standard_error(raw), 5),
        "adjusted": rounded(adjusted.mean(), 5),
        "SE, adjusted": rounded(standard_error(adjusted), 5),
        "z": rounded(sample.bias, 2),
        "z, worst seating": rounded(sample.worst_bias, 2),
        "promise": "kept" if abs(sample.bias) <= WITHIN else "NOT KEPT",
        "variance / by luck": rounded(sample.factor, 2),
        "by fixtures": rounded(sample.factor_of_fixtures(sample.raw), 2),
        "by both": rounded(sample.factor_of_fixtures(sample.adjusted), 2),
        "ms a game": rounded(1000.0 * sample.seconds / sample.raw.size, 2),
    }


def main() -> None:
    """Measure what the command line names."""
    parser = command_line(__doc__, leagues=200, games=200_000)
    parser.add_argument("what", choices=["leagues", "games"])
    parser.add_argument("--only", default="", help="games whose name has this in it")
    parser.add_argument(
        "--fixtures", type=int, default=10, help="of each pair in a league"
    )
    given = parser.parse_args()
    if given.what == "leagues":
        found = measure_leagues(given.leagues, given.fixtures)
    else:
        found = measure_games(given.games, given.only)
    print(file=sys.stderr)
    show(found, as_json=given.json)


if __name__ == "__main__":
    main()

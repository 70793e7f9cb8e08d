"""A fault costs one game, never more and never fewer, however many are in flight."""

from random import Random

import pytest
from msgspec.structs import replace
from play_units import GENEROUS, HONEST, bot, play, unit_of, without_seconds

from arena.games import derive_seed
from arena.records.game_record import Termination
from arena.referee.work_unit import Limits, WorkUnit

GAMES = 20
QUICK = Limits(start=60.0, move=0.3, bank=0.0, memory=256)
ROOMY = replace(QUICK, move=10.0)
T = Termination

CASES = [
    ("loop", GAMES, T.TIMEOUT),
    ("exit", GAMES, T.EXIT),
    ("exit", 3, T.EXIT),
    ("crash", GAMES, T.CRASH),
    ("play_illegally", GAMES, T.ILLEGAL_ACTION),
    ("abort", GAMES, T.CRASH),
    ("hoard", GAMES, T.MEMORY),
    ("hoard", 3, T.MEMORY),
    ("hoard_in_itself", GAMES, T.MEMORY),
    ("write_garbage", GAMES, T.INVALID_REPLY),
    ("write_garbage", 3, T.INVALID_REPLY),
    ("close_descriptors", GAMES, T.EXIT),
]


def draws(unit: WorkUnit) -> list[float]:
    """Return the number that the first entry draws first, for each game."""
    numbers = []
    for game in unit.games:
        seed = derive_seed(game.seed, "bot", game.seats.index(0))
        numbers.append(Random(int.from_bytes(seed[:8], "little")).random())
    return numbers


@pytest.fixture(scope="module")
def honest_records() -> list[dict[str, object]]:
    twin = bot("selective.py", deed="exit")
    return without_seconds(play(unit_of(twin, HONEST, games=GAMES, limits=GENEROUS)))


@pytest.mark.parametrize(("deed", "in_flight", "termination"), CASES)
def test_fault_costs_one_game(
    deed: str,
    in_flight: int,
    termination: Termination,
    honest_records: list[dict[str, object]],
) -> None:
    unit = unit_of(
        bot("selective.py", deed=deed),
        HONEST,
        games=GAMES,
        limits=QUICK if deed == "loop" else ROOMY,
        in_flight=in_flight,
    )
    numbers = draws(unit)
    spoilt = numbers.index(min(numbers))
    between = sum(sorted(numbers)[:2]) / 2
    culprit = bot("selective.py", deed=deed, below=between)
    records = play(replace(unit, entries=(culprit, HONEST)))
    assert records[spoilt].termination == termination
    assert records[spoilt].seats[records[spoilt].forfeits.index(True)] == "Culprit"
    rest = without_seconds(records)
    expected = list(honest_records)
    del rest[spoilt], expected[spoilt]
    assert rest == expected

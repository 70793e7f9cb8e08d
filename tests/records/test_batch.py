"""Games come out of a batch as they went in."""

import zlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.records.batch import (
    GAMES_PER_BATCH,
    read_histories,
    read_records,
    to_batches,
)
from arena.records.decision_times import DecisionTimes
from arena.records.game_record import Fault, GameRecord, Termination


def record(number: int, **changes: object) -> GameRecord:
    """Return a game; two with successive numbers, 2k and 2k + 1, are a fixture."""
    plain = GameRecord(
        game_id=f"g{number}",
        fixture_id=f"f{number // 2}",
        match_id="m",
        label="dice",
        seats=("a", "b"),
        returns=(1.0, 0.0),
        places=(1, 2),
        scores=(3.0, 1 / 3),
        termination="natural",
        forfeits=(False, False),
        decisions=number,
        seconds=(0.25, 0.000125),
        history=("roll", f"{number} brains", "ß"),
        times=(DecisionTimes(0.125, ((40, 2), (135, 1)), 0.0625),) * 2,
        isolation="filters",
    )
    return replace(plain, **changes)


def test_games_are_packed_so_many_at_a_time_and_never_of_two_labels() -> None:
    games = [record(number) for number in range(2 * GAMES_PER_BATCH + 1)]
    games[1] = record(1, label="run")
    games[2] = record(2, label="run", isolation="limits")
    batches = list(to_batches(games))
    assert [(b.label, b.isolation, len(b.game_ids)) for b in batches] == [
        ("dice", "filters", 1),
        ("run", "filters", 1),
        ("run", "limits", 1),
        ("dice", "filters", GAMES_PER_BATCH),
        ("dice", "filters", GAMES_PER_BATCH - 2),
    ]
    found = [x for batch in batches for x in read_records(batch.records)]
    histories = [x for batch in batches for x in read_histories(batch.histories)]
    assert [game_id for batch in batches for game_id in batch.game_ids] == [
        game.game_id for game in games
    ]
    assert found == [replace(game, history=()) for game in games]
    assert histories == [game.history for game in games]


def test_no_games_are_no_batch() -> None:
    assert list(to_batches([])) == []


def test_results_of_before_can_be_read() -> None:
    """A game as it is stored, to the letter; if this changes, so must the format."""
    fault = {
        "seat": 1,
        "entry": "b",
        "step": 4,
        "termination": "crash",
        "message": "so it was",
        "traceback": "",
        "output": "",
        "action": "roll",
        "observation": "{}",
        "legal_actions": ["roll", "stop"],
    }
    times = [[0.125, [[40, 2], [135, 1]], 0.0625]] * 2
    stored: list[object] = ["g0", "f0", "m", "dice", ["a", "b"], [1.0, 0.0], [1, 2]]
    stored += [[3.0, 1 / 3], "crash", [False, True], 7, [0.25, 0.000125], []]
    stored += [[fault], times, "filters"]
    (game,) = read_records(zlib.compress(msgspec.msgpack.encode([stored])))
    why = Fault(1, "b", 4, "crash", "so it was", "", "", "roll", "{}", ("roll", "stop"))
    assert game == replace(
        record(0),
        termination="crash",
        forfeits=(False, True),
        decisions=7,
        history=(),
        faults=(why,),
    )
    (batch,) = to_batches([game])
    stored[stored.index(times)] = [[*each, 0.0, 0.0, 0.0, 0] for each in times]
    assert msgspec.msgpack.decode(zlib.decompress(batch.records)) == [[*stored, b""]]


@given(st.lists(st.booleans(), min_size=1, max_size=GAMES_PER_BATCH))
def test_who_forfeited_is_said_without_unpacking(lost: list[bool]) -> None:
    why = Fault(1, "b", 4, Termination.CRASH, "so it was")
    games = [record(n, faults=(why,) * lost[n]) for n in range(len(lost))]
    (batch,) = to_batches(games)
    assert list(batch.ends()) == [
        (f"g{n}", {"b": "crash"} if lost[n] else {}) for n in range(len(lost))
    ]
    assert [game.faults for game in read_records(batch.records)] == [
        (replace(why, termination="crash"),) * lost[n] for n in range(len(lost))
    ]


@pytest.mark.parametrize("seconds", [0.12345649, 1 / 3, 0.0])
def test_seconds_are_sent_to_the_microsecond(seconds: float) -> None:
    (batch,) = to_batches([record(0, seconds=(seconds, 2.0))])
    (game,) = read_records(batch.records)
    assert game.seconds == (round(seconds, 6), 2.0)

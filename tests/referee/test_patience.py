"""A unit is broken off once an entry has forfeited enough games in a row."""

from typing import Any

import pytest
import trio
from msgspec.structs import replace
from play_units import (
    GENEROUS,
    HONEST,
    bot,
    nothing_left,
    play,
    shared_sandbox,
    unit_of,
)

from arena.records.game_record import GameRecord, Termination
from arena.referee.unit_player import UnitPlayer
from arena.referee.work_unit import Limits, WorkUnit

HASTY = Limits(start=10.0, move=0.1, bank=0.0, margin=0.05, memory=256)


def broken_off(unit: WorkUnit) -> list[GameRecord]:
    """Play a unit; return what was delivered of it, in this order."""
    records: list[GameRecord] = []

    async def run() -> None:
        with trio.fail_after(120.0):
            await UnitPlayer(unit, sandbox, records.append).play()

    with shared_sandbox() as sandbox, nothing_left():
        trio.run(run)
    return records


@pytest.mark.parametrize("in_flight", [1, 32])
def test_a_bot_that_hangs_costs_so_many_hangs(in_flight: int) -> None:
    entries = (bot("loops.py"), HONEST)
    unit = unit_of(*entries, games=40, limits=HASTY, in_flight=in_flight)
    records = broken_off(replace(unit, patience=3))
    # The other seating of a fixture is played after all first ones.
    assert [record.game_id for record in records] == ["game 0", "game 2", "game 1"]
    assert {record.termination for record in records} == {Termination.TIMEOUT}


@pytest.mark.parametrize("in_flight", [1, 32])
def test_what_is_delivered_has_a_row_of_forfeits(in_flight: int) -> None:
    """Its length is that of the patience, and nothing was played in its place."""
    entries = (bot("faulty.py", "Stillborn"), HONEST)
    unit = unit_of(*entries, games=40, limits=GENEROUS, in_flight=in_flight)
    unit = replace(unit, patience=4)
    records = {record.game_id: record for record in broken_off(unit)}
    assert (
        {f"game {i}" for i in range(4)}
        <= records.keys()
        < {game.game_id for game in unit.games}
    )
    assert all(any(record.forfeits) for record in records.values())


def test_only_forfeits_in_a_row_count() -> None:
    fickle = bot("selective.py", deed="crash", below=0.5)
    unit = unit_of(fickle, HONEST, games=24, limits=GENEROUS, in_flight=1)
    forfeited = [any(record.forfeits) for record in play(unit)]
    rows = "".join("x" if x else " " for x in forfeited).split(" ")
    longest = max(map(len, rows))
    assert 2 <= longest < sum(forfeited)
    assert len(broken_off(replace(unit, patience=longest + 1))) == 24
    end = "".join("x" if x else " " for x in forfeited).index("x" * longest) + longest
    assert len(broken_off(replace(unit, patience=longest))) == end < 24


def test_any_number_of_forfeits_is_borne_without_patience() -> None:
    unit = unit_of(bot("faulty.py", "Stillborn"), HONEST, games=12, limits=GENEROUS)
    assert len(play(replace(unit, patience=0))) == 12


@pytest.mark.parametrize(
    "how", [Termination.START_FAILURE, Termination.QUARANTINE], ids=str
)
def test_who_is_out_from_the_start_does_not_count(how: Termination) -> None:
    out = replace(HONEST, id="out", refused="not played: so it is", refused_as=how)
    unit = unit_of(out, HONEST, games=6, limits=GENEROUS)
    for record in play(replace(unit, patience=2)):
        assert record.termination == how
        (fault,) = record.faults
        assert (fault.entry, fault.termination) == ("out", how)
        assert fault.message == "not played: so it is"
        assert record.returns[record.seats.index("Honest")] == 1.0


def decisions(times: Any) -> int:
    return sum(count for _, count in times.counts)


def test_every_decision_is_timed() -> None:
    twin = replace(HONEST, id="twin")
    for record in play(unit_of(HONEST, twin, games=4, limits=GENEROUS)):
        assert sum(map(decisions, record.times)) == record.decisions
        for times, seconds in zip(record.times, record.seconds, strict=True):
            assert 0.0 < times.slowest <= seconds


def test_the_decision_that_was_cut_off_is_timed_too() -> None:
    """And no other request: making an instance takes time as well."""
    for entry, seconds in [("loops.py", 0.15), ("raises.py", 0.0)]:
        (record,) = play(unit_of(bot(entry), HONEST, games=1, limits=HASTY))
        assert sum(map(decisions, record.times)) == record.decisions + 1
        assert record.times[record.seats.index("Culprit")].slowest >= seconds
    stillborn = bot("faulty.py", "Stillborn")
    (record,) = play(unit_of(stillborn, HONEST, games=1, limits=GENEROUS))
    assert sum(map(decisions, record.times)) == record.decisions == 0

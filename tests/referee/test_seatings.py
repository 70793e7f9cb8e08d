"""No process knows two seatings of a fixture, which share their luck."""

import os
import signal
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import trio
from matrix import divided
from msgspec.structs import replace
from play_units import (
    GENEROUS,
    HONEST,
    bot,
    nothing_left,
    play,
    shared_sandbox,
    unit_of,
    without_seconds,
)
from processes import parent_of
from sandboxes import best_level, sandbox_of, watched

from arena.games import derive_seed
from arena.records.game_record import GameRecord, Termination
from arena.referee import phases
from arena.referee.live_game import LiveGame
from arena.referee.sandbox import Process
from arena.referee.unit_player import UnitPlayer
from arena.referee.work_unit import EntrySpec, GameTask, Restart, WorkUnit

CULPRIT = bot("remembers_luck.py")
TELLTALE = bot("remembers_luck.py", "Telltale")
DRAWING = bot("chance.py", "FromBoth", bias=0.3)
LOOSE = [replace(DRAWING, id=name) for name in "abc"]


@pytest.mark.parametrize("in_flight", divided([1, 32], lambda games: games > 1))
@pytest.mark.parametrize("game", ["zombie_dice", "zombie_run"])
def test_bot_meets_no_luck_again(game: str, in_flight: int) -> None:
    unit = unit_of(
        CULPRIT, TELLTALE, games=12, limits=GENEROUS, game=game, in_flight=in_flight
    )
    for record in play(unit):
        assert [fault.action for fault in record.faults] == []
        assert record.termination == Termination.NATURAL


def test_bot_meets_luck_again_where_its_process_lives_on() -> None:
    """Else the test above would prove nothing."""
    unit = unit_of(CULPRIT, TELLTALE, games=12, limits=GENEROUS, in_flight=1)
    records = play(replace(unit, restart=Restart.LEAGUE))
    assert sum("leaked" in f.action for r in records for f in r.faults) == 6


def matches_of(*entries: EntrySpec, fixtures: int = 2, **how: Any) -> WorkUnit:
    """Return a unit in which every two entries meet, so many fixtures each."""
    tasks = [
        GameTask(f"{i} {j} {number} {seat}", f"{i} {j} {number}", "", seed, seats)
        for i, j in combinations(range(len(entries)), 2)
        for number in range(fixtures)
        for seed in [derive_seed(i, j, number)]
        for seat, seats in enumerate([(i, j), (j, i)])
    ]
    unit = unit_of(*entries[:2], games=0, limits=GENEROUS, **how)
    return replace(unit, entries=entries, games=tuple(tasks))


def lives(pid: int) -> bool:
    """Say whether a process can still do anything."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    # What has ended waits to be taken note of by its parent.
    return status.rpartition(")")[2].split()[0] not in "ZX"


def watch(
    unit: WorkUnit,
    monkeypatch: pytest.MonkeyPatch,
    on_begin: Callable[[GameTask, list[Process]], None] = lambda task, started: None,
) -> list[GameRecord]:
    """Play a unit; make sure that nobody who was there at one seating is there later.

    Returns the records in the order of their ends.
    """
    records: list[GameRecord] = []
    started: list[Process] = []
    ends: dict[str, list[int]] = {}
    """Of each fixture: how many processes had been started when its games ended."""
    begin = LiveGame.begin

    def begin_and_look(game: LiveGame) -> None:
        task = game.task
        seated = sum(
            1 for t in unit.games[: game.index] if t.fixture_id == task.fixture_id
        )
        assert len(ends.setdefault(task.fixture_id, [])) == seated
        for process in started[: max(ends[task.fixture_id], default=0)]:
            assert not lives(process.pid)
        on_begin(task, started)
        begin(game)

    def deliver(record: GameRecord) -> None:
        records.append(record)
        ends[record.fixture_id].append(len(started))

    async def run() -> None:
        nonlocal started
        with trio.fail_after(60.0), watched(sandbox) as started:
            await UnitPlayer(unit, sandbox, deliver).play()

    monkeypatch.setattr(LiveGame, "begin", begin_and_look)
    # What contestants are forked from may be killed: it is not shared.
    with nothing_left(), sandbox_of(best_level()) as sandbox:
        trio.run(run)
    return records


def in_order(unit: WorkUnit, records: list[GameRecord]) -> list[dict[str, Any]]:
    """Return all of a unit's records that may not depend on the machine."""
    by_id = {record.game_id: record for record in records}
    return without_seconds([by_id[task.game_id] for task in unit.games])


@pytest.mark.parametrize("restart", [Restart.MATCH, Restart.GAME])
@pytest.mark.parametrize("in_flight", divided([1, 32], lambda games: games > 1))
def test_nobody_outlives_a_seating_of_those_who_meet_others(
    restart: Restart, in_flight: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An accomplice could keep for them what they have seen, and tell it by its moves.

    So it is not enough that those have new processes who sit there.
    """
    unit = replace(matches_of(*LOOSE, in_flight=in_flight), restart=restart)
    expected = in_order(unit, play(replace(unit, restart=Restart.LEAGUE)))
    assert in_order(unit, watch(unit, monkeypatch)) == expected


def test_a_table_of_three_has_three_phases(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    unit = unit_of(*LOOSE, games=9, limits=GENEROUS)
    watch(unit, monkeypatch, lambda task, _: begun.append(task.game_id))
    numbers = [0, 3, 6, 1, 4, 7, 2, 5, 8]
    assert begun == [f"game {number}" for number in numbers]


def test_games_of_a_fixture_need_not_come_one_after_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unit = matches_of(*LOOSE, fixtures=1)
    games = sorted(unit.games, key=lambda task: task.seats)
    # The rest of one fixture was played before.
    mixed = replace(unit, games=tuple(games[1:]))
    expected = in_order(mixed, play(replace(mixed, restart=Restart.LEAGUE)))
    assert in_order(mixed, watch(mixed, monkeypatch)) == expected


def test_after_a_while_other_seatings_come_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So that an interrupted league has lost little."""
    unit = unit_of(*LOOSE[:2], games=8, limits=GENEROUS, in_flight=1)
    expected = in_order(unit, play(unit))
    monkeypatch.setattr(phases, "_NEW_FIXTURES_S", 0.0)
    monkeypatch.setattr(phases, "_PER_START_S", 0.0)
    records = watch(unit, monkeypatch)
    assert [record.game_id for record in records] == [f"game {i}" for i in range(8)]
    assert in_order(unit, records) == expected


@pytest.mark.parametrize(("in_flight", "first"), [(64, 8), (3, 3)])
def test_few_games_are_begun_before_any_has_ended(
    in_flight: int, first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or a league of slow bots would have all of them open when it is interrupted."""
    begun: list[LiveGame] = []
    at_ends: list[int] = []
    begin = LiveGame.begin

    def begin_and_note(game: LiveGame) -> None:
        begun.append(game)
        begin(game)

    async def run() -> None:
        unit = unit_of(*LOOSE[:2], games=60, limits=GENEROUS, in_flight=in_flight)
        with trio.fail_after(60.0):
            await UnitPlayer(
                unit, sandbox, lambda record: at_ends.append(len(begun))
            ).play()

    monkeypatch.setattr(LiveGame, "begin", begin_and_note)
    with shared_sandbox() as sandbox, nothing_left():
        trio.run(run)
    assert at_ends[0] == first
    assert (len(at_ends), at_ends[-1]) == (60, 60)


FAULTY = {
    "crashes": bot("selective.py", deed="crash", below=0.5),
    "is not read": bot("import_fails.py"),
    "does not look back": bot("ends_badly.py", deed="loops"),
    "hangs at its end": bot("hangs_at_exit.py"),
    "speaks unasked": bot("speaks_unasked.py"),
    "is killed": bot("dies.py", deed="kill_itself"),
}


@pytest.mark.parametrize("how", divided(FAULTY, lambda how: how == "is killed"))
def test_faults_keep_nobody_alive(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = replace(GENEROUS, move=0.2, bank=0.0) if "look" in how else GENEROUS
    unit = replace(matches_of(FAULTY[how], *LOOSE, fixtures=1), limits=limits)
    records = watch(unit, monkeypatch)
    assert len(records) == len(unit.games)
    for record in records:
        for seat, entry in enumerate(record.seats):
            assert not record.forfeits[seat] or entry == "Culprit"


@pytest.mark.parametrize("moment", divided([1, 4, 7, 9], lambda game: game == 4))
def test_zygote_that_is_lost_keeps_nobody_alive(
    moment: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the middle of a phase, and where one follows another."""
    begun = 0

    def kill_now_and_then(task: GameTask, started: list[Process]) -> None:
        nonlocal begun
        begun += 1
        alive = [process for process in started if lives(process.pid)]
        if begun == moment and alive:
            os.kill(parent_of(alive[0].pid), signal.SIGKILL)

    unit = matches_of(*LOOSE, in_flight=2)
    expected = in_order(unit, play(unit))
    assert in_order(unit, watch(unit, monkeypatch, kill_now_and_then)) == expected


def test_processes_that_are_kept_for_the_league_see_all_seatings() -> None:
    """There, each seating has luck of its own."""
    counts = bot("counts_games.py")
    unit = unit_of(counts, HONEST, in_flight=1)
    records = play(replace(unit, restart=Restart.LEAGUE))
    found = [record.faults[0].action for record in records]
    assert found == [f"game {number}" for number in range(1, 7)]


def test_what_waits_for_a_bad_bot_is_played_and_changes_no_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fickle = bot("selective.py", deed="crash", below=0.7)
    unit = matches_of(fickle, *LOOSE, fixtures=4)
    expected = in_order(unit, play(unit))
    forfeits = [
        record["forfeits"] for record in expected if "Culprit" in record["seats"]
    ]
    row = max(map(len, "".join("x" if any(f) else " " for f in forfeits).split()))
    records = watch(replace(unit, patience=row + 1), monkeypatch)
    assert in_order(unit, records) == expected

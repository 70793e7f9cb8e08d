"""When contestants get new processes, and that it makes no difference to the honest."""

import os
import signal
import sys
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import trio
from hand_ins import hash_of
from matrix import divided
from msgspec.structs import replace
from play_units import (
    GENEROUS,
    HONEST,
    bot,
    bot_at,
    nothing_left,
    play,
    shared_sandbox,
    unit_of,
    without_seconds,
)
from processes import parent_of
from sandboxes import sandbox_of, watched, why_not
from zoo_cases import FORKING

from arena.errors import find_error
from arena.records.game_record import GameRecord, Termination
from arena.referee.contestant.bot_code import ChangedError
from arena.referee.contestant.contestant import IdleProcesses
from arena.referee.contestant.request_pipe import RequestPipe
from arena.referee.contestant.wire import RequestKind
from arena.referee.sandbox import Process, Sandbox
from arena.referee.unit_player import UnitPlayer
from arena.referee.work_unit import Limits, Restart, WorkUnit

COUNTS = bot("counts_games.py")
TWIN = replace(HONEST, id="twin")
DRAWING = (bot("chance.py", "FromBoth", bias=0.3), bot("chance.py", "FromRng"))
IDLE_PROCESSES = 24

only_linux = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux counts the CPU time of others"
)


def played(
    *units: WorkUnit,
    room: IdleProcesses | None = None,
    level: str = "",
    between: Callable[[list[Process]], Any] | None = None,
    during: Callable[[UnitPlayer, Sandbox, list[Process]], None] | None = None,
    busy: int = 2,
) -> list[list[GameRecord]]:
    """Play units one after another as one referee does.

    `between` is awaited after each unit, `during` called before it is played; both
    know the processes that have been started so far.
    """
    results: list[list[GameRecord]] = []

    async def run(sandbox: Sandbox) -> None:
        with trio.fail_after(60), watched(sandbox) as started:
            try:
                for each in units:
                    records: list[GameRecord] = []
                    player = UnitPlayer(each, sandbox, records.append, busy, room)
                    if during is not None:
                        during(player, sandbox, started)
                    await player.play()
                    order = [game.game_id for game in each.games]
                    records.sort(key=lambda record: order.index(record.game_id))
                    results.append(records)
                    if between is not None:
                        await between(started)
            finally:
                if room is not None:
                    room.close()

    if level:  # What contestants are forked from will be killed: it is not shared.
        with nothing_left(), sandbox_of(level) as sandbox:
            trio.run(run, sandbox)
    else:
        with shared_sandbox() as sandbox, nothing_left():
            trio.run(run, sandbox)
    return results


def counted(records: Iterable[GameRecord]) -> list[str]:
    """Return the counts that `COUNTS` prints in each game."""
    return [record.faults[0].action for record in records]


def numbered(first: int, last: int) -> list[str]:
    return [f"game {number}" for number in range(first, last + 1)]


def test_process_for_each_game_knows_no_other() -> None:
    unit = replace(unit_of(COUNTS, HONEST), restart=Restart.GAME)
    assert counted(play(unit)) == ["game 1"] * 6


def test_process_for_each_match_knows_one_seating_of_its_fixtures_only() -> None:
    unit = replace(unit_of(COUNTS, HONEST, in_flight=1), restart=Restart.MATCH)
    for records in played(unit, unit, room=IdleProcesses()):
        assert counted(records[::2]) == counted(records[1::2]) == numbered(1, 3)


def league_matches(entry: Any = COUNTS) -> list[WorkUnit]:
    """Return two units of one entry against two others."""
    return [
        replace(unit_of(entry, other, in_flight=1), restart=Restart.LEAGUE)
        for other in (HONEST, TWIN)
    ]


def test_process_for_the_league_goes_on_in_its_next_match() -> None:
    first, second = played(*league_matches(), room=IdleProcesses())
    assert counted(first) == numbered(1, 6)
    assert counted(second) == numbered(7, 12)


def test_process_goes_on_only_with_what_it_was_started_for() -> None:
    first, second = league_matches()
    stricter = replace(second, limits=replace(second.limits, memory=200))
    assert counted(played(first, stricter, room=IdleProcesses())[1]) == numbered(1, 6)


def test_process_that_has_died_in_the_meantime_is_replaced() -> None:
    async def kill(started: list[Process]) -> None:
        for process in started:
            os.kill(process.pid, signal.SIGKILL)
            await trio.lowlevel.wait_readable(process.read_fd)
        started.clear()

    first, second = played(*league_matches(), room=IdleProcesses(), between=kill)
    assert counted(first) == counted(second) == numbered(1, 6)


def test_process_that_has_spoken_in_the_meantime_is_replaced() -> None:
    seen: list[list[Process]] = []

    async def nudge(started: list[Process]) -> None:
        # Which of the two is which is a matter of chance; the other one dies of it.
        for process in started if not seen else []:
            os.kill(process.pid, signal.SIGUSR1)
            os.kill(process.pid, signal.SIGCONT)
            await trio.lowlevel.wait_readable(process.read_fd)
        seen.append(list(started))

    entry = bot("speaks_when_nudged.py")
    records = played(*league_matches(entry), room=IdleProcesses(), between=nudge)
    # It is started again; its second opponent is another one.
    assert [len(started) for started in seen] == [2, 4]
    assert {record.forfeits for unit in records for record in unit} == {(False,) * 2}


def test_who_has_waited_longest_makes_room() -> None:

    async def run() -> None:
        room = IdleProcesses()
        with trio.fail_after(60):
            processes = [await sandbox.spawn() for _ in range(IDLE_PROCESSES + 2)]
            for number, process in enumerate(processes):
                room.keep((number,), process)
            assert [room.take((number,)) for number in (0, 1)] == [None, None]
            assert room.take((2,)) is processes[2]
            assert room.take((2,)) is None
            processes[2].close()
            room.close()
            assert room.take((3,)) is None

    with shared_sandbox() as sandbox, nothing_left():
        trio.run(run)


def test_restarts_change_no_result() -> None:
    units = [
        replace(unit_of(*DRAWING, games=12, limits=GENEROUS), restart=restart)
        for restart in Restart
    ]
    results = [without_seconds(played(m, room=IdleProcesses())[0]) for m in units]
    assert results[0] == results[1] == results[2]
    assert {record["termination"] for record in results[0]} == {"natural"}


def test_new_process_is_had_by_who_lost_his_at_the_end_of_a_game() -> None:
    """He has none to renew when the other has said goodbye, and yet gets one."""
    unit = replace(
        unit_of(bot("dies.py", deed="exit_0"), HONEST, games=8), restart=Restart.GAME
    )
    for record in play(unit):
        assert record.termination == Termination.EXIT
        assert record.forfeits[record.seats.index("Culprit")]


@only_linux
def test_computing_while_others_decide_is_noted_and_stopped() -> None:
    unit = unit_of(bot("never_rests.py"), bot("slow.py", "Slow"), games=1, in_flight=1)
    (record,) = play(replace(unit, max_decisions=10))
    assert record.forfeits == (False, False)
    # It is stopped as soon as that is seen.
    assert record.times[0].pondered > 0.001
    assert record.times[1].pondered == 0.0


def undisturbed() -> WorkUnit:
    return unit_of(*DRAWING, games=8, limits=GENEROUS, in_flight=4)


@pytest.fixture(scope="module")
def expected() -> list[dict[str, Any]]:
    return without_seconds(play(undisturbed()))


@pytest.mark.parametrize(
    "asked", [RequestKind.LOAD, RequestKind.BEGIN, RequestKind.ACT, None]
)
@pytest.mark.parametrize("restart", [Restart.MATCH, Restart.GAME])
def test_contestant_killed_from_outside_is_no_forfeit(
    asked: RequestKind | None,
    restart: Restart,
    expected: list[dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Busy with a request of each kind, or idle: `None`."""
    kills = seen = 0
    send, rest = RequestPipe._send, RequestPipe._rest

    def note(pipe: RequestPipe) -> None:
        nonlocal kills, seen
        seen += 1
        # Twice it may well be the same request; a third time it would be to blame.
        if seen in (1, 3):
            try:
                os.kill(pipe.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                seen -= 1  # It is dead, and nobody has noticed that yet.
            else:
                kills += 1

    def send_and_note(pipe: RequestPipe) -> None:
        send(pipe)
        if pipe.pending and pipe.pending[0].kind is asked:
            note(pipe)

    def rest_and_note(pipe: RequestPipe, cpu: float) -> None:
        rest(pipe, cpu)
        if asked is None:
            note(pipe)

    monkeypatch.setattr(RequestPipe, "_send", send_and_note)
    monkeypatch.setattr(RequestPipe, "_rest", rest_and_note)
    (records,) = played(replace(undisturbed(), restart=restart))
    assert kills == 2
    assert without_seconds(records) == expected


def test_bot_that_kills_itself_forfeits_at_its_third_process() -> None:
    counts: list[list[Process]] = []
    """Where it can: the strong levels let no bot do it."""
    unit = unit_of(bot("dies.py", deed="kill_itself"), HONEST, games=1)
    ((record,),) = played(
        unit, level="process", during=lambda m, s, started: counts.append(started)
    )
    assert record.termination == Termination.MEMORY
    assert record.forfeits == (True, False)
    assert len(counts[0]) == 3 + 1


@pytest.mark.parametrize(
    ("level", "numbers"),
    divided(
        product(FORKING, [{1}, {2, 30}, {17, 60, 90}]),
        lambda case: case in [("namespaces", {1}), ("filters", {2, 30})],
    ),
)
def test_zygote_killed_at_any_moment_is_no_forfeit(
    level: str, numbers: set[int], expected: list[dict[str, Any]]
) -> None:
    if reason := why_not(level):
        pytest.skip(reason)
    zygotes: list[int] = []

    def prepare(unit: UnitPlayer, sandbox: Sandbox, started: list[Process]) -> None:
        spawn, on_reply = sandbox.spawn, unit.on_reply
        heard = 0

        async def spawn_and_note(
            memory: int = 0, folder: str = "", command: tuple[str, ...] = ()
        ) -> Process:
            process = await spawn(memory, folder, command)
            zygote = parent_of(process.pid)
            # An orphan is taken in by the process that runs the tests.
            if zygote and zygote not in (os.getpid(), *zygotes):
                zygotes.append(zygote)
            return process

        def kill_and_hear(*reply: Any) -> None:
            nonlocal heard
            heard += 1
            if heard in numbers:
                os.kill(zygotes[-1], signal.SIGKILL)
            on_reply(*reply)

        sandbox.spawn = spawn_and_note  # type: ignore[method-assign]
        unit.on_reply = kill_and_hear  # type: ignore[assignment,method-assign]

    (records,) = played(undisturbed(), level=level, during=prepare)
    found = [dict(record, isolation="") for record in without_seconds(records)]
    assert found == [dict(record, isolation="") for record in expected]
    assert 1 < len(zygotes) <= 1 + len(numbers)


@pytest.mark.parametrize("level", FORKING)
def test_zygote_killed_before_it_forks_is_replaced(level: str) -> None:
    if reason := why_not(level):
        pytest.skip(reason)

    async def run() -> None:
        with trio.fail_after(60), sandbox_of(level) as sandbox:
            first = await sandbox.spawn()
            zygote = parent_of(first.pid)
            assert zygote
            os.kill(zygote, signal.SIGKILL)
            second = await sandbox.spawn()
            third = await sandbox.spawn()
            assert parent_of(second.pid) == parent_of(third.pid) != os.getpid()
            for process in (first, second, third):
                process.close()

    with nothing_left():
        trio.run(run)


@pytest.mark.parametrize(
    "change", ["rewritten", "removed", "of its package", "a pipe in its place"]
)
def test_bot_that_has_been_changed_is_not_played(tmp_path: Path, change: str) -> None:
    text = Path(HONEST.path).read_text()
    file = tmp_path / "honest.py"
    file.write_text(f"import helper\n{text}" if change == "of its package" else text)
    (tmp_path / "helper.py").write_text("")
    entry = bot_at(file, "Honest")
    names, code = hash_of(entry.files)
    enrolled = replace(entry, names=names, code=code)
    unit = unit_of(enrolled, TWIN, games=2)
    assert {record.termination for record in play(unit)} == {"natural"}
    if change == "rewritten":
        file.write_text(text.replace("2", "1"))
    elif change == "removed":
        file.unlink()
    elif change == "a pipe in its place":
        file.unlink()
        os.mkfifo(file)
    else:
        (tmp_path / "helper.py").write_text("x = 1")
    with pytest.raises(ExceptionGroup) as raised:
        play(unit)
    error = find_error(raised.value, ChangedError)
    assert error is not None
    words = "can't be read any more" if change == "removed" else "has been changed"
    assert str(error).startswith(f"{file} {words}")


def test_files_that_are_touched_have_not_changed(tmp_path: Path) -> None:
    file = tmp_path / "honest.py"
    file.write_text(Path(HONEST.path).read_text())
    entry = bot_at(file, "Honest")
    names, code = hash_of(entry.files)
    enrolled = replace(entry, names=names, code=code)
    os.utime(file, (0, 0))
    assert play(unit_of(enrolled, TWIN, games=1))[0].termination == "natural"


def four_players() -> WorkUnit:
    others = [replace(DRAWING[0], id=f"drawing {i}") for i in range(2)]
    burns = bot("burns.py", seconds=0.002)
    unit = unit_of(burns, *others, HONEST, games=4, limits=GENEROUS, in_flight=4)
    return replace(unit, max_decisions=60)


@pytest.mark.parametrize("busy", [1, 2, 3])
def test_no_more_are_busy_than_are_permitted(
    busy: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipes: set[RequestPipe] = set()
    most = 0
    begin = RequestPipe._begin

    def begin_and_count(pipe: RequestPipe) -> None:
        nonlocal most
        begin(pipe)
        pipes.add(pipe)
        most = max(most, sum(each.is_busy for each in pipes))

    monkeypatch.setattr(RequestPipe, "_begin", begin_and_count)
    (records,) = played(four_players(), busy=busy)
    assert most == busy
    # Four bots have a process for each of the four seatings.
    assert len(pipes) == 4 * 4
    assert {record.forfeits for record in records} == {(False,) * 4}


def test_permits_change_no_record_and_nobody_starves() -> None:
    results = [
        without_seconds(played(four_players(), busy=busy)[0]) for busy in (1, 2, 8)
    ]
    assert results[0] == results[1] == results[2]
    assert len(results[0]) == 4


@pytest.mark.exhaustive
def test_who_waits_for_his_turn_is_not_charged() -> None:
    """The wait for all games of the sleepy one is longer than anybody may wait."""
    limits = Limits(start=20.0, move=1.0, bank=0.0, margin=0.05, memory=256)
    sleepy = replace(bot("slow.py", "Slow"), id="sleepy")
    unit = unit_of(sleepy, HONEST, TWIN, games=12, limits=limits, max_decisions=6)
    for record in played(unit, busy=1)[0]:
        assert record.forfeits == (False,) * 3

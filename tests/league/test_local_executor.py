"""What an executor delivers, whoever dies, and what it tells while it plays."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
import trio
from msgspec.structs import replace
from plans import entry, league, league_game, make_plan, next_of
from sandboxes import spec_of
from trio.testing import MockClock

from arena.errors import LeagueError, find_error
from arena.league.play import local_executor
from arena.league.play.executor import StallWatch
from arena.league.play.local_executor import LocalExecutor
from arena.league.schedule.queue import Queue
from arena.records.batch import Batch, read_records
from arena.referee.cores import busy_contestants, count_cores
from arena.referee.work_unit import GameTask, Restart, WorkUnit

ANA, BEN = entry("ana"), entry("ben")
TIMEOUT_S = 120.0
"""For anything to happen in a test; then it has failed."""
REFEREE = """
import os
import sys

import msgspec

from arena.records.batch import to_batches
from arena.records.game_record import GameRecord
from arena.referee.service import Delivery, Trouble, UnitDone
from arena.referee.work_unit import WorkUnit
from arena.worker.protocol import FrameReader, frame


def receive():
    reader = FrameReader()
    while data := os.read(0, 65536):
        yield from reader.feed(data)


def say(message):
    data = frame(message)
    while data:
        data = data[os.write(1, data):]


def record(task, number):
    game = task.games[number]
    return GameRecord(
        game_id=game.game_id, fixture_id=game.fixture_id, match_id=game.match_id,
        label=task.label, seats=("a", "b"), returns=(0.5, 0.5), places=(1, 1),
        scores=(0.0, 0.0), termination="natural", forfeits=(False, False),
        decisions=os.getpid(), seconds=(0.0, 0.0), history=(),
    )


words = iter(sys.argv[1:])
bodies = receive()
next(bodies)
for body in bodies:
    task = msgspec.msgpack.decode(body, type=WorkUnit)
    for word in words:
        if word == "die":
            os._exit(1)
        elif word == "trouble":
            say(Trouble("no memory"))
        elif word == "over":
            say(UnitDone())
            break
        else:
            numbers = range(len(task.games))
            if word != "all":
                numbers = map(int, word.split(","))
            say(Delivery(tuple(to_batches(record(task, n) for n in numbers))))
"""
"""Plays no game, but says what it is told to say of every match."""


@dataclass
class Played:
    """What came of playing three fixtures of two games."""

    batches: list[list[int]] = field(default_factory=list)
    """The games of each delivery, by their place in the plan."""
    left: list[list[int]] = field(default_factory=list)
    """The games of each unit that was given back."""
    lost: int = 0
    void: int = 0
    error: str = ""
    by: dict[int, int] = field(default_factory=dict)
    """By game: the process of its referee."""


def play(
    monkeypatch: pytest.MonkeyPatch, *lives: str, interrupt_after: int | None = None
) -> Played:
    """Have referees say something, each in its life."""
    plan = make_plan(league(league_game("zombie_dice", fixtures=3)), [ANA, BEN])
    ids = list(plan.game_ids())
    queue = Queue(plan, 0, {})
    to_live = iter(lives)
    played = Played()

    async def start(command: list[str], **options: Any) -> trio.Process:
        assert command == [sys.executable, "-P", "-m", "arena.referee"]
        words = [sys.executable, "-c", REFEREE, *next(to_live).split()]
        return await open_process(words, **options)

    class Noting:
        def next(self) -> WorkUnit | None:
            return queue.next()

        def give_back(self, unit: WorkUnit, left: Sequence[GameTask]) -> None:
            played.left.append([ids.index(game.game_id) for game in left])
            queue.give_back(unit, left)

    async def play_all() -> None:
        with trio.fail_after(TIMEOUT_S), trio.CancelScope() as scope:

            async def deliver(batches: Sequence[Batch]) -> None:
                records = [r for b in batches for r in read_records(b.records)]
                queue.note(end for batch in batches for end in batch.ends())
                places = [ids.index(record.game_id) for record in records]
                played.batches.append(places)
                for place, record in zip(places, records, strict=True):
                    assert place not in played.by
                    played.by[place] = record.decisions
                if len(played.by) == interrupt_after:
                    scope.cancel()
                await trio.lowlevel.checkpoint()

            await executor.play(Noting(), deliver)

    open_process = trio.lowlevel.open_process
    monkeypatch.setattr(trio.lowlevel, "open_process", start)
    executor = LocalExecutor(1, spec_of("process"), pytest.fail)
    try:
        trio.run(play_all)
    except BaseExceptionGroup as group:
        error = find_error(group, LeagueError)
        if error is None:
            raise
        played.error = str(error)
    played.lost, played.void = executor.lost, executor.void
    assert next(to_live, None) is None
    return played


@pytest.mark.parametrize(
    ("lives", "expected"),
    [
        # What a referee delivers is handed on as it comes.
        (["5,4 0,3,1,2 over"], Played([[5, 4], [0, 3, 1, 2]])),
        # One that dies after its last game loses nothing.
        (["all die"], Played([[0, 1, 2, 3, 4, 5]])),
        # In the second unit of a match that is broken off, games are counted anew.
        (["0,1 3 over 0 1,2 over"], Played([[0, 1], [3], [2], [4, 5]], [[2, 4, 5]])),
        # A machine that can't go on, or a referee that dies again and again.
        (["2,3 trouble"], Played([[2, 3]], error="no memory; what was played is r")),
        (
            ["0,1 die", "die", "die"],
            Played(
                [[0, 1]], [], 3, 12, "the referee failed 3 times at zombie_dice, ana"
            ),
        ),
    ],
)
def test_what_was_delivered_counts(
    monkeypatch: pytest.MonkeyPatch, lives: list[str], expected: Played
) -> None:
    played = play(monkeypatch, *lives)
    assert (played.batches, played.left) == (expected.batches, expected.left)
    assert (played.lost, played.void) == (expected.lost, expected.void)
    assert played.error.startswith(expected.error)
    assert bool(played.error) == bool(expected.error)


def test_what_a_referee_has_not_delivered_is_played_again_if_it_dies(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played = play(monkeypatch, "0,1 die", "all over")
    assert played.batches == [[0, 1], [2, 3, 4, 5]]
    first, second = played.by[0], played.by[2]
    assert first != second
    assert [played.by[game] for game in range(6)] == [first] * 2 + [second] * 4
    assert (played.left, played.lost, played.void) == ([], 1, 4)


def test_what_was_delivered_before_an_interruption_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert play(monkeypatch, "2,3 0,1", interrupt_after=2).batches == [[2, 3]]


def test_a_stall_is_told_with_what_is_waited_for_and_again_if_it_goes_on() -> None:
    told: list[tuple[float, str]] = []
    watch = StallWatch(lambda what: told.append((trio.current_time(), what)))

    async def wait() -> None:
        start = trio.current_time()
        watch.situations = {
            1: "run, c against d begins",
            0: "dice, a against b: so",
        }
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch.watch)
            await trio.sleep(200)
            # A game ends: the next silence is told after as long as the first.
            watch.end()
            watch.situations = {}
            await trio.sleep(50)
            nursery.cancel_scope.cancel()
        told[:] = [(round(time - start), what) for time, what in told]

    trio.run(wait, clock=MockClock(autojump_threshold=0))
    both = "dice, a against b: so; run, c against d begins"
    assert told == [
        (30, f"no game has ended for 30 s: {both}"),
        (60, f"no game has ended for 60 s: {both}"),
        (120, f"no game has ended for 120 s: {both}"),
        (230, "no game has ended for 30 s: no referee"),
    ]


def test_all_referees_together_keep_no_more_contestants_busy_than_there_are_cores() -> (
    None
):
    for workers in range(1, count_cores() + 1):
        assert 1 <= busy_contestants(workers) * workers <= count_cores()
    assert busy_contestants(10 * count_cores()) == 1


@pytest.mark.parametrize(
    ("workers", "in_flight", "restart", "expected"),
    [
        (1, 64, Restart.MATCH, [None]),
        (1, 1, Restart.MATCH, [3]),
        (1, 64, Restart.GAME, [3]),
        (2, 64, Restart.MATCH, [3, 5]),
        (3, 64, Restart.MATCH, [3, 5, 3]),
    ],
)
def test_where_nothing_is_done_at_the_same_time_a_referee_keeps_to_one_core(
    monkeypatch: pytest.MonkeyPatch,
    workers: int,
    in_flight: int,
    restart: Restart,
    expected: list[int | None],
) -> None:
    monkeypatch.setattr(local_executor, "usable_cores", lambda: [3, 5])
    plan = make_plan(league(league_game("zombie_dice", fixtures=3)), [ANA, BEN])
    unit = next_of(Queue(plan, 0, {}))
    unit = replace(unit, in_flight=in_flight, restart=restart)
    executor = LocalExecutor(workers, spec_of("process"), pytest.fail)
    told = [executor._setup_of(number, unit).core for number in range(workers)]
    assert told == expected

"""The writer: a slow disk holds up the referees, and nothing piles up meanwhile."""

import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
import trio
from plans import entry, league, league_game, next_of, record_of, scheduled
from test_store import INFO, counts
from trio.testing import MockClock

from arena.errors import RecordError
from arena.league.play import recorder as recorder_module
from arena.league.play.recorder import Progress, Recorder
from arena.league.results.store import Store
from arena.league.schedule.queue import Queue
from arena.records.batch import Batch, to_batches
from arena.records.game_record import Fault, GameRecord
from arena.records.prints import Printed
from arena.referee.work_unit import WorkUnit

FIXTURES = 100
GAMES = 2 * FIXTURES
AT_ONCE = 4
"""Games in a delivery."""
MOST = 20
"""Games that may wait."""
REFEREES = 3
TIMEOUT_S = 60.0
"""For anything to happen in a test; then it has failed."""
CONFIG = league(league_game("zombie_dice", fixtures=FIXTURES), quarantine=0)
ENTRIES = (entry("ana"), entry("ben"))


def record(unit: WorkUnit, place: int, *, is_lost: bool = False) -> GameRecord:
    """Return a game that ben has forfeited, or nobody."""
    who = [unit.entries[i].id for i in unit.games[place].seats]
    ben = "ben:Bot"
    fault = Fault(who.index(ben), ben, 0, "crash", "so it was")
    return record_of(
        unit,
        place,
        forfeits=tuple(is_lost and x == ben for x in who),
        faults=(fault,) * is_lost,
    )


class Disk:
    """Records like a store, but may stand still, and notes what it was given."""

    def __init__(self, store: Store, *, is_stuck: bool = False) -> None:
        self.sizes: list[int] = []
        """Games of each transaction."""
        self.is_reached = threading.Event()
        self.may_go_on = threading.Event()
        if not is_stuck:
            self.may_go_on.set()
        self._add = store.add

    def add(
        self, batches: Iterable[Batch], changes: Iterable[tuple[int, str]] = ()
    ) -> None:
        batches = list(batches)
        self.sizes.append(sum(len(batch.game_ids) for batch in batches))
        self.is_reached.set()
        assert self.may_go_on.wait(TIMEOUT_S)
        self._add(batches, changes)


def deliveries(queue: Queue) -> Iterator[list[Batch]]:
    """Yield all games of a queue, some at once."""
    while (unit := queue.next()) is not None:
        for start in range(0, len(unit.games), AT_ONCE):
            places = range(start, min(start + AT_ONCE, len(unit.games)))
            yield list(to_batches(record(unit, place) for place in places))


def writer_of(
    store: Store,
    told: list[Progress],
    patience: int = 0,
    tell: Callable[[str], None] = pytest.fail,
) -> Recorder:
    """Return the writer of a league that begins."""
    stage = scheduled(CONFIG, ENTRIES).first()
    queue = Queue(stage.plan, patience, {})
    store.begin(INFO, queue.game_ids())
    return Recorder(store, queue, stage, Progress(stage.most, 0), told.append, tell)


def test_while_the_disk_stands_still_no_more_games_are_taken_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder_module, "MAX_WAITING_GAMES", MOST)
    taken: list[int] = []
    disks: list[Disk] = []
    is_open = threading.Event()

    async def referee(writer: Recorder, games: Iterator[list[Batch]]) -> None:
        for batches in games:
            taken.append(sum(len(batch.game_ids) for batch in batches))
            await writer.deliver(batches)

    async def play(writer: Recorder) -> None:
        games = deliveries(writer.queue)
        async with writer.writing(), trio.open_nursery() as nursery:
            for _ in range(REFEREES):
                nursery.start_soon(referee, writer, games)

    def league() -> None:
        with Store.open(tmp_path) as store:
            writer = writer_of(store, [])
            disks.append(Disk(store, is_stuck=True))
            monkeypatch.setattr(store, "add", disks[0].add)
            is_open.set()
            # No time passes, so that nothing is recorded for that reason.
            trio.run(play, writer, clock=MockClock())

    thread = threading.Thread(target=league)
    thread.start()
    assert is_open.wait(TIMEOUT_S)
    assert disks[0].is_reached.wait(TIMEOUT_S)
    assert MOST <= sum(taken) <= MOST + AT_ONCE
    disks[0].may_go_on.set()
    thread.join(TIMEOUT_S)
    assert not thread.is_alive()
    assert sum(taken) == GAMES
    assert sum(disks[0].sizes) == GAMES
    assert max(disks[0].sizes) <= MOST + AT_ONCE
    with Store.read(tmp_path) as store:
        assert counts(store) == (GAMES, GAMES, GAMES)


def test_games_are_recorded_after_a_moment_and_it_is_told(tmp_path: Path) -> None:
    told: list[Progress] = []

    async def play(writer: Recorder) -> None:
        unit = next_of(writer.queue)
        async with writer.writing():
            for number in range(3):
                game = record(unit, number, is_lost=number == 1)
                await writer.deliver(list(to_batches([game])))
            assert counts(store) == (GAMES, 0, 0)
            await trio.sleep(1)
            assert counts(store) == (GAMES, 3, 3)
            assert told == [Progress(GAMES, 3, played=3, forfeits=1)]
            # Nothing new is nothing to tell.
            await trio.sleep(10)
            await writer.deliver(list(to_batches([record(unit, 3)])))
        assert counts(store) == (GAMES, 4, 4)
        assert told[1:] == [Progress(GAMES, 4, played=4, forfeits=1)]

    with Store.open(tmp_path) as store:
        writer = writer_of(store, told)
        assert writer.progress == Progress(GAMES, 0)
        trio.run(play, writer, clock=MockClock(autojump_threshold=0))


def test_progress_never_runs_backwards_when_a_bot_is_quarantined(
    tmp_path: Path,
) -> None:
    """Games that were played too early count no more, and all others are certain."""
    told: list[Progress] = []

    async def play(writer: Recorder) -> None:
        unit = next_of(writer.queue)
        async with writer.writing():
            for number in (8, 9, 10, 11, 0, 1):
                game = record(unit, number, is_lost=number > 9 or number < 2)
                await writer.deliver(list(to_batches([game])))
                await trio.sleep(1)
            while (more := writer.queue.next()) is not None:
                for number in range(len(more.games)):
                    game = record(more, number, is_lost=True)
                    await writer.deliver(list(to_batches([game])))
                await trio.sleep(1)

    with Store.open(tmp_path) as store:
        writer = writer_of(store, told, patience=2)
        trio.run(play, writer, clock=MockClock(autojump_threshold=0))
        assert writer.queue.quarantined
    assert [progress.recorded for progress in told] == [1, 2, 3, 4, 5, GAMES]
    for what in ("recorded", "played", "forfeits"):
        numbers = [getattr(progress, what) for progress in told]
        assert numbers == sorted(numbers)


def test_what_was_taken_in_is_recorded_whatever_ends_the_play(tmp_path: Path) -> None:
    async def play(writer: Recorder) -> None:
        async with writer.writing():
            await writer.deliver(next(deliveries(writer.queue)))
            raise KeyboardInterrupt

    with Store.open(tmp_path) as store:
        writer = writer_of(store, [])
        with pytest.raises(BaseExceptionGroup):
            trio.run(play, writer, clock=MockClock())
        assert counts(store) == (GAMES, AT_ONCE, AT_ONCE)


def test_prints_that_can_not_be_kept_cost_no_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes: list[str] = []

    def add_prints(batches: Iterable[Batch]) -> None:
        tries.append(len([*batches]))
        raise RecordError(f"{tmp_path}: full")

    async def play(writer: Recorder) -> None:
        unit = next_of(writer.queue)
        for number in range(3):
            async with writer.writing():
                game = record(unit, number)
                prints = {game.game_id: [Printed(0, 0, "hello")]}
                await writer.deliver(list(to_batches([game], prints)))

    tries: list[int] = []
    with Store.open(tmp_path) as store:
        monkeypatch.setattr(store.prints, "add", add_prints)
        trio.run(play, writer_of(store, [], tell=notes.append))
        assert counts(store) == (GAMES, 3, 3)
    assert tries == [1]
    (note,) = notes
    assert note == f"from here on, nothing that bots print is kept: {tmp_path}: full"

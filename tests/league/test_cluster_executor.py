"""Who plays what on a cluster, whoever joins or leaves; its workers are made up."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio
from hand_ins import hash_of, kept
from plans import entry, record_of
from sandboxes import spec_of
from trio.testing import MockClock

from arena.errors import ConfigError, LeagueError, find_error
from arena.games import game_paths
from arena.league.entries.entry import Entry
from arena.league.play.cluster import cluster_executor as cluster
from arena.league.play.cluster import dask_cluster, handshake
from arena.league.play.cluster.cluster_executor import ClusterExecutor, dask_address
from arena.league.play.cluster.messages import (
    Answer,
    AskError,
    Closed,
    GoneError,
    Lacking,
    League,
    Load,
    Opened,
    Played,
    Refused,
    Unable,
)
from arena.records.batch import Batch, to_batches
from arena.referee.work_unit import EntrySpec, GameTask, Limits, WorkUnit
from arena.worker.protocol import GameSpec

ADDRESS = "dask://127.0.0.1:8786"
SPEC = spec_of("process")
FIT, OPENED = Lacking(()), Opened("pool")
ANA, BEN = EntrySpec("ana", "/ana.py", "Ana"), EntrySpec("ben", "/ben.py", "Ben")


def unit(number: int, games: int = 2) -> WorkUnit:
    """Return a unit whose games are called after it."""
    return WorkUnit(
        label="zombie_dice",
        game=GameSpec("zombie_dice", "module:Class", 2, {}),
        entries=(ANA, BEN),
        games=tuple(
            GameTask(f"{number}.{g}", f"{number}.{g}", str(number), b"", (0, 1))
            for g in range(games)
        ),
        limits=Limits(),
        max_decisions=100,
        in_flight=1,
    )


def batches(
    unit: WorkUnit, first: int = 0, end: int | None = None
) -> tuple[Batch, ...]:
    """Return games of a unit as its referee packs them."""
    return tuple(
        to_batches([record_of(unit, i) for i in range(len(unit.games))[first:end]])
    )


async def all_of_it(unit: WorkUnit) -> Answer:
    """Play a unit in a second."""
    await trio.sleep(1.0)
    return Played(batches(unit))


async def nothing(_: WorkUnit) -> Answer:
    """Be busy for good."""
    await trio.sleep_forever()
    raise AssertionError


@dataclass
class Worker:
    """A worker of the cluster, and what it has been asked."""

    plays: Callable[[WorkUnit], Awaitable[Answer]] = all_of_it
    threads: int = 1
    greeting: Answer | Exception = FIT
    opening: Answer = OPENED
    joins: float = 0.0
    """Seconds after the beginning."""
    leaves: float = float("inf")
    greeted: int = 0
    sent: list[int] = field(default_factory=list)
    played: list[str] = field(default_factory=list)
    """Names of units."""
    at_once: int = 0


@dataclass
class MadeUp:
    """A cluster of such workers."""

    workers: dict[str, Worker]
    hear: Callable[[int, str], None] = lambda number, what: None
    closed: list[Sequence[str]] = field(default_factory=list)

    def listen(self, league: str, hear: Callable[[int, str], None]) -> None:
        self.hear = hear

    async def members(self) -> Mapping[str, int]:
        await trio.lowlevel.checkpoint()
        now = trio.current_time()
        return {
            name: w.threads
            for name, w in self.workers.items()
            if w.joins <= now < w.leaves
        }

    async def greet(self, worker: str, league: bytes) -> Answer:
        await trio.lowlevel.checkpoint()
        self.workers[worker].greeted += 1
        msgspec.msgpack.decode(league, type=League)
        greeting = self.workers[worker].greeting
        if isinstance(greeting, Exception):
            raise greeting
        return greeting

    async def take_in(self, worker: str, load: bytes) -> Answer:
        await trio.lowlevel.checkpoint()
        found = msgspec.msgpack.decode(load, type=Load)
        self.workers[worker].sent.append(found.hand_in)
        return Lacking(())

    async def open_pool(self, worker: str, league: str) -> Answer:
        await trio.sleep(0.1)
        return self.workers[worker].opening

    async def play(
        self, worker: str, league: str, pool: str, number: int, unit: bytes
    ) -> Answer:
        assert pool == "pool"
        who = self.workers[worker]
        task = msgspec.msgpack.decode(unit, type=WorkUnit)
        who.played.append(task.games[0].match_id)
        who.at_once += 1
        assert who.at_once <= who.threads
        self.hear(number, "ana is busy")
        try:
            return await who.plays(task)
        finally:
            who.at_once -= 1

    async def close(self, workers: Sequence[str], league: str) -> None:
        self.closed.append(workers)


@dataclass
class Course:
    """What came of playing units on a cluster."""

    cluster: MadeUp
    stages: list[list[WorkUnit]]
    """Units that nobody has taken."""
    entries: Sequence[Entry] = ()
    delivered: list[str] = field(default_factory=list)
    given_back: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    error: str = ""
    lost: int = 0
    void: int = 0
    seconds: float = 0.0
    connections: int = 0

    def next(self) -> WorkUnit | None:
        return self.stages[0].pop(0) if self.stages[0] else None

    def give_back(self, unit: WorkUnit, left: Sequence[GameTask]) -> None:
        self.given_back += [game.game_id for game in left]

    async def deliver(self, batches: Sequence[Batch]) -> None:
        # While this waits, nothing else may be asked of the same referee.
        await trio.sleep(1.0)
        self.delivered += [id_ for batch in batches for id_ in batch.game_ids]

    async def connect(self, address: str) -> MadeUp:
        assert address == ADDRESS
        self.connections += 1
        return self.cluster

    async def play(self) -> None:
        executor = ClusterExecutor(
            ADDRESS,
            SPEC,
            (),
            game_paths(),
            self.entries,
            self.told.append,
            self.connect,
        )
        try:
            while self.stages:
                await executor.play(self, self.deliver)
                del self.stages[0]
        except BaseExceptionGroup as group:
            error = find_error(group, LeagueError)
            if error is None:
                raise
            self.error = str(error)
        finally:
            await executor.close()
            self.lost, self.void = executor.lost, executor.void
            self.seconds = trio.current_time()


def play(
    workers: dict[str, Worker],
    units: int = 4,
    entries: Sequence[Entry] = (),
    stages: int = 1,
) -> Course:
    """Play so many units of two games in all, from the time 0 on."""
    numbers = [range(first, units, stages) for first in range(stages)]
    course = Course(
        MadeUp(workers), [[unit(n) for n in stage] for stage in numbers], entries
    )
    clock = MockClock(autojump_threshold=0)

    async def play_from_zero() -> None:
        offset = trio.current_time()
        for worker in workers.values():
            worker.joins += offset
            worker.leaves += offset
        await course.play()
        course.seconds -= offset

    trio.run(play_from_zero, clock=clock)
    return course


@pytest.fixture(autouse=True)
def no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look up nothing that is installed, and read files at once, not in a thread."""

    async def at_once(call: Callable[..., Any], *args: object) -> Any:
        await trio.lowlevel.checkpoint()
        return call(*args)

    monkeypatch.setattr(handshake, "installed_versions", lambda *_: {})
    monkeypatch.setattr("trio.to_thread.run_sync", at_once)


def games(units: int) -> list[str]:
    return sorted(game.game_id for n in range(units) for game in unit(n).games)


def test_all_units_are_shared_out_and_each_is_played_once() -> None:
    workers = {"a": Worker(), "b": Worker(threads=2)}
    course = play(workers, units=9)
    assert sorted(course.delivered) == games(9)
    # A unit and its delivery take 2 s, so three referees have played three each.
    assert [len(w.played) for w in workers.values()] == [3, 6]
    assert (course.lost, course.void, course.error, course.told) == (0, 0, "", [])
    assert course.cluster.closed == [["a", "b"]]


def test_no_unit_is_taken_before_the_one_before_it_is_delivered() -> None:
    course = play({"a": Worker()}, units=5)
    # 1 s to play and 1 s for its games to be recorded.
    assert course.seconds == pytest.approx(0.1 + 5 * 2.0, abs=0.5)


def test_games_that_end_are_no_silence() -> None:
    async def take_long(unit: WorkUnit) -> Answer:
        await trio.sleep(20.0)
        return Played(batches(unit))

    assert play({"a": Worker(take_long)}).told == []


def test_the_next_stage_is_played_by_whom_is_there_already() -> None:
    workers = {"a": Worker(), "b": Worker(opening=Refused("no"))}
    course = play(workers, units=6, stages=3)
    assert sorted(course.delivered) == games(6)
    assert len(workers["a"].played) == 6
    assert [w.greeted for w in workers.values()] == [1, 1]
    assert (course.connections, len(course.told)) == (1, 1)


def test_nothing_to_play_needs_no_cluster() -> None:
    course = play({}, units=0)
    assert (course.connections, course.cluster.closed) == (0, [])


def test_what_a_worker_is_lost_with_is_played_by_others() -> None:
    workers = {"a": Worker(nothing, leaves=5.0), "b": Worker()}
    course = play(workers)
    assert sorted(course.delivered) == games(4)
    assert (course.lost, course.void) == (1, 2)
    (lost,) = workers["a"].played
    assert lost in workers["b"].played
    assert len(workers["b"].played) == 4


def test_a_worker_that_joins_later_gets_work() -> None:
    workers = {"a": Worker(nothing, leaves=30.0), "b": Worker(joins=20.0)}
    course = play(workers, units=1)
    assert workers["b"].played == ["0"]
    assert sorted(course.delivered) == games(1)


@pytest.mark.parametrize("sign", [Closed(), GoneError()], ids=["closed", "gone"])
def test_a_worker_that_has_begun_anew_is_greeted_anew(
    sign: Closed | GoneError,
) -> None:
    signs = iter([sign])

    async def forget_once(unit: WorkUnit) -> Answer:
        for sign in signs:
            if isinstance(sign, GoneError):
                raise sign
            return sign
        return await all_of_it(unit)

    workers = {"a": Worker(forget_once)}
    course = play(workers, units=2)
    assert workers["a"].greeted == 2
    assert sorted(course.delivered) == games(2)
    assert (course.lost, course.void) == (1, 2)


async def vanish(_: WorkUnit) -> Answer:
    await trio.sleep(1.0)
    raise GoneError


def test_a_unit_that_is_lost_three_times_ends_the_league() -> None:
    workers = {"a": Worker(vanish)}
    course = play(workers, units=1)
    assert course.error == (
        "the referee failed 3 times at zombie_dice, ana against ben: its worker a was "
        "lost; what was played is recorded"
    )
    assert (course.lost, course.void) == (3, 6)


def test_what_was_delivered_before_a_referee_died_counts() -> None:
    lives = iter([1, 0])

    async def die_twice(unit: WorkUnit) -> Answer:
        for games in lives:
            return Played(batches(unit, end=games), "Killed")
        return await all_of_it(unit)

    course = play({"a": Worker(die_twice)}, units=1)
    assert course.delivered == ["0.0", "0.1"]
    assert (course.lost, course.void) == (2, 2)


def test_what_is_left_of_a_match_that_is_broken_off_is_given_back() -> None:
    async def break_off(unit: WorkUnit) -> Answer:
        return Played(batches(unit, 1))

    course = play({"a": Worker(break_off)}, units=2)
    assert course.delivered == ["0.1", "1.1"]
    assert course.given_back == ["0.0", "1.0"]
    assert (course.lost, course.void) == (0, 0)


def test_a_worker_in_trouble_gets_nothing_any_more() -> None:
    async def fail(unit: WorkUnit) -> Answer:
        return Unable("no memory", batches(unit, end=1))

    workers = {"a": Worker(fail, threads=2), "b": Worker(joins=1.0)}
    course = play(workers, units=3)
    assert sorted(course.delivered) == games(3)
    assert course.told == ["worker a takes no games: no memory"]
    assert len(workers["a"].played) == 2
    assert course.void == 2


@pytest.mark.parametrize(
    ("weak", "why"),
    [
        (Worker(greeting=Refused("numpy is 1 there and 2 here")), "numpy is 1 there"),
        (Worker(opening=Refused("isolation filters can't")), "isolation filters can't"),
        (
            Worker(greeting=AskError("ImportError: arena")),
            "can't be made ready: Import",
        ),
    ],
)
def test_a_worker_that_is_not_fit_takes_nothing(weak: Worker, why: str) -> None:
    weak.joins = weak.greeted = 0
    course = play({"a": weak, "b": Worker()})
    assert (weak.greeted, weak.played) == (1, [])
    assert sorted(course.delivered) == games(4)
    (note,) = course.told
    assert note.startswith(f"worker a takes no games: {why}")


def test_if_nobody_is_fit_it_is_said_at_once_of_all() -> None:
    workers = {name: Worker(opening=Refused(f"no {name}")) for name in "abcd"}
    course = play(workers)
    assert course.error == (
        f"no worker of {ADDRESS} can play this league (a: no a; b: no b; c: no c)"
    )
    assert course.seconds < 2.0


def test_workers_are_waited_for_but_not_for_ever() -> None:
    course = play({"a": Worker(joins=50.0)}, units=1)
    assert sorted(course.delivered) == games(1)
    course = play({"a": Worker(joins=70.0)}, units=1)
    assert course.error == (
        f"no worker of {ADDRESS} could play for 60 s; start one with: "
        "dask worker tcp://127.0.0.1:8786"
    )
    assert course.told[0] == f"waiting for a worker at {ADDRESS}"


def test_after_the_last_worker_has_left_another_is_waited_for() -> None:
    workers = {
        "a": Worker(nothing, leaves=10.0),
        "b": Worker(opening=Refused("no")),
        "c": Worker(joins=40.0),
    }
    course = play(workers, units=1)
    assert sorted(course.delivered) == games(1)
    assert f"waiting for a worker at {ADDRESS}" in course.told


def test_a_silence_is_told_with_what_every_referee_waits_for() -> None:
    workers = {"a": Worker(nothing, leaves=100.0), "b": Worker(joins=90.0)}
    course = play(workers, units=1)
    what = "zombie_dice, ana against ben at a: ana is busy"
    assert course.told[:2] == [
        f"no game has ended for 30 s: {what}",
        f"no game has ended for 60 s: {what}",
    ]


def write_bots(folder: Path) -> list[Entry]:
    """Write two bots, and return their entries."""
    found = []
    for name in ("ana", "ben"):
        path = folder / f"{name}.py"
        path.write_text(name)
        names, code = hash_of([path])
        hand_in = kept(code, *names, home=str(folder))
        found.append(replace(entry(name), path=path, hand_in=hand_in))
    return found


def test_a_worker_is_sent_what_it_lacks_and_nothing_else(tmp_path: Path) -> None:
    workers = {"a": Worker(greeting=Lacking((1,))), "b": Worker()}
    course = play(workers, entries=write_bots(tmp_path))
    assert sorted(course.delivered) == games(4)
    assert (workers["a"].sent, workers["b"].sent) == ([1], [])


def test_a_bot_that_is_gone_ends_the_league(tmp_path: Path) -> None:
    entries = write_bots(tmp_path)
    (tmp_path / "ana.py").unlink()
    course = play({"a": Worker(greeting=Lacking((0,)))}, entries=entries)
    assert course.error.startswith(f"{tmp_path}/ana.py can't be read any more")
    assert course.cluster.closed == [["a"]]


def test_a_bot_that_is_not_what_it_was_ends_the_league(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(self: MadeUp, worker: str, load: bytes) -> Answer:
        return Refused("ana.py")

    monkeypatch.setattr(MadeUp, "take_in", refuse)
    workers = {"a": Worker(greeting=Lacking((0,)))}
    course = play(workers, entries=write_bots(tmp_path))
    assert course.error == (
        f"{tmp_path}/ana.py has been changed since the league began; run the same "
        "command again to play with it as it is now"
    )


def test_an_address_is_written_as_dask_does() -> None:
    assert dask_address("dask://10.0.0.1:8786") == "tcp://10.0.0.1:8786"
    assert dask_address("dask://head.lab.example:1/") == "tcp://head.lab.example:1"
    assert dask_address("dask://[::1]:8786") == "tcp://[::1]:8786"
    assert dask_address("dask+tls://10.0.0.1:8786") == "tls://10.0.0.1:8786"
    for text in ("10.0.0.1:8786", "dask://10.0.0.1", "ssh://a:22", "dask://:1"):
        message = f"--executor: expected dask://HOST:PORT; found {text!r}"
        with pytest.raises(ConfigError, match=f"^{re.escape(message)}$"):
            dask_address(text)
    with pytest.raises(ConfigError):
        dask_address("dask://a:b")


def test_without_dask_it_is_said_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"pip install 'bot-arena\[cluster\]'$"):
        dask_address(ADDRESS)


def test_tls_that_is_not_set_up_is_said_in_a_sentence() -> None:
    with pytest.raises(LeagueError, match=r"^dask\+tls://127\.0\.0\.1:1 needs TLS, "):
        trio.run(cluster.connect, "dask+tls://127.0.0.1:1")


def test_no_scheduler_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_cluster, "_CONNECT_TIMEOUT_S", 0.2)
    with pytest.raises(LeagueError) as caught:
        trio.run(cluster.connect, "dask://127.0.0.1:1")
    assert str(caught.value).startswith(
        "no Dask scheduler answers at dask://127.0.0.1:1 ("
    )
    assert str(caught.value).endswith("; start one there with: dask scheduler")

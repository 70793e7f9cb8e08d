"""The part of a league that runs in a Dask worker: its bots, its referees, their play.

What the coordinator calls takes and returns MessagePack, which Dask passes on as it
is.  Nothing that a contestant has said is ever unpickled.
"""

import asyncio
import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import SimpleQueue
from threading import Thread

import msgspec
import trio
from distributed import Status, get_worker
from msgspec.structs import replace

from arena.errors import LeagueError, find_error
from arena.league.entries.hand_ins.depot import Depot
from arena.league.framed_process import STOP_TIMEOUT_S, last_line
from arena.league.play.cluster.messages import (
    Closed,
    Lacking,
    League,
    Load,
    Opened,
    Played,
    Refused,
    Unable,
    encode,
    topic,
)
from arena.league.play.cluster.probe_level import Question
from arena.league.play.referee_process import RefereeProcess, UnitEnd
from arena.league.results.installed_versions import (
    installed_versions,
    version_difference,
)
from arena.records.batch import Batch
from arena.referee.contestant.bot_code import read_sources
from arena.referee.sandbox import SandboxSpec
from arena.referee.sandbox.library import MissingPackageError, find_library
from arena.referee.service import Setup
from arena.referee.work_unit import EntrySpec, WorkUnit

_POLL_S = 0.2
"""Between two looks at whether anybody still wants a unit."""
_TELL_EVERY_S = 5.0
_IDLE_TIMEOUT_S = 20.0
"""For a referee that nobody needs; then it is stopped, as the league may be gone."""
_ENDING = (Status.closing, Status.closed, Status.failed)
"""A Dask worker that is about to end, but waits for its tasks."""
_decode_unit = msgspec.msgpack.Decoder(WorkUnit).decode
_pools: dict[str, "_RefereePool"] = {}
"""By id of the league; one for each run that this process plays for."""


def greet(data: bytes) -> bytes:
    """Prepare for a `League`; return what is `Lacking`, or why it is `Refused`."""
    league = msgspec.msgpack.decode(data, type=League)
    try:
        library = find_library(
            league.packages, tuple(league.games.values()), league.guests
        )
    except MissingPackageError as error:
        return encode(Refused(f"{error.package} is not installed there"))
    brought = [*league.games.values(), *league.guests.values()]
    here = installed_versions(library.modules, brought)
    if other := version_difference(league.installed, here):
        return encode(Refused(other))
    depot = Depot(Path(get_worker().local_directory) / "arena-bots")
    kept = map(depot.here, league.hand_ins)
    folders = [x.read_folder for x in kept if x.folder]
    spec = SandboxSpec(
        league.level, league.path, library, tuple(folders), league.preload
    )
    earlier = _pools.pop(league.id, None)
    if earlier is not None:
        earlier.close()
    _pools[league.id] = _RefereePool(league, spec, depot)
    lacking = [n for n, x in enumerate(league.hand_ins) if not depot.has(x)]
    return encode(Lacking(tuple(lacking)))


def take_in(data: bytes) -> bytes:
    """Keep the files of a `Load`; `Refused` if they have another hash than promised."""
    load = msgspec.msgpack.decode(data, type=Load)
    pool = _pools.get(load.league)
    if pool is None:
        return encode(Closed())
    hand_in = pool.league.hand_ins[load.hand_in]
    if not pool.depot.keep_sent(hand_in, load.data):
        return encode(Refused(hand_in.name))
    return encode(Lacking(()))


def open_pool(league: str) -> bytes:
    """Try the level once all bots are here; return `Opened`, or why it is `Refused`."""
    pool = _pools.get(league)
    if pool is None:
        return encode(Closed())
    question = Question(pool.setup.sandbox, pool.league.games)
    with tempfile.TemporaryFile() as errors:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "arena.league.play.cluster.probe_level"],
            input=msgspec.msgpack.encode(question),
            stdout=subprocess.PIPE,
            stderr=errors,
            check=False,
        )
        if done.returncode:
            problem = f"the level could not be tried: {last_line(errors)}"
            return encode(Refused(problem))
    problem = msgspec.msgpack.decode(done.stdout, type=str)
    return encode(Refused(problem) if problem else Opened(pool.id))


def play(league: str, pool_id: str, number: int, unit: bytes) -> bytes:
    """Play a `WorkUnit` to its end; return `Played`, `Unable` or `Closed`.

    What the referee waits for is told under `topic`, with this number.
    """
    pool = _pools.get(league)
    if pool is None or pool.id != pool_id:
        return encode(Closed())
    worker = get_worker()
    key = worker.get_current_task()

    def is_wanted() -> bool:
        task = worker.state.tasks.get(key)
        is_cancelled = task is None or task.state == "cancelled"
        return not is_cancelled and worker.status not in _ENDING

    def tell(what: str) -> None:
        worker.log_event(topic(league), {"number": number, "what": what})

    return encode(pool.play(_decode_unit(unit), is_wanted, tell))


async def close_pool(league: str) -> None:
    """Stop what is still played of a league, wait for its end, and forget it."""
    pool = _pools.pop(league, None)
    if pool is not None:
        await asyncio.to_thread(pool.close)


class _RefereePool:
    """The referees of a league at this Dask worker, one for each of its threads.

    Another thread runs trio for all of them.
    """

    def __init__(self, league: League, spec: SandboxSpec, depot: Depot) -> None:
        self.id = secrets.token_hex(8)
        self.league = league
        self.depot = depot
        # Each thread of the Dask worker has a referee, and stands for a core.
        self.setup = Setup(spec, busy=1)
        here = map(depot.here, league.hand_ins)
        self._hand_ins = {(x.code, x.name): x for x in here}
        self._idle: dict[RefereeProcess, trio.CancelScope] = {}
        """Referees without a unit, each with the scope in which it waits for one."""
        tokens: SimpleQueue[trio.lowlevel.TrioToken] = SimpleQueue()
        self._thread = Thread(target=trio.run, args=(self._run, tokens), daemon=True)
        self._thread.start()
        self._trio = tokens.get()

    def play(
        self, unit: WorkUnit, is_wanted: Callable[[], bool], tell: Callable[[str], None]
    ) -> Played | Unable | Closed:
        """Have a referee play a unit; `Closed` as soon as nobody wants it.

        `tell` is told what the referee waits for; an empty text if a game has ended.

        Raises:
            OSError: the files of a bot have changed since they were sent.
        """
        unit = replace(unit, entries=tuple(map(self._with_local_files, unit.entries)))
        try:
            return trio.from_thread.run(
                self._play, unit, is_wanted, tell, trio_token=self._trio
            )
        except (trio.Cancelled, trio.RunFinishedError):
            return Closed()
        except BaseExceptionGroup as group:
            error = find_error(group, Exception)
            if error is None:  # The nursery of `_play` has been cancelled.
                return Closed()
            raise error from None

    def close(self) -> None:
        """Stop all referees, and wait until they have ended."""
        try:
            self._trio.run_sync_soon(self._closing.set)
        except trio.RunFinishedError:
            return
        self._thread.join(2 * STOP_TIMEOUT_S)

    async def _run(self, tokens: SimpleQueue[trio.lowlevel.TrioToken]) -> None:
        self._closing = trio.Event()
        tokens.put(trio.lowlevel.current_trio_token())
        await self._closing.wait()
        # When this function ends, trio cancels all that plays or is idle.

    async def _play(
        self, unit: WorkUnit, is_wanted: Callable[[], bool], tell: Callable[[str], None]
    ) -> Played | Unable | Closed:
        batches: list[Batch] = []
        told = trio.current_time()

        async def deliver(delivered: Sequence[Batch]) -> None:
            nonlocal told
            batches.extend(delivered)
            if trio.current_time() > told + _TELL_EVERY_S:
                told = trio.current_time()
                tell("")

        async def watch(play: trio.CancelScope) -> None:
            while is_wanted():
                await trio.sleep(_POLL_S)
            play.cancel()

        try:
            referee = self._take_idle() or await RefereeProcess.start(self.setup)
        except LeagueError as error:
            return Unable(str(error))
        end: UnitEnd | None = None
        try:
            with trio.CancelScope() as play:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(watch, play)
                    end = await referee.play(unit, deliver, tell)
                    nursery.cancel_scope.cancel()
        finally:
            if end is None or end.died_of or end.trouble:
                await referee.stop()
            else:
                wait = self._idle[referee] = trio.CancelScope()
                trio.lowlevel.spawn_system_task(self._wait_idle, referee, wait)
        if end is None:
            return Closed()
        if end.trouble:
            return Unable(end.trouble, tuple(batches))
        return Played(tuple(batches), end.died_of)

    def _take_idle(self) -> RefereeProcess | None:
        if not self._idle:
            return None
        referee, wait = self._idle.popitem()
        wait.cancel()
        return referee

    async def _wait_idle(self, referee: RefereeProcess, wait: trio.CancelScope) -> None:
        """Keep a referee until a unit comes for it; stop it if none does."""
        # It may have been taken before this begins.
        try:
            with wait:
                await trio.sleep(_IDLE_TIMEOUT_S)
        finally:
            if self._idle.get(referee) is wait:
                del self._idle[referee]
                await referee.stop()

    def _with_local_files(self, entry: EntrySpec) -> EntrySpec:
        """Return an entry with the files of its bot on this machine.

        A single file keeps its path at home, which its bot and its faults name.  A
        folder may be read by its bot, so it has its path on this machine.

        Raises:
            OSError: the files have changed since they were sent.
        """
        name = os.path.basename(entry.folder or entry.path)
        here = self._hand_ins.get((entry.code, name))
        if here is None:
            return entry
        files = tuple(map(str, here.paths))
        local = replace(
            entry, path=str(here.path), files=files, folder=here.read_folder
        )
        if here.folder:
            return local
        home = os.path.dirname(entry.path)
        sources = [
            (os.path.join(home, os.path.relpath(file, here.home)), text)
            for file, text in read_sources(local)
        ]
        return replace(entry, files=(), sources=tuple(sources))

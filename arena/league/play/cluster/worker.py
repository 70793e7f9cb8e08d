"""A league's part of a Dask worker: keeps its bots and its referees, and plays units.

What the coordinator calls takes and returns MessagePack, which Dask passes on as it
is.  Nothing that a contestant has said is ever unpickled, or looked at: what referees
deliver goes back as they wrote it.
"""

import asyncio
import os
import secrets
import select
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec
from distributed import Status, get_worker
from msgspec.structs import replace

from arena.league.play.cluster.bot_files import Depot
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
from arena.league.play.cluster.probe_level import Finding, Question
from arena.league.play.executors import last_line
from arena.league.results.installed import difference, installed
from arena.referee.contestant.bot_code import read_sources
from arena.referee.sandbox import SandboxSpec
from arena.referee.sandbox.library import MissingPackageError, find_library
from arena.referee.service import Setup, Stalled, Trouble, UnitDone, news_reader
from arena.referee.work_unit import EntrySpec, WorkUnit
from arena.worker.protocol import frame

_LOOK_UP = 200
"""Milliseconds until a league that is over, or gone, is noticed."""
_TELL_EVERY = 5.0
_IDLE = 20.0
"""Seconds after which a referee that nobody needs is put away."""
_PATIENCE = 5.0
"""Seconds that a referee has to put its contestants away before it is killed."""
_ENDING = (Status.closing, Status.closed, Status.failed)
"""When a Dask worker does not end before its tasks have."""


class _Delivered(msgspec.Struct, frozen=True, tag="Delivery"):
    """Games that are over; left as they are."""


_decode_news = msgspec.msgpack.Decoder(_Delivered | UnitDone | Stalled | Trouble).decode
_decode_unit = msgspec.msgpack.Decoder(WorkUnit).decode
_stations: dict[str, "_Station"] = {}
"""By league; one for each run that this process plays for."""


def greet(data: bytes) -> bytes:
    """Take a `League` in; returns what is `Lacking`, or why it is `Refused`."""
    league = msgspec.msgpack.decode(data, type=League)
    try:
        library = find_library(
            league.packages, tuple(league.games.values()), league.guests
        )
    except MissingPackageError as error:
        return encode(Refused(f"{error.package} is not installed there"))
    brought = [*league.games.values(), *league.guests.values()]
    here = installed(library.modules, brought)
    if other := difference(league.installed, here):
        return encode(Refused(other))
    depot = Depot(Path(get_worker().local_directory) / "arena-bots")
    folders = [str(depot.path(p)) for p in league.parcels if p.is_package]
    spec = SandboxSpec(
        league.level, league.path, library, tuple(folders), league.preload
    )
    _stations[league.id] = _Station(league, spec, depot)
    lacking = [n for n, parcel in enumerate(league.parcels) if not depot.has(parcel)]
    return encode(Lacking(tuple(lacking)))


def take_in(data: bytes) -> bytes:
    """Keep the files of a `Load`; `Refused` if they are not what was promised."""
    load = msgspec.msgpack.decode(data, type=Load)
    station = _stations.get(load.league)
    if station is None:
        return encode(Closed())
    parcel = station.league.parcels[load.parcel]
    if not station.depot.keep(parcel, load.data):
        return encode(Refused(parcel.name))
    return encode(Lacking(()))


def open_station(league: str) -> bytes:
    """Try the level with all bots there; returns `Opened`, or why it is `Refused`."""
    station = _stations.get(league)
    if station is None:
        return encode(Closed())
    question = Question(station.setup.sandbox, station.league.games)
    with tempfile.TemporaryFile() as errors:
        done = subprocess.run(
            [sys.executable, "-m", "arena.league.play.cluster.probe_level"],
            input=msgspec.msgpack.encode(question),
            stdout=subprocess.PIPE,
            stderr=errors,
            check=False,
        )
        if done.returncode:
            problem = f"the level could not be tried: {last_line(errors)}"
            return encode(Refused(problem))
    problem = msgspec.msgpack.decode(done.stdout, type=Finding).problem
    return encode(Refused(problem) if problem else Opened(station.id))


def play(league: str, station_id: str, number: int, unit: bytes) -> bytes:
    """Play a `WorkUnit` to its end; returns `Played`, `Unable` or `Closed`.

    What is waited for is told under `topic` and by this number.
    """
    station = _stations.get(league)
    if station is None or station.id != station_id:
        return encode(Closed())
    worker = get_worker()
    key = worker.get_current_task()

    def is_wanted() -> bool:
        task = worker.state.tasks.get(key)
        is_cancelled = task is None or task.state == "cancelled"
        return not is_cancelled and worker.status not in _ENDING

    def tell(what: str) -> None:
        worker.log_event(topic(league), {"number": number, "what": what})

    return encode(station.play(_decode_unit(unit), is_wanted, tell))


async def put_away(league: str) -> None:
    """End what is still played of a league, and forget it; waits until that is done."""
    station = _stations.pop(league, None)
    if station is not None:
        await asyncio.to_thread(station.close)


class _Station:
    def __init__(self, league: League, spec: SandboxSpec, depot: Depot) -> None:
        self.id = secrets.token_hex(8)
        self.league = league
        self.depot = depot
        # One for each thread of the Dask worker, and a thread is for a core.
        self.setup = Setup(spec, busy=1)
        self._homes = {(p.code, p.name): p for p in league.parcels}
        self._change = threading.Condition()
        self._idle: list[_Referee] = []
        self._busy = 0
        self._is_closed = False

    def play(
        self, unit: WorkUnit, is_wanted: Callable[[], bool], tell: Callable[[str], None]
    ) -> Played | Unable | Closed:
        """Have a referee play a unit, one that is there or a new one."""
        unit = replace(unit, entries=tuple(map(self._at_home, unit.entries)))
        with self._change:
            if self._is_closed:
                return Closed()
            referee = self._idle.pop() if self._idle else None
            self._busy += 1
        try:
            if referee is None:
                try:
                    referee = _Referee(self.setup)
                except OSError as error:
                    return Unable(f"no referee could be started ({error})")
            played = referee.play(
                unit, lambda: is_wanted() and not self._is_closed, tell
            )
            if isinstance(played, Played) and not played.died_of:
                referee = self._seat(referee)
            return played
        finally:
            if referee is not None:
                referee.stop()
            with self._change:
                self._busy -= 1
                self._change.notify_all()

    def close(self) -> None:
        """Put all referees away; those that play do it themselves."""
        with self._change:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for referee in idle:
            referee.stop()
        with self._change:
            self._change.wait_for(lambda: not self._busy, 2 * _PATIENCE)

    def _seat(self, referee: "_Referee") -> "_Referee | None":
        """Let a referee wait for its next unit; return it if there will be none."""
        with self._change:
            if self._is_closed:
                return referee
            referee.idle_since = time.monotonic()
            self._idle.append(referee)
        timer = threading.Timer(_IDLE + 1.0, self._thin_out)
        timer.daemon = True
        timer.start()
        return None

    def _thin_out(self) -> None:
        """Put away who has had nothing to do for long: the league may be gone."""
        long_ago = time.monotonic() - _IDLE
        with self._change:
            old = [r for r in self._idle if r.idle_since < long_ago]
            self._idle = [r for r in self._idle if r not in old]
        for referee in old:
            referee.stop()

    def _at_home(self, entry: EntrySpec) -> EntrySpec:
        """Return an entry with what its contestant is to be made from here.

        A single file keeps its name, under which its bot and its faults know it.  A
        package may read what lies in it, so it is called what it is called here.

        Raises:
            OSError: its files are not what they were when they came.
        """
        parcel = self._homes.get((entry.code, os.path.basename(entry.path)))
        if parcel is None:
            return entry
        files = tuple(map(str, self.depot.files(parcel)))
        if parcel.is_package:
            return replace(entry, path=str(self.depot.path(parcel)), files=files)
        names = dict(zip(files, parcel.files, strict=True))
        home = os.path.dirname(entry.path)
        sources = [
            (os.path.join(home, names[file]), text)
            for file, text in read_sources(files, entry.code)
        ]
        return replace(entry, files=(), sources=tuple(sources))


class _Referee:
    """A referee process, as seen from a thread of the Dask worker."""

    def __init__(self, setup: Setup) -> None:
        """Start it.

        Raises:
            OSError: it can't be started.
        """
        self.idle_since = 0.0
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            [sys.executable, "-m", "arena.referee"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,
            bufsize=0,
        )
        self._send(frame(setup))

    def play(
        self, unit: WorkUnit, is_wanted: Callable[[], bool], tell: Callable[[str], None]
    ) -> Played | Unable | Closed:
        """Return what it says of a unit, or `Closed` as soon as nobody wants it."""
        self._send(frame(unit))
        assert self._process.stdout is not None
        fd = self._process.stdout.fileno()
        poll = select.poll()
        poll.register(fd, select.POLLIN)
        reader = news_reader()
        deliveries: list[bytes] = []
        told = time.monotonic()
        while is_wanted():
            if not poll.poll(_LOOK_UP):
                continue
            data = os.read(fd, 1 << 20)
            if not data:
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(_PATIENCE)
                return Played(tuple(deliveries), last_line(self._errors))
            for body in reader.feed(data):
                news = _decode_news(body)
                if isinstance(news, UnitDone):
                    return Played(tuple(deliveries))
                if isinstance(news, Trouble):
                    return Unable(news.reason, tuple(deliveries))
                if isinstance(news, Stalled):
                    tell(news.what)
                    continue
                deliveries.append(body)
                if time.monotonic() > told + _TELL_EVERY:
                    told = time.monotonic()
                    tell("")
        return Closed()

    def stop(self) -> None:
        """Let it put its contestants away; no process outlives this."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._errors.close()

    def _send(self, data: bytes) -> None:
        assert self._process.stdin is not None
        rest = memoryview(data)
        # If it is dead, whoever listens to it will see that.
        with suppress(BrokenPipeError):
            while rest:
                rest = rest[os.write(self._process.stdin.fileno(), rest) :]

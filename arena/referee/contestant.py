"""One entry's process in one match: requests out, replies in, and its deadlines.

Requests wait in order; the first of them is the one the process is busy with,
and its clock runs from the later of its sending and the reply before it.  One
task pumps replies and one watches the clock, whatever the number of games.
"""

import os
import time
from collections import deque
from contextlib import suppress
from typing import Protocol

import trio

from arena.referee.clock import ProcessClock, charged, until_charged
from arena.referee.misconduct import Misconduct, death, late, printable, reported
from arena.referee.record import EntrySpec, Limits, Termination
from arena.referee.requests import Asked, Pending, ReplyError, parse_reply
from arena.referee.sandbox import Process, Sandbox
from arena.worker.protocol import (
    MAX_REPLY,
    Answer,
    BotInfo,
    Done,
    Failed,
    FrameError,
    FrameReader,
    Load,
    Ready,
    frame,
)

_MAX_IDLE_DEATHS = 3
_CPU_PER_PROCESS = 24 * 3600
_LAST_BREATH = 2.0
"""Seconds between the end of a contestant's pipe and the end of its process."""


class Umpire(Protocol):
    """What a contestant tells of: the match it plays in."""

    def on_ready(self, who: "Contestant", bots: tuple[BotInfo, ...]) -> None:
        """The bot's file has been read, for the first time or again."""

    def on_reply(
        self, who: "Contestant", pending: Pending, reply: Done | Answer, seconds: float
    ) -> None:
        """A request was answered, `seconds` after its clock began to run."""

    def on_misconduct(
        self, who: "Contestant", pending: Pending, fault: Misconduct, seconds: float
    ) -> None:
        """A request failed by the bot's own doing."""

    def on_refusal(self, who: "Contestant", fault: Misconduct) -> None:
        """The bot can't be started; it is out of all games of the match."""

    def requests_to_repeat(self, who: "Contestant") -> list[Pending]:
        """Everything a new process must be asked, to take over all open games."""

    def settle(self) -> None:
        """Go on, after one or more calls of the above."""


class Contestant:
    """Keeps one entry's process going for the length of a match."""

    def __init__(
        self,
        index: int,
        entry: EntrySpec,
        games: tuple[str, ...],
        limits: Limits,
        sandbox: Sandbox,
        umpire: Umpire,
    ) -> None:
        self.index = index
        self.entry = entry
        self.refused = bool(entry.refused)
        """Whether it is out of the match."""
        self._games = games
        self._limits = limits
        self._sandbox = sandbox
        self._umpire = umpire
        self._pending: deque[Pending] = deque()
        self._outbox = bytearray()
        self._serial = 0
        self._process: Process | None = None
        self._clock = ProcessClock(0)
        self._head_wall = 0.0
        self._head_cpu = 0.0
        self._blame: Misconduct | None = None
        self._accused: Pending | None = None
        self._garbled = False
        self._wake_watchdog = trio.Event()
        self._wake_writer = trio.Event()
        self._idle_deaths = 0

    def next_serial(self) -> int:
        """Return the number for another request."""
        self._serial += 1
        return self._serial

    def ask(self, pending: Pending) -> None:
        """Queue a request; it leaves at the next `flush`."""
        if not self._pending:
            self._start_clock()
        self._pending.append(pending)
        self._outbox += pending.data

    def flush(self) -> None:
        """Send what is queued, as far as the pipe takes it."""
        if self._outbox and self._process is not None:
            try:
                sent = os.write(self._process.write_fd, self._outbox)
            except BlockingIOError:
                sent = 0
            except BrokenPipeError:
                return  # The pump sees the end and says whose fault it was.
            del self._outbox[:sent]
            if self._outbox:
                self._wake_writer.set()

    async def run(self) -> None:
        """Play until cancelled: start the process, and again whenever it dies.

        Raises:
            OSError: the machine can't start it.
        """
        while not self.refused:
            await self._live()

    async def _live(self) -> None:
        self._process = process = self._sandbox.spawn()
        self._clock = ProcessClock(process.pid)
        self._blame = self._accused = None
        self._garbled = False
        self._reader = FrameReader(MAX_REPLY)
        try:
            self._pending.clear()
            self._outbox.clear()
            self.ask(self._load())
            for pending in self._umpire.requests_to_repeat(self):
                self.ask(pending)
            self.flush()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._watch)
                nursery.start_soon(self._write_rest)
                nursery.start_soon(self._end_with_process, nursery.cancel_scope)
                await self._pump()
                nursery.cancel_scope.cancel()
            await self._finish(process)
        finally:
            self._process = None
            process.close()
        self._umpire.settle()

    def _load(self) -> Pending:
        serial = self.next_serial()
        load = Load(
            serial=serial,
            path=self.entry.path,
            games=self._games,
            memory=(self._limits.memory or 0) * 2**20,
            output=self._limits.output,
            cpu=_CPU_PER_PROCESS,
        )
        allowance = self._limits.start + self._limits.margin
        return Pending(Asked.LOAD, serial, frame(load), allowance)

    async def _pump(self) -> None:
        """Receive until the pipe ends or something comes that may not."""
        assert self._process is not None
        fd = self._process.read_fd
        while self._blame is None:
            await trio.lowlevel.wait_readable(fd)
            try:
                data = os.read(fd, 1 << 18)
            except BlockingIOError:
                continue
            if not data:
                return
            self._receive(data)
            self._umpire.settle()

    async def _finish(self, process: Process) -> None:
        """Reap the process and settle whose fault its end was."""
        if self._blame is None:
            with trio.move_on_after(_LAST_BREATH) as scope:
                await _exited(process)
            if scope.cancelled_caught:
                self._accuse(Misconduct(Termination.INVALID_REPLY, "closed its pipe"))
        process.kill()
        process.popen.wait()
        # What had been answered before the end still counts.
        with suppress(BlockingIOError):
            while not self._garbled and (data := os.read(process.read_fd, 1 << 18)):
                self._receive(data)
        self._bury(process)

    def _receive(self, data: bytes) -> None:
        """Take in what has arrived, as far as it makes sense."""
        garbage = ""
        try:
            bodies = self._reader.feed(data)
        except FrameError as error:
            bodies, garbage = error.before, f"sent {error}"
        if bodies:
            self._take(bodies)
        if garbage and not self._garbled:
            self._reject(garbage)

    def _take(self, bodies: list[bytes]) -> None:
        """Take in replies; the time they took is shared out among them."""
        seconds = charged(*self._spent()) / len(bodies)
        for body in bodies:
            try:
                reply = parse_reply(body, self._pending[0] if self._pending else None)
            except ReplyError as error:
                self._reject(str(error))
                return
            pending = self._pending.popleft()
            if pending.asked is not Asked.LOAD and not pending.replayed:
                self._idle_deaths = 0
            if isinstance(reply, Failed):
                self._fail(pending, reply, seconds)
            elif isinstance(reply, Ready):
                self._umpire.on_ready(self, reply.bots)
            elif isinstance(reply, (Done, Answer)):
                self._umpire.on_reply(self, pending, reply, seconds)
            if self.refused:
                return
        self._start_clock()

    def _fail(self, pending: Pending, reply: Failed, seconds: float) -> None:
        fault = reported(reply)
        if pending.asked is Asked.LOAD:
            self._refuse(fault)
            return
        if fault.termination is Termination.MEMORY:
            self._blame, self._accused = fault, pending  # It ends itself now.
        self._umpire.on_misconduct(self, pending, fault, seconds)

    def _refuse(self, fault: Misconduct) -> None:
        self.refused = True
        self._blame = fault
        self._pending.clear()
        self._outbox.clear()
        self._umpire.on_refusal(self, fault)
        self._umpire.settle()

    def _reject(self, what: str) -> None:
        self._garbled = True
        self._accuse(Misconduct(Termination.INVALID_REPLY, what))

    def _accuse(self, fault: Misconduct) -> None:
        """Blame the request being answered, and end the process."""
        if self._blame is None:
            self._blame = fault
            self._accused = self._pending[0] if self._pending else None
        if self._process is not None:
            self._process.kill()

    def _start_clock(self) -> None:
        self._head_wall = time.monotonic()
        self._head_cpu = self._clock.now()
        self._wake_watchdog.set()

    def _spent(self) -> tuple[float, float]:
        """Return the seconds of CPU and of wall time since the clock was started."""
        cpu = max(0.0, self._clock.now() - self._head_cpu)
        return cpu, time.monotonic() - self._head_wall

    async def _watch(self) -> None:
        while True:
            if not self._pending:
                self._wake_watchdog = trio.Event()
                await self._wake_watchdog.wait()
                continue
            head = self._pending[0]
            cpu, wall = self._spent()
            if charged(cpu, wall) >= head.allowance:
                self._accuse(late(head, cpu, wall))
                return
            # A request that comes up during the sleep may take this long at least.
            shortest = self._limits.move + self._limits.margin
            left = min(until_charged(head.allowance, cpu, wall), shortest)
            await trio.sleep(max(left, 0.001))

    async def _write_rest(self) -> None:
        """Send on what a full pipe did not take."""
        while True:
            await self._wake_writer.wait()
            self._wake_writer = trio.Event()
            assert self._process is not None
            await trio.lowlevel.wait_writable(self._process.write_fd)
            self.flush()

    async def _end_with_process(self, pump: trio.CancelScope) -> None:
        """End the pump when the process is gone but its pipe is held open."""
        assert self._process is not None
        await _exited(self._process)
        pump.cancel()

    def _bury(self, process: Process) -> None:
        """The process is dead: blame the request it was busy with."""
        if self.refused:
            return
        fault = self._blame or death(process.popen.returncode)
        fault.output = fault.output or printable(process.printed())
        head = self._pending[0] if self._pending else None
        if self._blame is not None and head is not self._accused:
            return  # Its answer came at the last moment and has been charged.
        if head is None:
            self._idle_deaths += 1
            if self._idle_deaths > _MAX_IDLE_DEATHS:
                self._refuse(fault)
        elif head.asked is Asked.LOAD:
            fault.message = f"{fault.message} (while its file was being read)"
            self._refuse(
                Misconduct(
                    Termination.START_FAILURE, fault.message, output=fault.output
                )
            )
        else:
            seconds = charged(*self._spent())
            self._umpire.on_misconduct(self, head, fault, seconds)


async def _exited(process: Process) -> None:
    if hasattr(os, "pidfd_open"):
        fd = os.pidfd_open(process.popen.pid)
        try:
            await trio.lowlevel.wait_readable(fd)
        finally:
            os.close(fd)
    else:
        while process.popen.poll() is None:
            await trio.sleep(0.05)

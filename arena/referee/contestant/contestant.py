"""One entry in one match: its process, and again a new one whenever it dies.

One task pumps replies and one watches the clock, whatever the number of games.
"""

import os
import select
import signal
import struct
from collections import OrderedDict
from contextlib import suppress
from typing import Protocol

import trio

from arena.records.game_record import Termination
from arena.referee.contestant.clock import charged
from arena.referee.contestant.code_location import location_in
from arena.referee.contestant.json_lines import JsonLines
from arena.referee.contestant.misconduct import (
    MAX_PRINTED,
    Misconduct,
    death,
    death_of_program,
    late,
    late_program,
    pondering,
    reported,
)
from arena.referee.contestant.request_pipe import ComputeSlots, RequestPipe
from arena.referee.contestant.wire import Asked, Packed, Pending, ReplyError, Wire
from arena.referee.sandbox import LostError, Process, Sandbox
from arena.referee.work_unit import EntrySpec, Limits
from arena.text import printable
from arena.worker.protocol import Answer, BotInfo, Done, Ready, Reply

_MAX_KILLS = 3
"""Processes that the system may kill at the same request until a bot is to blame."""
_MAX_LOSSES = 5
_SERIALS = struct.Struct("256I")
_MAX_IDLE_PROCESSES = 24
"""Each takes three descriptors and the memory of a bot."""
_LAST_BREATH = 2.0
"""Seconds between the end of a contestant's pipe and the end of its process."""
_MUCH_PRINTED = 2**16
"""Bytes that a program may have printed when a game begins; older ones are let go."""


class ContestantListener(Protocol):
    """What a contestant tells of: the match it plays in."""

    def on_ready(self, who: "Contestant", bots: tuple[BotInfo, ...]) -> None:
        """The bot's file has been read, for the first time or again."""

    def on_reply(
        self, who: "Contestant", pending: Pending, reply: Done | Answer, seconds: float
    ) -> None:
        """A request was answered, `seconds` after its clock began to run."""

    def on_pondering(self, who: "Contestant", pending: Pending, seconds: float) -> None:
        """Before this request came, CPU seconds were used while others decided."""

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


class IdleProcesses:
    """Keeps the processes of one referee that nobody needs at the moment."""

    def __init__(self) -> None:
        self._processes: OrderedDict[tuple[object, ...], Process] = OrderedDict()

    def seat(self, key: tuple[object, ...], process: Process) -> None:
        """Keep a process that nothing is asked of; who has waited longest must go."""
        if key in self._processes:
            process.close()
            return
        self._processes[key] = process
        if len(self._processes) > _MAX_IDLE_PROCESSES:
            self._processes.popitem(last=False)[1].close()

    def call(self, key: tuple[object, ...]) -> Process | None:
        """Return a process that is as it was left, if there is one."""
        process = self._processes.pop(key, None)
        if process is None:
            return None
        if _has_stirred(process):
            process.close()
            return None
        return process

    def close(self) -> None:
        """Put all of them away."""
        while self._processes:
            self._processes.popitem()[1].close()


def _has_stirred(process: Process) -> bool:
    """Say whether it has died, or said something unasked."""
    poll = select.poll()
    poll.register(process.read_fd, select.POLLIN)
    return bool(poll.poll(0))


class Contestant:
    """Keeps one entry's process going for the length of a match."""

    def __init__(
        self,
        index: int,
        entry: EntrySpec,
        games: tuple[str, ...],
        limits: Limits,
        sandbox: Sandbox,
        umpire: ContestantListener,
        permits: ComputeSlots,
        waiting_room: IdleProcesses | None = None,
    ) -> None:
        self.index = index
        self.entry = entry
        self.refused = bool(entry.refused)
        """Whether it is out of the match."""
        self._is_program = bool(entry.command)
        self.wire: Wire = (
            JsonLines(entry, games)
            if self._is_program
            else Packed(entry, games, limits, sandbox.spec.library)
        )
        """How it is spoken to."""
        self._games = games
        self._limits = limits
        self._sandbox = sandbox
        self._umpire = umpire
        self._permits = permits
        self._waiting_room = waiting_room
        self._line: RequestPipe | None = None
        self._life = trio.CancelScope()
        self._wanted = trio.Event()
        self._serials: list[int] = []
        self._kills_at_load = 0
        self._losses = 0
        self._blame: Misconduct | None = None
        self._accused: Pending | None = None
        self._seconds = 0.0
        """Until it was found to be late, if it was."""
        self._is_deaf = False
        """Whether what its process sends from now on counts no more."""
        self._debt: Misconduct | None = None
        """What it did while nothing was asked; costs the next game it is asked."""

    def next_serial(self) -> int:
        """Return the number for another request, which no bot can guess.

        Who does not know it can't answer what has not been asked.
        """
        if not self._serials:
            self._serials = list(_SERIALS.unpack(os.urandom(_SERIALS.size)))
        return self._serials.pop()

    def want(self) -> None:
        """Have the process started, though nothing else is asked of it yet."""
        self._wanted.set()

    def ask(self, pending: Pending) -> None:
        """Queue a request; it leaves at the next `flush`."""
        if self._line is not None:
            if self._is_program and pending.asked is Asked.BEGIN:
                # All games of a long match would be too much.
                self._line.process.shorten_output(_MUCH_PRINTED)
            self._line.ask(pending)
        else:
            self.want()

    def is_asked(self) -> bool:
        """Say whether something is waited for."""
        return bool(self._line.pending) if self._line else self._wanted.is_set()

    def printed(self) -> str:
        """Return what a program has printed last; bots send it with their answers."""
        if self._line is None or not self._is_program:
            return ""
        return printable(self._line.process.printed())

    def situation(self) -> str:
        """Say what it is busy with."""
        line = self._line
        if line is None:
            return f"{self.entry.id} is being started"
        if not line.pending:
            return f"{self.entry.id} waits"
        cpu, wall = line.spent()
        asked = line.pending[0].asked.word
        return f"{self.entry.id} is busy ({asked}) for {wall:.0f} s, {cpu:.1f} of CPU"

    def renew(self) -> None:
        """End the process, in which nothing is asked; the next request gets another."""
        if self._line is None:
            return  # It has none, or a new one is on its way.
        self._line.close()
        self._line = None
        self._wanted = trio.Event()
        self._life.cancel()

    async def run(self) -> None:
        """Play until cancelled: start the process, and again whenever it is needed.

        Raises:
            OSError: the machine can't start it, or the bot's files have changed.
        """
        while not self.refused:
            await self._wanted.wait()
            try:
                await self._live()
                self._losses = 0
            except LostError:
                self._losses += 1
                if self._losses > _MAX_LOSSES:
                    raise
                # What it was busy with is void, and asked of another process.
                self._wanted.set()

    async def _live(self) -> None:
        self._blame = self._accused = None
        self._is_deaf = False
        self._seconds = 0.0
        self._life = trio.CancelScope()
        process, is_loaded = await self._enter()
        self._line = line = RequestPipe(
            process, self.wire, self._limits, self._permits, lambda: self._read(line)
        )
        self._wanted = trio.Event()
        try:
            if not is_loaded:
                line.ask(self._load())
            for pending in self._umpire.requests_to_repeat(self):
                line.ask(pending)
            self._settle_debt(line)
            self._umpire.settle()
            line.flush()
            with self._life:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._watch, line)
                    nursery.start_soon(line.write_rest)
                    nursery.start_soon(self._end_with_process, line, nursery)
                    await self._pump(line)
                    nursery.cancel_scope.cancel()
            if not self._life.cancel_called:
                await self._finish(line)
        finally:
            if self._line is line:
                self._line = None
                if line.pending:
                    self._wanted.set()
            line.close()
            self._leave(line)
        self._umpire.settle()

    def _settle_debt(self, line: RequestPipe) -> None:
        due = (p for p in line.pending if p.game >= 0 and not p.replayed)
        pending = next(due, None)
        if self._debt is not None and pending is not None:
            debt, self._debt = self._debt, None
            self._umpire.on_misconduct(self, pending, debt, 0.0)

    async def _enter(self) -> tuple[Process, bool]:
        """Return a process, and whether it has read the bot's file already."""
        if self._waiting_room is not None:
            process = self._waiting_room.call(self._key())
            if process is not None:
                return process, True
        entry = self.entry
        is_package = os.path.join(entry.path, "__init__.py") in entry.files
        process = await self._sandbox.spawn(
            memory=(self._limits.memory or 0) * 2**20,
            folder=entry.path if is_package or self._is_program else "",
            command=entry.command,
        )
        return process, False

    def _leave(self, line: RequestPipe) -> None:
        """Put the process away, or let it wait for its next match."""
        is_healthy = self._blame is None and line.process.returncode is None
        if self._waiting_room is None or not is_healthy or not line.is_idle():
            line.process.close()
        else:
            self._waiting_room.seat(self._key(), line.process)

    def _key(self) -> tuple[object, ...]:
        """Return what a process must have in common to do for another match."""
        entry = self.entry
        return entry.id, entry.code, entry.command, self._games, self._limits

    def _load(self) -> Pending:
        serial = self.next_serial()
        allowance = self._limits.start + self._limits.margin
        return Pending(Asked.LOAD, serial, self.wire.load(serial), allowance)

    async def _pump(self, line: RequestPipe) -> None:
        """Receive until the pipe ends or something comes that may not."""
        while self._may_speak(line):
            await trio.lowlevel.wait_readable(line.process.read_fd)
            if not self._read(line):
                return
            self._permits.listen()

    def _may_speak(self, line: RequestPipe) -> bool:
        return self._blame is None and self._line is line

    def _read(self, line: RequestPipe) -> bool:
        """Take in what has arrived; say whether there may be more."""
        if not self._may_speak(line):
            return False
        try:
            data = line.read()
        except BlockingIOError:
            return True
        if not data:
            return False
        self._receive(line, data)
        self._umpire.settle()
        return True

    async def _finish(self, line: RequestPipe) -> None:
        """Reap the process and settle whose fault its end was."""
        process = line.process
        if self._blame is None:
            with trio.move_on_after(_LAST_BREATH) as scope:
                await process.wait()
            if scope.cancelled_caught:
                what = "its stdout" if self._is_program else "its pipe"
                self._accuse(Misconduct(Termination.INVALID_REPLY, f"closed {what}"))
        process.kill()
        await process.wait()
        # What had been answered before the end still counts.
        self._read_rest(line)
        self._bury(line)

    def _read_rest(self, line: RequestPipe) -> None:
        with suppress(BlockingIOError):
            while not self._is_deaf and (data := line.read()):
                self._receive(line, data)

    def _receive(self, line: RequestPipe, data: bytes) -> None:
        """Take in what has arrived, as far as it makes sense."""
        try:
            for pending, reply, seconds in line.take(data):
                self._hear(pending, reply, seconds)
                if self.refused:
                    return
        except ReplyError as error:
            self._is_deaf = True
            self._accuse(Misconduct(Termination.INVALID_REPLY, str(error)))

    def _hear(self, pending: Pending, reply: Reply, seconds: float) -> None:
        line = self._line
        if line is not None and line.pondered and pending.game >= 0:
            self._note_pondering(line, pending)
        if isinstance(reply, (Answer, Done)):
            self._losses = 0
            self._umpire.on_reply(self, pending, reply, seconds)
        elif isinstance(reply, Ready):
            self._kills_at_load = 0
            self._umpire.on_ready(self, reply.bots)
        else:
            fault = reported(reply)
            if self._is_program and line is not None:
                fault.output = printable(line.process.printed())
            if pending.asked is Asked.LOAD:
                self._refuse(fault)
                return
            if fault.termination is Termination.MEMORY:
                self._blame, self._accused = fault, pending  # It ends itself now.
            self._umpire.on_misconduct(self, pending, fault, seconds)

    def _note_pondering(self, line: RequestPipe, pending: Pending) -> None:
        seconds = line.pondered
        if self._limits.ponder:
            line.pondered = 0.0
            self._umpire.on_pondering(self, pending, seconds)
        elif seconds > self._limits.margin:
            line.pondered = 0.0
            self._umpire.on_pondering(self, pending, seconds)
            self._umpire.on_misconduct(self, pending, pondering(seconds), 0.0)

    def _refuse(self, fault: Misconduct) -> None:
        self.refused = True
        self._blame = fault
        self._umpire.on_refusal(self, fault)
        self._umpire.settle()

    def _accuse(self, fault: Misconduct) -> None:
        """Blame the request being answered, and end the process."""
        line = self._line
        if line is None:
            return
        if self._blame is None:
            self._blame = fault
            self._accused = line.pending[0] if line.pending else None
        line.process.kill()

    async def _watch(self, line: RequestPipe) -> None:
        head, cpu, wall = await line.lateness()
        if self._is_program:
            has_partial = line.has_partial()
            self._accuse(late_program(head, cpu, wall, has_partial=has_partial))
            return
        if self._blame is None:
            self._blame, self._accused = late(head, cpu, wall), head
            self._seconds = charged(cpu, wall)
            # The verdict stands: what comes while it tells where it is, is too late.
            self._read_rest(line)
            self._is_deaf = True
            if line.pending and line.pending[0] is head:
                place = location_in(self.entry, await line.whereabouts())
                self._blame = late(head, cpu, wall, place)
        line.process.kill()

    async def _end_with_process(self, line: RequestPipe, nursery: trio.Nursery) -> None:
        """End the pump when the process is gone but its pipe is held open."""
        with suppress(LostError):
            await line.process.wait()
        nursery.cancel_scope.cancel()

    def _bury(self, line: RequestPipe) -> None:
        """The process is dead: blame the request it was busy with."""
        if self.refused:
            return
        head = line.pending[0] if line.pending else None
        is_killed = line.process.returncode == -signal.SIGKILL and self._blame is None
        if self._blame is not None and self._accused is None:
            # Nothing was asked then, though something may be now.
            self._debt = self._blame
            return
        if head is None:
            return
        if is_killed and self._is_void(head):
            return
        if self._blame is not None and head is not self._accused:
            return  # Its answer came at the last moment and has been charged.
        line.pending.popleft()
        fault = self._blame or self._death(line.process, head)
        fault.output = fault.output or printable(line.process.printed())
        if head.asked is Asked.LOAD:
            if not self._is_program and fault.termination is not Termination.TIMEOUT:
                fault.message = f"{fault.message} (while its file was being read)"
            fault.termination = Termination.START_FAILURE
            self._refuse(fault)
        else:
            seconds = self._seconds or charged(*line.spent())
            self._umpire.on_misconduct(self, head, fault, seconds)

    def _death(self, process: Process, head: Pending) -> Misconduct:
        """Say why a process has ended by itself while it was busy with a request."""
        code = process.returncode
        if not self._is_program:
            return death(code)
        is_flood = code == -signal.SIGXFSZ or process.printed_size() >= MAX_PRINTED
        return death_of_program(head, code, process.printed(), is_flood=is_flood)

    def _is_void(self, head: Pending) -> bool:
        """Say whether the system, or a person, may have killed the process at random.

        The request is asked again then; a bot that makes the system kill it does
        so each time.
        """
        if head.asked is Asked.LOAD:
            self._kills_at_load += 1
            return self._kills_at_load < _MAX_KILLS
        head.killed += 1
        return head.killed < _MAX_KILLS

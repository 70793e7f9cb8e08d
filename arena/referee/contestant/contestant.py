"""One entry in one unit of work: its process, and a new one whenever that dies.

One task receives replies and one watches the clock, whatever the number of games.
"""

import os
import select
import signal
import struct
from collections import OrderedDict
from contextlib import suppress

import trio
from msgspec.structs import replace

from arena.records.game_record import Termination
from arena.referee.contestant.clock import Spent
from arena.referee.contestant.code_location import location_in
from arena.referee.contestant.json_lines import JsonLines
from arena.referee.contestant.misconduct import (
    MAX_PRINTED_BYTES,
    Misconduct,
    death,
    death_of_program,
    late,
    late_program,
    reported,
    too_many_threads,
)
from arena.referee.contestant.request_pipe import ComputeSlots, CrowdError, RequestPipe
from arena.referee.contestant.wire import (
    BotRequest,
    Packed,
    ReplyError,
    RequestKind,
    Wire,
)
from arena.referee.sandbox import LostError, Process, Sandbox
from arena.referee.work_unit import EntrySpec, Limits
from arena.text import printable
from arena.worker.protocol import Answer, BotInfo, Done, Ready, Reply

_MAX_REPEATS = 2
"""So often in a row loading is repeated where it is unclear why it failed."""
_MAX_LOSSES = 5
"""The zygote may be lost this many times in a row."""
_SERIALS = struct.Struct("256I")
_MAX_IDLE_PROCESSES = 24
"""Each takes three descriptors and the memory of a bot."""
_EXIT_TIMEOUT_S = 2.0
"""Seconds between the end of a contestant's pipe and the end of its process."""
_MAX_OLD_OUTPUT_BYTES = 2**16
"""Bytes of a program's output that are kept when a game begins; older ones go."""


class ContestantListener:
    """Hears of all that happens to a contestant; ignores it unless overridden."""

    def on_ready(
        self, contestant: "Contestant", bots: tuple[BotInfo, ...], seconds: float
    ) -> None:
        """The bot's file has been read, for the first time or again."""

    def on_reply(self, pending: BotRequest, reply: Done | Answer, spent: Spent) -> None:
        """A request was answered."""

    def on_pondering(self, pending: BotRequest, seconds: float) -> None:
        """CPU seconds were used before this request came, while others decided."""

    def on_misconduct(
        self, pending: BotRequest, fault: Misconduct, spent: Spent
    ) -> None:
        """A request failed by the bot's own doing."""

    def may_repeat(self, pending: BotRequest, spent: Spent) -> bool:
        """Count a request that is to be asked again, as it is unclear why it failed.

        Return False if there were too many.
        """
        return True

    def on_refusal(self, contestant: "Contestant", fault: Misconduct) -> None:
        """The bot can't be started; it is out of all games of the unit."""

    def requests_to_repeat(self, contestant: "Contestant") -> list[BotRequest]:
        """Return all requests by which a new process takes over the open games."""
        return []

    def settle(self) -> None:
        """Go on, after one or more calls of the above."""


class IdleProcesses:
    """Keeps processes between the units of work in which their entries play.

    They are used if a league restarts none.
    """

    def __init__(self) -> None:
        self._processes: OrderedDict[tuple[object, ...], Process] = OrderedDict()

    def keep(self, key: tuple[object, ...], process: Process) -> None:
        """Keep a process that waits for requests; end the one that was kept longest."""
        if key in self._processes:
            process.close()
            return
        self._processes[key] = process
        process.pause()
        if len(self._processes) > _MAX_IDLE_PROCESSES:
            self._processes.popitem(last=False)[1].close()

    def take(self, key: tuple[object, ...]) -> Process | None:
        """Return the process of a key, if there is one that still waits."""
        process = self._processes.pop(key, None)
        if process is None:
            return None
        if _has_changed(process):
            process.close()
            return None
        return process

    def close(self) -> None:
        """End all of them."""
        while self._processes:
            self._processes.popitem()[1].close()


def _has_changed(process: Process) -> bool:
    """Say whether it has ended or sent anything since it was kept."""
    poll = select.poll()
    poll.register(process.read_fd, select.POLLIN)
    return bool(poll.poll(0))


class Contestant:
    """Keeps one entry's process running for a unit of work."""

    def __init__(
        self,
        index: int,
        entry: EntrySpec,
        games: tuple[str, ...],
        limits: Limits,
        sandbox: Sandbox,
        listener: ContestantListener,
        slots: ComputeSlots,
        idle_processes: IdleProcesses | None = None,
    ) -> None:
        self.index = index
        self.entry = entry
        self.refused = bool(entry.refused)
        """True once it is out of the unit."""
        self._is_program = bool(entry.command)
        self.wire: Wire = (
            JsonLines(entry, games)
            if self._is_program
            else Packed(entry, games, limits, sandbox.spec.library)
        )
        """Makes its requests and reads its replies."""
        self._games = games
        self._limits = limits
        self._sandbox = sandbox
        self._listener = listener
        self._slots = slots
        self._idle_processes = idle_processes
        self._pipe: RequestPipe | None = None
        self._is_slow_aside = False
        """True once it has taken long to begin or end a game."""
        self._is_needed = trio.Event()
        self._serials: list[int] = []
        self._repeats_at_load = 0
        self._losses = 0
        self._misconduct: Misconduct | None = None
        self._blamed_request: BotRequest | None = None
        self._spent_until_late: Spent | None = None
        """Until it was found to be late."""
        self._is_void = False
        """True if this process was ended so that its request is asked again."""
        self._is_disconnected = False
        """True once the process is disconnected: its replies count no more."""
        self._unasked_misconduct: Misconduct | None = None
        """What it did while it had no request; costs the next game that has one."""
        self._idle_end: int | None = None
        """How a process ended that had no request; None if none did."""

    def next_serial(self) -> int:
        """Return the number of the next request, which no bot can guess.

        So a bot can't send the reply before the request.
        """
        if not self._serials:
            self._serials = list(_SERIALS.unpack(os.urandom(_SERIALS.size)))
        return self._serials.pop()

    def want(self) -> None:
        """Have the process started before there is any other request."""
        self._is_needed.set()

    def ask(self, pending: BotRequest) -> None:
        """Queue a request; it leaves at the next `flush`."""
        if self._pipe is not None:
            if self._is_program and pending.kind is RequestKind.BEGIN:
                # The output of all games of a long match would be too much.
                self._pipe.process.shorten_output(_MAX_OLD_OUTPUT_BYTES)
            self._pipe.ask(pending)
        else:
            self.want()

    def is_waited_for(self) -> bool:
        """Say whether it answers a request, or is being started."""
        return self._pipe.is_busy if self._pipe else self._is_needed.is_set()

    def printed(self) -> str:
        """Return the last output of a program; bots send theirs with their answers."""
        if self._pipe is None or not self._is_program:
            return ""
        return printable(self._pipe.process.printed())

    def situation(self) -> str:
        """Describe what it is busy with; it must be waited for."""
        pipe = self._pipe
        if pipe is None or not pipe.pending:
            return f"{self.entry.called} is being started"
        spent = pipe.spent()
        asked = pipe.pending[0].kind.word
        busy = f"has been busy ({asked}) for {spent.wall:.0f} s"
        return f"{self.entry.called} {busy}, {spent.cpu:.1f} of CPU"

    async def run(self) -> None:
        """Run until cancelled: start a process whenever one is needed.

        It is gone, or kept for the next unit, when this is over.  This may be run
        again.

        Raises:
            OSError: the machine can't start it, or the bot's files have changed.
        """
        try:
            while not self.refused:
                await self._is_needed.wait()
                try:
                    await self._run_process()
                    self._losses = 0
                except LostError:
                    self._losses += 1
                    if self._losses > _MAX_LOSSES:
                        raise
                    # Its current request is void, and another process is asked.
                    self._is_needed.set()
        finally:
            self._is_needed = trio.Event()

    async def _run_process(self) -> None:
        self._misconduct = self._blamed_request = None
        self._is_disconnected = False
        self._spent_until_late = None
        self._is_void = False
        process, is_loaded = await self._get_process()
        self.wire.home = process.home
        self._pipe = pipe = RequestPipe(
            process,
            self.wire,
            self._limits,
            self._slots,
            lambda: self._read(pipe),
            is_slow_aside=self._is_slow_aside,
        )
        self._is_needed = trio.Event()
        try:
            if not is_loaded:
                pipe.ask(self._load())
            for pending in self._listener.requests_to_repeat(self):
                pipe.ask(pending)
            self._settle_unasked_misconduct(pipe)
            self._listener.settle()
            pipe.flush()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._watch, pipe)
                nursery.start_soon(pipe.write_rest)
                nursery.start_soon(self._end_with_process, pipe, nursery)
                await self._pump(pipe)
                nursery.cancel_scope.cancel()
            await self._finish(pipe)
        finally:
            if self._pipe is pipe:
                self._pipe = None
                if pipe.pending:
                    self._is_needed.set()
            pipe.close()
            self._is_slow_aside = pipe.is_slow_aside
            self._release_process(pipe)
        self._listener.settle()

    def _settle_unasked_misconduct(self, pipe: RequestPipe) -> None:
        due = (p for p in pipe.pending if p.game >= 0 and not p.replayed)
        pending = next(due, None)
        if pending is None:
            return
        debt, self._unasked_misconduct = self._unasked_misconduct, None
        code, self._idle_end = self._idle_end, None
        # A process that ends between games makes no work.
        if debt is None and code is not None and any(p.replayed for p in pipe.pending):
            is_killed = code == -signal.SIGKILL
            if not (is_killed and self._listener.may_repeat(pending, Spent())):
                debt = death(code)
        if debt is not None:
            self._listener.on_misconduct(pending, debt, Spent())

    async def _get_process(self) -> tuple[Process, bool]:
        """Return a process, and whether it has loaded the bot's file already."""
        if self._idle_processes is not None:
            process = self._idle_processes.take(self._key())
            if process is not None:
                return process, True
        entry = self.entry
        process = await self._sandbox.spawn(
            memory=(self._limits.memory or 0) * 2**20,
            folder=entry.path if self._is_program else entry.folder,
            command=entry.command,
        )
        return process, False

    def _release_process(self, pipe: RequestPipe) -> None:
        """End the process, or keep it for the next unit."""
        is_healthy = self._misconduct is None and pipe.process.returncode is None
        if self._idle_processes is None or not is_healthy or not pipe.is_idle():
            pipe.process.close()
        else:
            self._idle_processes.keep(self._key(), pipe.process)

    def _key(self) -> tuple[object, ...]:
        """Return all on which it depends whether a process can play another unit."""
        entry = self.entry
        return entry.id, entry.code, entry.command, self._games, self._limits

    def _load(self) -> BotRequest:
        serial = self.next_serial()
        allowance = self._limits.start + self._limits.margin
        return BotRequest(RequestKind.LOAD, serial, self.wire.load(serial), allowance)

    async def _pump(self, pipe: RequestPipe) -> None:
        """Receive replies until the pipe ends or something forbidden comes."""
        while self._is_connected(pipe):
            await trio.lowlevel.wait_readable(pipe.process.read_fd)
            if not self._read(pipe):
                return
            self._slots.listen()

    def _is_connected(self, pipe: RequestPipe) -> bool:
        return self._misconduct is None and self._pipe is pipe

    def _read(self, pipe: RequestPipe) -> bool:
        """Read the replies that have arrived; return False if no more can come."""
        if not self._is_connected(pipe):
            return False
        try:
            data = pipe.read()
        except BlockingIOError:
            return True
        if not data:
            return False
        self._receive(pipe, data)
        self._listener.settle()
        return True

    async def _finish(self, pipe: RequestPipe) -> None:
        """Reap the process and find out whose fault its end was."""
        process = pipe.process
        if self._misconduct is None:
            with trio.move_on_after(_EXIT_TIMEOUT_S) as scope:
                await process.wait()
            if scope.cancelled_caught:
                what = "its stdout" if self._is_program else "its pipe"
                self._blame(Misconduct(Termination.INVALID_REPLY, f"closed {what}"))
        process.kill()
        await process.wait()
        # Answers from before the end still count.
        self._read_rest(pipe)
        self._settle_end(pipe)

    def _read_rest(self, pipe: RequestPipe) -> None:
        with suppress(BlockingIOError):
            while not self._is_disconnected and (data := pipe.read()):
                self._receive(pipe, data)

    def _receive(self, pipe: RequestPipe, data: bytes) -> None:
        """Handle the replies in `data`, up to the first that is none."""
        try:
            for pending, reply, spent in pipe.receive(data):
                if self._is_program:
                    reply = self._with_prints(pipe, pending, reply)
                self._take_reply(pending, reply, spent)
                if self.refused:
                    return
        except ReplyError as error:
            self._is_disconnected = True
            self._blame(Misconduct(Termination.INVALID_REPLY, str(error)))

    def _with_prints(
        self, pipe: RequestPipe, pending: BotRequest, reply: Reply
    ) -> Reply:
        """Return the reply of a program with what that has printed meanwhile.

        While it has several requests, nobody can tell for which of them it prints.  So
        from then on it gets one at a time.
        """
        printed = pipe.process.newly_printed()
        if not printed or pending.kind is RequestKind.LOAD:
            return reply
        pipe.ask_singly()
        if pipe.count_on_the_way() or not isinstance(reply, (Answer, Done)):
            return reply
        return replace(reply, printed=printed)

    def _take_reply(self, pending: BotRequest, reply: Reply, spent: Spent) -> None:
        pipe = self._pipe
        if pipe is not None and pipe.pondered and pending.game >= 0:
            self._listener.on_pondering(pending, pipe.pondered)
            pipe.pondered = 0.0
        if isinstance(reply, (Answer, Done)):
            self._losses = 0
            self._listener.on_reply(pending, reply, spent)
        elif isinstance(reply, Ready):
            self._repeats_at_load = 0
            self._listener.on_ready(self, reply.bots, spent.charged)
        else:
            fault = reported(reply, self.entry)
            if self._is_program and pipe is not None:
                fault.output = printable(pipe.process.printed())
            if pending.kind is RequestKind.LOAD:
                self._refuse(fault)
                return
            if fault.termination is Termination.MEMORY:
                # It ends itself now.
                self._misconduct, self._blamed_request = fault, pending
            self._listener.on_misconduct(pending, fault, spent)

    def _refuse(self, fault: Misconduct) -> None:
        self.refused = True
        self._misconduct = fault
        self._listener.on_refusal(self, fault)
        self._listener.settle()

    def _blame(self, fault: Misconduct) -> None:
        """Blame the request that is being answered, and end the process."""
        pipe = self._pipe
        if pipe is None:
            return
        if self._misconduct is None:
            self._misconduct = fault
            self._blamed_request = pipe.pending[0] if pipe.pending else None
        pipe.process.kill()

    async def _watch(self, pipe: RequestPipe) -> None:
        try:
            head, spent = await pipe.wait_until_late()
        except CrowdError:
            self._blame(too_many_threads())
            return
        is_unclear = spent.charged < head.allowance
        if is_unclear and self._misconduct is None and self._may_repeat(head, spent):
            self._is_void = True
            pipe.process.kill()
            return
        if not is_unclear:
            spent = spent._replace(unclear=0.0)  # It is late without that.
        self._spent_until_late = spent.with_unclear()
        if self._is_program:
            has_partial = pipe.has_partial()
            self._blame(late_program(head, spent, has_partial=has_partial))
            return
        if self._misconduct is None:
            self._misconduct, self._blamed_request = late(head, spent), head
            # The verdict stands: answers that come during the stack dump are too late.
            self._read_rest(pipe)
            self._is_disconnected = True
            if pipe.pending and pipe.pending[0] is head:
                dump = await pipe.stack_dump()
                location = location_in(self.entry, dump, pipe.process.home)
                self._misconduct = late(head, spent, location)
        pipe.process.kill()

    async def _end_with_process(self, pipe: RequestPipe, nursery: trio.Nursery) -> None:
        """Stop receiving when the process is gone but its pipe is held open."""
        with suppress(LostError):
            await pipe.process.wait()
        nursery.cancel_scope.cancel()

    def _settle_end(self, pipe: RequestPipe) -> None:
        """Blame the request that the process was busy with when it ended."""
        if self.refused or self._is_void:
            return
        head = pipe.pending[0] if pipe.pending else None
        code = pipe.process.returncode
        is_killed = code == -signal.SIGKILL and self._misconduct is None
        if head is None and self._misconduct is None:
            self._idle_end = code
            return
        if self._misconduct is not None and self._blamed_request is None:
            # It had no request then, though it may have one now.
            self._unasked_misconduct = self._misconduct
            return
        if head is None:
            return
        if is_killed and self._may_repeat(head, pipe.spent()):
            return
        if self._misconduct is not None and head is not self._blamed_request:
            return  # Its answer came just in time and has been charged.
        pipe.pending.popleft()
        fault = self._misconduct or self._death(pipe.process, head)
        fault.output = fault.output or printable(pipe.process.printed())
        if head.kind is RequestKind.LOAD:
            if not self._is_program and fault.termination is not Termination.TIMEOUT:
                fault.message = f"{fault.message} (while its file was being read)"
            fault.termination = Termination.START_FAILURE
            self._refuse(fault)
        else:
            spent = self._spent_until_late or pipe.spent()
            self._listener.on_misconduct(head, fault, spent)

    def _death(self, process: Process, head: BotRequest) -> Misconduct:
        """Return the misconduct of a process that ended during a request."""
        code = process.returncode
        if not self._is_program:
            return death(code)
        is_flood = (
            code == -signal.SIGXFSZ or process.printed_size() >= MAX_PRINTED_BYTES
        )
        return death_of_program(head, code, is_flood=is_flood)

    def _may_repeat(self, head: BotRequest, spent: Spent) -> bool:
        """Count a request that nobody is clearly to blame for; say if it is void.

        The system, or a person, may have killed the process; or it can't be told
        whether it slept or waited.  Then it is asked again.  A bot that is to blame
        itself will do the same each time.
        """
        if head.kind is RequestKind.LOAD:
            self._repeats_at_load += 1
            return self._repeats_at_load <= _MAX_REPEATS
        return self._listener.may_repeat(head, spent)

"""The pipe to one process, and the slots in which processes may compute.

Requests wait in order.  The process is busy with the first of them, whose clock starts
when it is sent or when the reply before it comes, whichever is later.
"""

import fcntl
import os
import select
import struct
import termios
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import trio

from arena.referee.contestant.clock import ProcessClock, Spent
from arena.referee.contestant.sleep_meter import (
    Reading,
    SleepMeter,
    count_threads,
    read_threads,
)
from arena.referee.contestant.wire import BotRequest, ReplyError, RequestKind, Wire
from arena.referee.sandbox import MAX_THREADS, Process
from arena.referee.work_unit import Limits
from arena.worker.protocol import FrameError, Reply

_ACT = RequestKind.ACT
_ASIDE = (RequestKind.BEGIN, RequestKind.END)
_QUICK_S = 0.002
"""A decision this short may be charged to the one before it: it does not matter."""
_MAX_WINDOW_REQUESTS = 256
_LISTEN_S = 0.002
"""The longest that busy contestants are listened to, and no deadline is checked."""
_POLL_MS = 1
_FEW_REPLIES = 8
_MIN_REPLY_BYTES = 16
_SHORT_PAUSE_S = 0.0001
_GATHER_S = 0.001
"""The longest wait for more replies, if nobody else computes."""
_MAX_READ_BYTES = 1 << 18
_SIZE = struct.Struct("i")
_ASIDE_S = 0.02
"""Who takes longer to begin or end a game is sent no decision behind such requests."""
_IDLE_CPU_S = 0.001
"""CPU time after a reply that any process needs to go on waiting."""
_LOOK_EVERY_S = 0.02
"""Seconds between two looks at a contestant: whether it sleeps in a decision that takes
longer than this, and whether it computes without being asked."""
_SHORT_S = 0.005
"""A request is not looked at before it has taken this long."""
_UNCLEAR_FACTOR = 1.25
"""What is charged and what is unclear may be so many times the allowance together."""
_LOOK_COST = 0.05
"""The most that looking may take of the referee's time, for many threads."""


def _bytes_in(pipe: int) -> int:
    """Return the number of bytes that can be read."""
    (size,) = _SIZE.unpack(fcntl.ioctl(pipe, termios.FIONREAD, bytes(_SIZE.size)))
    return int(size)


def _is_charged(request: BotRequest) -> bool:
    """Say whether the time for a request is charged to its game: for a decision."""
    return request.kind is _ACT and not request.replayed


def _can_wait(request: BotRequest) -> bool:
    """Say whether decisions that were asked for later may be sent before a request."""
    return request.kind in _ASIDE and not request.replayed


class CrowdError(Exception):
    """A process has more threads than it may."""


class ComputeSlots:
    """Limits how many contestants compute at a time: first come, first served."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._busy: dict[int, RequestPipe] = {}
        """Pipes that have a slot, by the descriptor that is read from."""
        self._poll = select.poll()
        self._waiting: deque[RequestPipe] = deque()
        self._unsent: dict[RequestPipe, None] = {}
        """Pipes that may have something to send, in order."""

    def take(self, pipe: "RequestPipe") -> bool:
        """Give a pipe a slot if one is free; otherwise call its `granted` later."""
        if len(self._busy) < self._count:
            fd = pipe.process.read_fd
            self._busy[fd] = pipe
            self._poll.register(fd, select.POLLIN)
            return True
        if pipe not in self._waiting:
            self._waiting.append(pipe)
        return False

    def release(self, pipe: "RequestPipe") -> None:
        """Free a pipe's slot, if it has one, for the next in the queue."""
        if not self.holds(pipe):
            return
        fd = pipe.process.read_fd
        del self._busy[fd]
        self._poll.unregister(fd)
        if self._waiting:
            following = self._waiting.popleft()
            self.take(following)
            following.granted()

    def holds(self, pipe: "RequestPipe") -> bool:
        """Say whether a pipe has a slot."""
        return self._busy.get(pipe.process.read_fd) is pipe

    def forget(self, pipe: "RequestPipe") -> None:
        """Take a closed pipe out of the queue."""
        self._unsent.pop(pipe, None)
        if pipe in self._waiting:
            self._waiting.remove(pipe)

    def note(self, pipe: "RequestPipe") -> None:
        """Note that a pipe has something to send."""
        self._unsent[pipe] = None

    def flush(self) -> None:
        """Let all pipes send their queued requests, as far as they may."""
        unsent, self._unsent = self._unsent, {}
        for pipe in unsent:
            pipe.flush()

    @property
    def is_single(self) -> bool:
        """True if only one contestant computes at a time."""
        return self._count == 1

    def listen(self) -> None:
        """Receive what busy contestants reply at once, for a moment at the most.

        While there is no other work, that is cheaper than to have trio wait for each
        reply.
        """
        end = time.monotonic() + _LISTEN_S
        while self._busy and time.monotonic() < end:
            ready = self._poll.poll(_POLL_MS)
            if not ready:
                return
            for fd, _ in ready:
                pipe = self._busy.get(fd)
                if pipe is not None and not pipe.on_readable():
                    return


class RequestPipe:
    """The requests to one process and its replies, from its start to its end."""

    def __init__(
        self,
        process: Process,
        wire: Wire,
        limits: Limits,
        slots: ComputeSlots,
        on_readable: Callable[[], bool],
        *,
        is_slow_aside: bool = False,
    ) -> None:
        """Begin it; `on_readable` reads, and returns False if no more can come."""
        self.process = process
        self.on_readable = on_readable
        self.pending: deque[BotRequest] = deque()
        """Not answered yet, the oldest first."""
        self.pondered = 0.0
        """CPU seconds used without a request, since this was last set to 0."""
        self._limits = limits
        self._slots = slots
        self._unsent: deque[BotRequest] = deque()
        self._aside = 0
        """Requests that were sent, have no answer yet, and are no decisions."""
        self._again = 0
        """Requests that were sent again and have no answer yet."""
        self.is_slow_aside = is_slow_aside
        """True once it has taken long to begin or end a game."""
        self._window = 1
        self._has_decided = False
        self._asks_singly = False
        self._pace = 0.0
        """Seconds that each of the latest replies took."""
        self._outbox = bytearray()
        self._reader = wire.reader()
        self._parse = wire.parse
        self._clock = ProcessClock(process.pid)
        self.is_busy = False
        """True from the sending of a request until all are answered."""
        self._head_wall = 0.0
        self._head_cpu = 0.0
        self._meter: SleepMeter | None = None
        """Of the oldest request, once that takes long."""
        self._has_waited = False
        """True if an answer to it may have lain in the pipe at the last look."""
        self._look_every = _LOOK_EVERY_S
        self._idle_cpu = self._clock.now()
        self._has_pondered = False
        """True once it has computed while it had no request."""
        self._wake_watchdog = trio.Event()
        self._wake_writer = trio.Event()

    def ask(self, pending: BotRequest) -> None:
        """Queue a request; it leaves at the next `flush`.

        Decisions that would have to wait for the beginnings and ends of other games
        come before those.
        """
        later: list[BotRequest] = []
        if self.is_slow_aside and _is_charged(pending):
            while self._unsent and _can_wait(self._unsent[-1]):
                later.append(self._unsent.pop())
                self.pending.pop()
        self.pending.append(pending)
        self._unsent.append(pending)
        if later:
            later.reverse()
            self.pending += later
            self._unsent += later
        self._slots.note(self)

    def flush(self) -> None:
        """Send queued requests, as far as the pipe takes them and it has a slot.

        A process that is slow to answer gets one request at a time: if it had the next
        one, its computing for that would be charged to the last.  So does one that has
        not decided yet, as it may be slow.
        """
        while self._unsent and self._may_send():
            request = self._unsent.popleft()
            if request.replayed or request.kind is not _ACT:
                self._aside += request.kind is not _ACT
                self._again += request.replayed
            self._outbox += request.data
        if not self._outbox:
            return
        if not self.is_busy:
            if not self._slots.take(self):
                return
            self._begin()
        self._send()

    def _may_send(self) -> bool:
        """Say whether another request may be sent; of a slow process, choose it.

        No decision is sent behind what is asked again, nor behind the beginning or end
        of a game if these have taken long: that is charged to no game, so a bot could
        think about the decision for free.
        """
        sent = self.count_on_the_way()
        if sent >= self._window:
            return False
        if not sent and self._window == 1:
            self._choose()
        following = self._unsent[0]
        if following.kind is not _ACT or following.replayed:
            return True
        if self._again or (self._aside and self.is_slow_aside):
            return False
        return self._has_decided or not sent

    def _choose(self) -> None:
        """Put a request of its oldest game first.

        So the games of a bot that is too slow for any come to their ends one after
        another, and it is soon known that it is.
        """
        first = min(self._unsent, key=lambda request: request.game)
        if first is not self._unsent[0]:
            self._unsent.remove(first)
            self._unsent.appendleft(first)
            self.pending.remove(first)
            self.pending.appendleft(first)

    def granted(self) -> None:
        """Send, now that it has a slot."""
        self._begin()
        self._send()

    def _begin(self) -> None:
        self.is_busy = True
        self.process.resume()
        cpu = self._clock.now()
        self._note_pondering(cpu)
        self._start_clock(cpu, time.monotonic())
        if not self._wake_watchdog.is_set():
            self._wake_watchdog.set()

    def _note_pondering(self, cpu: float) -> None:
        seconds = cpu - self._idle_cpu
        if seconds > _IDLE_CPU_S and not self._clock.is_of_wall:
            self.pondered += seconds
            self._has_pondered = True
            self._idle_cpu = cpu

    def _send(self) -> None:
        try:
            sent = os.write(self.process.write_fd, self._outbox)
        except BlockingIOError:
            sent = 0
        except BrokenPipeError:
            return  # The reader sees the end too, and finds out whose fault it was.
        del self._outbox[:sent]
        if self._outbox:
            self._wake_writer.set()

    async def write_rest(self) -> None:
        """Send the rest whenever a full pipe has room again."""
        while True:
            await self._wake_writer.wait()
            self._wake_writer = trio.Event()
            await trio.lowlevel.wait_writable(self.process.write_fd)
            # By now all of it may be sent and answered, and the slot be another's.
            if self.is_busy:
                self._send()

    def read(self) -> bytes:
        """Return the bytes that have arrived; none if the pipe has ended.

        Where many replies are on their way, this waits a moment for more of them: to
        wake up for each would take longer than all else.

        Raises:
            BlockingIOError: nothing has arrived.
        """
        fd = self.process.read_fd
        sent = self.count_on_the_way()
        if sent > _FEW_REPLIES:
            # If others compute too, their replies are waiting soon.
            is_single = self._slots.is_single
            left = _GATHER_S if is_single else _SHORT_PAUSE_S
            wanted = sent if is_single else _FEW_REPLIES
            while left and (come := _bytes_in(fd) // _MIN_REPLY_BYTES) < wanted:
                pause = min(left, max(_SHORT_PAUSE_S, (wanted - come) * self._pace))
                time.sleep(pause)
                left -= pause
        return os.read(fd, _MAX_READ_BYTES)

    def receive(self, data: bytes) -> Iterator[tuple[BotRequest, Reply, Spent]]:
        """Yield each answered request with its reply and the time that it took.

        Replies that come together share their time.

        Raises:
            ReplyError: after the replies, something came that is none.
        """
        garbage = ""
        try:
            bodies = self._reader.feed(data)
        except FrameError as error:
            bodies, garbage = error.before, f"sent {error}"
        if bodies:
            cpu, wall = self._clock.now(), time.monotonic()
            spent = self._spent(cpu, wall)
            share = spent.divided(len(bodies))
            shares = self._shares(spent, len(bodies)) if self._aside else None
            # From now on the next request is charged.
            self._start_clock(cpu, wall)
            seconds = share.charged
            is_quick = seconds < _QUICK_S and not self._asks_singly
            self._pace = seconds
            self._window = (
                min(2 * self._window, _MAX_WINDOW_REQUESTS) if is_quick else 1
            )
            for number, body in enumerate(bodies):
                head = self.pending[0] if self.pending and self.is_busy else None
                reply = self._parse(body, head)
                answered = self.pending.popleft()
                if answered.replayed or answered.kind is not _ACT:
                    self._aside -= answered.kind is not _ACT
                    self._again -= answered.replayed
                else:
                    self._has_decided = True
                yield answered, reply, shares[number] if shares else share
            # Who has slept without a slot waits for one with the next request.
            are_all_unsent = len(self.pending) == len(self._unsent)
            if not self.pending or (are_all_unsent and not self._slots.holds(self)):
                self._rest(cpu)
            if self._unsent:
                self._slots.note(self)
        if garbage:
            raise ReplyError(garbage)

    def _shares(self, spent: Spent, replies: int) -> Sequence[Spent] | None:
        """Return the time of each of several replies; None if all have equal parts.

        Decisions are not charged for beginnings and ends of games that take long.  From
        the first of these on, they do not come together.
        """
        if not self.is_slow_aside and spent.charged > _ASIDE_S:
            answered = islice(self.pending, replies)
            is_aside = [request.kind in _ASIDE for request in answered]
            if any(is_aside):
                self.is_slow_aside = True
                share = spent.divided(sum(is_aside))
                shares = [share if aside else Spent() for aside in is_aside]
                # Those that nobody has asked for are refused.
                return shares + [share] * (replies - len(shares))
        return None

    def _rest(self, cpu: float) -> None:
        self.is_busy = False
        self._idle_cpu = cpu
        self._slots.release(self)
        if self._has_pondered:
            self.process.pause()

    def ask_singly(self) -> None:
        """Send from now on each request after the answer to the one before."""
        self._asks_singly = True
        self._window = 1

    def count_on_the_way(self) -> int:
        """Return the number of requests that were sent and have no answer yet."""
        return len(self.pending) - len(self._unsent)

    def is_idle(self) -> bool:
        """Say whether it has no request, and no part of a reply has come."""
        return not (self.pending or self._outbox or self.has_partial())

    def has_partial(self) -> bool:
        """Say whether only a part of a reply has come."""
        return self._reader.has_partial()

    def _start_clock(self, cpu: float, wall: float) -> None:
        self._head_cpu = cpu
        self._head_wall = wall
        self._meter = None

    def spent(self) -> Spent:
        """Return the time that the oldest request has taken."""
        return self._spent(self._clock.now(), time.monotonic())

    def _spent(self, cpu: float, wall: float) -> Spent:
        cpu = max(0.0, cpu - self._head_cpu)
        wall -= self._head_wall
        if self._meter is None:
            return Spent(cpu, 0.0, wall)
        return Spent(cpu, self._meter.slept, wall, self._meter.unclear)

    async def wait_until_late(self) -> tuple[BotRequest, Spent]:
        """Wait until a request is late, or may be; return it and its time.

        Where less was charged than it is allowed, the rest is unclear.

        Raises:
            CrowdError: it has more threads than it may.
        """
        while True:
            if count_threads(self.process.pid) > MAX_THREADS:
                raise CrowdError
            if not (self.pending and self.is_busy):
                await self._watch_idle()
                continue
            head = self.pending[0]
            self._look()
            spent = self.spent()
            # A little that is unclear does not make unclear what is late anyway.
            left = min(
                head.allowance - spent.charged,
                _UNCLEAR_FACTOR * head.allowance - spent.charged - spent.unclear,
            )
            if left <= 0.0:
                return head, spent
            # A request that comes up during the sleep may take this long at least.
            shortest = self._limits.move + self._limits.margin
            await trio.sleep(max(min(left, shortest, self._look_every), 0.001))

    async def _watch_idle(self) -> None:
        """Wait for a request, or stop a process that computes without one."""
        self._wake_watchdog = trio.Event()
        if self.process.is_paused:
            await self._wake_watchdog.wait()
            return
        with trio.move_on_after(self._look_every):
            await self._wake_watchdog.wait()
        if not self.is_busy:
            self._note_pondering(self._clock.now())
            if self._has_pondered:
                self.process.pause()

    def _look(self) -> None:
        """Measure the sleep in a long request; free the slot of who is asleep."""
        now = time.monotonic()
        if now - self._head_wall < _SHORT_S:
            return
        # What it does once its answer is here, and not read yet, is not its decision.
        # But who sends an answer bit by bit has not answered.
        self._has_waited = not self._has_waited and bool(
            _bytes_in(self.process.read_fd)
        )
        if self._has_waited:
            return
        if self._meter is None:
            self._meter = SleepMeter()
        cost, begun = time.thread_time(), time.monotonic()
        threads, cpu = read_threads(self.process.pid), self._clock.now()
        done = time.monotonic()
        # By the wall, who keeps others from running would be looked at less often.
        cost = time.thread_time() - cost
        self._look_every = max(_LOOK_EVERY_S, cost / _LOOK_COST)
        if self._meter.note(Reading(begun, done, cpu, threads)):
            self._slots.release(self)

    async def stack_dump(self) -> str:
        """Return the calls that the process is in; see `Process.stack_dump`."""
        return await self.process.stack_dump(self._clock.now)

    def close(self) -> None:
        """Free its slot for others."""
        self._slots.forget(self)
        self.is_busy = False
        self._slots.release(self)

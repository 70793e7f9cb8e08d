"""The requests to one process and its replies, and whose turn it is to compute.

Requests wait in order; the first of them is the one the process is busy with, and
its clock runs from the later of its sending and the reply before it.
"""

import fcntl
import math
import os
import select
import struct
import termios
import time
from collections import deque
from collections.abc import Callable, Iterator

import trio

from arena.referee.contestant.clock import ProcessClock, charged, until_charged
from arena.referee.contestant.wire import Pending, ReplyError, Wire
from arena.referee.sandbox import Process
from arena.referee.work_unit import Limits
from arena.worker.protocol import FrameError, Reply

_QUICK = 0.002
"""Seconds for a decision that are too few to matter if they are charged to another."""
_MAX_WINDOW = 256
_STRETCH = 0.002
"""Seconds in which nobody else's deadline is looked at."""
_AT_ONCE = 1
"""Milliseconds to wait for a reply."""
_FEW = 8
"""Replies."""
_REPLY = 16
"""Bytes, at least."""
_MOMENT = 0.0001
_GATHERING = 0.001
"""Seconds in which more replies may come, if nobody else computes."""
_MAX_READ = 1 << 18
_SIZE = struct.Struct("i")
_SHORT_WHILE = 0.001
"""Seconds of CPU time after a reply that any process needs to go on waiting."""


def _bytes_in(pipe: int) -> int:
    """Return how much can be read."""
    (size,) = _SIZE.unpack(fcntl.ioctl(pipe, termios.FIONREAD, bytes(_SIZE.size)))
    return int(size)


class ComputeSlots:
    """Lets so many contestants compute at the same time, first come, first served."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._busy: dict[int, RequestPipe] = {}
        """By the descriptor that is read from."""
        self._poll = select.poll()
        self._waiting: deque[RequestPipe] = deque()
        self._unsent: dict[RequestPipe, None] = {}
        """Those that have something to send, perhaps."""

    def take(self, line: "RequestPipe") -> bool:
        """Say whether a line may send now; otherwise it is `granted` later."""
        if len(self._busy) < self._count:
            fd = line.process.read_fd
            self._busy[fd] = line
            self._poll.register(fd, select.POLLIN)
            return True
        if line not in self._waiting:
            self._waiting.append(line)
        return False

    def give_back(self, line: "RequestPipe") -> None:
        """Let the next one in."""
        fd = line.process.read_fd
        del self._busy[fd]
        self._poll.unregister(fd)
        if self._waiting:
            following = self._waiting.popleft()
            self.take(following)
            following.granted()

    def forget(self, line: "RequestPipe") -> None:
        """Don't wait for a line that is closed."""
        self._unsent.pop(line, None)
        if line in self._waiting:
            self._waiting.remove(line)

    def note(self, line: "RequestPipe") -> None:
        """Note that a line has something to send."""
        self._unsent[line] = None

    def flush(self) -> None:
        """Let all lines send what is queued, as far as they may."""
        unsent, self._unsent = self._unsent, {}
        for line in unsent:
            line.flush()

    @property
    def is_single(self) -> bool:
        """Whether nobody else computes while somebody does."""
        return self._count == 1

    def listen(self) -> None:
        """Take in what busy contestants reply at once, for a moment at the most.

        As long as there is no other work than theirs, that is cheaper than to have
        trio wait for each reply.
        """
        end = time.monotonic() + _STRETCH
        while self._busy and time.monotonic() < end:
            ready = self._poll.poll(_AT_ONCE)
            if not ready:
                return
            for fd, _ in ready:
                line = self._busy.get(fd)
                if line is not None and not line.on_readable():
                    return


class RequestPipe:
    """What is asked of one process, from its start to its end."""

    def __init__(
        self,
        process: Process,
        wire: Wire,
        limits: Limits,
        permits: ComputeSlots,
        on_readable: Callable[[], bool],
    ) -> None:
        """Begin it; `on_readable` is to read, and to say if there may be more."""
        self.process = process
        self.on_readable = on_readable
        self.pending: deque[Pending] = deque()
        """Asked and not answered, the oldest first."""
        self.pondered = 0.0
        """CPU seconds used while nothing was asked, since this was last set to 0."""
        self._limits = limits
        self._permits = permits
        self._unsent: deque[Pending] = deque()
        self._window = 1
        self._pace = 0.0
        """Seconds for each of the latest replies."""
        self._outbox = bytearray()
        self._reader = wire.reader()
        self._parse = wire.parse
        self._clock = ProcessClock(process.pid)
        self._is_busy = False
        self._head_wall = 0.0
        self._head_cpu = 0.0
        self._look_at = math.inf
        """When the watchdog means to look next; then only is it known to be awake."""
        self._idle_cpu = self._clock.now()
        self._wake_watchdog = trio.Event()
        self._wake_writer = trio.Event()

    def ask(self, pending: Pending) -> None:
        """Queue a request; it leaves at the next `flush`."""
        self.pending.append(pending)
        self._unsent.append(pending)
        self._permits.note(self)

    def flush(self) -> None:
        """Send what is queued, as far as the pipe takes it and it is its turn.

        A process that is slow to answer gets one request at a time: while the next
        one waits for it, all that it computes is charged to the last.
        """
        while self._unsent and len(self.pending) - len(self._unsent) < self._window:
            self._outbox += self._unsent.popleft().data
        if not self._outbox:
            return
        if not self._is_busy:
            if not self._permits.take(self):
                return
            self._begin()
        self._send()

    def granted(self) -> None:
        """It is its turn now."""
        self._begin()
        self._send()

    def _begin(self) -> None:
        self._is_busy = True
        cpu = self._clock.now()
        if cpu - self._idle_cpu > _SHORT_WHILE:
            self.pondered += cpu - self._idle_cpu
        self._start_clock(cpu)

    def _send(self) -> None:
        try:
            sent = os.write(self.process.write_fd, self._outbox)
        except BlockingIOError:
            sent = 0
        except BrokenPipeError:
            return  # Its end is seen by whoever reads, who says whose fault it was.
        del self._outbox[:sent]
        if self._outbox:
            self._wake_writer.set()

    async def write_rest(self) -> None:
        """Send on what a full pipe did not take."""
        while True:
            await self._wake_writer.wait()
            self._wake_writer = trio.Event()
            await trio.lowlevel.wait_writable(self.process.write_fd)
            # By now all of it may be sent and answered, and others have the turn.
            if self._is_busy:
                self._send()

    def read(self) -> bytes:
        """Return what has arrived; nothing if the pipe has ended.

        Where many replies are on their way, more of them may come first: to wake up for
        each would take longer than all else.

        Raises:
            BlockingIOError: nothing has.
        """
        fd = self.process.read_fd
        sent = len(self.pending) - len(self._unsent)
        if sent > _FEW:
            # If others compute too, there will be enough to do in a moment.
            is_single = self._permits.is_single
            left = _GATHERING if is_single else _MOMENT
            wanted = sent if is_single else _FEW
            while left and (come := _bytes_in(fd) // _REPLY) < wanted:
                pause = min(left, max(_MOMENT, (wanted - come) * self._pace))
                time.sleep(pause)
                left -= pause
        return os.read(fd, _MAX_READ)

    def take(self, data: bytes) -> Iterator[tuple[Pending, Reply, float]]:
        """Yield what has been answered, and the seconds it took.

        Time is shared out among the replies that come together.

        Raises:
            ReplyError: something came that is no answer, after what was.
        """
        garbage = ""
        try:
            bodies = self._reader.feed(data)
        except FrameError as error:
            bodies, garbage = error.before, f"sent {error}"
        if bodies:
            cpu = self._clock.now()
            seconds = charged(*self._spent(cpu)) / len(bodies)
            # What is computed from now on is the next request's.
            self._start_clock(cpu)
            is_quick = seconds < _QUICK
            self._pace = seconds
            self._window = min(2 * self._window, _MAX_WINDOW) if is_quick else 1
            for body in bodies:
                head = self.pending[0] if self.pending and self._is_busy else None
                reply = self._parse(body, head)
                yield self.pending.popleft(), reply, seconds
            if not self.pending:
                self._rest(cpu)
            elif self._unsent:
                self._permits.note(self)
        if garbage:
            raise ReplyError(garbage)

    def _rest(self, cpu: float) -> None:
        self._is_busy = False
        self._idle_cpu = cpu
        self._permits.give_back(self)

    def is_idle(self) -> bool:
        """Say whether nothing is asked of it and nothing half-said by it."""
        return not (self.pending or self._outbox or self.has_partial())

    def has_partial(self) -> bool:
        """Say whether a part of a reply has come whose rest has not."""
        return self._reader.has_partial()

    def _start_clock(self, cpu: float) -> None:
        self._head_wall = now = time.monotonic()
        if self._look_at == math.inf or self._look_at < now:
            self._look_at = now
        self._head_cpu = cpu
        if not self._wake_watchdog.is_set():
            self._wake_watchdog.set()

    def spent(self) -> tuple[float, float]:
        """Return the seconds of CPU and of wall time that the oldest request took.

        Time in which this process itself was held up, or stopped, is not counted.
        """
        return self._spent(self._clock.now())

    def _spent(self, cpu: float) -> tuple[float, float]:
        wall = min(time.monotonic(), self._look_at) - self._head_wall
        return max(0.0, cpu - self._head_cpu), max(0.0, wall)

    async def lateness(self) -> tuple[Pending, float, float]:
        """Wait until a request is late; return it and its CPU and wall seconds."""
        while True:
            self._head_wall += max(0.0, time.monotonic() - self._look_at)
            self._look_at = math.inf
            if not (self.pending and self._is_busy):
                self._wake_watchdog = trio.Event()
                await self._wake_watchdog.wait()
                continue
            head = self.pending[0]
            cpu, wall = self.spent()
            if charged(cpu, wall) >= head.allowance:
                return head, cpu, wall
            # A request that comes up during the sleep may take this long at least.
            shortest = self._limits.move + self._limits.margin
            left = min(until_charged(head.allowance, cpu, wall), shortest)
            pause = max(left, 0.001)
            self._look_at = time.monotonic() + pause
            await trio.sleep(pause)

    async def whereabouts(self) -> str:
        """Ask what the process is busy with; see `Process.whereabouts`."""
        return await self.process.whereabouts(self._clock.now)

    def close(self) -> None:
        """Let others have its turn."""
        self._permits.forget(self)
        if self._is_busy:
            self._is_busy = False
            self._permits.give_back(self)

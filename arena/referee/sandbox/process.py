"""A contestant's process as the referee sees it: pipes, output, end, stack dump."""

import abc
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import trio

from arena.worker.protocol import CONFINED
from arena.worker.stack_dump import cut_dump, dump_signal, is_whole

_TAIL_BYTES = 4096
_MAX_DUMP_BYTES = 1 << 17
_DUMP_POLL_S = 0.002
_DUMP_CPU_S = 0.02
"""CPU time in which a process has written its stack dump, if it ever does."""
_DUMP_TIMEOUT_S = 0.25
"""The same in wall time: it may sleep, or others may keep it from running."""
_CONFINE_TIMEOUT_S = 60.0
"""Enough on the most overloaded machine."""
_REAP_TIMEOUT_S = 10.0
"""For a killed process to be gone; the system may keep it for longer."""


class LostError(OSError):
    """A process that contestants depend on is gone; no bot is to blame."""


class KilledError(LostError):
    """A contestant's process was killed before it had a bot; others are not touched."""


@dataclass(slots=True)
class Pipes:
    """Both ends of what a contestant's process reads, writes and prints to."""

    read_fd: int
    write_fd: int
    output_fd: int
    child_read: int
    child_write: int
    child_output: int

    @classmethod
    def open(cls) -> "Pipes":
        """Open all of them.

        Raises:
            OSError: this process has too many descriptors.
        """
        output_fd, child_output = _output_file()
        child_read, write_fd = os.pipe()
        read_fd, child_write = os.pipe()
        for descriptor in (read_fd, write_fd):
            os.set_blocking(descriptor, False)
        return cls(read_fd, write_fd, output_fd, child_read, child_write, child_output)

    def close_childs(self) -> None:
        """Close the ends that are the contestant's, once it has them."""
        for descriptor in (self.child_read, self.child_write, self.child_output):
            os.close(descriptor)

    def close(self) -> None:
        """Close the referee's ends."""
        for descriptor in (self.read_fd, self.write_fd, self.output_fd):
            os.close(descriptor)


def _output_file() -> tuple[int, int]:
    """Open a file without a name twice: for the referee, and for the contestant.

    It outlives the contestant's process, but not us.  As neither has the other's
    position and flags, no contestant decides where the referee reads and writes.
    """
    has_memory = hasattr(os, "memfd_create") and os.path.exists("/proc/self/fd")
    if has_memory:
        ours = os.memfd_create("output")
        path = f"/proc/self/fd/{ours}"
    else:
        ours, path = tempfile.mkstemp()
    try:
        return ours, os.open(path, os.O_RDWR | os.O_APPEND)
    except BaseException:
        os.close(ours)
        raise
    finally:
        if not has_memory:
            os.unlink(path)


class Process(abc.ABC):
    """A confined process that waits for requests."""

    def __init__(self, pid: int, pipes: Pipes) -> None:
        self.pid = pid
        """As this process sees it; its CPU time counts."""
        self.home = ""
        """Where what a hand-in lies in seems to be to this process; empty if that is
        shown where it is."""
        self._pipes = pipes
        self.on_close: Callable[[], None] | None = None
        """Called when it is closed."""
        self.on_leave: Callable[[], None] | None = None
        """Called before it is closed, while it can still be looked at."""
        self.read_fd = pipes.read_fd
        self.write_fd = pipes.write_fd
        self.returncode: int | None = None
        self.is_paused = False
        """True while none of its threads may run."""
        self._has_dumped = False
        self._told_bytes = 0
        """Size of its output when `newly_printed` was last called."""

    async def confined(self) -> None:
        """Wait until its confinement is in force.

        Raises:
            KilledError: the system, or a person, has killed it.
            OSError: it is not.
        """
        data = b""
        with trio.move_on_after(_CONFINE_TIMEOUT_S):
            while len(data) < len(CONFINED):
                await trio.lowlevel.wait_readable(self.read_fd)
                more = os.read(self.read_fd, len(CONFINED) - len(data))
                if not more:
                    await self.wait()
                    break
                data += more
        if data != CONFINED and self.returncode == -signal.SIGKILL:
            raise KilledError(
                "a contestant's process was killed before it was confined"
            )
        if data != CONFINED:
            lines = self.printed().strip().splitlines()
            why = lines[-1] if lines else "it ended or hung without a word"
            raise OSError(f"a contestant's process could not be confined: {why}")

    @abc.abstractmethod
    def kill(self) -> None:
        """Kill it and all that belongs to it, at once."""

    @abc.abstractmethod
    def _send(self, number: int) -> None:
        """Send it a signal, if it is still there."""

    def _send_all(self, number: int) -> None:
        """Send a signal to it and all that belongs to it."""
        self._send(number)

    def pause(self) -> None:
        """Keep it and its threads from running, until `resume`; only on Linux.

        Elsewhere nothing ends it with this process, and it would stay, stopped.
        """
        if sys.platform == "linux" and not self.is_paused:
            self.is_paused = True
            self._send_all(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it run again, if it was paused."""
        if self.is_paused:
            self.is_paused = False
            self._send_all(signal.SIGCONT)

    async def wait(self) -> int:
        """Wait for its end; return its exit status, or minus the signal's number.

        Raises:
            LostError: whoever could tell is gone.
        """
        if self.returncode is None:
            self.returncode = await self._end()
        return self.returncode

    @abc.abstractmethod
    async def _end(self) -> int:
        """Wait for its end, as `wait` does, for the first time."""

    @abc.abstractmethod
    def _bury(self) -> None:
        """Kill it if it still runs, and reap it."""

    def printed(self) -> str:
        """Return the last lines of its output."""
        tail = self._end_of_output(_TAIL_BYTES)
        if self._has_dumped:
            tail = cut_dump(self._end_of_output(_TAIL_BYTES + _MAX_DUMP_BYTES))[0][
                -_TAIL_BYTES:
            ]
        return tail.decode(errors="replace")

    def newly_printed(self) -> str:
        """Return the end of its output since the last call."""
        size = self.printed_size()
        new, self._told_bytes = size - self._told_bytes, size
        if new <= 0:
            return ""
        return self._end_of_output(min(new, _TAIL_BYTES)).decode(errors="replace")

    def _end_of_output(self, most: int) -> bytes:
        size = self.printed_size()
        # What can't be read is not worth a league.
        with suppress(OSError):
            return os.pread(self._pipes.output_fd, most, max(0, size - most))
        return b""

    async def stack_dump(self, cpu: Callable[[], float]) -> str:
        """Have it write down the calls that it is in; return them, the innermost first.

        The lines are those of `faulthandler`, as far as they come within a moment: the
        process may be stopped, or have changed what the signal does.  `cpu` returns the
        seconds of CPU time that it has used.
        """
        number = dump_signal()
        if not number:
            return ""
        self._has_dumped = True
        self._send(number)
        # CPU time from here on is used with the signal on its way.
        begun = cpu()
        with trio.move_on_after(_DUMP_TIMEOUT_S):
            while not is_whole(self._dump()) and cpu() - begun < _DUMP_CPU_S:
                await trio.sleep(_DUMP_POLL_S)
        # The dump may have come while this process was kept from looking.
        return self._dump().decode(errors="replace")

    def _dump(self) -> bytes:
        return cut_dump(self._end_of_output(_TAIL_BYTES + _MAX_DUMP_BYTES))[1]

    def printed_size(self) -> int:
        """Return the number of bytes of its output that are kept.

        The process may set it to whatever its limits allow, with nothing in the file.
        """
        return os.fstat(self._pipes.output_fd).st_size

    def shorten_output(self, most: int) -> None:
        """Keep only the last lines if it has printed more than `most` bytes.

        The file stays as it is where the process has kept others from changing it.
        """
        if self.printed_size() > most:
            tail = self._end_of_output(_TAIL_BYTES)
            with suppress(OSError):
                os.ftruncate(self._pipes.output_fd, 0)
                os.pwrite(self._pipes.output_fd, tail, 0)
            self._told_bytes = self.printed_size()

    def close(self) -> None:
        """Kill it, reap it and close its pipes."""
        if self.on_leave is not None:
            self.on_leave()
        self._bury()
        self._pipes.close()
        if self.on_close is not None:
            self.on_close()


class ColdProcess(Process):
    """A process that was started from nothing, and its group."""

    def __init__(self, popen: subprocess.Popen[bytes], pipes: Pipes) -> None:
        super().__init__(popen.pid, pipes)
        self._popen = popen

    def kill(self) -> None:
        self._send_all(signal.SIGKILL)

    def _send(self, number: int) -> None:
        with suppress(ProcessLookupError, PermissionError):
            self._popen.send_signal(number)

    def _send_all(self, number: int) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)
        # It may have left its group.
        self._send(number)

    async def _end(self) -> int:
        if not hasattr(os, "pidfd_open"):
            while self._popen.poll() is None:
                await trio.sleep(0.05)
        elif self._popen.returncode is None:
            descriptor = os.pidfd_open(self.pid)
            try:
                await trio.lowlevel.wait_readable(descriptor)
            finally:
                os.close(descriptor)
        return self._popen.wait()

    def _bury(self) -> None:
        self.kill()
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(_REAP_TIMEOUT_S)


class ForkedProcess(Process):
    """A child of the zygote, whatever namespace it is in."""

    def __init__(self, pidfd: int, status_fd: int, pipes: Pipes) -> None:
        super().__init__(_pid(pidfd), pipes)
        self._pidfd = pidfd
        self._status_fd = status_fd

    def kill(self) -> None:
        # Its children, if it could have any, would be in the zygote's namespace.
        self._send(signal.SIGKILL)

    def _send(self, number: int) -> None:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, number)

    async def _end(self) -> int:
        await trio.lowlevel.wait_readable(self._status_fd)
        status = os.read(self._status_fd, 4)
        if not status:
            raise LostError("the process that contestants are forked from is gone")
        return os.waitstatus_to_exitcode(int.from_bytes(status, "little"))

    def _bury(self) -> None:
        self.kill()
        poll = select.poll()
        poll.register(self._pidfd, select.POLLIN)
        poll.poll(1000 * _REAP_TIMEOUT_S)
        os.close(self._pidfd)
        os.close(self._status_fd)


def _pid(pidfd: int) -> int:
    """Return the process id that a pidfd has in the namespace of this process.

    Raises:
        KilledError: it has ended already.
    """
    with open(f"/proc/self/fdinfo/{pidfd}") as file:
        for line in file:
            if line.startswith("Pid:"):
                pid = int(line.split()[1])
                if pid > 0:
                    return pid
    raise KilledError("a contestant's process ended before it was confined")

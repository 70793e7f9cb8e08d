"""Starts a zygote and asks it to fork contestants."""

import errno
import os
import socket
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress

import msgspec
import trio

from arena.referee.sandbox.library import Library
from arena.referee.sandbox.process import (
    ForkedProcess,
    LostError,
    Pipes,
    Process,
)
from arena.worker.protocol import Confinement
from arena.worker.zygote import FORKED, READY_APART, READY_TOGETHER

_REPLY_TIMEOUT_S = 60.0
"""Enough on the most overloaded machine to start or to fork."""
_MAX_ERROR_BYTES = 4096
_END_TIMEOUT_S = 5.0

Start = Callable[[Sequence[str], Sequence[int]], subprocess.Popen[bytes]]
"""Starts Python with arguments and descriptors to pass on; stderr is a pipe."""


class ZygoteClient:
    """A process that contestants are forked from.

    It ends when the referee's end of its socket is closed, with all its children,
    whichever way the referee ended.
    """

    def __init__(self, start: Start, library: Library, preload: Sequence[str]) -> None:
        """Start it with a library, and some modules loaded ahead.

        Raises:
            OSError: the machine can't.
        """
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket = ours
        self._lock = trio.Lock()
        self._is_ready = False
        self._is_closed = False
        self.is_apart = False
        """True if it is ready and gives each contestant namespaces of its own."""
        ours.setblocking(False)
        try:
            search, folders = map(os.pathsep.join, (library.search, library.folders))
            arguments = ["zygote", search, str(theirs.fileno()), folders, *preload]
            self._popen = start(arguments, [theirs.fileno()])
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()

    @property
    def pid(self) -> int:
        """The process that was started; a sandbox may stand between it and Python."""
        return self._popen.pid

    async def fork(
        self, confinement: Confinement, ruleset: int | None = None
    ) -> Process:
        """Return a new, confined process.

        `ruleset` is a descriptor of what it may open, if Landlock is wanted.

        Raises:
            LostError: the zygote is gone.
            BlockingIOError: the machine has no process left.
            OSError: the process could not be confined.
        """
        request = msgspec.msgpack.encode(confinement)
        # A cancelled exchange would leave a process that nobody knows of.
        with trio.CancelScope(shield=True):
            async with self._lock:
                if not self._is_ready:
                    said, _ = await self._hear(READY_APART, READY_TOGETHER)
                    self.is_apart = said == READY_APART
                    self._is_ready = True
                process = await self._fork(request, ruleset)
        try:
            await process.confined()
        except BaseException:
            process.close()
            raise
        return process

    async def _fork(self, request: bytes, ruleset: int | None) -> Process:
        pipes = Pipes.open()
        status_read, status_write = os.pipe()
        try:
            ends = (pipes.child_read, pipes.child_write, pipes.child_output)
            rulesets = () if ruleset is None else (ruleset,)
            pidfd = await self._ask(request, [*ends, status_write, *rulesets])
        except BaseException:
            pipes.close()
            os.close(status_read)
            raise
        finally:
            pipes.close_childs()
            os.close(status_write)
        os.set_blocking(status_read, False)
        try:
            return ForkedProcess(pidfd, status_read, pipes)
        except BaseException:
            os.close(pidfd)
            os.close(status_read)
            pipes.close()
            raise

    async def _ask(self, request: bytes, descriptors: list[int]) -> int:
        if self._is_closed:
            raise self._lost()
        try:
            socket.send_fds(self._socket, [request], descriptors)
        except ConnectionError:
            raise self._lost() from None
        _, (pidfd,) = await self._hear(FORKED)
        return pidfd

    async def _hear(self, *expected: bytes) -> tuple[bytes, list[int]]:
        """Receive one of some messages, and the descriptors that come with it."""
        if self._is_closed:
            raise self._lost()
        try:
            with trio.move_on_after(_REPLY_TIMEOUT_S) as scope:
                await trio.lowlevel.wait_readable(self._socket)
        except trio.ClosedResourceError:
            raise self._lost() from None
        if scope.cancelled_caught:
            raise LostError("the process that contestants are forked from hangs")
        try:
            data, descriptors, _, _ = socket.recv_fds(self._socket, 4096, 1)
        except ConnectionError:
            raise self._lost() from None
        if not data:
            raise self._lost()
        if data not in expected:
            raise BlockingIOError(errno.EAGAIN, data.decode(errors="replace"))
        return data, descriptors

    def _lost(self) -> LostError:
        words = ""
        if self._popen.stderr is not None and not self._is_closed:
            os.set_blocking(self._popen.stderr.fileno(), False)
            with suppress(OSError):
                words = os.read(self._popen.stderr.fileno(), _MAX_ERROR_BYTES).decode(
                    errors="replace"
                )
        lines = words.strip().splitlines()
        why = f": {lines[-1]}" if lines else ""
        return LostError(f"the process that contestants are forked from is gone{why}")

    def close(self) -> None:
        """End it and all its children; tasks that wait for it get a `LostError`."""
        self._is_closed = True
        with suppress(RuntimeError):  # Nobody waits where trio does not run.
            trio.lowlevel.notify_closing(self._socket)
        self._socket.close()
        try:
            self._popen.wait(_END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()
        if self._popen.stderr is not None:
            self._popen.stderr.close()

"""A process of arena's own that is sent frames, and answers in frames."""

import subprocess
import sys
import tempfile
from collections import deque
from contextlib import suppress
from typing import IO, Self

import msgspec
import trio

from arena.worker.protocol import FrameReader, frame

NO_WORDS = "it ended without a word"
STOP_TIMEOUT_S = 5.0
"""For a process to end once its input is closed; then it is killed."""


class FramedProcess:
    """A module that runs in a process of its own.  Make it with `start`."""

    def __init__(self, process: trio.Process, errors: IO[bytes]) -> None:
        self._process = process
        self._reader = FrameReader()
        self._errors = errors
        self._bodies: deque[bytes] = deque()

    @classmethod
    async def start(cls, module: str) -> Self:
        """Run a module.

        Raises:
            OSError: no process can be started.
        """
        errors = tempfile.TemporaryFile()  # noqa: SIM115
        try:
            process = await trio.lowlevel.open_process(
                # Without -P, a hand-in called random.py would be imported there if the
                # league is run from the folder of the bots.
                [sys.executable, "-P", "-m", module],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
        except BaseException:
            errors.close()
            raise
        return cls(process, errors)

    async def send(self, message: msgspec.Struct) -> None:
        """Send a message.  If the process is dead, `receive` will tell so."""
        assert self._process.stdin is not None
        with suppress(trio.BrokenResourceError):
            await self._process.stdin.send_all(frame(message))

    async def receive(self) -> bytes | None:
        """Return the next message, still encoded; None once the process is dead."""
        assert self._process.stdout is not None
        while not self._bodies:
            data = await self._process.stdout.receive_some()
            if not data:
                return None
            self._bodies.extend(self._reader.feed(bytes(data)))
        return self._bodies.popleft()

    def kill(self) -> None:
        """End the process at once, if it has not ended."""
        if self._process.returncode is None:
            self._process.kill()

    async def last_words(self) -> str:
        """Return the last line of the errors of a process that is dead, or about to be.

        It is waited for a little: what it says may come after its output has ended.
        """
        with trio.move_on_after(STOP_TIMEOUT_S):
            await self._process.wait()
        return last_line(self._errors)

    async def stop(self, timeout_s: float = STOP_TIMEOUT_S) -> None:
        """Close the input of the process and give it time to end; then kill it.

        No process outlives this, even if it is cancelled.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with trio.CancelScope(shield=True):
            await self._process.stdin.aclose()
            with trio.move_on_after(timeout_s):
                await self._process.wait()
            if self._process.returncode is None:
                self._process.kill()
                await self._process.wait()
            await self._process.stdout.aclose()
        self._errors.close()


def last_line(errors: IO[bytes]) -> str:
    """Return the last line of what a process has written to its standard error."""
    errors.seek(0)
    lines = errors.read().decode(errors="replace").strip().splitlines()
    return lines[-1].strip() if lines else NO_WORDS

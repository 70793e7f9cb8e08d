"""A command in a terminal of its own, which types keys and looks at the screen."""

import codecs
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

TIMEOUT_S = 120.0
"""For anything to come in a test; then it has failed."""
_CONTROLS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_LAST = b"\0"
"""No command writes it."""
_TAKE_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "os.execv(sys.argv[1], sys.argv[1:])"
)


class Terminal:
    """Where a command runs.  Use `in_terminal`."""

    def __init__(
        self, process: subprocess.Popen[bytes], keyboard: int, screen: int, end: int
    ) -> None:
        self.process = process
        self.raw = ""
        """All that has been written to it."""
        self._keyboard = keyboard
        self._screen = screen
        self._ends = [end]
        """Can be read from once the process has ended."""
        self._decode = codecs.getincrementaldecoder("utf-8")().decode
        self._seen = 0

    def type(self, keys: str) -> None:
        """Type keys; what is on the screen before does not count any more."""
        self._seen = len(self.raw)
        os.write(self._keyboard, keys.encode())

    def resize(self, columns: int, rows: int) -> None:
        """Give it another size."""
        self._seen = len(self.raw)
        _resize(self._keyboard, columns, rows)

    def wait_for(self, text: str) -> str:
        """Wait until a text has been written since the last keys; return all since."""
        deadline = time.monotonic() + TIMEOUT_S
        while text not in (shown := _CONTROLS.sub("", self.raw[self._seen :])):
            assert time.monotonic() < deadline, shown
            assert self._read(), shown
        return shown

    def wait(self) -> int:
        """Wait for the end of the command; return its exit code."""
        while self._read():
            pass
        return self.process.wait()

    def settings(self) -> list[object]:
        """Return the settings of the terminal."""
        return termios.tcgetattr(self._keyboard)

    def _read(self) -> bool:
        """Read what is written next; return whether there may be more."""
        ready, _, _ = select.select([self._keyboard, *self._ends], [], [], TIMEOUT_S)
        assert ready, self.raw
        if self._keyboard not in ready:
            # What it has written last may still be on its way: this comes behind it.
            os.write(self._screen, _LAST)
            self._ends = []
            return self._read()
        self.raw += self._decode(os.read(self._keyboard, 65536))
        if self._ends or not self.raw.endswith(_LAST.decode()):
            return True
        self.raw = self.raw.removesuffix(_LAST.decode())
        return False


@contextmanager
def in_terminal(
    words: Sequence[str], folder: Path, environment: Mapping[str, str]
) -> Iterator[Terminal]:
    """Run `arena` in a terminal of 80 by 24; it is ended with the block."""
    keyboard, screen = pty.openpty()
    _resize(keyboard, 80, 24)
    command = [sys.executable, "-m", "arena", *words]
    process = subprocess.Popen(
        [sys.executable, "-S", "-c", _TAKE_TERMINAL, *command],
        cwd=folder,
        # Unbuffered, Python loses the rest of what a signal interrupts the writing of.
        env={
            **os.environ,
            "TERM": "xterm-256color",
            "PYTHONUNBUFFERED": "",
            **environment,
        },
        stdin=screen,
        stdout=screen,
        stderr=screen,
        start_new_session=True,
    )
    end = os.pidfd_open(process.pid)
    try:
        yield Terminal(process, keyboard, screen, end)
    finally:
        process.kill()
        process.wait()
        os.close(end)
        os.close(screen)
        os.close(keyboard)


def _resize(keyboard: int, columns: int, rows: int) -> None:
    size = struct.pack("HHHH", rows, columns, 0, 0)
    fcntl.ioctl(keyboard, termios.TIOCSWINSZ, size)

"""Keys that are pressed in a terminal, one by one, and changes of its size."""

import os
import re
import select
import signal
import termios
import time
import tty
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final

RESIZED: Final = "resized"
GONE: Final = "gone"
_ESCAPE = "\x1b"
_SEQUENCE_TIMEOUT_S = 0.05
"""How long the rest of a key's sequence may take to arrive."""
_RESIZE_DELAY_S = 0.05
"""How long a new size may take to be known: Linux signals it before it is stored."""
_WHOLE = re.compile(r"O.|\[[0-9;]*[@-~]")
"""What follows the escape character in the sequence of a named key."""
_BEGUN = re.compile(r"|O|\[[0-9;]*")
_NAMES = {
    "[A": "up",
    "[B": "down",
    "[C": "right",
    "[D": "left",
    "[H": "home",
    "[F": "end",
    "[1~": "home",
    "[7~": "home",
    "[4~": "end",
    "[8~": "end",
    "[5~": "page up",
    "[6~": "page down",
    "OA": "up",
    "OB": "down",
    "OC": "right",
    "OD": "left",
    "OH": "home",
    "OF": "end",
}


class Keys:
    """The keys pressed in a terminal.  Made by `keys_of`."""

    def __init__(self, terminal: int, wake: int) -> None:
        self._terminal = terminal
        self._wake = wake
        self._typed = ""

    def next(self) -> str:
        """Wait for a key and return it: a character, or a name such as `left`.

        Return `RESIZED` if the terminal has a new size, `GONE` if it was closed, and
        `escape` or an empty text for a key that has no name here.
        """
        if not self._typed and not self._read(None):
            time.sleep(_RESIZE_DELAY_S)
            return RESIZED
        if not self._typed:
            return GONE
        key, self._typed = self._typed[0], self._typed[1:]
        return self._sequence() if key == _ESCAPE else key

    def _sequence(self) -> str:
        """Return the name of a key whose sequence begins with the escape character."""
        while _BEGUN.fullmatch(self._typed):
            length = len(self._typed)
            self._read(_SEQUENCE_TIMEOUT_S)
            if len(self._typed) == length:
                break
        whole = _WHOLE.match(self._typed)
        if whole is None:
            return "escape"
        self._typed = self._typed[whole.end() :]
        return _NAMES.get(whole[0], "")

    def _read(self, seconds: float | None) -> bool:
        """Wait for input; return True once some has arrived, or its end."""
        ready, _, _ = select.select([self._terminal, self._wake], [], [], seconds)
        if self._wake in ready:
            os.read(self._wake, 1024)
        if self._terminal not in ready:
            return False
        with suppress(OSError):  # The terminal was closed.
            self._typed += os.read(self._terminal, 1024).decode(errors="ignore")
        return True


@contextmanager
def keys_of(terminal: int) -> Iterator[Keys]:
    """Read a terminal key by key; restore its settings at the end of the block."""
    before = termios.tcgetattr(terminal)
    wake_read, wake_write = os.pipe()
    for end in (wake_read, wake_write):
        os.set_blocking(end, False)
    old_wake = signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    old_handlers = {
        number: signal.signal(number, handler)
        for number, handler in ((signal.SIGWINCH, _note), (signal.SIGTERM, _stop))
    }
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)
        attributes = termios.tcgetattr(terminal)
        # A suspended process could not restore the terminal, so Ctrl-Z does nothing.
        attributes[6][termios.VSUSP] = b"\0"
        termios.tcsetattr(terminal, termios.TCSADRAIN, attributes)
        yield Keys(terminal, wake_read)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
        for number, handler in old_handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(old_wake)
        os.close(wake_read)
        os.close(wake_write)


def _note(number: int, frame: FrameType | None) -> None:
    """Do nothing: the wake-up pipe tells of the signal."""


def _stop(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt

"""What bots print: kept for their authors, capped, never in the referee's way."""

import io
import os
import sys
import traceback
from contextlib import suppress

_MOST_CALLS = 50
TAIL = 4096
"""Bytes of the last output that are kept for a fault's report."""


class OutputFloodError(BaseException):
    """A bot has printed more than one game may.  Not for bots to catch."""


class Output(io.TextIOBase):
    """Stands in for `sys.stdout` and `sys.stderr`.

    Everything a bot prints goes through to a file that holds the last lines of
    the game being answered, so that the referee can show them even after it has
    had to kill the process.  What is printed outside of games is cut silently.
    """

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor
        self.limit = 2**20
        """Bytes that one game may print."""
        self.page = Page()
        self._shown = self.page

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def turn_to(self, page: "Page") -> None:
        """Let output belong to another game, and the file hold what it printed."""
        self.page = page
        if self._shown is not page and (page.tail or self._size()):
            self._rewrite(page)

    def write(self, text: str, /) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        data = text[-self.limit :].encode(errors="replace")
        page = self.page
        page.size += len(text)
        page.tail = (page.tail + data)[-TAIL:]
        if self._shown is page and page.shown + len(data) < 16 * TAIL:
            page.shown += len(data)
            self._append(data)
        else:
            self._rewrite(page)
        if page.is_game and page.size > self.limit:
            if page.flooded is None:
                stack = traceback.extract_stack(sys._getframe(1), _MOST_CALLS)
                page.flooded = stack
            raise OutputFloodError
        return len(text)

    def _size(self) -> int:
        """Return the size of the file, to which may have been written directly."""
        try:
            return os.lseek(self._descriptor, 0, os.SEEK_END)
        except OSError:
            return 0

    def _rewrite(self, page: "Page") -> None:
        # A bot may have closed it.
        with suppress(OSError):
            os.ftruncate(self._descriptor, 0)
        self._append(page.tail)
        page.shown = len(page.tail)
        self._shown = page

    def _append(self, data: bytes) -> None:
        # A full disk is no fault of the bot's.
        with suppress(OSError):
            os.write(self._descriptor, data)


class Page:
    """The output of one game."""

    __slots__ = ("flooded", "is_game", "shown", "size", "tail")

    def __init__(self, is_game: bool = False) -> None:
        self.is_game = is_game
        self.size = 0
        self.shown = 0
        self.tail = b""
        self.flooded: traceback.StackSummary | None = None
        """The calls that printed more than one game may, the innermost last."""

    def text(self) -> str:
        """Return the last lines."""
        return self.tail.decode(errors="replace")

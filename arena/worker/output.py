"""The output of bots: kept for their authors, limited, never in the referee's way."""

import io
import os
import sys
import traceback
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_MAX_CALLS = 50
TAIL_BYTES = 4096
"""Kept of a game's last output, for the report of a fault."""


class OutputFloodError(BaseException):
    """A bot has printed more than it may in one game.  Not for bots to catch."""


class CapturedOutput(io.TextIOBase):
    """Stands in for `sys.stdout` and `sys.stderr`.

    Everything a bot prints is written to a file that holds the last lines of the
    current game, so that the referee can show them even after it had to kill the
    process.  Output outside of games is cut silently.

    It has what scripts use of Python's own streams, which are UTF-8 here already.
    """

    name = "<stdout>"
    mode = "w"
    line_buffering = True
    write_through = True

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor
        self.buffer = _Bytes(self)
        """For bytes, and to be wrapped anew."""
        self.limit = 2**20
        """Bytes that a bot may print in one game."""
        self.game = GameOutput()
        self._shown = self.game

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def switch_to(self, game: "GameOutput") -> None:
        """Let output belong to another game, and the file hold that game's output."""
        self.game = game
        if self._shown is not game and (game.tail or self._size()):
            self._rewrite(game)

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "utf-8"

    @property
    def errors(self) -> str:  # type: ignore[override]
        return "replace"

    def reconfigure(self, **changes: object) -> None:
        """Change nothing."""

    def detach(self) -> "_Bytes":  # type: ignore[override]
        """Return the stream of bytes; this one stays as it is."""
        return self.buffer

    def close(self) -> None:
        """Stay open, as there is no other."""

    def collect(self) -> None:
        """Have streams that a bot has put in the place of this hand on what they hold.

        Raises:
            OutputFloodError: that is too much.
        """
        for stream in (sys.stdout, sys.stderr):
            if stream is not self:
                # It may be anything.
                with suppress(Exception):
                    stream.flush()

    def write(self, text: str, /) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self.take(text[-self.limit :].encode(errors="replace"), len(text))
        return len(text)

    def take(self, data: bytes, size: int) -> None:
        """Take the end of what is printed, which has this size in all.

        Raises:
            OutputFloodError: the game has printed too much.
        """
        game = self.game
        game.size += size
        game.tail = (game.tail + data)[-TAIL_BYTES:]
        game.fresh = (game.fresh + data)[-TAIL_BYTES:]
        if self._shown is game and game.shown + len(data) < 16 * TAIL_BYTES:
            game.shown += len(data)
            self._append(data)
        else:
            self._rewrite(game)
        if game.is_limited and game.size > self.limit:
            if game.flooded is None:
                stack = traceback.extract_stack(sys._getframe(2), _MAX_CALLS)
                game.flooded = stack
            raise OutputFloodError

    def _size(self) -> int:
        """Return the size of the file; a bot can write to it directly."""
        try:
            return os.lseek(self._descriptor, 0, os.SEEK_END)
        except OSError:
            return 0

    def _rewrite(self, game: "GameOutput") -> None:
        # A bot may have closed it.
        with suppress(OSError):
            os.ftruncate(self._descriptor, 0)
        self._append(game.tail)
        game.shown = len(game.tail)
        self._shown = game

    def _append(self, data: bytes) -> None:
        # A full disk is no fault of the bot's.
        with suppress(OSError):
            os.write(self._descriptor, data)


class _Bytes(io.BufferedIOBase):
    """Stands in for `sys.stdout.buffer`."""

    def __init__(self, output: CapturedOutput) -> None:
        super().__init__()
        self._output = output

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._output.fileno()

    def write(self, data: "ReadableBuffer", /) -> int:
        view = memoryview(data)
        self._output.take(bytes(view.cast("B")[-self._output.limit :]), view.nbytes)
        return view.nbytes

    def close(self) -> None:
        """Stay open: whoever wraps it closes it when it is taken away itself."""


class GameOutput:
    """The output of one game; without `is_limited`, output outside of games."""

    __slots__ = ("flooded", "fresh", "is_limited", "shown", "size", "tail")

    def __init__(self, is_limited: bool = False) -> None:
        self.is_limited = is_limited
        self.size = 0
        self.shown = 0
        self.tail = b""
        self.fresh = b""
        """The end of what no reply has told yet."""
        self.flooded: traceback.StackSummary | None = None
        """The calls that printed too much, the innermost last."""

    def text(self) -> str:
        """Return the last lines."""
        return self.tail.decode(errors="replace")

    def take_fresh(self) -> str:
        """Return the end of what was printed since the last call; `…` if it is cut."""
        data, self.fresh = self.fresh, b""
        return "…" * (len(data) == TAIL_BYTES) + data.decode(errors="replace")

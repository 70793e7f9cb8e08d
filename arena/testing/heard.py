"""What a bot prints in a test: shown as ever, and noted for what fails there."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from arena.text import cut_start, quoted

_KEPT_CHARS = 1000
_SHOWN_CHARS = 200


class Heard:
    """The end of what was printed."""

    def __init__(self) -> None:
        self.text = ""

    def __str__(self) -> str:
        """Return a half-sentence; empty if nothing was printed."""
        text = self.text.strip()
        return f"it printed {quoted(cut_start(text, _SHOWN_CHARS))}" if text else ""


class _Overheard:
    """Stands in for a stream, and passes all on to it."""

    def __init__(self, stream: Any, heard: Heard) -> None:
        self._stream = stream
        self._heard = heard

    def write(self, text: str) -> Any:
        count = self._stream.write(text)
        self._heard.text = (self._heard.text + text)[-_KEPT_CHARS:]
        return count

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def hearing() -> Iterator[Heard]:
    """Note what is printed meanwhile; an exception that comes out gets it as a note."""
    heard = Heard()
    streams: Any = sys.stdout, sys.stderr
    overheard: Any = [_Overheard(stream, heard) for stream in streams]
    sys.stdout, sys.stderr = overheard
    try:
        yield heard
    except BaseException as error:
        if words := str(heard):
            # A bot's own exception may have another idea of notes.
            BaseException.add_note(error, words)
        raise
    finally:
        sys.stdout, sys.stderr = streams

"""Explains an error in a bot to its author: one sentence, and its own lines."""

import inspect
import linecache
import re
import traceback
from collections.abc import Container, Iterable, Mapping
from types import CodeType

from arena.worker.protocol import Place
from arena.worker.remedies import remedy_for
from arena.worker.remedies.bad_code import BadCode, quote
from arena.worker.remedies.of_syntax import OF_SYNTAX

_SENT_CALLS = (4, 8)
"""Outermost and innermost calls that are told of a deep recursion."""
_LINE_END = 2**31
"""A column after all others."""
_PLACE_OF_MODULE = re.compile(r" \((/[^()]*|unknown location)\)$")


class LoadError(Exception):
    """A file has no bot in it; the text says what was found and what to do."""

    def __init__(self, message: str, place: Place | None = None) -> None:
        super().__init__(message)
        self.place = place
        """The line to look at, if there is one."""


def explain(
    error: BaseException, files: Mapping[str, bytes]
) -> tuple[str, tuple[Place, ...]]:
    """Return one sentence about an error in a bot, and the calls that led to it.

    The calls are those in the bot's own `files`, the innermost last.
    """
    kind = type(error).__name__
    if isinstance(error, SyntaxError) and _is_own(error.filename, files):
        place = _place_of_syntax(error)
        message = error.msg if type(error.msg) is str else ""
        bad = BadCode(message, place.line, files[place.file])
        return f"{kind}: {message}{_code_and_remedy(bad)}", (place,)
    message, remedy = _first_line(error), _remedy(error)
    calls = own_calls(traceback.extract_tb(error.__traceback__), files)
    return f"{kind}: {message}".rstrip(": ") + remedy, calls


def _place_of_syntax(error: SyntaxError) -> Place:
    line, start = _number(error.lineno), max(0, _number(error.offset) - 1)
    end = max(start + 1, _number(error.end_offset) - 1)
    if _number(error.end_lineno) not in (0, line):
        end = _LINE_END
    return Place(str(error.filename), max(1, line), columns=(start, end))


def _number(value: object) -> int:
    """Return a number of an error; a bot may have set it to anything."""
    return value if type(value) is int and 0 <= value < _LINE_END else 0


def _code_and_remedy(bad: BadCode) -> str:
    """Return the line with a syntax error, and what to do about it."""
    comma = "" if bad.message.endswith("?") else ","
    found = f"{comma} in {quote(bad.code)}" if bad.code else ""
    remedy = remedy_for(bad, OF_SYNTAX)
    return f"{found} ({remedy})" if remedy else found


def _first_line(error: BaseException) -> str:
    try:
        line = str(error).strip().split("\n")[0][:300]
        if isinstance(error, ImportError):
            # Where Python is installed is nothing to the bot's author.
            line = _PLACE_OF_MODULE.sub("", line)
    except BaseException:
        return "(its message can't be shown)"
    return line


def _remedy(error: BaseException) -> str:
    """Return the first note of an exception, in brackets; nothing if it has none."""
    try:
        notes = getattr(error, "__notes__", None)
    except BaseException:
        return ""
    if type(notes) is not list or not notes or type(notes[0]) is not str:
        return ""
    return f" ({notes[0][:300]})"


def own_calls(
    frames: Iterable[traceback.FrameSummary], files: Container[str]
) -> tuple[Place, ...]:
    """Return the calls in a bot's own `files`; both ends of a deep recursion."""
    own = [frame for frame in frames if frame.filename in files]
    first, last = _SENT_CALLS
    if len(own) > first + last:
        own = own[:first] + own[-last:]
    return tuple(
        Place(x.filename, x.lineno or 0, sendable(x.name), _columns(x)) for x in own
    )


def _columns(frame: traceback.FrameSummary) -> tuple[int, int]:
    """Return the columns of what failed in its line, in characters."""
    line = linecache.getline(frame.filename, frame.lineno or 0).encode()
    start, end = frame.colno or 0, frame.end_colno or 0
    if frame.end_lineno != frame.lineno:
        end = len(line)
    before, meant = line[:start], line[start:end]
    column = len(before.decode(errors="replace"))
    return column, column + len(meant.decode(errors="replace"))


def place_of(function: object, files: Container[str]) -> Place | None:
    """Return the first line of a function, if that is in a bot's own `files`."""
    function = inspect.unwrap(function) if callable(function) else function
    code = getattr(function, "__code__", None)
    if not isinstance(code, CodeType) or not _is_own(code.co_filename, files):
        return None
    return Place(code.co_filename, code.co_firstlineno, sendable(code.co_name))


def sendable(text: str) -> str:
    """Return `text` with escapes for characters that have no encoding."""
    return text.encode(errors="backslashreplace").decode()


def _is_own(filename: object, files: Container[str]) -> bool:
    return type(filename) is str and filename in files

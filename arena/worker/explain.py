"""Explains an error in a bot to its author: one sentence, and its own lines."""

import inspect
import traceback
from collections.abc import Iterable
from copy import copy
from pathlib import Path
from types import CodeType

from arena.worker.advice import advice_on_syntax

_MAX_TRACEBACK_CHARS = 4000
_MAX_CODE_CHARS = 80
_SHOWN_CALLS = (4, 8)
"""Outermost and innermost calls that are shown of a deep recursion."""
_ARENA = Path(__file__).parents[1]
_NO_INPUT = "EOF when reading a line"


class LoadError(Exception):
    """A file has no bot in it; the text says what was found and what to do."""


def explain(error: BaseException, root: Path, location: str = "") -> tuple[str, str]:
    """Return one sentence about an error in a bot, and its traceback.

    Both name only lines of files below `root`, the student's own, by their paths from
    there.  If the traceback has none, the sentence names `location`.
    """
    kind = type(error).__name__
    if isinstance(error, SyntaxError) and error.filename:
        error.filename = relative_path(error.filename, root)
        where = f"{error.filename}:{error.lineno or 1}"
        # Its last line is what the sentence says.
        *shown, _ = traceback.format_exception_only(error)
        sentence = f"{where}: {kind}: {error.msg}{_code_and_advice(error)}"
        return sentence, "".join(shown)[:_MAX_TRACEBACK_CHARS]
    frames = own_frames(traceback.extract_tb(error.__traceback__), root)
    where = f"{location}: " if location else ""
    if frames:
        last = frames[-1]
        where = f"{last.filename}:{last.lineno}: "
    message = _first_line(error)
    lines = format_frames(frames)
    lines.append(f"{kind}: {message}\n" if message else f"{kind}\n")
    text = "".join(lines)
    return f"{where}{kind}: {message}".rstrip(": "), text[-_MAX_TRACEBACK_CHARS:]


def _code_and_advice(error: SyntaxError) -> str:
    """Return the line with a syntax error, and the advice on it."""
    code = (error.text or "").strip()[:_MAX_CODE_CHARS]
    comma = "" if error.msg.endswith("?") else ","
    found = f'{comma} in "{code}"' if code else ""
    advice = advice_on_syntax(error.msg, code)
    return f"{found} ({advice})" if advice else found


def _first_line(error: BaseException) -> str:
    try:
        line = str(error).strip().split("\n")[0][:300]
    except BaseException:
        return "(its message can't be shown)"
    if isinstance(error, EOFError) and line == _NO_INPUT:
        line += " (input() has nobody to ask here)"
    notes = getattr(error, "__notes__", None)
    if type(notes) is list and notes and type(notes[0]) is str:
        line += f" ({notes[0][:300]})"
    return line


def own_frames(
    frames: Iterable[traceback.FrameSummary], root: Path
) -> list[traceback.FrameSummary]:
    """Return the frames of the student's own files, by their paths from `root`."""
    own = [copy(frame) for frame in frames if _is_own(Path(frame.filename), root)]
    for frame in own:
        # Its line of code has been read already.
        frame.filename = relative_path(frame.filename, root)
    return own


def format_frames(frames: list[traceback.FrameSummary]) -> list[str]:
    """Return frames as Python shows them; both ends of a deep recursion."""
    first, last = _SHOWN_CALLS
    if len(frames) > first + last:
        frames = frames[:first] + frames[-last:]
    return traceback.format_list(frames)


def location_of(function: object, root: Path) -> str:
    """Return the first line of a function, such as `my_bot.py:7`.

    Empty if it is unknown, or not in the student's own files, those below `root`.
    """
    function = inspect.unwrap(function) if callable(function) else function
    code = getattr(function, "__code__", None)
    if not isinstance(code, CodeType) or not _is_own(Path(code.co_filename), root):
        return ""
    return f"{relative_path(code.co_filename, root)}:{code.co_firstlineno}"


def sendable(text: str) -> str:
    """Return `text` with escapes for characters that have no encoding."""
    return text.encode(errors="backslashreplace").decode()


def _is_own(path: Path, root: Path) -> bool:
    """Say whether a student wrote a file; packages may lie below `root` too."""
    if not path.is_relative_to(root):
        return False
    framework = _ARENA.is_relative_to(root) and path.is_relative_to(_ARENA)
    return not framework and "site-packages" not in path.relative_to(root).parts


def relative_path(filename: str, root: Path) -> str:
    path = Path(filename)
    return str(path.relative_to(root)) if path.is_relative_to(root) else path.name

"""Lines of a bot's own code, where its process says that something went wrong.

A process tells such places itself, in a reply or in a stack dump, so they can't be
trusted, and they matter to nobody but the bot's author.  Only places in the files that
were handed in are kept, at lines that these files have; the code is shown as these have
it.
"""

import os
import re
from codecs import BOM_UTF8
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from arena.referee.contestant.bot_code import moved, read_sources
from arena.referee.work_unit import EntrySpec
from arena.text import printable
from arena.worker.protocol import Failed, Place

_CALL = re.compile(r'^  File "(.*)", line (\d{1,9}) in (.*)$', re.M)
_LOOP = re.compile(r"(?:async[ \t]+)?(while|for)\b")
_BLOCK = re.compile(r"(?:async[ \t]+)?(?:def|class)\b")
_SCOPE = re.compile(r"<(?:module|lambda|(?:list|dict|set)comp|genexpr)>")
"""What Python calls code without a name of its own."""
_MAX_PATH_CHARS = 500
"""Python writes no more of a path into a dump."""
_MAX_LINE_CHARS = 200
_MAX_CALLS = 100
"""Python writes no more; further ones are made up by the bot."""
_MAX_LOOP_LINES = 1000
"""Lines in which the beginning of a loop is looked for."""
_SHOWN_CALLS = (4, 8)
"""Outermost and innermost calls that are shown of a deep recursion."""


@dataclass(frozen=True, slots=True)
class CodeLocation:
    """A line of a bot's own code, and the loop around it."""

    line: str
    """Such as `my_bot.py:12`; in a folder that was handed in, with its name."""
    loop: str = ""
    """`while` or `for`; empty outside of loops."""
    loop_line: str = ""
    """First line of the loop, such as `my_bot.py:9`."""
    traceback: str = ""
    """The calls that led there, the innermost last."""


class _Call(NamedTuple):
    file: str
    """What it is called in messages."""
    line: int
    function: str
    """Empty if that is not known, or no name."""
    columns: tuple[int, int]
    text: bytes
    """Of the file, with ends of lines of one kind."""
    start: int
    """Where the line begins in it."""

    @property
    def location(self) -> str:
        return f"{self.file}:{self.line}"

    def lines(self) -> Iterator[str]:
        """Yield its lines of a traceback, as Python has them."""
        where = f'  File "{self.file}", line {self.line}'
        yield f"{where}, in {self.function}\n" if self.function else f"{where}\n"
        line = _line_at(self.text, self.start)
        code = line.strip()
        yield f"    {printable(code)}\n"
        indent = len(line) - len(line.lstrip())
        start, end = (max(0, min(x - indent, len(code))) for x in self.columns)
        if start < end and (start, end) != (0, len(code)):
            yield f"    {' ' * start}{'^' * (end - start)}\n"


class _OwnFiles:
    """The Python files that were handed in with a bot."""

    def __init__(self, folder: str, sources: Iterable[tuple[str, bytes]]) -> None:
        """Take the `sources`; `folder` is the one that the hand-in lies in."""
        self._folder = folder
        self._sources = dict(sources)
        self._texts: dict[str, bytes] = {}

    @classmethod
    def of(cls, entry: EntrySpec) -> "_OwnFiles":
        """Return the files of an entry; none if they have changed."""
        try:
            sources = entry.sources or read_sources(entry)
        except OSError:
            sources = ()  # The next start of it reports that.
        return cls(entry.home, sources)

    def calls(self, places: Iterable[Place]) -> Iterator[_Call]:
        """Yield the calls at those places that are lines of these files."""
        for place in places:
            if (text := self._text(place.file)) is None:
                continue
            start = _start_of(text, place.line)
            if start is None:
                continue
            file = printable(os.path.relpath(place.file, self._folder), lines=False)
            function = place.function[:_MAX_LINE_CHARS]
            if not (function.isidentifier() or _SCOPE.fullmatch(function)):
                function = ""
            yield _Call(file, place.line, function, place.columns, text, start)

    def _text(self, file: str) -> bytes | None:
        if file in self._sources and file not in self._texts:
            text = self._sources[file].removeprefix(BOM_UTF8)
            text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
            self._texts[file] = text
        return self._texts.get(file)

    def calls_in(self, dump: str, home: str) -> Iterator[_Call]:
        """Yield the calls in these files that a stack dump has.

        `home` is `Process.home` of the process that has written it.
        """
        own = {_as_written(moved(f, self._folder, home)): f for f in self._sources}
        found = _CALL.finditer(dump)
        return self.calls(Place(own.get(x[1], ""), int(x[2]), x[3]) for x in found)


def _start_of(text: bytes, line: int) -> int | None:
    """Return where a line begins; None if there is no such line.

    It makes no list of lines: a bot may have millions of them, and fail in each game.
    """
    left = line - 1
    """Ends of lines before it, from `start`."""
    start, end = 0, len(text)
    if left <= 0:
        return 0 if left == 0 else None
    if text.count(b"\n") < left:
        return None
    while end - start > 1:
        middle = (start + end) // 2
        found = text.count(b"\n", start, middle)
        if found >= left:
            end = middle
        else:
            start, left = middle, left - found
    return end


def _line_at(text: bytes, start: int) -> str:
    """Return the beginning of the line that begins at `start`."""
    line, _, _ = text[start : start + 4 * _MAX_LINE_CHARS].partition(b"\n")
    return line.decode(errors="replace")[:_MAX_LINE_CHARS]


def told_location(entry: EntrySpec, reply: Failed) -> CodeLocation:
    """Return where a failure happened, as far as the process tells a line of the bot's.

    Else that is the file as a whole, or the folder.
    """
    files = _OwnFiles.of(entry)
    calls = list(files.calls(reply.calls[:_MAX_CALLS]))
    place = next(files.calls([reply.place] if reply.place else ()), None)
    line = place.location if place else os.path.basename(entry.folder or entry.path)
    return CodeLocation(printable(line, lines=False), traceback=_as_traceback(calls))


def method_in(entry: EntrySpec, told: Place, names: Container[str]) -> str:
    """Return `my_bot.py:7: act()` of a method that a process tells.

    Without its name if that is not one of `names`, and empty if its line is not the
    bot's own.
    """
    call = next(_OwnFiles.of(entry).calls([told]), None)
    if call is None:
        return ""
    name = f" {call.function}()" if call.function in names else ""
    return f"{call.location}:{name}"


def location_in(entry: EntrySpec, dump: str, home: str = "") -> CodeLocation | None:
    """Return the innermost call in an entry's files; None if the dump has none.

    `dump` are calls as `faulthandler` writes them, the innermost first, in a process
    of which `home` is `Process.home`.
    """
    calls = list(islice(_OwnFiles.of(entry).calls_in(dump, home), _MAX_CALLS))
    if not calls:
        return None
    traceback = _as_traceback(calls[::-1])
    return CodeLocation(calls[0].location, *_loop(calls), traceback)


def _as_written(path: str) -> str:
    """Return a path in the spelling of a stack dump."""
    shown = path[:_MAX_PATH_CHARS] + "..." * (len(path) > _MAX_PATH_CHARS)
    return "".join(c if " " <= c <= "~" else _escaped(ord(c)) for c in shown)


def _escaped(number: int) -> str:
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def _loop(calls: Sequence[_Call]) -> tuple[str, str]:
    """Return `while` or `for` and the location of the loop around the calls, if any.

    The innermost `while` is usually the one that does not end.
    """
    loops = [
        (word, f"{call.file}:{line}")
        for call in calls
        for word, line in _loops_around(call)
    ]
    return next((x for x in loops if x[0] == "while"), next(iter(loops), ("", "")))


def _loops_around(call: _Call) -> Iterator[tuple[str, int]]:
    """Yield the loops that a line belongs to, the innermost first, by indentation."""
    start = call.start
    column = _column(_line_at(call.text, start)) + 1
    for number in range(call.line, max(0, call.line - _MAX_LOOP_LINES), -1):
        line = _line_at(call.text, start)
        start = call.text.rfind(b"\n", 0, max(0, start - 1)) + 1
        code = line.strip()
        here = _column(line)
        if here >= column or not code or code.startswith("#"):
            continue
        column = here
        if _BLOCK.match(code):
            return
        if match := _LOOP.match(code):
            yield match[1], number


def _column(line: str) -> int:
    line = line.expandtabs()
    return len(line) - len(line.lstrip())


def _as_traceback(calls: Sequence[_Call]) -> str:
    """Return the calls as Python shows them; both ends of a deep recursion."""
    first, last = _SHOWN_CALLS
    if len(calls) > first + last:
        calls = [*calls[:first], *calls[-last:]]
    return "".join(line for call in calls for line in call.lines())

"""The line of a bot's own code that ran when its process had to be killed.

A process writes its own stack dump, so the dump can't be trusted, and it matters to
nobody but the bot's author.  Only names of the bot's own files are kept from it, and
numbers of lines that these files have.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from arena.referee.contestant.bot_code import read_sources
from arena.referee.contestant.misconduct import CodeLocation
from arena.referee.work_unit import EntrySpec
from arena.text import printable

_CALL = re.compile(r'^  File "(.*)", line (\d{1,9}) in (.*)$', re.M)
_LOOP = re.compile(r"(?:async[ \t]+)?(while|for)\b")
_BLOCK = re.compile(r"(?:async[ \t]+)?(?:def|class)\b")
_MAX_PATH_CHARS = 500
"""Python writes no more of a path into a dump."""
_MAX_LINE_CHARS = 200
_MAX_CALLS = 100
"""Python writes no more; further ones are made up by the bot."""
_MAX_LOOP_LINES = 1000
"""Lines in which the beginning of a loop is looked for."""
_SHOWN_CALLS = (4, 8)
"""Outermost and innermost calls that are shown of a deep recursion."""


class _Call(NamedTuple):
    file: str
    line: int
    function: str
    text: Sequence[str]
    """Lines of the file, their beginnings."""

    @property
    def location(self) -> str:
        return f"{self.file}:{self.line}"


def location_in(entry: EntrySpec, dump: str) -> CodeLocation | None:
    """Return the location in an entry's files that a stack dump names, if it does."""
    try:
        sources = entry.sources or read_sources(entry)
    except OSError:
        return None  # Its files have changed; the next start of it reports that.
    return find_location(dump, entry.path, sources)


def find_location(
    dump: str, path: str, sources: Sequence[tuple[str, bytes]]
) -> CodeLocation | None:
    """Return the innermost call in a bot's own files; None if the dump has none.

    `dump` are calls as `faulthandler` writes them, the innermost first; `path` is the
    bot's file or the folder of its package, `sources` its Python files with their text.
    """
    calls = list(islice(_own_calls(dump, path, dict(sources)), _MAX_CALLS))
    if not calls:
        return None
    return CodeLocation(calls[0].location, *_loop(calls), _as_traceback(calls))


def _own_calls(dump: str, path: str, sources: Mapping[str, bytes]) -> Iterator[_Call]:
    is_package = os.path.join(path, "__init__.py") in sources
    root = path if is_package else os.path.dirname(path)
    own = {_as_written(file): file for file in sources}
    texts: dict[str, list[str]] = {}
    for written, number, function in _CALL.findall(dump):
        file = own.get(written)
        if file is None:
            continue
        if file not in texts:
            lines = sources[file].decode(errors="replace").splitlines()
            texts[file] = [line[:_MAX_LINE_CHARS] for line in lines]
        line = int(number)
        if 1 <= line <= len(texts[file]):
            name = printable(os.path.relpath(file, root), lines=False)
            function = printable(function[:_MAX_LINE_CHARS], lines=False)
            yield _Call(name, line, function, texts[file])


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
        for word, line in _loops_around(call.text, call.line)
    ]
    return next((x for x in loops if x[0] == "while"), next(iter(loops), ("", "")))


def _loops_around(text: Sequence[str], line: int) -> Iterator[tuple[str, int]]:
    """Yield the loops that a line belongs to, the innermost first, by indentation."""
    column = _column(text[line - 1]) + 1
    for number in range(line, max(0, line - _MAX_LOOP_LINES), -1):
        code = text[number - 1].strip()
        here = _column(text[number - 1])
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
    """Return the calls as Python shows them, the innermost last."""
    shown = list(reversed(calls))
    first, last = _SHOWN_CALLS
    if len(shown) > first + last:
        shown = shown[:first] + shown[-last:]
    return "".join(
        f'  File "{call.file}", line {call.line}, in {call.function}\n'
        f"    {printable(call.text[call.line - 1].strip())}\n"
        for call in shown
    )

"""A file that Python can't read: what is known of it, and whether a change would help.

Its author may have written it to keep us busy: of long lines and long files nothing is
looked at.
"""

import re
import warnings
from ast import PyCF_ONLY_AST
from collections.abc import Callable, Mapping
from functools import cached_property
from importlib.util import decode_source

_MAX_LINE_CHARS = 200
MAX_FILE_BYTES = 50_000
_MAX_TRIED_CHARS = 600_000
"""That Python is asked to read again, in all changes of a file together."""
_MAX_SHOWN_CHARS = 80
_FIRST_HIDDEN = 0xE000
"""Characters from here on have no meaning; they stand for texts in quotes."""
HIDDEN = "\ue000-\ue0ff"
"""What stands for texts in quotes, for patterns."""
_QUOTED = r"""(?<![\w'"])[rRbBuUfF]?('''|\"""|'|")(?:(?!\1)[^\\]|\\.)*\1"""


ASKING = "if|elif|while"
"""Words before a condition, for patterns."""


class BadCode:
    """A line that Python can't read, in its file."""

    def __init__(self, message: str, number: int, data: bytes) -> None:
        """Take Python's own message, the line's number, and the bytes of the file."""
        self.message = message
        self.number = number
        self.data = data
        self._left = _MAX_TRIED_CHARS
        self.lines = _decoded(data).split("\n") if len(data) <= MAX_FILE_BYTES else []

    @cached_property
    def code(self) -> str:
        """The line, without blanks around it; empty if it is too long to look at."""
        return self.line(self.number).strip() if 0 not in self.data else ""

    def line(self, number: int) -> str:
        """Return a line as it is; empty if there is none, or it is too long."""
        is_there = 0 < number <= len(self.lines)
        line = self.lines[number - 1] if is_there else ""
        return line if len(line) <= _MAX_LINE_CHARS else ""

    def code_before(self, sign: str) -> str:
        """Return the code before a sign in the line, without blanks around it."""
        line = self.line(self.number)
        return line.partition(sign)[0].strip() if sign in line else ""

    def last_code(self, number: int) -> int:
        """Return the last line before a line that has code; 0 if there is none."""
        for before in range(number - 1, 0, -1):
            if _is_code(self.lines[before - 1]):
                return before
        return 0

    def next_code(self, number: int) -> int:
        """Return the first line after a line that has code; 0 if there is none."""
        for after in range(number + 1, len(self.lines) + 1):
            if _is_code(self.lines[after - 1]):
                return after
        return 0

    def is_better(self, changed: Mapping[int, str]) -> bool:
        """Say whether Python would get further if these lines were as `changed`."""
        if not self.lines or self._left < 0:
            return False
        self._left -= len(self.data)
        lines = [changed.get(n, line) for n, line in enumerate(self.lines, 1)]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                compile("\n".join(lines), "", "exec", PyCF_ONLY_AST, dont_inherit=True)
        except SyntaxError as error:
            return (error.lineno or 0) > max(self.number, *changed)
        except (ValueError, MemoryError, RecursionError):
            return False
        return True

    def tried(self, code: str, number: int = 0) -> str:
        """Return what to write in place of a line, if Python gets further with it."""
        number = number or self.number
        line = self.line(number)
        indent = line[: len(line) - len(line.lstrip())]
        return quote(code) if self.is_better({number: indent + code}) else ""


def said(*parts: str, todo: str) -> Callable[[BadCode], str]:
    """Say what to do if Python's message has one of some parts."""
    return lambda bad: todo if any(part in bad.message for part in parts) else ""


def either(*rules: Callable[[BadCode], str]) -> Callable[[BadCode], str]:
    """Say what the first of some rules says that says something."""
    return lambda bad: next(filter(None, (rule(bad) for rule in rules)), "")


def write(
    why: str,
    *changes: tuple[str, str],
    said: str = "",
    shows: bool = True,
    raw: bool = False,
) -> Callable[[BadCode], str]:
    """Give the line as the first change makes it that gets Python further.

    Changes are patterns, with what to write for what fits; in `why` are groups of the
    pattern.  With `said`, Python's message must have that.  Texts in quotes and
    comments are looked at only if it is `raw`.
    """

    def words(bad: BadCode) -> str:
        if said not in bad.message:
            return ""
        code, texts = (bad.code, []) if raw else hide_texts(bad.code)
        # Compiled here, as few processes of contestants ever need one of them.
        for pattern, new in changes:
            match = re.search(pattern, code)
            if match is None:
                continue
            changed = re.sub(pattern, new, code)
            line = bad.tried(show_texts(changed, texts)) if changed != code else ""
            if line:
                what = show_texts(match.expand(why), texts)
                return f"{what}; write {line}" if shows else what
        return ""

    return words


def quote(code: str) -> str:
    """Return code as it is shown: in one line, not too long."""
    return f"`{code.replace(chr(10), ' ').strip()[:_MAX_SHOWN_CHARS]}`"


def hide_texts(code: str) -> tuple[str, list[str]]:
    """Return a line without its comment, and a character for each text in quotes."""
    texts: list[str] = []
    if re.search(f"[{HIDDEN}]", code):
        return code, texts

    def hide(match: "re.Match[str]") -> str:
        texts.append(match[0])
        return chr(_FIRST_HIDDEN + len(texts) - 1)

    return re.sub(_QUOTED, hide, code).partition("#")[0].rstrip(), texts


def show_texts(code: str, texts: list[str]) -> str:
    """Undo `hide_texts`, but for the comment."""
    for number, text in enumerate(texts):
        code = code.replace(chr(_FIRST_HIDDEN + number), text)
    return code


def _is_code(line: str) -> bool:
    return not line.isspace() and line != "" and not line.lstrip().startswith("#")


def _decoded(data: bytes) -> str:
    try:
        return decode_source(data)
    except (SyntaxError, UnicodeError):
        return data.decode(errors="replace")

"""An exception of a bot: the code that raised it, and what its names stand for."""

import ast
import inspect
import linecache
import re
from collections.abc import Callable, Container
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from types import FrameType, ModuleType, TracebackType
from typing import NamedTuple

import msgspec

from arena.bot import Bot
from arena.games import Observation

UNKNOWN = object()
"""The value of code whose value is not known without running it."""
_MAX_CODE_CHARS = 2000
_MAX_MESSAGE_CHARS = 2000


class HandIn(NamedTuple):
    """What a bot consists of, as far as its process knows it."""

    path: str
    """Its file, or the folder of its package."""
    files: Container[str]
    """Paths of its own Python files."""
    folder: str
    """The folder that was handed in; empty if it was a single file."""


@dataclass(frozen=True)
class Raised:
    """An exception of a bot, while its frames still have their variables.

    Its objects are the bot's, and may do anything when they are looked at: no more is
    done than that, and what they raise is no remedy.
    """

    error: BaseException
    hand_in: HandIn
    called: object = None
    """The method of the bot that the referee has called, if any."""

    @cached_property
    def message(self) -> str:
        """The text of the exception; the beginning if it is long."""
        return str(self.error)[:_MAX_MESSAGE_CHARS]

    @cached_property
    def traces(self) -> list[TracebackType]:
        """The calls that led there, the innermost last."""
        found = []
        trace = self.error.__traceback__
        while trace is not None:
            found.append(trace)
            trace = trace.tb_next
        return found

    @property
    def frame(self) -> FrameType | None:
        """The frame that raised it."""
        return frame_of(self.error)

    @cached_property
    def own_traces(self) -> list[TracebackType]:
        """The calls in the bot's own files."""
        files = self.hand_in.files
        return [x for x in self.traces if x.tb_frame.f_code.co_filename in files]

    @property
    def own_frame(self) -> FrameType | None:
        """The innermost frame of the bot's own code."""
        return self.own_traces[-1].tb_frame if self.own_traces else None

    @property
    def is_own(self) -> bool:
        """True if the bot's own code has raised it, and nothing that it has called."""
        return bool(self.own_traces) and self.own_traces[-1] is self.traces[-1]

    @cached_property
    def modules(self) -> set[str]:
        """The names of all modules on the way there."""
        return {x.tb_frame.f_globals.get("__name__", "") for x in self.traces}

    @cached_property
    def _texts(self) -> tuple[str, str]:
        """The text of the bot's own code that failed, and what follows in its line."""
        if not self.own_traces:
            return "", ""
        trace = self.own_traces[-1]
        code = trace.tb_frame.f_code
        positions = islice(code.co_positions(), trace.tb_lasti // 2, None)
        first, last, start, end = next(positions, (None, None, None, None))
        if first is None or last is None or start is None or end is None:
            return "", ""
        lines = linecache.getlines(code.co_filename)[first - 1 : last]
        rows = [line.encode() for line in lines]
        rest = rows[-1][end:]
        rows[-1] = rows[-1][:end]
        rows[0] = rows[0][start:]
        return b"".join(rows).decode(), rest.decode()

    @property
    def rest(self) -> str:
        """What follows in its line on the code that failed."""
        return self._texts[1]

    @cached_property
    def code(self) -> ast.expr | None:
        """The expression in the bot's own code that failed; None if it is none."""
        text = self._texts[0]
        if not 0 < len(text) <= _MAX_CODE_CHARS:
            return None
        try:
            return ast.parse(f"({text})", mode="eval").body
        except SyntaxError:
            statement = ast.parse(text).body[0]
        if isinstance(statement, ast.AugAssign):
            return ast.BinOp(statement.target, statement.op, statement.value)
        return statement.iter if isinstance(statement, ast.For) else None

    def value(self, node: ast.AST | None) -> object:
        """Return the value of code in the bot's innermost frame, without running any.

        `UNKNOWN` if it would take more than to look it up.
        """
        frame = self.own_frame
        if frame is None:
            return UNKNOWN
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            for names in (frame.f_locals, frame.f_globals, frame.f_builtins):
                if node.id in names:
                    return names[node.id]
        if isinstance(node, ast.Attribute):
            return _attribute(self.value(node.value), node.attr)
        if isinstance(node, ast.Subscript):
            return _part(self.value(node.value), self.value(node.slice))
        return UNKNOWN


def frame_of(error: BaseException) -> FrameType | None:
    """Return the frame that raised an error."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame if trace is not None else None


def _attribute(owner: object, name: str) -> object:
    if is_ours(owner):
        return getattr(owner, name, UNKNOWN)
    if isinstance(owner, ModuleType):
        return vars(owner).get(name, UNKNOWN)
    if isinstance(owner, Bot):
        return vars(owner).get(name, inspect.getattr_static(owner, name, UNKNOWN))
    if isinstance(owner, type):
        return inspect.getattr_static(owner, name, UNKNOWN)
    return UNKNOWN


def _part(owner: object, key: object) -> object:
    if type(owner) in (list, tuple) and type(key) is int:
        return owner[key]  # type: ignore[index]
    return UNKNOWN


def is_ours(value: object) -> bool:
    """Say whether a value is a part of what arena lets bots see."""
    kind = type(value)
    return issubclass(kind, msgspec.Struct) and kind.__module__.startswith("arena.")


def observation_in(frame: FrameType | None) -> tuple[str, Observation] | None:
    """Return the name of a variable that holds what the bot sees, and that."""
    for name, value in frame.f_locals.items() if frame is not None else ():
        if issubclass(type(value), Observation):
            return name, value
    return None


def said(
    kind: type[BaseException] | tuple[type[BaseException], ...],
    pattern: str,
    todo: str,
) -> Callable[[Raised], str]:
    """Say what to do if the text of an exception of some kind has a pattern."""
    compiled = re.compile(pattern)

    def words(raised: Raised) -> str:
        if not isinstance(raised.error, kind):
            return ""
        match = compiled.search(raised.message)
        return todo.format(*match.groups()) if match is not None else ""

    return words


def shown(node: ast.AST) -> str:
    """Return code as it is written, or nothing if it is long."""
    text = ast.unparse(node)
    return text if len(text) <= 60 and "\n" not in text else ""

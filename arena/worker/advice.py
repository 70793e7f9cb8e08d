"""Advice on the mistakes that are made most often, in a few words each.

It is added to Python's own sentence.  There is little of it, and none that guesses.
"""

import inspect
import re
import sys
from collections.abc import Iterable
from types import FrameType
from typing import Any

from arena.bot import Bot
from arena.text import did_you_mean

_LIKENESS = 0.75
"""Of two names, of which one was meant for the other."""
IN_SELF = "keep it in self, made in start()"
_SYNTAX = {
    "inconsistent use of tabs": "indent with spaces only; most editors can turn tabs "
    "into spaces",
    "expected an indented block": "indent what belongs to it by four spaces",
    "unexpected indent": "begin it in the same column as the line before",
    "unindent does not match": "begin it in the same column as a line above that it "
    "goes on after",
    "expected ':'": "put a colon at the end of the line",
    "was never closed": "add the bracket that closes it",
    "unmatched ": "take this bracket out, or open it before",
    "unterminated": "add the quotes that end the text",
    "instead of '='": "== compares, = gives a value",
    "outside function": "indent it, so that it belongs to the method",
    "null byte": "save the file as plain text",
    "can't decode": "save the file as UTF-8",
    "codec": "save the file as UTF-8",
}
"""By a part of Python's message."""


def advice_on_syntax(message: str, code: str) -> str:
    """Return advice on a syntax error in a line of code; empty if Python gives it."""
    if code.startswith("else if "):
        return "write elif"
    if message == "expected ':'" and code.endswith(":"):
        return ""
    found = (text for part, text in _SYNTAX.items() if part in message)
    return next(found, "")


def advice_on(error: BaseException) -> str:
    """Return advice on an exception; empty if it is no typical one."""
    try:
        if isinstance(error, ZeroDivisionError):
            return "ask first whether it is 0, as many things are at the beginning"
        if isinstance(error, UnboundLocalError):
            return _of_unbound(error)
        if isinstance(error, NameError):
            return _of_name(error)
        if isinstance(error, AttributeError):
            return _of_attribute(error)
        if isinstance(error, ImportError) and "no known parent" in str(error):
            return "write it without the dot, which is for a folder with an __init__.py"
    except Exception:  # The objects of a bot may do anything.
        return ""
    return ""


def name_hint(name: str, known: Iterable[str]) -> str:
    """Ask for the name that may be meant; nothing if there is none, or it is known."""
    names = [other for other in known if isinstance(other, str)]
    return "" if name in names else did_you_mean(name, names, likeness=_LIKENESS)


def _frame(error: BaseException) -> FrameType | None:
    """Return the frame that raised an error."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame if trace is not None else None


def _of_unbound(error: UnboundLocalError) -> str:
    frame = _frame(error)
    name = error.name or _quoted(error)
    if frame is not None and name in frame.f_globals:
        return f"in this function it is not the {name} of the file; {IN_SELF}"
    return ""


def _of_name(error: NameError) -> str:
    name = error.name or _quoted(error)
    frame = _frame(error)
    if name == "Bot":
        return "put this at the top of the file: from arena import Bot"
    if frame is not None and hasattr(frame.f_locals.get("self"), name):
        return f"did you mean self.{name}?"
    if frame is not None:
        builtins = frame.f_builtins
        hint = name_hint(name, [*frame.f_locals, *frame.f_globals, *builtins])
        if hint:
            return hint
    if name in sys.stdlib_module_names:
        return f"put this at the top of the file: import {name}"
    return ""


def _of_attribute(error: AttributeError) -> str:
    if str(error).startswith("immutable type"):
        return "what you see can't be changed; keep what is yours in self"
    if error.name is None:
        return ""
    known = [name for name in dir(error.obj) if not name.startswith("_")]
    hint = name_hint(error.name, known)
    if hint:
        return hint
    if isinstance(error.obj, Bot):
        return f"set self.{error.name} in start(): each game has a new object"
    return ""


def _quoted(error: BaseException) -> str:
    match = re.search("'(.*?)'", str(error))
    return match[1] if match else ""


def advise(error: BaseException) -> None:
    """Add advice to an exception, if it is a typical one.

    Call it while the frames of the traceback still have their variables.
    """
    advice = "" if getattr(error, "__notes__", None) else advice_on(error)
    if advice:
        BaseException.add_note(error, advice)


def advise_on_call(error: BaseException, method: object) -> None:
    """Add to an exception why a method could not be called, if that is the error."""
    trace = error.__traceback__
    was_called = trace is not None and trace.tb_next and trace.tb_next.tb_next
    code = getattr(method, "__code__", None)
    if was_called or not isinstance(error, TypeError) or code is None:
        return
    if code.co_name == "__init__":
        if "missing" in str(error):
            advice = "give what it needs a default, or params in the league's file"
            BaseException.add_note(error, advice)
    elif code.co_argcount < 2 and not code.co_flags & inspect.CO_VARARGS:
        BaseException.add_note(error, f"write def {code.co_name}(self, obs):")


def advice_on_reply(value: object, obs: Any) -> str:
    """Say that a value is no action, and what to return instead."""
    try:
        example = f"such as return {obs.legal_actions[0]!r}"
    except Exception:  # A bot may have changed what it sees.
        example = "a text"
    if value is None:
        return (
            "returned None: a path through it has no return, or one without a value; "
            f"each must end with one of obs.legal_actions, {example}"
        )
    if inspect.iscoroutine(value):
        value.close()
        return "returned a coroutine: write def, without async"
    if inspect.isgenerator(value):
        return "returned a generator: write return, not yield"
    if inspect.isroutine(value) and isinstance(name := value.__name__, str):
        return f"returned {name} itself: call it, with () behind its name"
    return (
        f"returned {_show(value)}; expected one of obs.legal_actions, a str, {example}"
    )


def _show(value: object) -> str:
    try:
        text = repr(value)
    except BaseException:
        text = "a value that can't be shown"
    # Its address in memory differs each time.
    text = re.sub(r" at 0x[0-9A-Fa-f]+", "", text[:200])
    return f"{text[:100]} ({type(value).__name__})"

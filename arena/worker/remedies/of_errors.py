"""Remedies for exceptions of a bot, while it is read or asked."""

import inspect
import re
import sys
from collections.abc import Callable, Iterable
from types import FrameType
from typing import NamedTuple

from arena.bot import Bot
from arena.worker.remedies.remedy import IN_SELF, Remedy, name_hint, remedy_for


class Raised(NamedTuple):
    """An exception of a bot, while its frames still have their variables."""

    error: BaseException
    frame: FrameType | None
    """The frame that raised it."""
    called: object = None
    """The method of the bot that the referee has called, if any."""


def _zero(raised: Raised) -> str:
    if not isinstance(raised.error, ZeroDivisionError):
        return ""
    return "ask first whether it is 0, as many things are at the beginning"


def _unbound(raised: Raised) -> str:
    if not isinstance(raised.error, UnboundLocalError) or raised.frame is None:
        return ""
    name = _name_in(raised.error)
    if name not in raised.frame.f_globals:
        return ""
    return f"in this function it is not the {name} of the file; {IN_SELF}"


def _no_bot(raised: Raised) -> str:
    if _unknown_name(raised) != "Bot":
        return ""
    return "put this at the top of the file: from arena import Bot"


def _no_self(raised: Raised) -> str:
    name, frame = _unknown_name(raised), raised.frame
    if not name or frame is None or not hasattr(frame.f_locals.get("self"), name):
        return ""
    return f"did you mean self.{name}?"


def _misspelt_name(raised: Raised) -> str:
    name, frame = _unknown_name(raised), raised.frame
    if not name or frame is None:
        return ""
    return name_hint(name, [*frame.f_locals, *frame.f_globals, *frame.f_builtins])


def _no_import(raised: Raised) -> str:
    name = _unknown_name(raised)
    if name not in sys.stdlib_module_names:
        return ""
    return f"put this at the top of the file: import {name}"


def _changed_observation(raised: Raised) -> str:
    error = raised.error
    is_one = isinstance(error, AttributeError) and str(error).startswith("immutable")
    return "what you see can't be changed; keep what is yours in self" * is_one


def _misspelt_attribute(raised: Raised) -> str:
    error = raised.error
    if not isinstance(error, AttributeError) or error.name is None:
        return ""
    known = [name for name in dir(error.obj) if not name.startswith("_")]
    return name_hint(error.name, known)


def _not_begun(raised: Raised) -> str:
    error = raised.error
    if not isinstance(error, AttributeError) or error.name is None:
        return ""
    if not isinstance(error.obj, Bot):
        return ""
    return f"set self.{error.name} in start(): each game has a new object"


def _relative_import(raised: Raised) -> str:
    is_one = isinstance(raised.error, ImportError)
    if not is_one or "no known parent" not in str(raised.error):
        return ""
    return "write it without the dot, which is for a folder with an __init__.py"


def _init_needs_more(raised: Raised) -> str:
    code = _uncallable(raised)
    if code != "__init__" or "missing" not in str(raised.error):
        return ""
    return "give what it needs a default, or params in the league's file"


def _no_obs(raised: Raised) -> str:
    name = _uncallable(raised)
    code = getattr(raised.called, "__code__", None)
    if not name or name == "__init__" or code is None:
        return ""
    takes_too_few = code.co_argcount < 2 and not code.co_flags & inspect.CO_VARARGS
    return f"write def {name}(self, obs):" if takes_too_few else ""


OF_ERRORS: tuple[Remedy[Raised], ...] = (
    Remedy("argument that __init__ needs", _init_needs_more),
    Remedy("missing obs", _no_obs),
    Remedy("division by zero", _zero),
    Remedy("variable of the file that is changed", _unbound),
    Remedy("missing import of Bot", _no_bot),
    Remedy("missing self before a name", _no_self),
    Remedy("misspelt name", _misspelt_name),
    Remedy("missing import", _no_import),
    Remedy("observation that is changed", _changed_observation),
    Remedy("misspelt attribute", _misspelt_attribute),
    Remedy("attribute of a game that was not begun", _not_begun),
    Remedy("relative import outside of a package", _relative_import),
)


def advise(
    error: BaseException,
    called: object = None,
    others: Iterable[Callable[[BaseException], str]] = (),
) -> None:
    """Add a remedy to an exception, if there is one and it has no note yet.

    `called` is the method that the referee has called; `others` are asked first.  Call
    it while the frames of the traceback still have their variables.
    """
    if getattr(error, "__notes__", None):
        return
    words = next(filter(None, (other(error) for other in others)), "")
    words = words or remedy_for(Raised(error, frame_of(error), called), OF_ERRORS)
    if words:
        BaseException.add_note(error, words)


def frame_of(error: BaseException) -> FrameType | None:
    """Return the frame that raised an error."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame if trace is not None else None


def _unknown_name(raised: Raised) -> str:
    """Return the name that there is not; empty if that is not the error."""
    error = raised.error
    if not isinstance(error, NameError) or isinstance(error, UnboundLocalError):
        return ""
    return _name_in(error)


def _name_in(error: NameError) -> str:
    match = re.search("'(.*?)'", str(error))
    return error.name or (match[1] if match else "")


def _uncallable(raised: Raised) -> str:
    """Return the name of a method that could not be called as it is; or nothing."""
    trace = raised.error.__traceback__
    was_called = trace is not None and trace.tb_next and trace.tb_next.tb_next
    code = getattr(raised.called, "__code__", None)
    if was_called or not isinstance(raised.error, TypeError) or code is None:
        return ""
    name: str = code.co_name
    return name

"""Remedies for exceptions of a bot, while it is read or asked."""

import inspect
import re
from collections.abc import Callable, Iterable

from arena.bot import Bot
from arena.worker.remedies.of_classes import OF_CLASSES
from arena.worker.remedies.of_names import OF_NAMES
from arena.worker.remedies.of_observations import OF_OBSERVATIONS
from arena.worker.remedies.of_system import OF_SYSTEM
from arena.worker.remedies.of_values import OF_VALUES
from arena.worker.remedies.raised import HandIn, Raised
from arena.worker.remedies.remedy import Remedy, name_hint, remedy_for


def _zero(raised: Raised) -> str:
    if not isinstance(raised.error, ZeroDivisionError):
        return ""
    return "ask first whether it is 0, as many things are at the beginning"


def _misspelt_attribute(raised: Raised) -> str:
    error = raised.error
    if not isinstance(error, AttributeError) or error.name is None:
        return ""
    known = [name for name in dir(error.obj) if not name.startswith("_")]
    return name_hint(error.name, known)


def _no_method(raised: Raised) -> str:
    error = raised.error
    if not isinstance(error, AttributeError) or not isinstance(error.obj, Bot):
        return ""
    if not raised.rest.startswith("("):
        return ""
    return f"the class has no method {error.name}: write def {error.name}(self, ...):"


def _not_begun(raised: Raised) -> str:
    error = raised.error
    if not isinstance(error, AttributeError) or error.name is None:
        return ""
    if not isinstance(error.obj, Bot):
        return ""
    return f"set self.{error.name} in start(): each game has a new object"


def _uncalled(raised: Raised) -> str:
    """Return the name of a method that could not be called as it is; or nothing."""
    code = getattr(raised.called, "__code__", None)
    was_called = len(raised.traces) > 2
    if was_called or not isinstance(raised.error, TypeError) or code is None:
        return ""
    name: str = code.co_name
    return name


def _init_needs_more(raised: Raised) -> str:
    missing = re.search("missing .* argument.*: (.*)", raised.message)
    if _uncalled(raised) != "__init__" or missing is None:
        return ""
    if re.search("'(obs|observation|state|game)'", missing[1]):
        return "start(self, obs) is given that: move there what needs it"
    return "give what it needs a default, or params in the league's file"


def _no_obs(raised: Raised) -> str:
    name = _uncalled(raised)
    code = getattr(raised.called, "__code__", None)
    if not name or name == "__init__" or code is None:
        return ""
    if f"{name}() " not in raised.message:
        return ""
    has_rest = code.co_flags & inspect.CO_VARARGS
    is_wrong = code.co_argcount != 2 and not has_rest
    return f"write def {name}(self, obs):" if is_wrong else ""


def _no_self(raised: Raised) -> str:
    """Say that a bot stands where it expects what it sees."""
    error, frame = raised.error, raised.frame
    code = getattr(raised.called, "__code__", None)
    if not isinstance(error, AttributeError) or not isinstance(error.obj, Bot):
        return ""
    if code is None or frame is None or frame.f_code is not code:
        return ""
    first = code.co_varnames[:1]
    if not first or first[0] == "self" or frame.f_locals.get(first[0]) is not error.obj:
        return ""
    return f"{first[0]} is the bot itself here: write def {code.co_name}(self, obs):"


def _memory(raised: Raised) -> str:
    is_one = isinstance(raised.error, MemoryError)
    return "keep less, or give a cache a size" if is_one else ""


OF_ERRORS: tuple[Remedy[Raised], ...] = (
    Remedy("too much in memory", _memory),
    Remedy("argument that __init__ needs", _init_needs_more),
    Remedy("missing obs", _no_obs),
    Remedy("missing self", _no_self),
    Remedy("division by zero", _zero),
    *OF_CLASSES,
    *OF_SYSTEM,
    *OF_NAMES,
    *OF_OBSERVATIONS,
    *OF_VALUES,
    Remedy("misspelt attribute", _misspelt_attribute),
    Remedy("missing method of its own", _no_method),
    Remedy("attribute of a game that was not begun", _not_begun),
)


def advise(
    error: BaseException,
    hand_in: HandIn,
    called: object = None,
    others: Iterable[Callable[[BaseException], str]] = (),
) -> None:
    """Add a remedy to an exception, if there is one and it has no note yet.

    `called` is the method that the referee has called; `others` are asked first.  Call
    it while the frames of the traceback still have their variables.
    """
    try:
        if getattr(error, "__notes__", None):
            return
        words = next(filter(None, (other(error) for other in others)), "")
        words = words or remedy_for(Raised(error, hand_in, called), OF_ERRORS)
        if words:
            BaseException.add_note(error, words)
    except BaseException:  # It is the bot's, and may be full of traps.
        return

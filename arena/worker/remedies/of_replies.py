"""Remedies for what a method returns that is no action."""

import inspect
import re
from typing import Any, NamedTuple

from arena.worker.remedies.remedy import Remedy, remedy_for


class BadReply(NamedTuple):
    """A value that is no action."""

    value: object
    example: str
    """What would be one: `such as return 'roll'`."""


def _nothing(bad: BadReply) -> str:
    if bad.value is not None:
        return ""
    return (
        "returned None: a path through it has no return, or one without a value; "
        f"each must end with one of obs.legal_actions, {bad.example}"
    )


def _coroutine(bad: BadReply) -> str:
    if not inspect.iscoroutine(bad.value):
        return ""
    bad.value.close()
    return "returned a coroutine: write def, without async"


def _generator(bad: BadReply) -> str:
    is_one = inspect.isgenerator(bad.value)
    return "returned a generator: write return, not yield" if is_one else ""


def _routine(bad: BadReply) -> str:
    value = bad.value
    if not inspect.isroutine(value) or not isinstance(name := value.__name__, str):
        return ""
    return f"returned {name} itself: call it, with () behind its name"


OF_REPLIES: tuple[Remedy[BadReply], ...] = (
    Remedy("no return on a path", _nothing),
    Remedy("async method", _coroutine),
    Remedy("yield for return", _generator),
    Remedy("method that is not called", _routine),
)


def reply_sentence(value: object, obs: Any) -> str:
    """Say that a value is no action, and what to return instead."""
    try:
        example = f"such as return {obs.legal_actions[0]!r}"
    except Exception:  # A bot may have changed what it sees.
        example = "a text"
    return remedy_for(BadReply(value, example), OF_REPLIES) or (
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

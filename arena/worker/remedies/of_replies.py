"""Remedies for what a method returns that is no action."""

import ast
import inspect
import operator
import re
from enum import Enum
from textwrap import dedent
from types import FunctionType
from typing import Any, NamedTuple

from arena.worker.remedies.remedy import Remedy, remedy_for

_MAX_CHARS = 500
_GIVE_NONE = {"print", "sort", "append", "shuffle", "reverse", "extend", "update"}
_SEVERAL: tuple[type[Any], ...] = (list, tuple, set, frozenset)


class BadReply(NamedTuple):
    """A value that is no action."""

    value: object
    obs: Any
    """What the bot saw."""
    method: object = None
    """What has returned it."""

    @property
    def legal(self) -> list[str]:
        """The actions that were legal."""
        legal: list[str] = self.obs.legal_actions
        return legal

    @property
    def example(self) -> str:
        """What would be one: `such as return 'roll'`."""
        return f"such as return {self.legal[0]!r}"

    def returned(self, todo: str) -> str:
        """Say what was returned, and what to do."""
        return f"returned {_show(self.value)}: {todo}"

    def actions(self, values: Any) -> list[tuple[Any, str]]:
        """Return those of a list of pairs whose second part is a legal action."""
        legal = set(self.legal)
        texts = ((k, str.__str__(v)) for k, v in values if issubclass(type(v), str))
        return [(k, text) for k, text in texts if text in legal]


def _nothing(bad: BadReply) -> str:
    if bad.value is not None:
        return ""
    calls = _returned_calls(bad.method)
    for name in calls:
        if name in _GIVE_NONE:
            return (
                f"returned None, as {name}() does: write it in a line of its own, and "
                f"then return one of obs.legal_actions, {bad.example}"
            )
    through = "".join(f", or through {name}()," for name in calls)
    return (
        f"returned None: a path through it{through} has no return, or one without a "
        f"value; each must end with one of obs.legal_actions, {bad.example}"
    )


def _returned_calls(method: object) -> list[str]:
    """Return the names of functions that a method returns the values of.

    Its own methods, and what returns nothing.
    """
    try:
        tree = ast.parse(dedent(inspect.getsource(method)))  # type: ignore[arg-type]
    except (OSError, TypeError, SyntaxError):
        return []
    names = []
    for node in ast.walk(tree):
        call = node.value if isinstance(node, ast.Return) else None
        func = call.func if isinstance(call, ast.Call) else None
        name = ast.unparse(func) if func is not None else ""
        last = name.rpartition(".")[2]
        if last in _GIVE_NONE or name == f"self.{last}":
            names.append(last)
    return list(dict.fromkeys(names))


def _coroutine(bad: BadReply) -> str:
    if not inspect.iscoroutine(bad.value):
        return ""
    bad.value.close()
    name = bad.value.__name__
    return f"returned a coroutine: write def {name}, without async"


def _generator(bad: BadReply) -> str:
    if not inspect.isgenerator(bad.value):
        return ""
    if bad.value.__name__ == "<genexpr>":
        return "returned a generator: write next(...) around it"
    return "returned a generator: write return, not yield"


def _routine(bad: BadReply) -> str:
    value = bad.value
    if not inspect.isroutine(value) or not isinstance(name := value.__name__, str):
        return ""
    if name == "<lambda>":
        return "returned a lambda itself: call it, with () behind its name"
    return f"returned {name} itself: call it, with () behind its name"


def _seen(bad: BadReply) -> str:
    if bad.value is not bad.obs:
        return ""
    return f"returned what it saw: return one of obs.legal_actions, {bad.example}"


def _truth(bad: BadReply) -> str:
    if not isinstance(bad.value, bool) and type(bad.value).__name__ != "bool_":
        return ""
    actions = " or ".join(map(repr, bad.legal[:2]))
    return bad.returned(
        f"decide by it with if, and return an action, such as {actions}"
    )


def _index(bad: BadReply) -> str:
    value: Any = bad.value
    if isinstance(value, float) and value == int(value):
        number, kind = int(value), "; an index is a whole number, as int(...) makes it"
    else:
        number, kind = operator.index(value), ""
    legal = bad.legal
    if not 0 <= number < len(legal):
        return ""
    return bad.returned(
        f"if that is an index, return obs.legal_actions[{number}], here "
        f"{legal[number]!r}{kind}"
    )


def _number(bad: BadReply) -> str:
    if not isinstance(bad.value, int | float):
        return ""
    return bad.returned(
        f"a number is no action, and an index is one of 0 to {len(bad.legal) - 1} "
        f"here; return one of obs.legal_actions, {bad.example}"
    )


def _all_actions(bad: BadReply) -> str:
    if _items(bad.value) != bad.legal or len(bad.legal) < 2:
        return ""
    return (
        "returned all of obs.legal_actions: choose one of them, such as "
        "return obs.legal_actions[0]"
    )


def _items(value: object) -> list[Any] | None:
    """Return what is in a list or a set; None of what is none.

    It runs nothing of a subclass.
    """
    for kind in _SEVERAL:
        if issubclass(type(value), kind):
            return [*kind.__iter__(value)]
    return None


def _part(bad: BadReply) -> str:
    items = _items(bad.value)
    if items is None or issubclass(type(bad.value), set | frozenset):
        return ""
    found = bad.actions(enumerate(items))
    if len(found) != 1:
        return ""
    ((index, action),) = found
    comma = ", or take the comma at its end away" * (type(bad.value) is tuple)
    return bad.returned(
        f"put [{index}] behind it for {action!r}{comma * (len(items) == 1)}"
    )


def _several(bad: BadReply) -> str:
    items = _items(bad.value)
    if items is None:
        return ""
    if not items:
        return bad.returned("nothing is in it; return one of obs.legal_actions")
    found = bad.actions(enumerate(items))
    if len(found) == 1:
        return bad.returned(f"return the text in it, {found[0][1]!r}")
    return bad.returned("choose one action in it and return that") if found else ""


def _dict(bad: BadReply) -> str:
    if not issubclass(type(bad.value), dict):
        return ""
    value: Any = bad.value
    pairs: Any = dict.items(value)
    found = bad.actions(pairs)
    if len(found) == 1 and isinstance(found[0][0], str):
        return bad.returned(f"put [{found[0][0]!r}] behind it for {found[0][1]!r}")
    if bad.actions((key, key) for key, _ in pairs):
        return bad.returned(
            "return one of its keys, such as max(d, key=d.get) if it is called d"
        )
    return ""


def _array(bad: BadReply) -> str:
    value: Any = bad.value
    if type(value).__name__ != "ndarray" or value.size != 1:
        return ""
    is_text = bad.actions([(0, value.item())])
    return (
        bad.returned(f"put .item() behind it for {value.item()!r}") if is_text else ""
    )


def _member(bad: BadReply) -> str:
    value = bad.value
    if not isinstance(value, Enum):
        return ""
    for attribute, text in (
        ("value", value.value),
        ("name", value.name),
        ("name.lower()", value.name.lower()),
    ):
        if bad.actions([(0, text)]):
            return bad.returned(f"put .{attribute} behind it for {text!r}")
    return ""


def _bytes(bad: BadReply) -> str:
    if not isinstance(bad.value, bytes | bytearray):
        return ""
    text = bad.value.decode()
    is_one = bad.actions([(0, text)])
    return bad.returned(f"put .decode() behind it for {text!r}") if is_one else ""


def _holder(bad: BadReply) -> str:
    """Say where in an object of the bot's own the action is."""
    if isinstance(bad.value, type | FunctionType):
        return ""
    found = bad.actions(vars(bad.value).items())
    if len(found) != 1:
        return ""
    return bad.returned(f"put .{found[0][0]} behind it for {found[0][1]!r}")


def _text(bad: BadReply) -> str:
    if not issubclass(type(bad.value), str):
        return ""
    return bad.returned(
        "no action is so long, or has such characters; return one of "
        f"obs.legal_actions, {bad.example}"
    )


OF_REPLIES: tuple[Remedy[BadReply], ...] = (
    Remedy("no return on a path", _nothing),
    Remedy("async method", _coroutine),
    Remedy("yield for return", _generator),
    Remedy("method that is not called", _routine),
    Remedy("observation for an action", _seen),
    Remedy("truth for an action", _truth),
    Remedy("Enum for an action", _member),
    Remedy("bytes for an action", _bytes),
    Remedy("array for an action", _array),
    Remedy("all actions", _all_actions),
    Remedy("list for an action", _part),
    Remedy("several actions", _several),
    Remedy("dict for an action", _dict),
    Remedy("text that can't be sent", _text),
    Remedy("number for an action", _index),
    Remedy("number that is no index", _number),
    Remedy("object for an action", _holder),
)


def reply_sentence(bad: BadReply) -> str:
    """Say that a value is no action, and what to return instead."""
    words = remedy_for(bad, OF_REPLIES)
    if words:
        return words[:_MAX_CHARS]
    try:
        example = bad.example
    except Exception:  # A bot may have changed what it sees.
        example = "a text"
    return (
        f"returned {_show(bad.value)}; expected one of obs.legal_actions, a str, "
        f"{example}"
    )


def _show(value: object) -> str:
    try:
        text = repr(value)
    except BaseException:
        text = "a value that can't be shown"
    # Its address in memory differs each time.
    text = re.sub(r" at 0x[0-9A-Fa-f]+", "", text[:200])
    return f"{text[:100]} ({type(value).__name__})"

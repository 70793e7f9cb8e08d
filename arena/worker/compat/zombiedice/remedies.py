"""Remedies for guests written for `zombiedice`, in the words of that package."""

import inspect
import linecache
import re
from collections.abc import Iterator, Mapping, Sequence
from types import FrameType, FunctionType, ModuleType
from typing import Any, NamedTuple

from arena.text import closest, did_you_mean, listed
from arena.worker.compat.guest import meant_method
from arena.worker.remedies import Remedy

TURN = "turn"
CALLS = {
    "newGame": "def newGame(self):",
    "endGame": "def endGame(self, gameState):",
}
OUTCOME = ("brains", "footsteps", "shotgun", "rolls")
"""The keys of what `roll` returns."""
_HEADS = {TURN: "def turn(self, gameState):", **CALLS}
_NOT_RUN = ", and was not run"
_PACKAGE = __name__.rpartition(".")[0]
_ROLL = re.compile(r"\broll\b(?!\s*\()")
_MAX_SHOWN_CHARS = 40


class Failure(NamedTuple):
    """An exception of a guest, while its frames still have their variables."""

    error: BaseException
    frame: FrameType | None
    """The frame that raised it."""
    called: object
    """The method that was being called."""
    state: Mapping[str, Any]
    """`GAME_STATE`."""
    is_over: bool
    """True if `roll` has returned None in this turn."""
    names: Sequence[str]
    """Those of `zombiedice`."""

    @property
    def text(self) -> str:
        """What Python says of it."""
        return str(self.error)

    @property
    def line(self) -> str:
        """The line in which it was raised."""
        if self.frame is None:
            return ""
        return linecache.getline(self.frame.f_code.co_filename, self.frame.f_lineno)

    @property
    def key(self) -> object:
        """The key that is not in a dict; None if that is not the error."""
        is_one = isinstance(self.error, KeyError) and self.error.args
        return self.error.args[0] if is_one else None

    @property
    def attribute(self) -> str:
        """The attribute that an object lacks; empty if that is not the error."""
        is_one = isinstance(self.error, AttributeError)
        return (self.error.name or "") if is_one else ""  # type: ignore[attr-defined]

    @property
    def obj(self) -> object:
        """The object that lacks it."""
        return getattr(self.error, "obj", None)


def _none(bad: Failure) -> str:
    if not bad.is_over or "NoneType" not in bad.text:
        return ""
    return "roll() returns None once the turn is over, after the third shotgun"


def _not_yet(bad: Failure) -> str:
    is_early = bad.state["CURRENT_CUP"] is None and "GAME_STATE" in bad.line
    is_missing = bad.key in ("SCORES", "ORDER", "ROUND") or "NoneType" in bad.text
    if not is_early or not is_missing:
        return ""
    return "a game has begun only when newGame() is called, and a turn in turn()"


def _head(bad: Failure) -> str:
    """Say how a method begins that can't be called as it is."""
    head = _HEADS.get(getattr(bad.called, "__name__", ""), "")
    if not head or not isinstance(bad.error, TypeError) or bad.frame is None:
        return ""
    is_ours = bad.frame.f_globals.get("__name__", "").startswith(_PACKAGE)
    return f"write {head}" if is_ours and "argument" in bad.text else ""


def _not_run(bad: Failure) -> str:
    is_one = isinstance(bad.error, TypeError) and bad.text.endswith(_NOT_RUN)
    return "write def without async, and no yield in it" if is_one else ""


def _outside(bad: Failure) -> str:
    is_one = isinstance(bad.error, RuntimeError) and "in a bot's turn()" in bad.text
    return "call it in turn(), below def turn(self, gameState):" if is_one else ""


def _roll_of_self(bad: Failure) -> str:
    is_one = bad.attribute in ("roll", "rollDie") and not isinstance(bad.obj, dict)
    return f"write zombiedice.{bad.attribute}()" if is_one else ""


def _roll_itself(bad: Failure) -> str:
    if "'function'" not in bad.text and type(bad.obj).__name__ != "function":
        return ""
    return "roll is a function: call it, roll()" if _ROLL.search(bad.line) else ""


def _roll_with_arguments(bad: Failure) -> str:
    is_one = isinstance(bad.error, TypeError) and bad.text.startswith("roll() takes")
    return "write zombiedice.roll(): it always rolls three dice" if is_one else ""


def _not_in_a_list(bad: Failure) -> str:
    is_one = re.match(r"run(Tournament|WebGui|Game)\(\) takes", bad.text)
    if not is_one or not isinstance(bad.error, TypeError):
        return ""
    return f"put the objects into a list: run{is_one[1]}([A(), B()], 1000)"


def _name_of_package(bad: Failure) -> str:
    is_one = isinstance(bad.error, NameError) and not _is_unbound(bad)
    name = _name_in(bad) if is_one else ""
    if name == "zombiedice":
        return "put this at the top of the file: import zombiedice"
    return f"write zombiedice.{name}" if name in bad.names else ""


def _import_of_package(bad: Failure) -> str:
    match = re.match("cannot import name '(.*?)' from 'zombiedice'", bad.text)
    if not match or not isinstance(bad.error, ImportError):
        return ""
    plain = {name.lower(): name for name in bad.names}
    meant = plain.get(closest(match[1].lower(), plain), "")
    return f"did you mean {meant!r}?" if meant else "write import zombiedice"


def _unbound(bad: Failure) -> str:
    if not _is_unbound(bad) or bad.frame is None:
        return ""
    name = _name_in(bad)
    if name not in bad.frame.f_globals:
        return ""
    return (
        f"in this function it is not the {name} of the file; keep it in self, made in "
        "__init__()"
    )


def _list_for_die(bad: Failure) -> str:
    if not re.search("list indices must be.* not str", bad.text):
        return ""
    if "rolls" not in bad.line:
        return ""
    return "'rolls' is a list of three dice: roll()['rolls'][0].icon is one's icon"


def _die_as_dict(bad: Failure) -> str:
    if not re.search("tuple indices must be.* not str", bad.text):
        return ""
    if not re.search(r"\b(?:icon|color)\b", bad.line):
        return ""
    return "write die.color and die.icon"


def _dict(bad: Failure) -> str:
    is_number = type(bad.key) is int and "roll" in bad.line
    is_die = re.search(r"\b(?:icon|color)\b", bad.line)
    if not is_number and not ("string indices must be" in bad.text and is_die):
        return ""
    return "roll() returns a dict, in which the list of dice is under 'rolls'"


def _attribute_for_key(bad: Failure) -> str:
    if not bad.attribute or not isinstance(bad.obj, dict):
        return ""
    meant = _meant(bad.attribute, bad.obj)
    return f"it is a dict: write [{meant!r}], not .{bad.attribute}" if meant else ""


def _round_brackets(bad: Failure) -> str:
    if "'dict' object is not callable" not in bad.text:
        return ""
    return "it is a dict: write its key in square brackets, as in gameState['SCORES']"


def _name_of_other(bad: Failure) -> str:
    scores = bad.state.get("SCORES", {})
    if not isinstance(bad.key, str) or not scores or "SCORES" not in bad.line:
        return ""
    if bad.key in bad.state or _meant(bad.key, bad.state):
        return ""
    known = listed(map(repr, scores))
    return f"you are not told the names of others: the keys are {known}"


def _key(bad: Failure) -> str:
    if not isinstance(bad.key, str) or bad.key in (*OUTCOME, *bad.state):
        return ""
    meant = _meant(bad.key, [*OUTCOME, *bad.state])
    if meant:
        return f"did you mean {meant!r}?"
    if "roll" not in bad.line and not _is_outcome_in(bad):
        return ""
    return f"what roll() returns has the keys {listed(map(repr, OUTCOME))}"


def _unset(bad: Failure) -> str:
    cls = type(bad.obj)
    if not bad.attribute or not callable(getattr(cls, TURN, None)):
        return ""
    known = [name for name in dir(bad.obj) if not name.startswith("_")]
    hint = did_you_mean(bad.attribute, known, likeness=0.75)
    return hint or f"set self.{bad.attribute} in __init__(), or in newGame()"


OF_FAILURES: tuple[Remedy[Failure], ...] = (
    Remedy("roll after the end of a turn", _none),
    Remedy("game state before the game", _not_yet),
    Remedy("method of a guest with other parameters", _head),
    Remedy("turn that does not run", _not_run),
    Remedy("roll outside of a turn", _outside),
    Remedy("roll of self", _roll_of_self),
    Remedy("roll that is not called", _roll_itself),
    Remedy("roll with arguments", _roll_with_arguments),
    Remedy("objects that are in no list", _not_in_a_list),
    Remedy("missing zombiedice before a name", _name_of_package),
    Remedy("name that zombiedice lacks", _import_of_package),
    Remedy("variable of a guest's file that is changed", _unbound),
    Remedy("list of dice for a die", _list_for_die),
    Remedy("die as a dict", _die_as_dict),
    Remedy("dict of a roll as a list", _dict),
    Remedy("attribute for a key", _attribute_for_key),
    Remedy("round brackets for a key", _round_brackets),
    Remedy("score of another by his name", _name_of_other),
    Remedy("misspelt key", _key),
    Remedy("attribute that a guest never set", _unset),
)


def check_ran(method: str, value: object) -> None:
    """Raise `TypeError` if the call of a method has not run its code."""
    if inspect.iscoroutine(value):
        value.close()
        raise TypeError(f"{method}() returned a coroutine{_NOT_RUN}")
    if inspect.isgenerator(value):
        raise TypeError(f"{method}() returned a generator{_NOT_RUN}")


def _meant(name: str, known: Mapping[str, object] | Sequence[str]) -> str:
    """Return the key that a name was meant for, in capitals or not; or nothing."""
    if name in known:
        return name
    plain = {other.lower(): other for other in known if isinstance(other, str)}
    return plain.get(closest(name.lower(), plain, 0.75), "")


def _is_unbound(bad: Failure) -> bool:
    return isinstance(bad.error, UnboundLocalError)


def _name_in(bad: Failure) -> str:
    match = re.search("'(.*?)'", bad.text)
    return match[1] if match else ""


def _is_outcome_in(bad: Failure) -> bool:
    """Say whether the line uses a variable with what `roll` has returned."""
    values = bad.frame.f_locals.items() if bad.frame else ()
    names = [
        name
        for name, value in values
        if isinstance(value, dict) and value.keys() == set(OUTCOME)
    ]
    return any(re.search(rf"\b{name}\b", bad.line) for name in names)


class Reading(NamedTuple):
    """A file in which there is no bot."""

    module: ModuleType
    started: Sequence[str]
    """The functions that it has called to start something."""
    given: Sequence[object]
    """What it has passed to them."""


def meant_turn(cls: type) -> FunctionType | None:
    """Return the method of a class that is almost called turn; None if none is."""
    for name, value in vars(cls).items():
        if isinstance(value, FunctionType) and meant_method(name, [TURN]):
            return value
    return None


def suspect(read: Reading) -> object:
    """Return the function or class that is meant to play; None if none is."""
    classes = list(_own(read, type))
    methods = [method for cls in classes if (method := meant_turn(cls))]
    functions = [
        f for f in _own(read, FunctionType) if meant_method(f.__name__, [TURN])
    ]
    return next(iter([*methods, *functions]), classes[0] if len(classes) == 1 else None)


def _misspelt(read: Reading) -> str:
    function = suspect(read)
    name = getattr(function, "__name__", "")
    if not isinstance(function, FunctionType) or name == TURN:
        return ""
    return f"{name}(): did you mean turn()?"


def _no_method(read: Reading) -> str:
    if getattr(suspect(read), "__name__", "") != TURN:
        return ""
    return (
        "put it into a class: class MyZombie: and below that, indented, "
        "def turn(self, gameState):"
    )


def _other_method(read: Reading) -> str:
    cls = suspect(read)
    if not isinstance(cls, type):
        return ""
    methods = [
        name
        for name, value in vars(cls).items()
        if isinstance(value, FunctionType) and not name.startswith("_")
    ]
    methods = [name for name in methods if name not in _HEADS]
    if len(methods) != 1:
        return f"write def turn(self, gameState): in {cls.__name__}"
    return f"if {methods[0]}() plays a turn, write def turn(self, gameState):"


def _demo(read: Reading) -> str:
    if "demo" not in read.started:
        return ""
    return (
        "zombiedice.demo() plays bots of its own; pass yours to "
        "zombiedice.runTournament([MyZombie()], 1)"
    )


def _no_objects(read: Reading) -> str:
    if not read.started:
        return ""
    given = ", ".join(map(_shown, read.given[:3])) or "nothing"
    return (
        f"zombiedice.{read.started[0]} was given {given}; write class MyZombie: with "
        "def turn(self, gameState): and pass it [MyZombie()]"
    )


def _nothing(read: Reading) -> str:
    return (
        "write class MyZombie: with def turn(self, gameState): that calls "
        "zombiedice.roll(); see zombiedice.md"
    )


OF_READINGS: tuple[Remedy[Reading], ...] = (
    Remedy("misspelt turn", _misspelt),
    Remedy("turn outside of a class", _no_method),
    Remedy("class without a turn", _other_method),
    Remedy("demo for a tournament", _demo),
    Remedy("tournament without objects", _no_objects),
    Remedy("file that only imports zombiedice", _nothing),
)


def no_turn(cls: type) -> str:
    """Say of a class whose object was passed that it has no turn, and the remedy."""
    meant = meant_turn(cls)
    hint = f"write {_HEADS[TURN]}"
    if meant is not None:
        hint = f"{meant.__name__}(): did you mean turn()?"
    return f"{cls.__name__} has no method turn ({hint})"


def _own(read: Reading, kind: type) -> Iterator[Any]:
    """Yield what is defined in the file itself."""
    name = read.module.__name__
    for value in vars(read.module).values():
        if isinstance(value, kind) and getattr(value, "__module__", None) == name:
            yield value


def _shown(value: object) -> str:
    return f"{repr(value)[:_MAX_SHOWN_CHARS]} ({type(value).__name__})"

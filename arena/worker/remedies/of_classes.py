"""Remedies for classes: used before they are there, made of modules, never begun."""

import dis
import inspect
import linecache
import re
from collections.abc import Iterator
from types import FrameType, FunctionType, ModuleType

from arena.bot import Bot
from arena.games import game_paths
from arena.worker.remedies.of_text import other_file
from arena.worker.remedies.raised import Raised
from arena.worker.remedies.remedy import Remedy

_INIT = re.compile(r"_*(?:init|int|inti|initialize)_*", re.IGNORECASE)
_START = "begin newgame ongamestart onstart reset setup startgame gamestart"
_BEGINNING = 100
"""Lines that tell what kind of file it is."""


def _line(frame: FrameType, number: int) -> str:
    return linecache.getline(frame.f_code.co_filename, number)[:200]


def _inside_itself(raised: Raised) -> str:
    error = raised.error
    name = error.name if isinstance(error, NameError) else None
    for trace in raised.traces if name else ():
        frame = trace.tb_frame
        if frame.f_code.co_name != name or "__qualname__" not in frame.f_locals:
            continue
        line = _line(frame, trace.tb_lineno)
        part = re.search(rf"\b{name}\.(\w+)", line)
        if part and part[1] in frame.f_locals:
            return f"inside its own class write {part[1]}, without {name}."
        if re.match(
            rf"\s*(?:(?:async +)?def\b.*?(?:->|:)|(?!else\b|try\b|finally\b)\w+ *:)"
            rf"[\w\[\], .|]*\b{name}\b",
            line,
        ):
            return f'inside its own class write "{name}", in quotes'
        return (
            f"{name} is not there yet inside its own class: begin this line, and those "
            f"that go with it, in the same column as class {name}"
        )
    return ""


def _no_class_for_a_base(raised: Raised) -> str:
    frame = raised.frame
    if not isinstance(raised.error, TypeError) or frame is None:
        return ""
    line = _line(frame, raised.traces[-1].tb_lineno)
    found = re.match(r"\s*class\s+(\w+)\s*\(\s*(\w+)\s*(\(\s*\))?\s*\)", line)
    if not found:
        return ""
    base = frame.f_globals.get(found[2])
    if isinstance(base, ModuleType) and vars(base).get("Bot") is Bot:
        return f"{found[2]} is a module: write class {found[1]}({found[2]}.Bot):"
    if isinstance(base, type) and found[3]:
        return f"write class {found[1]}({found[2]}):, without the inner ()"
    return ""


def _sets(function: FunctionType, name: str) -> bool:
    return any(
        step.opname == "STORE_ATTR" and step.argval == name
        for step in dis.get_instructions(function)
    )


def _methods(cls: type) -> Iterator[tuple[str, FunctionType]]:
    """Yield the methods of a class that are its own, by the names in its text."""
    for name, value in vars(cls).items():
        if inspect.isfunction(value):
            yield name.removeprefix(f"_{cls.__name__.lstrip('_')}"), value


def _never_called(raised: Raised) -> str:
    """Tell a method that would set what is missing, but that nothing calls."""
    error = raised.error
    if not isinstance(error, AttributeError) or not isinstance(error.name, str):
        return ""
    called = {*vars(Bot), *game_paths(), "act", "__init__"}
    for cls in type(error.obj).__mro__:
        called.update(*(method.__code__.co_names for _, method in _methods(cls)))
    for name, method in _methods(type(error.obj)):
        text = "".join(linecache.getlines(method.__code__.co_filename))
        is_named = name in called or re.search(rf"\.{name}\b", text)
        is_pythons = name.startswith("__") and not _INIT.fullmatch(name)
        if is_named or is_pythons or not _sets(method, error.name):
            continue
        start = f"it is set in {name}(), which nothing calls: "
        if _INIT.fullmatch(name):
            return f"{start}call it __init__, with two _ on both sides"
        if isinstance(error.obj, Bot):
            if re.sub("[_0-9]", "", name).lower() in _START.split():
                return f"{start}call it start, with def start(self, obs):"
            return f"{start}call it in start()"
    return ""


def _notebook(raised: Raised) -> str:
    if not isinstance(raised.error, NameError) or raised.frame is None:
        return ""
    lines = linecache.getlines(raised.frame.f_code.co_filename)[:_BEGINNING]
    return other_file("".join(lines).encode(errors="replace"))


OF_CLASSES: tuple[Remedy[Raised], ...] = (
    Remedy("notebook that is run", _notebook),
    Remedy("class inside itself", _inside_itself),
    Remedy("no class for a base", _no_class_for_a_base),
    Remedy("method that nothing calls", _never_called),
)

"""Finds the bots in a module that has been loaded, or says why there are none."""

import ast
import inspect
import linecache
import re
import sys
from collections.abc import Container, Iterable, Mapping, Sequence
from types import ModuleType

from arena.bot import Bot
from arena.worker.compat import Guest
from arena.worker.explain import LoadError, place_of, sendable
from arena.worker.protocol import BotInfo, Place
from arena.worker.remedies import remedy_for
from arena.worker.remedies.of_files import (
    OF_FILES,
    OF_METHODS,
    NoBot,
    cases,
    names_in,
)


def find_bots(module: ModuleType) -> dict[str, type[Bot]]:
    """Return the bots that a module or its package defines, by class name.

    Imported ones, ones whose name starts with `_`, and bases of others that can
    play nothing by themselves do not count.
    """
    found = {}
    for name, value in vars(module).items():
        if (
            isinstance(value, type)
            and issubclass(value, Bot)
            and value is not Bot
            and not name.startswith("_")
            and value.__name__ == name
            and (value.__module__ + ".").startswith(module.__name__ + ".")
        ):
            found[name] = value
    return found


def describe_bots(
    games: Sequence[str],
    module: ModuleType,
    bots: Mapping[str, type[Bot]],
    guests: Mapping[str, Guest],
    files: Container[str],
) -> list[BotInfo]:
    """Describe the bots of a module, in which `guests` may have found them.

    `files` are the paths of the bot's own files.

    Raises:
        LoadError: there is none that can play any of `games`.
    """
    if not bots:
        for name, guest in guests.items():
            suspect, found = guest.suspect(module), names_in(module)
            raise LoadError(
                f"no bot found; it imports {name}, but {guest.absence(module)}"
                + f" (found {found})" * bool(found and suspect is None),
                _place(suspect, files),
            )
        raise why_no_bot(games, module, files=files)
    infos = [_info(cls, games, guests) for cls in bots.values()]
    playing = [info for info in infos if info.games]
    if not playing:
        for name, guest in guests.items():
            raise LoadError(
                f"bots for {name} play {guest.game}, and here only "
                f"{', '.join(games)} is played"
            )
        raise why_no_bot(games, module, [*bots.values()], files)
    return playing


def _info(cls: type[Bot], games: Sequence[str], guests: Mapping[str, Guest]) -> BotInfo:
    if callable(getattr(cls, "act", None)):
        playable = tuple(games)
    else:
        playable = tuple(g for g in games if callable(getattr(cls, g, None)))
    parameters: Iterable[inspect.Parameter] = ()
    # Most have none, and `signature` copies much memory that contestants share.
    plain = (type, object.__init__, object.__new__)
    if (type(cls), cls.__init__, cls.__new__) != plain:
        parameters = inspect.signature(cls).parameters.values()
    return BotInfo(
        bot=cls.__name__,
        name=_text(cls.name),
        version=_text(cls.version),
        games=playable,
        parameters=tuple(
            "**" if p.kind is p.VAR_KEYWORD else p.name
            for p in parameters
            if p.kind is not p.VAR_POSITIONAL
        ),
        looks_back=cls.end is not Bot.end,
        guest=next((x for x, g in guests.items() if vars(cls).get("guest") is g), ""),
    )


def _text(value: object) -> str:
    return sendable(value[:80]) if type(value) is str else ""


def why_no_bot(
    games: Sequence[str],
    module: ModuleType,
    bots: Sequence[type[Bot]] = (),
    files: Container[str] = (),
) -> LoadError:
    """Say why a module has no bot, or why its `bots` play nothing."""
    found = list(cases(games, module, bots))
    for remedy in OF_METHODS if bots else OF_FILES:
        for case in found:
            if words := remedy_for(case, (remedy,)):
                start = "" if bots else "no bot found; "
                return LoadError(start + words, _case_place(case, files))
    return LoadError(
        f"no bot found; define a class that inherits arena.Bot, with a method "
        f"{found[-1].game}(self, obs) (found {names_in(module) or 'nothing'})"
    )


def _case_place(case: NoBot, files: Container[str]) -> Place | None:
    """Return the line to look at, if it is one in the bot's `files`."""
    if isinstance(case.value, ast.AST):
        file = getattr(case.module, "__file__", None)
        line = getattr(case.value, "lineno", 0)
        return Place(file, line) if type(file) is str and file in files else None
    is_named = isinstance(case.value, type) or inspect.isroutine(case.value)
    if is_named and not case.is_own:
        return None
    return _place(case.value if is_named else case.bot, files)


def _place(thing: object, files: Container[str]) -> Place | None:
    """Return the first line of a class or a function."""
    if isinstance(thing, type):
        return _class_place(thing, files)
    return place_of(thing, files)


def _class_place(cls: type, files: Container[str]) -> Place | None:
    """Return the first line of a class, if it is found in one of the bot's `files`."""
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    if type(file) is not str or file not in files:
        return None
    begin = re.compile(rf"[ \t]*class[ \t]+{re.escape(cls.__name__)}\b")
    for number, line in enumerate(linecache.getlines(file), 1):
        if begin.match(line):
            return Place(file, number)
    return None

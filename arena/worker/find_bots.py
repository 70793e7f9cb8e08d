"""Finds the bots in a module that has been loaded, or says why there are none."""

import inspect
import linecache
import re
import sys
from collections.abc import Container, Iterable, Mapping, Sequence
from types import ModuleType

from arena.bot import Bot
from arena.games import game_paths
from arena.text import did_you_mean
from arena.worker.compat import Guest
from arena.worker.explain import LoadError, place_of, sendable
from arena.worker.protocol import BotInfo, Place


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
            raise LoadError(
                f"no bot found; it imports {name}, but {guest.absence(module)}",
                _place(guest.suspect(module), files),
            )
        raise _no_bot(games, module, files)
    infos = [_info(cls, games, guests) for cls in bots.values()]
    playing = [info for info in infos if info.games]
    if not playing:
        for name, guest in guests.items():
            raise LoadError(
                f"bots for {name} play {guest.game}, and here only "
                f"{', '.join(games)} is played"
            )
        raise _nothing_to_play(games, next(iter(bots.values())), files)
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


def _names(module: ModuleType) -> str:
    names = [
        f"{'class' if isinstance(value, type) else 'function'} {name}"
        for name, value in vars(module).items()
        if getattr(value, "__module__", None) == module.__name__
        and (isinstance(value, type) or inspect.isfunction(value))
    ]
    return ", ".join(names[:5])


def _no_bot(
    games: Sequence[str], module: ModuleType, files: Container[str]
) -> LoadError:
    """Say why a module has no bot, with the line of one that was meant."""
    for name, value in vars(module).items():
        if getattr(value, "__module__", None) != module.__name__:
            continue
        if inspect.isfunction(value) and name in (*games, "act"):
            return LoadError(
                f"no bot found; {name} must be a method of a class that inherits "
                "arena.Bot",
                place_of(value, files),
            )
        if isinstance(value, type) and any(hasattr(value, m) for m in (*games, "act")):
            return LoadError(
                f"no bot found; {name} does not inherit from Bot: write "
                f"class {name}(Bot):",
                _class_place(value, files),
            )
    return LoadError(
        "no bot found; define a class that inherits arena.Bot "
        f"(found {_names(module) or 'nothing'})"
    )


def _nothing_to_play(
    games: Sequence[str], cls: type[Bot], files: Container[str]
) -> LoadError:
    lacks = f"{cls.__name__} has no method named after a game;"
    known = game_paths()
    methods = [x for x in vars(cls) if not x.startswith("_") and x not in known]
    for method in methods:
        hint = did_you_mean(method, games)
        if hint:
            return LoadError(
                f"{lacks} it has {method!r}, {hint}", place_of(vars(cls)[method], files)
            )
    elsewhere = [x for x in known if callable(getattr(cls, x, None))]
    if elsewhere:
        return LoadError(
            f"{cls.__name__} plays {', '.join(elsewhere)}, and here only "
            f"{', '.join(games)} is played",
            _class_place(cls, files),
        )
    return LoadError(
        f"{lacks} define one of {', '.join(games)}, or act for all",
        _class_place(cls, files),
    )


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

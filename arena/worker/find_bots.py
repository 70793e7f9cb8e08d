"""Finds the bots in a module that has been loaded, or says why there are none."""

import inspect
import linecache
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType

from arena.bot import Bot
from arena.text import did_you_mean
from arena.worker.compat import Guest
from arena.worker.explain import LoadError, location_of, relative_path, sendable
from arena.worker.protocol import BotInfo


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
    path: Path,
    games: Sequence[str],
    module: ModuleType,
    bots: Mapping[str, type[Bot]],
    guests: Mapping[str, Guest],
) -> list[BotInfo]:
    """Describe the bots of a module, in which `guests` may have found them.

    Raises:
        LoadError: there is none that can play any of `games`.
    """
    if not bots:
        for name, guest in guests.items():
            raise LoadError(
                f"{path.name}: no bot found; it imports {name}, but {guest.absence()} "
                f"(found {_names(module) or 'nothing'})"
            )
        raise LoadError(_no_bot(path, games, module))
    infos = [_info(cls, games) for cls in bots.values()]
    playing = [info for info in infos if info.games]
    if not playing:
        for name, guest in guests.items():
            raise LoadError(
                f"{path.name}: bots for {name} play {guest.game}, "
                f"which is not among {', '.join(games)}"
            )
        raise LoadError(_nothing_to_play(path, games, next(iter(bots.values()))))
    return playing


def _info(cls: type[Bot], games: Sequence[str]) -> BotInfo:
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


def _no_bot(path: Path, games: Sequence[str], module: ModuleType) -> str:
    """Say why a module has no bot, with the line of one that was meant."""
    for name, value in vars(module).items():
        if getattr(value, "__module__", None) != module.__name__:
            continue
        if inspect.isfunction(value) and name in (*games, "act"):
            where = location_of(value, _root(path)) or path.name
            return (
                f"{where}: no bot found; {name} must be a method of a class that "
                "inherits arena.Bot"
            )
        if isinstance(value, type) and any(hasattr(value, m) for m in (*games, "act")):
            return (
                f"{_class_line(path, value)}: no bot found; {name} does not inherit "
                f"from Bot: write class {name}(Bot):"
            )
    return (
        f"{path.name}: no bot found; define a class that inherits arena.Bot "
        f"(found {_names(module) or 'nothing'})"
    )


def _nothing_to_play(path: Path, games: Sequence[str], cls: type[Bot]) -> str:
    methods = [name for name in vars(cls) if not name.startswith("_")]
    for method in methods:
        hint = did_you_mean(method, games)
        if hint:
            where = location_of(vars(cls)[method], _root(path)) or path.name
            return (
                f"{where}: {cls.__name__} has no method named after a game; "
                f"it has {method!r}, {hint}"
            )
    return (
        f"{_class_line(path, cls)}: {cls.__name__} has no method named after a game; "
        f"define one of {', '.join(games)}, or act for all"
    )


def _root(path: Path) -> Path:
    """Return the folder to which locations in a bot's files are relative."""
    is_package = str(path / "__init__.py") in linecache.cache
    return path if is_package else path.parent


def _class_line(path: Path, cls: type) -> str:
    """Return the first line of a class, such as `my_bot.py:3`, or at least its file."""
    file = str(getattr(sys.modules.get(cls.__module__), "__file__", None) or path)
    begin = re.compile(rf"[ \t]*class[ \t]+{re.escape(cls.__name__)}\b")
    for number, line in enumerate(linecache.getlines(file), 1):
        if begin.match(line):
            return f"{relative_path(file, _root(path))}:{number}"
    return path.name

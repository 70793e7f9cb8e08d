"""Finds the bots in a module that has been read, and explains what went wrong."""

import inspect
import linecache
import re
import sys
import traceback
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from pathlib import Path
from types import CodeType, ModuleType

from arena.bot import Bot
from arena.text import did_you_mean
from arena.worker.advice import advice_on, advice_on_syntax
from arena.worker.compat import Guest
from arena.worker.protocol import BotInfo

_MAX_TRACEBACK = 4000
_LONGEST_CODE = 80
_ARENA = Path(__file__).parents[1]
_NO_INPUT = "EOF when reading a line"


class LoadError(Exception):
    """A file has no bot in it; the text says what was found and what to do."""


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


def describe(
    path: Path,
    games: Sequence[str],
    module: ModuleType,
    bots: Mapping[str, type[Bot]],
    guests: Mapping[str, Guest],
) -> list[BotInfo]:
    """Describe the bots of a module, which is the guests' too.

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
    """Say why a module has no bot, with the line of what was meant as one."""
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
                f"{_class_place(path, value)}: no bot found; {name} does not inherit "
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
        f"{_class_place(path, cls)}: {cls.__name__} has no method named after a game; "
        f"define one of {', '.join(games)}, or act for all"
    )


def _root(path: Path) -> Path:
    """Return the folder from which the places in a bot's files are named."""
    is_package = str(path / "__init__.py") in linecache.cache
    return path if is_package else path.parent


def _class_place(path: Path, cls: type) -> str:
    """Return where a class begins, such as `my_bot.py:3`, or at least its file."""
    file = str(getattr(sys.modules.get(cls.__module__), "__file__", None) or path)
    begin = re.compile(rf"[ \t]*class[ \t]+{re.escape(cls.__name__)}\b")
    for number, line in enumerate(linecache.getlines(file), 1):
        if begin.match(line):
            return f"{_relative(file, _root(path))}:{number}"
    return path.name


def location_of(function: object, root: Path) -> str:
    """Return where a function begins, such as `my_bot.py:7`.

    Nothing if that is not known, or not in the student's own files, those below `root`.
    """
    function = inspect.unwrap(function) if callable(function) else function
    code = getattr(function, "__code__", None)
    if not isinstance(code, CodeType) or not _is_own(Path(code.co_filename), root):
        return ""
    return f"{_relative(code.co_filename, root)}:{code.co_firstlineno}"


def sendable(text: str) -> str:
    """Return `text` with escapes for what has no encoding, as in odd file names."""
    return text.encode(errors="backslashreplace").decode()


def explain(error: BaseException, root: Path, place: str = "") -> tuple[str, str]:
    """Return one sentence about an error in a bot, and its traceback.

    Both name lines of files below `root` only, the student's own, and by their paths
    from there, wherever the bot is played.  Where there is none the sentence names
    `place`.
    """
    kind = type(error).__name__
    if isinstance(error, SyntaxError) and error.filename:
        error.filename = _relative(error.filename, root)
        where = f"{error.filename}:{error.lineno or 1}"
        # Its last line is what the sentence says.
        *shown, _ = traceback.format_exception_only(error)
        sentence = f"{where}: {kind}: {error.msg}{_code_and_remedy(error)}"
        return sentence, "".join(shown)[:_MAX_TRACEBACK]
    frames = own_frames(traceback.extract_tb(error.__traceback__), root)
    where = f"{place}: " if place else ""
    if frames:
        last = frames[-1]
        where = f"{last.filename}:{last.lineno}: "
    message = _first_line(error)
    lines = format_frames(frames)
    lines.append(f"{kind}: {message}\n" if message else f"{kind}\n")
    text = "".join(lines)
    return f"{where}{kind}: {message}".rstrip(": "), text[-_MAX_TRACEBACK:]


def _code_and_remedy(error: SyntaxError) -> str:
    """Return the line with a syntax error, and what to do about it."""
    code = (error.text or "").strip()[:_LONGEST_CODE]
    comma = "" if error.msg.endswith("?") else ","
    found = f'{comma} in "{code}"' if code else ""
    advice = advice_on_syntax(error.msg, code)
    return f"{found} ({advice})" if advice else found


def advise(error: BaseException) -> None:
    """Add to an exception what to do about it, where that is typical.

    To be called while the frames of its traceback have their variables.
    """
    advice = "" if getattr(error, "__notes__", None) else advice_on(error)
    if advice:
        BaseException.add_note(error, advice)


def _first_line(error: BaseException) -> str:
    try:
        line = str(error).strip().split("\n")[0][:300]
    except BaseException:
        return "(its message can't be shown)"
    if isinstance(error, EOFError) and line == _NO_INPUT:
        line += " (input() has nobody to ask here)"
    notes = getattr(error, "__notes__", None)
    if type(notes) is list and notes and type(notes[0]) is str:
        line += f" ({notes[0][:300]})"
    return line


def own_frames(
    frames: Iterable[traceback.FrameSummary], root: Path
) -> list[traceback.FrameSummary]:
    """Return the frames of the student's own files, by their paths from `root`."""
    own = [copy(frame) for frame in frames if _is_own(Path(frame.filename), root)]
    for frame in own:
        # Its line has been read already.
        frame.filename = _relative(frame.filename, root)
    return own


def format_frames(frames: list[traceback.FrameSummary]) -> list[str]:
    """Return frames as Python shows them, of a deep recursion both ends."""
    shown = frames if len(frames) <= 12 else frames[:4] + frames[-8:]
    return traceback.format_list(shown)


def _is_own(path: Path, root: Path) -> bool:
    """Say whether a student wrote it; a project's packages lie below `root` too."""
    if not path.is_relative_to(root):
        return False
    framework = _ARENA.is_relative_to(root) and path.is_relative_to(_ARENA)
    return not framework and "site-packages" not in path.relative_to(root).parts


def _relative(filename: str, root: Path) -> str:
    path = Path(filename)
    return str(path.relative_to(root)) if path.is_relative_to(root) else path.name

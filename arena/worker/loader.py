"""Finds the bots in a module that has been read, and explains what went wrong."""

import inspect
import traceback
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType, TracebackType

from arena.bot import Bot
from arena.worker.guests import Guest
from arena.worker.protocol import BotInfo

_MAX_TRACEBACK = 4000
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
        reasons = [
            f"it imports {name}, but {guest.absence()}"
            for name, guest in guests.items()
        ] or ["define a class that inherits arena.Bot"]
        raise LoadError(
            f"{path.name}: no bot found; {'; '.join(reasons)} "
            f"(found {_names(module) or 'nothing'})"
        )
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


def _nothing_to_play(path: Path, games: Sequence[str], cls: type[Bot]) -> str:
    methods = [name for name in vars(cls) if not name.startswith("_")]
    for method in methods:
        close = get_close_matches(method, games, n=1)
        if close:
            return (
                f"{path.name}: {cls.__name__} has no method named after a game; "
                f"it has {method!r}, did you mean {close[0]!r}?"
            )
    return (
        f"{path.name}: {cls.__name__} has no method named after a game; "
        f"define one of {', '.join(games)}, or act for all"
    )


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
        text = "".join(traceback.format_exception_only(error))
        return f"{where}: {kind}: {error.msg}", text[:_MAX_TRACEBACK]
    frames = list(_own_frames(error.__traceback__, root))
    where = f"{place}: " if place else ""
    if frames:
        last = frames[-1]
        where = f"{last.filename}:{last.lineno}: "
    message = _first_line(error)
    lines = traceback.format_list(_shortened(frames))
    lines.append(f"{kind}: {message}\n" if message else f"{kind}\n")
    text = "".join(lines)
    return f"{where}{kind}: {message}".rstrip(": "), text[-_MAX_TRACEBACK:]


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


def _own_frames(
    trace: TracebackType | None, root: Path
) -> Iterable[traceback.FrameSummary]:
    for frame in traceback.extract_tb(trace):
        if _is_own(Path(frame.filename), root):
            # Its line has been read already.
            frame.filename = _relative(frame.filename, root)
            yield frame


def _is_own(path: Path, root: Path) -> bool:
    """Say whether a student wrote it; a project's packages lie below `root` too."""
    if not path.is_relative_to(root):
        return False
    framework = _ARENA.is_relative_to(root) and path.is_relative_to(_ARENA)
    return not framework and "site-packages" not in path.relative_to(root).parts


def _shortened(frames: list[traceback.FrameSummary]) -> list[traceback.FrameSummary]:
    """Keep both ends of a deep recursion."""
    return frames if len(frames) <= 12 else frames[:4] + frames[-8:]


def _relative(filename: str, root: Path) -> str:
    path = Path(filename)
    return str(path.relative_to(root)) if path.is_relative_to(root) else path.name

"""What lies in a folder of bots and does not play: for each a reason and a remedy."""

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from arena.league.config.settings import BotSettings
from arena.league.config.students import STUDENTS_FILE
from arena.league.entries.bot_file import BotFile
from arena.league.entries.other_files import what_is_in, what_it_is
from arena.league.entries.patterns import is_pattern, matches
from arena.league.entries.sources import is_real_folder
from arena.text import cut, listed, printable

_EXEMPT = ("readme", "license", "licence", "copying", "pytest.ini")
"""Beginnings of names of what belongs to the folder."""
_NOTES = (".md", ".rst")
"""Endings of pages about bots: nobody hands in one."""
_SHOWN = 3
"""Names in a note."""
_MAX_CHARS = 100
"""Of a name in a note."""


def passed_over(
    bots: Sequence[BotSettings], files: Iterable[BotFile], known: Collection[Path]
) -> list[tuple[str, str]]:
    """Return names of what is no hand-in in folders of bots, and what is to be said.

    Those of which there is the same to be said are together.  What the league's file
    names itself is no part of that, nor what is `known`: what it shares, and its
    students' file.
    """
    played = {file.path for file in files}
    above = {folder for path in played for folder in path.parents}
    named = {Path(settings.file) for settings in bots}
    reasons: dict[str, dict[str, None]] = {}
    for settings in bots:
        path = Path(settings.file)
        if settings.command is not None or not settings.is_plain:
            continue
        top, found = path, list[Path]()
        if is_pattern(path):
            found = matches(path)
            top = Path(os.path.commonpath([path, *(x.parent for x in found)]))
        elif path.is_dir() and path not in played:
            found = _names_in(path) if path in above else [path]
        # A match may lie in another one.
        found = [x for x in found if not {*played, *found}.intersection(x.parents)]
        for other in _others(found, played, above, {*known, *named} - {path}):
            name = printable(os.path.relpath(other, top.parent), lines=False)
            reason = _why(other)
            reasons.setdefault(reason, {})[cut(name, _MAX_CHARS)] = None
    return [
        (_some([*names]), f"left out: {reason}") for reason, names in reasons.items()
    ]


def _names_in(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _others(
    paths: Iterable[Path],
    played: Collection[Path],
    above: Collection[Path],
    known: Collection[Path],
) -> Iterator[Path]:
    """Yield those of paths that do not play, or what does not play in them."""
    for path in paths:
        if path in played or path in known or _is_exempt(path):
            continue
        if path in above:
            yield from _others(_names_in(path), played, above, known)
        else:
            yield path


def _is_exempt(path: Path) -> bool:
    name = path.name.casefold()
    is_folder = is_real_folder(path)
    if name.startswith("_"):
        return is_folder or path.suffix != ".py"
    if is_folder:
        return name.startswith(".")
    return (
        name.startswith((".", *_EXEMPT))
        or name == STUDENTS_FILE
        or name.endswith(_NOTES)
    )


def _why(path: Path) -> str:
    """Say what a path is, and what to do if it is to play."""
    if path.name.startswith("_"):
        return "name begins with _"
    return what_is_in(path) if is_real_folder(path) else what_it_is(path)


def _some(names: Sequence[str]) -> str:
    """Return `a, b and c`, or `a, b, c and 34 more`."""
    more = len(names) - _SHOWN
    if more <= 1:
        return listed(names)
    return f"{', '.join(names[:_SHOWN])} and {more} more"

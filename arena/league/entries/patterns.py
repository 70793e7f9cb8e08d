"""Paths with `*`, `?`, `[...]` or `**` in them: the files that they name."""

import os
import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from arena.text import closest, counted, printable, some_of

_MAGIC = re.compile(r"[*?[]")
_ANY_DEPTH = "**"
_MAX_DEPTH = 10
"""Folders in each other that `**` stands for."""
_SHOWN = 5
"""Names in a sentence."""


def is_pattern(path: Path) -> bool:
    """Return True if a path names nothing as it is written, but may name others."""
    _, parts = _split(path)
    return any(map(_MAGIC.search, parts))


def matches(path: Path) -> list[Path]:
    """Return what a pattern names, by name.

    Names that begin with `_` or `.` must be written out.  No link in a matching folder
    is followed: it is a match itself, so that a hand-in can't name what is another's.
    """
    base, parts = _split(path)
    return sorted(set(_below(base, parts)))


def pattern_of(path: Path) -> Path:
    """Return a pattern that names this path and no other."""
    escaped = [f"[{c}]" if c in "*?[" else c for c in path.name[:-1]]
    last = "[]!]" if path.name.endswith("!") else f"[{path.name[-1]}]"
    return path.with_name("".join((*escaped, last)))


def why_no_match(path: Path) -> str:
    """Say that a pattern names nothing, and what it may be meant to name."""
    base, parts = _split(path)
    for count in range(len(parts) - 1, -1, -1):
        folders = [x for x in matches(base.joinpath(*parts[:count])) if x.is_dir()]
        if folders or not count:
            break
    folders = folders or [base]
    names = sorted({name for folder in folders for name in _visible(folder)})
    others = len(folders) - 1
    where = f"{folders[0]}" + f" and {counted(others, 'other folder')}" * (others > 0)
    close = closest(parts[count], names)
    hint = f"; did you mean {close!r}?" if close else ""
    found = some_of(names[:_SHOWN], len(names)) if names else "nothing"
    text = (
        f"nothing matches {path}: no {parts[count]!r} in {where}"
        f"{hint or f'; found {found}'}"
    )
    return printable(text, lines=False)


def _split(path: Path) -> tuple[Path, list[str]]:
    """Return the part of a path that is there as it is written, and the rest."""
    parts: list[str] = []
    while not os.path.lexists(path) and path != path.parent:
        parts.insert(0, path.name)
        path = path.parent
    return path, parts


def _below(folder: Path, parts: Sequence[str], depth: int = 1) -> Iterator[Path]:
    if not parts:
        yield folder
        return
    part, *rest = parts
    if part == _ANY_DEPTH:
        yield from _below(folder, rest or ["*"])
        names = _visible(folder) if depth <= _MAX_DEPTH else []
        inner = (folder / name for name in names)
        for path in inner:
            if path.is_dir() and not path.is_symlink():
                yield from _below(path, parts, depth + 1)
        return
    for name in _visible(folder, part[0]):
        path = folder / name
        if not fnmatchcase(name, part) and name != part:
            continue
        if path.is_symlink() or not rest:
            yield path
        elif path.is_dir():
            yield from _below(path, rest)


def _visible(folder: Path, first: str = "") -> list[str]:
    """Return the names in a folder; those that begin with `_` or `.` only if asked."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return sorted(name for name in names if name[0] not in "_." or name[0] == first)

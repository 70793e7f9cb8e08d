"""What an export holds, as the parsers of all platforms look at it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from pathlib import PurePosixPath
from typing import NamedTuple

from arena.collect.submission import ExportFile, Submission, UnreadableError
from arena.text import cut, one_line, quoted

File = tuple[str, ExportFile]
"""A file, under its path below the folders that hold all of an export."""
_MOST_WRAPPERS = 3
"""Folders in each other that hold all of an export."""
OF_PLATFORM = "made by the platform"
TYPED = "typed into a form, and no file"
OF_NOBODY = "of no student"
LITTER = "litter of a computer"
"""Why a file is in no hand-in; each goes on after one name or several."""
_LITTER = frozenset(("__macosx", "$recycle.bin", "desktop.ini", "thumbs.db"))
"""Less than in `collect.litter`: what may be a student's own is told with his name."""
_TEXT_BYTES = 2**14
"""Of what has been typed, as much as its beginning may need."""
_SHOWN_CHARS = 80


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of an export, below the folders that hold all of them."""

    export: str
    """The name of the zip or folder, without its ending."""
    folder: str
    """The name of the innermost folder that holds all; that of the export if none."""
    files: tuple[File, ...]
    litter: tuple[ExportFile, ...] = ()
    """What computers leave beside the hand-ins."""

    @property
    def tops(self) -> frozenset[str]:
        """The names of all folders and files at the top."""
        return frozenset(path.partition("/")[0] for path, _ in self.files)

    def by_top(self) -> tuple[dict[str, list[File]], list[File]]:
        """Return the files in folders, by the outermost, and those in none."""
        folders: dict[str, list[File]] = {}
        beside = []
        for path, file in self.files:
            top, is_inside, inner = path.partition("/")
            if is_inside:
                folders.setdefault(top, []).append((inner, file))
            else:
                beside.append((path, file))
        return folders, beside

    def source(self, place: str) -> str:
        """Return where something was found, as people say it."""
        return one_line(f"{self.export}: {cut(place, _SHOWN_CHARS)}")


class Reading(NamedTuple):
    """How a platform understands a listing."""

    submissions: list[Submission]
    left: list[tuple[ExportFile, str]]
    """Files of the platform's own, each with what it is."""
    unknown: list[ExportFile]
    """Files that the platform does not write."""


def listings(export: str, files: Sequence[ExportFile]) -> Iterator[Listing]:
    """Yield an export as it is, and without the folders that hold all of it."""
    litter = tuple(file for file in files if _is_litter(file.name))
    rest = [(file.name, file) for file in files if not _is_litter(file.name)]
    folder = export
    for _ in range(_MOST_WRAPPERS + 1):
        yield Listing(export, folder, tuple(rest), litter)
        tops = {path.partition("/")[0] for path, _ in rest}
        if len(tops) != 1 or any("/" not in path for path, _ in rest):
            return
        [folder] = tops
        rest = [(path.partition("/")[2], file) for path, file in rest]
        # A folder is zipped where other litter lies in it.
        litter += tuple(file for path, file in rest if _is_litter(path))
        rest = [(path, file) for path, file in rest if not _is_litter(path)]


def _is_litter(path: str) -> bool:
    top = path.partition("/")[0]
    return top.startswith(".") or top.lower() in _LITTER


def common_start(names: Sequence[str], mark: str) -> str:
    """Return what all names begin with, up to a mark, which is not their last."""
    common = []
    for parts in zip(*(name.split(mark)[:-1] for name in names), strict=False):
        if len(set(parts)) > 1:
            break
        common.append(parts[0] + mark)
    return "".join(common)


def distinct(files: Iterable[File]) -> tuple[File, ...]:
    """Return files of which no two have the same path: a number stands behind some."""
    found: dict[str, ExportFile] = {}
    for path, file in files:
        name, number = path, 1
        while name in found:
            number += 1
            pure = PurePosixPath(path)
            name = str(pure.with_name(f"{pure.stem}-{number}{pure.suffix}"))
        found[name] = file
    return tuple(found.items())


def text_note(file: ExportFile) -> str:
    """Return a note on a text that a student has typed; empty if there is none."""
    text = _typed(file)
    return text and f"has typed a text, which is no file and not taken: {text}"


def link_note(file: ExportFile) -> str:
    """Return a note on a link that a student has handed in."""
    found = re.search(r"https?://[^\s\"'<>]+", _beginning(file))
    link = one_line(cut(found[0], _SHOWN_CHARS)) if found else "a link"
    return f"has handed in a link, which is not followed: {link}"


def _typed(file: ExportFile) -> str:
    text = _beginning(file)
    return shown_text(text[max(0, text.find("<body")) :])


def shown_text(text: str) -> str:
    """Return the beginning of a text with tags, as sentences show it; maybe nothing."""
    plain = one_line(unescape(re.sub(r"<[^<>]*>", " ", text)))
    return quoted(cut(plain, _SHOWN_CHARS)) if plain else ""


def _beginning(file: ExportFile) -> str:
    try:
        return file.read(_TEXT_BYTES).decode("utf-8-sig", "replace")
    except UnreadableError:
        return "(too long to be shown)"

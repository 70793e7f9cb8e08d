"""Names that platforms, browsers and computers have changed, put back.

Canvas puts a number behind the name of a file that is handed in again, `bot-1.py`, and
a `_` in the place of some signs (instructure/canvas-lms, `app/models/attachment.rb`,
read November 2026).  Browsers save a second file of one name as `bot (1).py`; Windows
calls a copy `bot - Copy.py`, macOS `bot copy.py`, Google Drive `Copy of bot.ipynb`,
each in the language of the computer.
"""

import re
import sys
from collections import Counter
from pathlib import PurePosixPath

from arena.collect.submission import Files
from arena.collect.wrapper import imports, is_code
from arena.league.entries.hand_ins.regular_files import MAX_NAME_CHARS, shown
from arena.worker.compat import GUESTS

_MAX_NAME_BYTES = 240
"""Of one name, on most disks."""
_MAX_COPIED = 3
"""Times that a copy may be a copy of a copy."""
_WORDS = "copy|kopie|kopia|kopio|kopi|copie|copia|cópia|копия"
_GAP = "[ _\u00a0]"
_NUMBERED = re.compile(
    rf"(.*[^\W_]){_GAP}?(?:-(\d{{1,2}})|\((\d{{1,2}})\)|_(\d{{1,2}})_)"
)
_COPY = re.compile(
    rf"(.*[^\W_]){_GAP}?[-\u2013\u2014]?{_GAP}\(?(?:{_WORDS})\)?"
    rf"(?:{_GAP}\(?\d{{1,2}}\)?)?",
    re.IGNORECASE,
)
_COPY_OF = re.compile(
    rf"(?:{_WORDS}){_GAP}(?:of|von|de|di|av|van|z){_GAP}(.+)", re.IGNORECASE
)
_AROUND_NAMES = re.compile(rb"[\"'/\\\n]")
"""What stands around the name of a file in a text of Python."""


def last_copies(files: Files, notes: list[str]) -> Files:
    """Return files without what makes the names of those in Python those of copies.

    Of several copies only the last is there.
    """
    return _last_copies(_fit(files, notes), notes)


def put_back(files: Files, notes: list[str]) -> Files:
    """Return files under the names by which those in Python know each other."""
    for step in (_as_imported, _as_mentioned, _fit, _told_apart):
        files = step(files, notes)
    return files


def _fit(files: Files, notes: list[str]) -> Files:
    """Give files names that all disks take: not too long, and no blanks around them."""
    found: Files = {}
    times: Counter[str] = Counter()
    for name, content in files.items():
        wanted = fit = "/".join(map(_fit_part, name.split("/")))
        while fit in found or (fit != name and fit in files):
            times[wanted] += 1
            folder, slash, _ = wanted.rpartition("/")
            fit = folder + slash + _fit_part(name, f"-{times[wanted] + 1}")
        found[fit] = content
        if fit != name:
            notes.append(f"{shown(name)} is called {shown(fit)} here, to fit on disks")
    return found


def _fit_part(name: str, end: str = "") -> str:
    """Return the last part of a path, with `end` behind its stem."""
    path = PurePosixPath(name.rpartition("/")[2].strip().rstrip(". ") or "_")
    suffix = end + (path.suffix if len(path.suffix) < MAX_NAME_CHARS // 4 else "")
    stem = path.stem[: MAX_NAME_CHARS - len(suffix)]
    while len((stem + suffix).encode()) > _MAX_NAME_BYTES:
        stem = stem[:-1]
    return stem + suffix


def _last_copies(files: Files, notes: list[str]) -> Files:
    """Give files in Python the names without what tells copies apart.

    Of several copies the one with the highest number is the last.
    """
    imported = imports(files)
    groups: dict[str, list[tuple[int, str]]] = {}
    for name in filter(is_code, files):
        stem = PurePosixPath(name).stem
        plain, number = _plain(stem)
        if number and stem in imported:
            plain, number = stem, 0
        groups.setdefault(_with_stem(name, plain), []).append((number, name))
    renamed: dict[str, str] = {}
    for plain, copies in groups.items():
        *others, (number, last) = sorted(copies)
        for _, other in others:
            notes.append(f"left out {shown(other)}, as {shown(last)} is the later one")
        renamed |= {other: "" for _, other in others} | {last: plain}
        if number:
            notes.append(f"{shown(last)} is called {shown(plain)} here")
    return _renamed(files, renamed)


def _as_imported(files: Files, notes: list[str]) -> Files:
    """Give modules the names by which others import them, if nothing has those."""
    there = {part.removesuffix(".py") for name in files for part in name.split("/")}
    known = sys.stdlib_module_names | {"arena", *GUESTS}
    by_letters: dict[str, list[str]] = {}
    for name in files:
        if name.endswith(".py"):
            by_letters.setdefault(_letters(name), []).append(name)
    renamed: dict[str, str] = {}
    for module in sorted(imports(files) - there - known):
        like = by_letters.get(_letters(module), [])
        if len(like) == 1 and like[0] not in renamed:
            renamed[like[0]] = _with_stem(like[0], module)
            notes.append(
                f"{shown(like[0])} is called {shown(renamed[like[0]])} here, as it is "
                "imported"
            )
    return _renamed(files, renamed)


def _as_mentioned(files: Files, notes: list[str]) -> Files:
    """Give files of data the names that are mentioned in those in Python."""
    mentioned = {
        part
        for name, (data, _) in files.items()
        if name.endswith(".py")
        for part in _AROUND_NAMES.split(data)
    }

    def is_mentioned(name: str) -> bool:
        return PurePosixPath(name).name.encode() in mentioned

    renamed: dict[str, str] = {}
    for name in files:
        plain, number = _plain(PurePosixPath(name).stem)
        old = _with_stem(name, plain)
        if not number or is_code(name) or old in files or old in renamed.values():
            continue
        if is_mentioned(old) and not is_mentioned(name):
            renamed[name] = old
            notes.append(
                f"{shown(name)} is called {shown(old)} here, as the code calls it so"
            )
    return _renamed(files, renamed)


def _told_apart(files: Files, notes: list[str]) -> Files:
    """Leave out what would be at one place with others on some computers."""
    folders = {
        str(parent).casefold()
        for name in files
        for parent in PurePosixPath(name).parents
    }
    found: dict[str, str] = {}
    for name in files:
        low = name.casefold()
        if low in folders:
            notes.append(f"left out {shown(name)}, as there is a folder of that name")
            continue
        if low in found:
            notes.append(
                f"left out {shown(found[low])}, as {shown(name)} is the same name on "
                "many computers"
            )
        found[low] = name
    return {name: files[name] for name in found.values()}


def _plain(stem: str) -> tuple[str, int]:
    """Return a stem without what makes it a copy, and the copy's number.

    The number is 0 if it is none, and -1 if it is a copy without one, which is no later
    version.
    """
    plain, number = stem, 0
    for _ in range(_MAX_COPIED):
        if match := _COPY.fullmatch(plain) or _COPY_OF.fullmatch(plain):
            plain, number = match[1], number or -1
        elif match := _NUMBERED.fullmatch(plain):
            plain, number = match[1], number or int(match[match.lastindex or 0])
    return plain, number


def _with_stem(name: str, stem: str) -> str:
    path = PurePosixPath(name)
    return str(path.with_name(stem + path.suffix))


def _letters(name: str) -> str:
    """Return the letters and digits of the name of a module."""
    stem = name.rpartition("/")[2].removesuffix(".py")
    return re.sub(r"[\W_]", "", stem).casefold()


def _renamed(files: Files, names: dict[str, str]) -> Files:
    """Return files under other names; those with an empty one are left out."""
    found = {names.get(name, name): content for name, content in files.items()}
    found.pop("", None)
    return dict(sorted(found.items(), key=lambda item: item[0].split("/")))

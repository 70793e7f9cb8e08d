"""What computers and tools leave beside the work: no part of a hand-in."""

from collections import Counter
from collections.abc import Iterable, Sequence

from arena.text import counted, cut, listed

_FOLDERS = frozenset(
    (
        "$recycle.bin",
        "__macosx",
        "__pycache__",
        "__pypackages__",
        "node_modules",
        "site-packages",
        "venv",
    )
)
"""In lower case, as the others; names that begin with a dot are litter too."""
_FOLDER_ENDS = (".egg-info", ".dist-info")
_FILES = frozenset(
    ("desktop.ini", "ehthumbs.db", "icon\r", "icon_", "nohup.out", "thumbs.db")
)
_FILE_ENDS = (".pyc", ".pyo", "~", ".swp", ".tmp", ".crdownload")
_FILE_STARTS = ("~$",)
ENVIRONMENT = "pyvenv.cfg"
"""The file in a folder that makes it an environment of Python."""
_SHOWN = 5
_SHOWN_CHARS = 40


def litter(names: Iterable[str]) -> dict[str, str]:
    """Return those names of files that are litter, each with what it is part of.

    That is a folder, or the file itself: the first part of the path that is litter.
    """
    names = list(names)
    environments = {
        folder
        for name in names
        for folder, _, file in [name.rpartition("/")]
        if file == ENVIRONMENT and folder
    }
    found = {}
    for name in names:
        parts = name.split("/")
        for i, part in enumerate(parts, 1):
            place = "/".join(parts[:i])
            is_file = i == len(parts)
            is_one = is_litter_file(part) if is_file else is_litter_folder(part)
            if is_one or place in environments:
                found[name] = place
                break
    return found


def is_litter_folder(name: str) -> bool:
    """Return True if all in a folder of that name is litter."""
    low = name.lower()
    return low.startswith(".") or low in _FOLDERS or low.endswith(_FOLDER_ENDS)


def is_litter_file(name: str) -> bool:
    """Return True if a file of that name is litter."""
    low = name.lower()
    return (
        low in _FILES
        or low.endswith(_FILE_ENDS)
        or low.startswith((".", *_FILE_STARTS))
    )


def litter_note(places: Sequence[str]) -> str:
    """Return a sentence on what has been left out, given what `litter` has found.

    It is empty if there is nothing.
    """
    # Those of one name are counted, and `a.pyc` and `b.pyc` are of one kind.
    number = Counter(_kind(place) for place in sorted(set(places)))
    if not number:
        return ""
    kinds = [
        kind if times == 1 else f"{times} {kind}" for kind, times in number.items()
    ]
    more = len(kinds) - _SHOWN
    if more > 0:
        kinds[_SHOWN:] = [counted(more, "other thing")]
    return f"left out {listed(kinds)}"


def _kind(place: str) -> str:
    name = place.rpartition("/")[2]
    end = next((end for end in _FILE_ENDS if name.lower().endswith(end)), "")
    if end and end.startswith("."):
        return f"*{end}"
    return "._*" if name.startswith("._") else cut(name, _SHOWN_CHARS)

"""The name of a student's folder: fit for every file system, and for a league.

It has no dots, as the names of bots are cut at them, and does not begin with `_`, which
would leave it out of a league.
"""

import re
import unicodedata
from collections.abc import Collection

from arena.league.entries.looks import shape_of
from arena.worker.compat import GUESTS

MAX_CHARS = 60
_MAX_READ = 1000
_NOBODY = "student"
_RESERVED = re.compile(r"(con|prn|aux|nul|(com|lpt)[0-9¹²³])\Z")
"""What Windows takes for devices."""


def folder_name(name: str, taken: Collection[str]) -> str:
    """Return the name of a folder after a student's name or id.

    `taken` are the shapes (`shape_of`) of all names there: none looks like another.
    """
    last, comma, first = name[:_MAX_READ].partition(",")
    text = f"{first} {last}" if comma and "," not in first else last + comma + first
    user, at, _ = text.partition("@")
    text = unicodedata.normalize("NFKC", user if at and user.strip() else text)
    # The small letter of one may be two characters.
    letters = unicodedata.normalize("NFC", text.lower())
    kept = "".join(c if c.isalnum() or c == "_" else "-" for c in letters)
    stem = re.sub(r"-{2,}", "-", kept).strip("-_")[:MAX_CHARS].strip("-_") or _NOBODY
    if _RESERVED.match(stem) or stem in GUESTS:
        stem = f"{_NOBODY}-{stem}"
    found, nth = stem, 1
    while shape_of(found) in taken:
        nth += 1
        end = f"-{nth}"
        found = stem[: MAX_CHARS - len(end)] + end
    return found

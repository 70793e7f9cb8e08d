"""Canvas: one folder of files, the latest attempt of each student or group.

    alderana_LATE_10001_500001_mybot.py     name, late, user, attachment, file
    birchben_10002_text.html                a text that was typed, or `_link.html`
    anon_x4Yz1_500002_mybot.py              where names are hidden

A name is `Last, First` in lower case, of which only letters, digits and `_` are left; a
group has its own and the number of one member.  From instructure/canvas-lms:
`lib/content_zipper.rb`, read in November 2026.

What the student has called the file comes last, so the numbers are the first that
stand side by side.  Canvas keeps `_1_` out of names, but one that ends in `_1` moves
the numbers by one: where that makes one user of two names, it is read another way.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from arena.collect.platforms.listing import (
    Listing,
    Reading,
    distinct,
    link_note,
    text_note,
)
from arena.collect.submission import ExportFile, Person, Submission

NAME = "Canvas"
_ANONYMOUS = re.compile(
    r"(?P<late>LATE_)?(?P<user>anon_[^\W_]+)"
    r"_(?:(?P<attachment>\d+)_(?P<file>.+)|(?P<typed>text|link)\.html)"
)
_TYPED = ("text.html", "link.html")


class _Entry(NamedTuple):
    """A name in a zip of Canvas, taken apart."""

    name: str
    user: str
    is_late: bool
    attachment: int
    """0 for what was typed."""
    file: str


def read(listing: Listing) -> Reading:
    """Return the hand-ins of a zip of Canvas."""
    submissions: dict[str, list[tuple[_Entry, ExportFile]]] = {}
    left, unknown = [], []
    entries = [(file, list(_readings(path))) for path, file in listing.files]
    choose = _Choice([ways for _, ways in entries if ways])
    for file, ways in entries:
        entry = choose(ways)
        if entry is None:
            unknown.append(file)
        else:
            submissions.setdefault(entry.user, []).append((entry, file))
    found = []
    for user, parts in submissions.items():
        first = parts[0][0]
        typed = [(entry, file) for entry, file in parts if not entry.attachment]
        notes = []
        for entry, file in typed:
            is_text = entry.file == _TYPED[0]
            notes.append((text_note if is_text else link_note)(file))
            left.append((file, f"a {'text' if is_text else 'link'} typed into Canvas"))
        prefix = "_".join(
            filter(None, (first.name, "LATE" * first.is_late, first.user))
        )
        found.append(
            Submission(
                people=(Person((user,), first.name),),
                files=distinct(
                    (entry.file, file) for entry, file in parts if entry.attachment
                ),
                source=listing.source(prefix),
                order=max(entry.attachment for entry, _ in parts) or None,
                is_late=first.is_late,
                notes=tuple(filter(None, notes)),
            )
        )
    return Reading(found, left, unknown)


class _Choice:
    """Chooses the way in which a name is read, given the ways for each."""

    def __init__(self, entries: list[list[_Entry]]) -> None:
        self._number = Counter(ways[0].attachment for ways in entries)
        self._sure: dict[str, set[str]] = {}
        self._likely: dict[str, set[str]] = {}
        for ways in entries:
            names = self._sure if len(ways) == 1 else self._likely
            names.setdefault(ways[0].user, set()).add(ways[0].name)

    def __call__(self, ways: list[_Entry]) -> _Entry | None:
        """Return a way that contradicts no other name; None if there is none."""
        for entry in ways:
            # Canvas has no two files of one number; a title may have numbers, too.
            if entry.attachment and self._number[entry.attachment] > 1:
                continue
            names = self._sure.get(entry.user) or self._likely.get(entry.user)
            if len(ways) == 1 or not names or names == {entry.name}:
                return entry
            if entry.user not in self._sure:
                return None  # Either may be a lie.
        return None


def _readings(path: str) -> Iterator[_Entry]:
    """Yield the ways to read a name, the likeliest first."""
    if "/" in path:
        return
    hidden = _ANONYMOUS.fullmatch(path)
    if hidden:
        yield _Entry(
            "",
            hidden["user"],
            bool(hidden["late"]),
            int(hidden["attachment"] or 0),
            hidden["file"] or f"{hidden['typed']}.html",
        )
        return
    tokens = path.split("_")
    at = next((i for i, x in enumerate(tokens) if i and _is_number(x)), len(tokens))
    while at + 1 < len(tokens) and _is_number(tokens[at]):
        rest = tokens[at + 1 :]
        is_upload = len(rest) > 1 and _is_number(rest[0]) and any(rest[1:])
        if not _is_name("_".join(tokens[:at])):
            return
        is_late = at > 1 and tokens[at - 1] == "LATE"
        name = "_".join(tokens[: at - is_late])
        if is_upload:
            file = "_".join(rest[1:])
            yield _Entry(name, tokens[at], is_late, int(rest[0]), file)
        elif "_".join(rest) in _TYPED:
            yield _Entry(name, tokens[at], is_late, 0, "_".join(rest))
        at += 1


def _is_name(text: str) -> bool:
    """Return True if Canvas may have made a name: it keeps letters of all scripts."""
    return not any(c.isascii() and not (c.isalnum() or c == "_") for c in text)


def _is_number(token: str) -> bool:
    return token.isascii() and token.isdigit() and len(token) < 20

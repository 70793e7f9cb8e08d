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
from itertools import islice
from typing import NamedTuple

from arena.collect.platforms.listing import (
    TYPED,
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
_MAX_WAYS = 3
"""To read a name with many numbers in it."""
_TEXT = "text.html"
_TYPED = (_TEXT, "link.html")


class _Entry(NamedTuple):
    """A name in a zip of Canvas, taken apart."""

    name: str
    user: str
    is_late: bool
    attachment: int
    """0 for what was typed."""
    file: str


def read(listing: Listing) -> Reading | None:
    """Return the hand-ins of a zip of Canvas; None if all have the same numbers."""
    entries = [
        (file, [*islice(_readings(path), _MAX_WAYS)]) for path, file in listing.files
    ]
    first = [ways[0] for _, ways in entries if ways]
    uploads = [(entry.user, entry.attachment) for entry in first if entry.attachment]
    if len(uploads) > 1 and len(set(uploads)) == 1:
        return None  # They are part of a title.
    choose = _Choice([ways for _, ways in entries if ways])
    found: dict[str, list[tuple[_Entry, ExportFile]]] = {}
    left, unknown = [], []
    for file, ways in entries:
        entry = choose(ways)
        if entry is None:
            unknown.append(file)
            continue
        found.setdefault(entry.user, []).append((entry, file))
        if not entry.attachment:
            left.append((file, TYPED))
    submissions = [_submission(listing, parts) for parts in found.values()]
    return Reading(submissions, left, unknown)


def _submission(listing: Listing, parts: list[tuple[_Entry, ExportFile]]) -> Submission:
    first = parts[0][0]
    notes = [
        text_note(file) if entry.file == _TEXT else link_note(file)
        for entry, file in parts
        if not entry.attachment
    ]
    prefix = (first.name, "LATE" * first.is_late, first.user)
    return Submission(
        people=(Person((first.user,), first.name),),
        files=distinct((entry.file, file) for entry, file in parts if entry.attachment),
        source=listing.source("_".join(filter(None, prefix))),
        order=max(entry.attachment for entry, _ in parts) or None,
        is_late=first.is_late,
        notes=tuple(filter(None, notes)),
    )


class _Choice:
    """Chooses the way in which a name is read, given the ways for each."""

    def __init__(self, entries: list[list[_Entry]]) -> None:
        self._times = Counter(ways[0].attachment for ways in entries)
        self._sure: dict[str, set[str]] = {}
        self._likely: dict[str, set[str]] = {}
        for ways in entries:
            names = self._sure if len(ways) == 1 else self._likely
            names.setdefault(ways[0].user, set()).add(ways[0].name)

    def __call__(self, ways: list[_Entry]) -> _Entry | None:
        """Return a way that contradicts no other name; None if there is none."""
        for entry in ways:
            if len(ways) > 1 and entry.attachment and self._times[entry.attachment] > 1:
                continue  # A number of two files is the user's.
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
        is_upload = _is_number(rest[0]) and len("_".join(rest[1:])) > 0
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

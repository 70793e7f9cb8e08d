"""Blackboard Learn: one folder of files, all attempts.

    Bot 1_aalder_attempt_2026-11-28-21-14-03_mybot.py
    Bot 1_aalder_attempt_2026-11-28-21-14-03.txt            the receipt

A receipt has the student's name, user name and comment, and for each file what the
student has called it and what Blackboard calls it, which may be another.  From the
READMEs of kwurst/bb-file-cleanup (2014) and timdrysdale/gradex-cli (2020), which show
both; the zip is called `gradebook_<course>_<assignment>_<time>`.

The title of the assignment and user names may have `_` in them: receipts tell where one
ends.  The student's own file comes last, so what counts is the first `_attempt_` with a
time.  In a receipt stands what the student has typed, so it is believed only on the
files of its own attempt, and on a user whom their names tell too.
"""

import re
from collections.abc import Iterable
from datetime import datetime
from itertools import pairwise

from arena.collect.platforms.listing import (
    OF_PLATFORM,
    File,
    Listing,
    Reading,
    common_start,
    distinct,
    shown_text,
)
from arena.collect.submission import (
    ExportFile,
    Person,
    Submission,
    UnreadableError,
)

NAME = "Blackboard"
_ENTRY = re.compile(
    r"(?P<head>[^/]+?)_attempt_(?P<when>\d{4}(?:-\d\d){5})(?:_(?P<file>[^/]*)|\.txt)"
)
_NAME_LINE = re.compile(r"[^:]{1,40}: *(?P<name>.*) +\((?P<user>[^()]+)\) *")
_MAX_NAME_LINE = 1000
_RECEIPT_BYTES = 2**20
_TYPED = (
    ("Submission Field:", "There is no student submission text", "has typed a text"),
    ("Comments:", "There are no student comments", "has written a comment"),
)


class _Receipt:
    """What a receipt says of an attempt."""

    def __init__(self, head: str, file: ExportFile) -> None:
        self.name, self.user = "", ""
        try:
            text = file.read(_RECEIPT_BYTES).decode("utf-8-sig", "replace")
        except UnreadableError:
            text = ""
        self._lines = [line.strip() for line in text.splitlines()]
        lines = [line for line in self._lines if line]
        first = " ".join(lines[0].split()) if lines else ""
        match = _NAME_LINE.fullmatch(first[:_MAX_NAME_LINE])
        if match and head.endswith(f"_{match['user']}"):
            self.name, self.user = match["name"].strip(), match["user"]
        # What Blackboard writes stands below what the student has typed.
        self._own_names = {
            line.partition(": ")[2]: before.partition(": ")[2]
            for before, line in pairwise(lines)
        }

    def own_name(self, stored: str) -> str:
        """Return what the student has called a file; empty if that is not told."""
        own = self._own_names.get(stored.strip(), "")
        own = own.replace("\\", "/").rpartition("/")[2].strip()
        return own if own.isprintable() and own not in (".", "..") else ""

    def notes(self) -> Iterable[str]:
        """Yield a note on each text that the student has typed."""
        titles = [title for title, *_ in _TYPED]
        for title, nothing, note in _TYPED:
            if title not in self._lines:
                continue
            start = self._lines.index(title) + 1
            lines = self._lines[start:]
            ends = [i for i, x in enumerate(lines) if x in (*titles, "Files:")]
            text = shown_text(" ".join(lines[: ends[0] if ends else None]))
            if text and nothing not in text:
                yield f"{note}, which is no file and not taken: {text}"


def read(listing: Listing) -> Reading:
    """Return the hand-ins of a zip of Blackboard."""
    found: dict[tuple[str, str], list[File]] = {}
    receipts: dict[tuple[str, str], _Receipt] = {}
    left, unknown = [], []
    for path, file in listing.files:
        match = _ENTRY.fullmatch(path)
        if match is None or _time(match["when"]) is None:
            unknown.append(file)
            continue
        key = (match["head"], match["when"])
        files = found.setdefault(key, [])
        if match["file"] is None:
            receipts[key] = _Receipt(match["head"], file)
            left.append((file, OF_PLATFORM))
        else:
            files.append((match["file"], file))
    users = {
        head: receipts[head, when].user
        for head, when in found
        if (head, when) in receipts and receipts[head, when].user
    }
    titles = _titles([head for head, _ in found], users)
    submissions = []
    for (head, when), files in found.items():
        receipt = receipts.get((head, when))
        title = max((x for x in titles if head.startswith(x)), key=len, default="")
        user = users.get(head) or head.removeprefix(title)
        prefix = f"{head}_attempt_{when}"
        named: list[File] = []
        for stored, file in files:
            own = receipt.own_name(f"{prefix}_{stored}") if receipt else ""
            is_new = own and own not in dict(named)
            named.append((own if is_new else stored or "file", file))
        submissions.append(
            Submission(
                people=(Person((user,), receipt.name if receipt else ""),),
                files=distinct(named),
                source=listing.source(prefix),
                submitted=_time(when),
                notes=tuple(receipt.notes()) if receipt else (),
            )
        )
    return Reading(submissions, left, unknown)


def _titles(heads: list[str], users: dict[str, str]) -> set[str]:
    """Return what stands before user names: titles of assignments, each with a `_`.

    If no receipt tells it, it is what all heads begin with, or as long as it can be.
    """
    titles = {head.removesuffix(user) for head, user in users.items()}
    others = [head for head in heads if not any(map(head.startswith, titles))]
    if others:
        titles.add(common_start(others, "_"))
    return titles


def _time(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y-%m-%d-%H-%M-%S")
    except ValueError:
        return None

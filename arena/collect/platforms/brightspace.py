"""Brightspace (D2L): a folder for each attempt, or one folder of files.

    index.html
    39001-640000 - Ana Alder - Nov 28, 2026 914 PM/mybot.py
    39001-640000 - Ana Alder- Nov 28, 2026 914 PM - mybot.py     without folders

The first number is the student's, as far as the examples tell.  Some schools have a
number of their own before the name.  Folders as in the tests of a
grading tool by Christopher Queen Consulting (2025), in cgmb/d2lmf (2015) and in
OfficeCoffee/GradingFileProject (2025); without folders by the pattern for the `NOW
dropbox` of a university.

Names may have ` - ` in them: numbers are taken from the left, in names of folders the
time from the right.  A file comes last, so there the first time counts.
"""

import re
from datetime import datetime
from typing import NamedTuple

from arena.collect.platforms.listing import (
    OF_PLATFORM,
    File,
    Listing,
    Reading,
    distinct,
)
from arena.collect.submission import Person, Submission

NAME = "Brightspace"
_TIME = r"[^\W\d_]{3,9}\.? \d{1,2}, \d{4} \d{3,4}(?: [AP]M)?"
_FOLDER = re.compile(r"(?P<user>\d+)-(?P<place>\d+) - (?P<name>.+) - (?P<time>.+)")
_FILE = re.compile(
    rf"(?P<user>\d+)-(?P<place>\d+) - (?P<name>.+?) ?- (?P<time>{_TIME}) - (?P<file>.+)"
)
_SCHOOL_NUMBER = re.compile(r"(?P<number>[A-Za-z]{0,3}\d{4,}) - (?P<name>.+)")
_FORMS = ("%b %d, %Y %I%M %p", "%B %d, %Y %I%M %p", "%b %d, %Y %H%M", "%d %B %Y %H%M")


class _Attempt(NamedTuple):
    user: str
    place: str
    name: str
    time: str


def read(listing: Listing) -> Reading:
    """Return the hand-ins of a zip of Brightspace."""
    folders, beside = listing.by_top()
    found: dict[_Attempt, list[File]] = {}
    left, unknown = [], []
    for folder, files in folders.items():
        match = _FOLDER.fullmatch(folder)
        if match is None:
            unknown += [file for _, file in files]
        else:
            found.setdefault(_attempt(match), []).extend(files)
    for path, file in beside:
        match = _FILE.fullmatch(path)
        if match is not None:
            found.setdefault(_attempt(match), []).append((match["file"], file))
        elif path == "index.html":
            left.append((file, OF_PLATFORM))
        else:
            unknown.append(file)
    names: dict[str, set[str]] = {}
    for attempt in found:
        names.setdefault(attempt.user, set()).add(attempt.name)
    submissions = []
    for attempt, files in found.items():
        own = _SCHOOL_NUMBER.fullmatch(attempt.name)
        name = own["name"] if own else attempt.name
        ids = [own["number"]] if own else []
        # Two people of one number: then it is not a person's.
        if len(names[attempt.user]) == 1:
            ids.append(attempt.user)
        place = f"{attempt.user}-{attempt.place} - {attempt.name} - {attempt.time}"
        submissions.append(
            Submission(
                people=(Person(tuple(ids), name),),
                files=distinct(files),
                source=listing.source(place),
                submitted=_time(attempt.time),
            )
        )
    return Reading(submissions, left, unknown)


def _attempt(match: re.Match[str]) -> _Attempt:
    return _Attempt(
        match["user"], match["place"], match["name"].strip(), match["time"].strip()
    )


def _time(text: str) -> datetime | None:
    """Return a time; None if it is written in another language."""
    digits = text.replace(".", "")
    # The hour has no zero before it, and nothing behind it.
    digits = re.sub(r" (\d)(\d\d)\b", r" 0\1\2", digits)
    for form in _FORMS:
        try:
            return datetime.strptime(digits, form)
        except ValueError:
            continue
    return None

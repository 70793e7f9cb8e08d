"""Sakai: the latest attempt of each student or team, in folders or in none.

    Bot 1/grades.csv
    Bot 1/Alder, Ana(aalder)/timestamp.txt
    Bot 1/Alder, Ana(aalder)/Submission attachment(s)/mybot.py
    Bot 1/Alder, Ana(aalder)/Alder, Ana(aalder)_submissionText.html
    Bot 1/Alder, Ana(aalder); Birch, Ben(bbirch)/...                a team
    Bot 1/Alder, Ana(aalder)_Submission attachment(s)_mybot.py      without folders

Where names are hidden, a number stands in their place.  Beside the attachments lie the
instructor's own comments and attachments.  The words for both kinds of attachments are
in the language of the person who has downloaded it.  From sakaiproject/sakai:
`AssignmentServiceImpl.java`, read in November 2026.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from arena.collect.platforms.listing import (
    OF_PLATFORM,
    TYPED,
    File,
    Listing,
    Reading,
    distinct,
    text_note,
)
from arena.collect.submission import (
    ExportFile,
    Person,
    Submission,
    UnreadableError,
)

NAME = "Sakai"
_PEOPLE = re.compile(r"[^/,]*+,[^/]*\([^()/;]+\)")
_PERSON = re.compile(r"(?P<last>[^;,]*+), *(?P<first>[^;]*)\((?P<user>[^()]+)\)")
_FLAT = re.compile(r"(?P<people>[^/,]*+,[^/]*?\([^()/;]+\))_(?P<rest>[^/]+)")
_TIME = "timestamp.txt"
_TEXT = "_submissionText.html"
_FEEDBACK = ("feedback", "comments", "feedbacktext")
"""How the names of what the instructor adds begin in English, in lower case."""
_OLD_TIME = "%Y%m%d%H%M%S%f"


def read(listing: Listing) -> Reading:
    """Return the hand-ins of a zip of Sakai."""
    folders, beside = listing.by_top()
    found: dict[str, list[File]] = {}
    left, unknown = [], []
    for folder, files in folders.items():
        if _PEOPLE.fullmatch(folder) or _TIME in dict(files):
            found[folder] = files
        else:
            unknown += [file for _, file in files]
    for path, file in beside:
        match = _FLAT.fullmatch(path)
        if match is not None:
            kind, is_file, name = match["rest"].partition("_")
            place = f"{kind}/{name}" if kind and is_file else match["rest"]
            found.setdefault(match["people"], []).append((place, file))
        elif path.startswith("grades."):
            left.append((file, OF_PLATFORM))
        else:
            unknown.append(file)
    label = _label(found.values())
    submissions = []
    for people, files in found.items():
        own: list[File] = []
        notes = []
        submitted = None
        for path, file in files:
            top, is_inside, inner = path.partition("/")
            if is_inside and top == label:
                own.append((inner, file))
            elif path == _TIME:
                submitted = _time(file)
                left.append((file, OF_PLATFORM))
            elif path.endswith(_TEXT):
                notes.append(text_note(file))
                left.append((file, TYPED))
            else:
                left.append((file, "the instructor's"))
        submissions.append(
            Submission(
                people=tuple(_people(people)),
                files=distinct(own),
                source=listing.source(people),
                submitted=submitted,
                notes=tuple(filter(None, notes)),
            )
        )
    return Reading(submissions, left, unknown)


def _label(found: Iterable[list[File]]) -> str:
    """Return the name of the folder of what students hand in: most of them have it."""
    number = Counter(
        label
        for files in found
        for label in dict.fromkeys(
            path.partition("/")[0] for path, _ in files if "/" in path
        )
        if not label.lower().startswith(_FEEDBACK)
    )
    # Of as many, the one that comes first: Sakai writes it first.
    return max(number, key=lambda label: number[label], default="")


def _people(text: str) -> Iterator[Person]:
    for one in text.split("; "):
        match = _PERSON.fullmatch(one)
        if match is None:
            yield Person((one,))
        else:
            name = f"{match['first'].strip()} {match['last'].strip()}".strip()
            yield Person((match["user"],), name)


def _time(file: ExportFile) -> datetime | None:
    try:
        text = file.read(200).decode("ascii").strip()
    except (UnreadableError, UnicodeDecodeError):
        return None
    try:
        if text.isdigit():
            return datetime.strptime(text, _OLD_TIME).replace(tzinfo=UTC)
        return datetime.fromisoformat(text)
    except ValueError:
        return None

"""Moodle: the latest attempt of each student or team, in folders or in none.

    Ana Alder_70001_assignsubmission_file/src/mybot.py        since 4.1
    Ana Alder_70001_assignsubmission_file_/src/mybot.py       before
    Ana Alder_70001_assignsubmission_file_mybot.py            without folders
    Ana Alder_70001_assignsubmission_onlinetext/onlinetext.html
    Participant_70001_assignsubmission_file/mybot.py          where names are hidden
    Team 1_4_assignsubmission_file/mybot.py                   a group and its number
    Default group_assignsubmission_file/mybot.py              those in no group

The number belongs to the assignment: it is the Identifier of the grading worksheet, and
not the user's.  `Participant`, `Default group` and `onlinetext` are in the language of
the course.  From moodle/moodle: `mod/assign/classes/downloader.php`, and before 4.1
`mod/assign/locallib.php`, read in November 2026.

Moodle keeps `_` out of names, and the student's own file comes last, so what counts is
the first `_assignsubmission_`.
"""

import re

from arena.collect.platforms.listing import (
    TYPED,
    File,
    Listing,
    Reading,
    distinct,
    text_note,
)
from arena.collect.submission import ExportFile, Person, Submission

NAME = "Moodle"
_PREFIX = re.compile(
    r"(?P<who>.+?)(?:_(?P<number>\d+))?_assignsubmission_(?P<kind>[a-z0-9]+)"
    r"(?:_?/|_)(?P<file>.+)"
)
_HIDDEN = ("Participant", "Teilnehmerin")


def read(listing: Listing) -> Reading:
    """Return the hand-ins of a zip of Moodle."""
    unknown = []
    found: dict[tuple[str, str], list[tuple[str, str, ExportFile]]] = {}
    for path, file in listing.files:
        match = _PREFIX.fullmatch(path)
        if match is None or "/" in match["who"]:
            unknown.append(file)
            continue
        key = (match["who"], match["number"] or "")
        found.setdefault(key, []).append((match["kind"], match["file"], file))
    hidden = _hidden_word(list(found))
    submissions, left = [], []
    for (who, number), parts in found.items():
        files: list[File] = []
        notes = []
        for kind, path, file in parts:
            if kind != "onlinetext":
                files.append((path, file))
                continue
            left.append((file, TYPED))
            if path.endswith(".html"):
                notes.append(text_note(file))
        name = "" if who == hidden and number else who
        person = Person((number,) if number else (), name, is_team=not number)
        submissions.append(
            Submission(
                people=(person,),
                files=distinct(files),
                source=listing.source("_".join(filter(None, (who, number)))),
                notes=tuple(filter(None, notes)),
            )
        )
    return Reading(submissions, left, unknown)


def _hidden_word(people: list[tuple[str, str]]) -> str:
    """Return the word that stands for all names, where they are hidden."""
    words = {who for who, _ in people}
    if len(words) != 1:
        return ""
    [word] = words
    return word if len(people) > 1 or word in _HIDDEN else ""

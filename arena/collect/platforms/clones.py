"""Folders of clones: a repository for each student or team.

    bot-1-submissions/bot-1-aalder/mybot.py                GitHub Classroom
    ai-bot-1_submissions_2026_11_29_T_09_00_00/            Classroom 50
      scores.csv
      ai-bot-1-aalder/.git/HEAD
      ai-bot-1-aalder/result.json
    clones/aalder/mybot.py                                 others

`gh classroom clone student-repos` (github/gh-classroom, `student-repos.go`, 2023; the
service has ended in August 2026) and `gh teacher download` (foundation50/classroom50,
`download.go`, 2026) name folders so.  The latter writes `result.json` and
`results.json` into each of them, and `scores.csv` with names, times and what is late.
Others call folders after the users, maybe with a name for the assignment before each.
"""

import csv
import re
from datetime import datetime
from typing import NamedTuple

from arena.collect.platforms.listing import (
    OF_PLATFORM,
    Listing,
    Reading,
    common_start,
    distinct,
)
from arena.collect.submission import (
    ExportFile,
    Person,
    Submission,
    UnreadableError,
)

NAME = "clones of repositories"
_CLASSROOM = re.compile(r"(?P<slug>.+?)(?:-submissions|_submissions_[\dT_]+)")
_SCORES = "scores.csv"
_RESULTS = ("result.json", "results.json")
_MAX_BYTES = 2**22


class _Score(NamedTuple):
    """A row of the table of scores."""

    name: str
    email: str
    submitted: datetime | None
    is_late: bool | None


def read(listing: Listing) -> Reading | None:
    """Return the hand-ins in folders of clones; None if most are no clones."""
    folders, beside = listing.by_top()
    slug = _slug(listing.folder, [*folders])
    clones = [
        folder
        for folder, files in folders.items()
        if any(path == ".git" or path.startswith(".git/") for path, _ in files)
    ]
    if slug is None and 2 * len(clones) <= len(folders):
        return None
    if slug is None:
        slug = common_start([*folders], "-") if len(folders) > 1 else ""
    left, unknown = [], []
    scores: dict[str, _Score] | None = None
    for path, file in beside:
        if path == _SCORES:
            scores = _scores(file)
            left.append((file, OF_PLATFORM))
        else:
            unknown.append(file)
    submissions = []
    for folder, files in folders.items():
        user = folder.removeprefix(slug)
        score = (scores or {}).get(user.lower(), _Score("", "", None, None))
        own = []
        for path, file in files:
            if scores is not None and path in _RESULTS:
                left.append((file, OF_PLATFORM))
            else:
                own.append((path, file))
        # Of one clone alone nobody knows where the user begins.
        ids = (user, score.email, folder)
        submissions.append(
            Submission(
                people=(Person(tuple(dict.fromkeys(filter(None, ids))), score.name),),
                files=distinct(own),
                source=listing.source(folder),
                submitted=score.submitted,
                is_late=score.is_late,
            )
        )
    return Reading(submissions, left, unknown)


def _slug(name: str, folders: list[str]) -> str | None:
    """Return what stands before users, if the name of the folder of all tells it."""
    match = _CLASSROOM.fullmatch(name)
    slug = f"{match['slug']}-" if match else ""
    return (
        slug if slug and folders and all(x.startswith(slug) for x in folders) else None
    )


def _scores(file: ExportFile) -> dict[str, _Score]:
    """Return what a table of scores says of each user; nothing if it can't be read."""
    try:
        text = file.read(_MAX_BYTES).decode("utf-8-sig")
        rows = list(csv.DictReader(text.splitlines()))
    except (UnreadableError, UnicodeDecodeError, csv.Error):
        return {}
    found = {}
    for row in rows:
        cells = {key: value for key, value in row.items() if isinstance(value, str)}
        names = (cells.get("first_name", ""), cells.get("last_name", ""))
        found[cells.get("username", "").lower()] = _Score(
            name=" ".join(" ".join(names).split()),
            email=cells.get("email", "").strip(),
            submitted=_time(cells.get("datetime", "")),
            is_late={"true": True, "false": False}.get(cells.get("late", "").lower()),
        )
    return found


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None

"""Hand-ins in files of any names, which the instructor describes by a pattern.

    --pattern '(?P<student>[^/]+)/(?P<timestamp>[^/]+)/(?P<file>.+)'

A regular expression with named groups has to match the whole path of a file, with `/`
between folders.  What it takes time for is the instructor's own: it is no student's.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from arena.collect.platforms.listing import File, Listing, Reading, distinct
from arena.collect.submission import Person, Submission
from arena.errors import ConfigError
from arena.text import did_you_mean, listed, one_line, quoted

OPTION = "--pattern"
_NEEDED = ("student", "file")
_GROUPS = (*_NEEDED, "timestamp", "attempt", "name", "id", "late")
_MAX_DIGITS = 18
_FORMS = (
    *(f"%Y-%m-%d{gap}%H-%M{end}" for gap in "-_ T" for end in ("-%S", "")),
    "%Y%m%d%H%M%S",
)
"""Of times in names of files, which can't have a `:` in them everywhere."""


class _Attempt(NamedTuple):
    student: str
    timestamp: str
    number: str


def read_pattern(text: str) -> re.Pattern[str]:
    """Return the pattern that a person has written.

    Raises:
        ConfigError: it is none, or has not the groups that it needs.
    """
    try:
        pattern = re.compile(text)
    except (re.error, RecursionError, OverflowError) as error:
        raise ConfigError(
            OPTION, f"{quoted(text)} is no regular expression: {error}"
        ) from None
    missing = [group for group in _NEEDED if group not in pattern.groupindex]
    if missing:
        groups = listed(f"(?P<{group}>...)" for group in missing)
        raise ConfigError(OPTION, f"expected the groups student and file; add {groups}")
    for group in pattern.groupindex:
        if group not in _GROUPS:
            hint = did_you_mean(group, _GROUPS, f"there are {listed(_GROUPS)}")
            raise ConfigError(OPTION, f"knows no group {group}; {hint}")
    return pattern


def read(listing: Listing, pattern: re.Pattern[str]) -> Reading:
    """Return the hand-ins that a pattern tells.

    Raises:
        ConfigError: what it takes for a time is none.
    """
    found: dict[_Attempt, list[tuple[re.Match[str], File]]] = {}
    unknown = []
    for path, file in listing.files:
        match = pattern.fullmatch(path)
        own = (match["file"] or "").strip("/") if match else ""
        student = (match["student"] or "").strip() if match else ""
        if match is None or not own or not student or _leaves(own):
            unknown.append(file)
            continue
        attempt = _Attempt(
            student, _group(match, "timestamp"), _group(match, "attempt")
        )
        found.setdefault(attempt, []).append((match, (own, file)))
    submissions = []
    for attempt, parts in found.items():
        matches = [match for match, _ in parts]
        id_ = next(filter(None, (_group(match, "id") for match in matches)), "")
        name = next(filter(None, (_group(match, "name") for match in matches)), "")
        student = attempt.student
        is_late = None
        if "late" in pattern.groupindex:
            is_late = any(_group(match, "late") for match in matches)
        submissions.append(
            Submission(
                people=(
                    Person(
                        tuple(dict.fromkeys(filter(None, (id_, student)))),
                        name or (student if " " in student else ""),
                    ),
                ),
                files=distinct(file for _, file in parts),
                source=listing.source(" ".join(filter(None, attempt))),
                submitted=_time(attempt.timestamp, matches[0].string),
                order=_order(attempt.number, matches[0].string),
                is_late=is_late,
            )
        )
    return Reading(submissions, [], unknown)


def example(names: Sequence[str]) -> tuple[str, str, str]:
    """Return a pattern for some names, and the student and the file of the first."""
    if all("/" in name for name in names):
        text = r"(?P<student>[^/]+)/(?P<file>.+)"
    elif all("_" in name for name in names):
        text = r"(?P<student>[^_/]+)_(?P<file>.+)"
    else:
        text = r"(?P<file>(?P<student>[^/.]+).*)"
    match = re.fullmatch(text, names[0])
    return (text, match["student"], match["file"]) if match else (text, "", "")


def _leaves(path: str) -> bool:
    return not {"", ".", ".."}.isdisjoint(path.split("/"))


def _group(match: re.Match[str], name: str) -> str:
    return (match[name] or "").strip() if name in match.re.groupindex else ""


def _order(text: str, path: str) -> int | None:
    if not text:
        return None
    if text.isascii() and text.isdecimal():
        return int(text[:_MAX_DIGITS])
    raise ConfigError(
        OPTION,
        f"takes {quoted(text)} in {one_line(path)} for the attempt; expected a number",
    )


def _time(text: str, path: str) -> datetime | None:
    if not text:
        return None
    if re.fullmatch(r"\d{9,10}", text):
        return datetime.fromtimestamp(int(text), UTC)
    for form in _FORMS:
        try:
            return datetime.strptime(text, form)
        except ValueError:
            continue
    try:
        # Last, as to ISO 8601 `21-14` is an hour and a time zone.
        return datetime.fromisoformat(text)
    except ValueError:
        pass
    raise ConfigError(
        OPTION,
        f"takes {quoted(text)} in {one_line(path)} for the timestamp; expected a time "
        "such as 2026-11-28 21:14",
    )

"""The bots that each student has handed in."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import NamedTuple

from arena.league.config.info import EntryInfo, LeagueInfo
from arena.league.config.settings import GradingSettings
from arena.league.config.students import (
    StudentRow,
    bots_of,
    file_stem,
    missing_file,
    read_students,
    staff,
)
from arena.referee.contestant.json_lines import PROGRAM
from arena.text import behind, closest, one_line, some_of

NOTHING = "no bot was handed in"
_SHOWN = 5
"""Notes on files that are not there."""


@dataclass(frozen=True, slots=True)
class HandIn:
    """The bots that a student has handed in."""

    entries: list[EntryInfo] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """Why there is no bot in it, a few words each."""
    files: list[str] = field(default_factory=list)
    """Those without a bot."""


@dataclass(frozen=True, slots=True)
class HandIns:
    """The bots of all students."""

    of: dict[str, HandIn]
    """By student."""
    notes: list[str]
    """For the instructor, a sentence each: about bots of nobody, and missing ones."""


def hand_ins(info: LeagueInfo) -> HandIns:
    """Return the bots of each student, by the students' file or by the bots' files.

    Raises:
        ConfigError: the students' file can't be read, or a line is wrong.
    """
    grading = info.grading or GradingSettings()
    if grading.students is None:
        return HandIns(_by_file(info), [])
    path = Path(grading.students)
    return _by_row(info, path, read_students(path))


def students_by_entry(info: LeagueInfo) -> dict[str, tuple[str, ...]]:
    """Return the students of each bot, by the entry's id; nobody's are left out.

    Raises:
        ConfigError: the students' file can't be read, or a line is wrong.
    """
    owners: dict[str, list[str]] = {}
    for student, hand_in in hand_ins(info).of.items():
        for entry in hand_in.entries:
            owners.setdefault(entry.id, []).append(student)
    return {id_: tuple(students) for id_, students in owners.items()}


def _by_file(info: LeagueInfo) -> dict[str, HandIn]:
    """Return the bots of each file; its name is taken for that of a student."""
    others = staff(info)
    versions: dict[str, set[str]] = {}
    for entry in info.entries:
        versions.setdefault(file_stem(entry.file), set()).add(entry.code)
    found: dict[str, HandIn] = {}
    for entry in info.entries:
        if entry.id not in others:
            stem = file_stem(entry.file)
            # Programs are often all called `main`.
            named = stem if len(versions[stem]) == 1 else entry.name
            student = _file_of(entry) if entry.stem else named
            found.setdefault(student, HandIn()).entries.append(entry)
    for file, reason in info.rejected:
        own = found.setdefault(file.rstrip("/").removesuffix(".py"), HandIn())
        own.problems.append(_rejected(file, reason))
        own.files.append(file)
    return dict(sorted(found.items()))


def _file_of(entry: EntryInfo) -> str:
    """Return the file of a bot as people say it, with the folders it is shown by."""
    folder, slash, name = entry.file.rpartition("/")
    if not folder and "/" in entry.stem:
        return entry.stem  # It was played before files were shown with folders.
    ending = PurePath(name).suffix if entry.bot == PROGRAM else ".py"
    return f"{folder}{slash}{name.removesuffix(ending)}"


def _by_row(info: LeagueInfo, path: Path, rows: Iterable[StudentRow]) -> HandIns:
    # The places are not known of leagues that were played before.
    places = info.rejected_at or [f"/{file_stem(x)}" for x, _ in info.rejected]
    rejected = [
        _Rejected(file.rstrip("/"), place, reason)
        for (file, reason), place in zip(info.rejected, places, strict=True)
    ]
    claimed: set[str] = set()
    unknown: list[tuple[StudentRow, str]] = []
    found: dict[str, HandIn] = {}
    for row in rows:
        own = found.setdefault(row.student, HandIn())
        if not row.file:
            continue
        entries, why = bots_of(info.entries, row.file)
        own.entries.extend(entry for entry in entries if entry not in own.entries)
        claimed.update(entry.id for entry in entries)
        refused = [] if entries else bots_of(rejected, row.file)[0]
        for file, _, reason, *_ in refused:
            own.problems.append(_rejected(file, reason))
            own.files.append(file)
        if not (entries or refused):
            own.problems.append(f"{NOTHING}: {why}")
            own.files.append(row.file)
            unknown.append((row, why))
    others = staff(info)
    nobody = sorted(
        {e.file for e in info.entries if e.id not in claimed and e.id not in others}
    )
    notes: list[str] = []
    plain: list[str] = []
    for row, why in unknown:
        close = closest(row.file.rpartition("/")[2], nobody)
        hint = f"; did you mean {close}, which is nobody's?" if close else ""
        is_plain = not hint and why == missing_file(row.file)
        if len(notes) == _SHOWN or (is_plain and len(unknown) > 1):
            plain.append(row.file)
        else:
            notes.append(
                f"{path}:{row.line}: {why}, so it counts as not handed in{hint}"
            )
    if plain:
        some = some_of(plain[:_SHOWN], len(plain), with_total=True)
        notes.append(f"{path}: not handed in, as this league has no such files: {some}")
    if nobody:
        notes.append(f"bots of nobody in {path}: {', '.join(nobody)}")
    return HandIns(found, notes)


class _Rejected(NamedTuple):
    """A file that takes no part, by what `bots_of` finds it."""

    file: str
    place: str
    reason: str
    stem: str = ""
    id: str = ""
    name: str = ""


def _rejected(file: str, reason: str) -> str:
    return f"{file} takes no part: {one_line(behind(file, reason))}"

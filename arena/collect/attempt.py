"""What is known of a hand-in that lies in a folder, kept in a file beside its files.

The name of that file begins with a dot, so it is no part of the hand-in, and nothing
that a student hands in can be taken for it: files of such names are left out.
"""

import hashlib
import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

import msgspec

from arena.collect.litter import litter
from arena.collect.submission import Person, Submission, UnreadableError
from arena.errors import RecordError
from arena.league.config.small_file import read_small
from arena.league.config.students import spelt_alike
from arena.league.entries.hand_ins.regular_files import (
    MAX_BYTES,
    MAX_FILE_BYTES,
    RefusedError,
    read_files,
)
from arena.league.entries.sources import COLLECTED
from arena.referee.contestant.bot_code import code_hash

_VERSION = 1
_NEW = ".new"


class Member(msgspec.Struct, frozen=True):
    """One who has handed in, or a team, and whose place in the list that is."""

    person: Person
    """As the platform says it."""
    students: tuple[str, ...]
    """Keys in the list of students: one, or the members of a team."""
    is_listed: bool
    """True if the list had them, and they were not added to it here."""


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """One hand-in of a student or a team, as it came."""

    version: int = _VERSION
    members: tuple[Member, ...]
    platform: str
    source: str
    submitted: datetime | None
    order: int | None
    is_late: bool | None
    number: int
    """Rises with each attempt that comes in, whoever's it is."""
    folder: str
    """The name of the student's folder."""
    contents: str
    """Hash of what was handed in, under which this attempt is known again."""
    files: str
    """Hash of the files as they were written here."""
    found: str
    problem: str
    notes: tuple[str, ...]

    @property
    def who(self) -> tuple[str, ...]:
        """What tells the people apart from others."""
        return who(self.platform, [member.person for member in self.members])

    @property
    def students(self) -> tuple[str, ...]:
        """The keys of those whose it is, in alphabetical order."""
        return tuple(sorted({key for x in self.members for key in x.students}))

    @property
    def mark(self) -> tuple[object, ...]:
        """The same for two exports of one attempt."""
        return self.who, self.submitted, self.order, self.contents


def who(platform: str, people: Iterable[Person]) -> tuple[str, ...]:
    """Return what tells people apart from others, in alphabetical order."""
    return tuple(sorted(identity(platform, person) for person in people))


def identity(platform: str, person: Person) -> str:
    """Return what tells a person or team apart from others.

    An e-mail address is one person's everywhere, other ids on their platform only.
    """
    id_ = spelt_alike(next(iter(person.ids), ""))
    if "@" in id_:
        return id_
    kind = "team" if person.is_team else "id" if id_ else "name"
    return f"{platform} {kind} {id_ or spelt_alike(person.name)}"


def contents_hash(submission: Submission) -> str:
    """Return a hash of what was handed in, before anything is unpacked.

    Platforms rename files.  So their names count only if nothing else tells this
    attempt from others.  What computers leave beside them may differ each time.
    """
    left_out = litter(name for name, _ in submission.files)
    has_time = submission.submitted is not None or submission.order is not None
    room = MAX_BYTES
    found = []
    for name, file in submission.files:
        if name in left_out:
            continue
        try:
            data = b"" if file.refused else file.read(min(room, MAX_FILE_BYTES))
            room -= len(data)
        except UnreadableError:
            data = b""
        digest = hashlib.sha256(data).hexdigest()
        found.append(digest if has_time else f"{digest} {name}")
    return hashlib.sha256(
        "\n".join([*sorted(found), *submission.notes]).encode()
    ).hexdigest()


def files_hash(folder: Path) -> str:
    """Return a hash of the files in a folder; nothing if they can't be read."""
    try:
        files = read_files(str(folder))
    except (OSError, RefusedError):
        return ""
    names = [file.name.partition("/")[2] for file in files]
    return code_hash(names, [file.data for file in files])


def read_attempt(folder: Path) -> Attempt | None:
    """Return what is known of the hand-in in a folder; None if it was not collected.

    Raises:
        RecordError: what is known is damaged.
    """
    path = folder / COLLECTED
    if folder.is_symlink() or path.is_symlink() or not path.is_file():
        return None
    try:
        found = msgspec.json.decode(read_small(path), type=Attempt)
        if found.version != _VERSION:
            raise RecordError(
                f"{path}: was written by another version of arena; use that, or "
                "collect into another folder"
            )
    except (OSError, msgspec.MsgspecError, ValueError) as error:
        raise RecordError(
            f"{path}: is damaged ({error}); remove {folder} and collect the export "
            "again that it came from"
        ) from None
    return found


def write_attempt(folder: Path, attempt: Attempt) -> None:
    """Write what is known of the hand-in in a folder, in one step.

    Raises:
        OSError: it can't be written.
    """
    text = msgspec.json.format(msgspec.json.encode(attempt), indent=2)
    new = folder / f"{COLLECTED}{_NEW}"
    new.unlink(missing_ok=True)
    new.write_bytes(text + b"\n")
    os.replace(new, folder / COLLECTED)

"""What students have submitted, as an export says it, before anything is unpacked."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

Files = dict[str, tuple[bytes, bool]]
"""Files of a hand-in by their paths: contents, and True if one can be started."""


class UnreadableError(Exception):
    """Something that was handed in can't be read or is not taken.

    The text says why, and what to do; it goes on after the name of the file.
    """


class TooLargeError(UnreadableError):
    """It has more bytes or files than are taken."""


@dataclass(frozen=True, slots=True)
class ExportFile:
    """A file of an export, or of an archive in it, which is read when it is needed."""

    name: str
    """Its path below the top of the export or archive: parts with `/` between them, in
    NFC, none of them empty, `.` or `..`."""
    read: Callable[[int], bytes]
    """Return the contents, given the most bytes that are wanted.

    Raises:
        UnreadableError: there are more, or they are damaged, encrypted or a link.
    """
    is_executable: bool = False
    refused: str = ""
    """Why it is never read, such as a link; then its name may not be the real one.  It
    goes on after the name; empty if it may be read."""
    is_guessed: bool = False
    """True if its name is in an old code page, and may be misspelt."""


@dataclass(frozen=True, slots=True)
class Person:
    """One who has handed something in, as an export names them."""

    ids: tuple[str, ...]
    """What tells this person from others, the surest first: an e-mail address, a user
    name, a number of the platform.  Maybe none, but only if there is a name."""
    name: str = ""
    """As people say it, such as `Ana Alder`; empty if the export does not tell."""
    is_team: bool = False
    """True if it is the name or number of a team whose members are not told."""


@dataclass(frozen=True, slots=True)
class Submission:
    """What was handed in at one time."""

    people: tuple[Person, ...]
    """One, or the members of a team."""
    files: tuple[tuple[str, ExportFile], ...]
    """Each file, under the path that the student has given it, as far as the export
    tells that."""
    source: str
    """Where it was found, as people say it: the export, and the folder or the beginning
    of the names in it."""
    submitted: datetime | None = None
    """Without a time zone if the export tells none: then it is the platform's."""
    order: int | None = None
    """Larger for a later attempt, among those of one platform; None if unknown."""
    is_late: bool | None = None
    """None if the export does not say."""
    notes: tuple[str, ...] = ()
    """A sentence each on what else the person has handed in that is no file, such as a
    text or a link; each goes on after the name of the person."""


@dataclass(frozen=True, slots=True)
class Export:
    """One export, as it was understood."""

    platform: str
    """Such as `Canvas`."""
    submissions: tuple[Submission, ...]
    left: tuple[tuple[str, str], ...] = ()
    """Files that belong to no submission, and why, such as the list of grades."""

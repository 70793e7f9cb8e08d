"""What a submission will be in the student's folder: unpacked and put in order.

Nothing is written here, and nothing of a student is run.  What can't be taken as it is
comes with a sentence, so nothing vanishes.
"""

import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from arena.collect.archives import (
    ARCHIVE_ENDS,
    BEGIN_BYTES,
    ArchiveLimits,
    archive_kind,
    can_unpack,
    files_of,
)
from arena.collect.litter import litter, litter_note
from arena.collect.submission import (
    ExportFile,
    Submission,
    TooLargeError,
    UnreadableError,
)
from arena.league.entries.hand_ins.regular_files import (
    MAX_BYTES,
    MAX_FILE_BYTES,
    MAX_FILES,
    shown,
)
from arena.text import counted, some_of

Files = dict[str, tuple[bytes, bool]]
"""Contents, and True if it is executable, by path."""
_LIMITS = ArchiveLimits(entries=50_000, directory_bytes=2**22, tar_bytes=2 * MAX_BYTES)
_MAX_READ_BYTES = 3 * MAX_BYTES
"""Of a submission, with all archives in each other."""
_MAX_NESTED = 3
"""Archives in each other."""
_SHOWN_FILES = 3
_MAX_NOTES = 20


@dataclass(frozen=True, slots=True)
class Prepared:
    """A submission as it will lie in the student's folder."""

    files: Files
    notes: tuple[str, ...]
    """What was dropped, renamed or converted: each goes on after the student's name."""
    problem: str
    """Why nothing of it will play, and what to do; empty if it may."""
    found: str
    """What was handed in, in short."""


def prepare(submission: Submission) -> Prepared:
    """Return what a submission will be in the student's folder."""
    work = _Preparation()
    try:
        files = work.take(dict(submission.files))
        _check_size(files)
    except TooLargeError as error:
        return Prepared({}, work.all_notes, str(error), work.found)
    return Prepared(files, work.all_notes, work.problem(files), work.found)


@dataclass
class _Preparation:
    """Prepares one submission."""

    notes: list[str] = field(default_factory=list)
    litter: list[str] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    """Why archives that have stayed as they came could not be unpacked."""
    found: str = "nothing"
    _left_bytes: int = _MAX_READ_BYTES
    _left_files: int = MAX_FILES

    @property
    def all_notes(self) -> tuple[str, ...]:
        """The notes, in the end, and not too many."""
        left_out = litter_note(self.litter)
        notes = [*self.notes, *([left_out] if left_out else [])]
        more = len(notes) - _MAX_NOTES
        if more > 1:
            notes[_MAX_NOTES:] = [f"and {more} more notes like these"]
        return tuple(notes)

    def take(self, files: Mapping[str, ExportFile]) -> Files:
        """Return the files, those in archives among them.

        Raises:
            TooLargeError: there is too much.
        """
        dropped = litter(files)
        own = [name for name in files if name not in dropped]
        self.found = some_of(map(shown, own[:_SHOWN_FILES]), len(own)) or self.found
        return self._take(files, "", 0)

    def _take(self, files: Mapping[str, ExportFile], where: str, depth: int) -> Files:
        """Return the files of a folder or archive; `where` is said of an archive."""
        dropped = litter(files)
        self.litter += dropped.values()
        guessed = [
            x for x, file in files.items() if file.is_guessed and x not in dropped
        ]
        if guessed:
            some = some_of(map(shown, guessed[:_SHOWN_FILES]), len(guessed))
            self.notes.append(
                f"{where or 'the export'} has names in an old code page; {some} may be "
                "misspelt"
            )
        found: Files = {}
        for name, file in files.items():
            if name in dropped:
                continue
            if file.refused:
                self.notes.append(
                    f"left out {shown(name)}{where and f' of {where}'}, "
                    f"which {file.refused}"
                )
                continue
            try:
                data = self._read(name, file)
            except TooLargeError:
                raise
            except UnreadableError as error:
                if depth:
                    # What is left of a damaged archive is no hand-in.
                    raise UnreadableError(f"has {shown(name)}, which {error}") from None
                self.notes.append(f"left out {shown(name)}, which {error}")
                continue
            found[name] = (data, file.is_executable)
        for name in [x for x in found if _is_archive(x, found[x][0])]:
            self._unpack(found, name, depth)
        return found

    def _read(self, name: str, file: ExportFile) -> bytes:
        self._left_files -= 1
        if self._left_files < 0:
            raise TooLargeError(
                f"more than {MAX_FILES} files; leave out what the bot does not need"
            )
        try:
            data = file.read(min(MAX_FILE_BYTES, self._left_bytes))
        except TooLargeError:
            if self._left_bytes < MAX_FILE_BYTES:
                raise _much() from None
            raise TooLargeError(
                f"{shown(name)} has more than {MAX_FILE_BYTES // 2**20} MiB; make it "
                "smaller"
            ) from None
        self._left_bytes -= len(data)
        return data

    def _unpack(self, found: Files, name: str, depth: int) -> None:
        """Put the files of an archive among others in its place."""
        data = found[name][0]
        kind = archive_kind(data[:BEGIN_BYTES])
        where = shown(name)
        try:
            if not can_unpack(kind):
                raise UnreadableError(f"is an archive of {kind}")
            if depth == _MAX_NESTED:
                raise UnreadableError(f"lies in {depth} other archives")
            files = files_of(io.BytesIO(data), kind, _LIMITS, io.BytesIO())
            refused = [file.refused for file in files if file.refused]
            if refused and len(refused) == len(files):
                raise UnreadableError(f"has nothing but what {refused[0]}")
            has_python = any(map(is_code, found))
            names = [x.name for x in files if not x.refused]
            if has_python and not any(is_code(x) or _may_hold(x) for x in names):
                # The bot may read it as it is.
                return
            inner = self._take({file.name: file for file in files}, where, depth + 1)
        except TooLargeError as error:
            raise TooLargeError(f"{where} {error}") from None
        except UnreadableError as error:
            self.unread[name] = str(error)
            return
        del found[name]
        if self.found == where:
            self.found = f"{where}: {counted(len(inner), 'file')}"
        folder = PurePosixPath(name).parent
        for own, content in inner.items():
            place = str(folder / own)
            if place not in found:
                found[place] = content
            elif found[place] != content:
                self.notes.append(
                    f"left out {shown(own)} of {where}, as there is another one beside "
                    "that"
                )

    def problem(self, files: Files) -> str:
        """Return why nothing of the files will play; empty if it may."""
        if not files:
            return "nothing was handed in that can be taken"
        return ""


def is_code(name: str) -> bool:
    """Return True if a file is in Python, by its name."""
    return name.endswith((".py", ".ipynb"))


def _may_hold(name: str) -> bool:
    return name.lower().endswith(ARCHIVE_ENDS)


def _is_archive(name: str, data: bytes) -> bool:
    return _may_hold(name) and bool(archive_kind(data[:BEGIN_BYTES]))


def _check_size(files: Files) -> None:
    if sum(len(data) for data, _ in files.values()) > MAX_BYTES:
        raise _much()


def _much() -> TooLargeError:
    return TooLargeError(
        f"more than {MAX_BYTES // 2**20} MiB in all; leave out what the bot does not "
        "need"
    )

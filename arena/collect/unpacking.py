"""The files of a submission, with those of its archives in their place.

Everything is counted while it is read, over all archives in each other together.
"""

import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from arena.collect.archives import (
    ARCHIVE_ENDS,
    BEGIN_BYTES,
    ArchiveLimits,
    NoArchiveError,
    archive_kind,
    can_unpack,
    files_of,
)
from arena.collect.litter import litter, litter_note
from arena.collect.member_name import IS_CALLED
from arena.collect.submission import (
    ExportFile,
    Files,
    TooLargeError,
    UnreadableError,
)
from arena.collect.wrapper import is_code, unwrapped
from arena.league.entries.hand_ins.contents import MAX_PYTHON_BYTES
from arena.league.entries.hand_ins.regular_files import (
    MAX_BYTES,
    MAX_FILE_BYTES,
    MAX_FILES,
    shown,
)
from arena.text import counted, some_of

_LIMITS = ArchiveLimits(entries=50_000, directory_bytes=2**22, tar_bytes=2 * MAX_BYTES)
_MAX_READ_BYTES = 4 * MAX_BYTES
"""Of a submission, all that it is unpacked to on the way."""
_MAX_NESTED = 3
"""Archives in each other."""
_MAX_UNREAD = 10
"""Archives that are damaged: to find that out takes long."""
_OTHER_ENDS = ("", ".py", ".txt")
"""Of names that an archive may have which was saved as something else."""
_SHOWN_FILES = 3


@dataclass
class Unpacking:
    """Unpacks one submission, and notes what is not taken."""

    notes: list[str] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    """Archives that have stayed as they came, and why."""
    found: str = "nothing"
    """What was handed in, in short."""
    _litter: list[str] = field(default_factory=list)
    _left_bytes: int = _MAX_READ_BYTES
    _left_python: int = MAX_PYTHON_BYTES
    _left_files: int = MAX_FILES
    _left_entries: int = _LIMITS.entries
    """Of archives, with litter."""
    _left_unread: int = _MAX_UNREAD

    @property
    def litter_note(self) -> str:
        """A sentence on the litter that was left out; empty if there was none."""
        return litter_note(self._litter)

    def take(self, files: Mapping[str, ExportFile]) -> Files:
        """Return the files of a submission, given under the paths they shall have.

        Raises:
            TooLargeError: there is too much.
        """
        dropped = litter(files)
        own = [name for name in files if name not in dropped]
        if own:
            own.sort(key=lambda name: not is_code(name))
            some = map(shown, own[:_SHOWN_FILES])
            self.found = some_of(some, len(own), with_total=True)
        return self._take(files, "", 0)

    def _take(self, files: Mapping[str, ExportFile], archive: str, depth: int) -> Files:
        dropped = litter(files)
        own = {name: file for name, file in files.items() if name not in dropped}
        place = f" of {archive}" if archive else ""
        found: Files = {}
        for name, file in own.items():
            try:
                if not file.refused:
                    found[name] = (self._read(name, file), file.is_executable)
                    continue
                why = file.refused
            except TooLargeError:
                raise
            except UnreadableError as error:
                if archive:
                    # What is left of a damaged archive is no hand-in.
                    raise UnreadableError(f"has {shown(name)}, which {error}") from None
                why = str(error)
            what = "a file" if why.startswith(IS_CALLED) else shown(name)
            self.notes.append(f"left out {what}{place}, which {why}")
        self._litter += dropped.values()
        guessed = [shown(name) for name, file in own.items() if file.is_guessed]
        if guessed:
            some = some_of(guessed[:_SHOWN_FILES], len(guessed))
            self.notes.append(
                f"{archive or 'the export'} has names in an old code page; {some} may "
                "be misspelt"
            )
        for name in [x for x in found if _kind(x, found[x][0])]:
            self._unpack(found, name, depth)
        return found

    def _read(self, name: str, file: ExportFile) -> bytes:
        self._left_files -= 1
        if self._left_files < 0:
            raise TooLargeError(
                f"has more than {MAX_FILES} files; leave out what the bot does not need"
            )
        try:
            data = file.read(min(MAX_FILE_BYTES, self._left_bytes))
        except TooLargeError:
            if self._left_bytes < MAX_FILE_BYTES:
                raise too_much() from None
            raise TooLargeError(
                f"has {shown(name)}, with more than {MAX_FILE_BYTES // 2**20} MiB; "
                "make it smaller"
            ) from None
        self._left_bytes -= len(data)
        self._left_python -= len(data) if name.endswith(".py") else 0
        if self._left_python < 0:
            raise too_much_python()
        return data

    def _files_of(self, data: bytes, kind: str) -> list[ExportFile]:
        limits = _LIMITS._replace(
            entries=self._left_entries,
            tar_bytes=min(_LIMITS.tar_bytes, self._left_bytes),
        )
        scratch = io.BytesIO()
        try:
            files = files_of(io.BytesIO(data), kind, limits, scratch)
        finally:
            # What is damaged in the end has been read as well.
            self._left_bytes -= scratch.getbuffer().nbytes
        self._left_entries -= len(files)
        return files

    def _unpack(self, found: Files, name: str, depth: int) -> None:
        """Put the files of an archive among others in its place."""
        archive = shown(name)
        data = found[name][0]
        kind = _kind(name, data)
        has_code = any(map(is_code, found))
        try:
            if not can_unpack(kind):
                raise UnreadableError(f"is a {kind} archive")
            if depth == _MAX_NESTED:
                raise UnreadableError(f"lies in {depth} other archives")
            files = self._files_of(data, kind)
            if not files:
                raise UnreadableError("is an archive of no files")
            if all(file.refused for file in files):
                why = files[0].refused
                what = "a file" if why.startswith(IS_CALLED) else shown(files[0].name)
                raise UnreadableError(f"has {what}, which {why}")
            if not _is_wanted(name, files, has_code):
                return
            inner = self._take({file.name: file for file in files}, archive, depth + 1)
        except TooLargeError as error:
            raise TooLargeError(f"has {archive}, which {error}") from None
        except UnreadableError as error:
            if has_code and isinstance(error, NoArchiveError):
                return
            remedy = "have it handed in again, as an ordinary zip"
            if not can_unpack(kind):
                remedy = f"unpack it in its folder, or {remedy}"
            elif not isinstance(error, NoArchiveError):
                self._left_unread -= 1
            if self._left_unread < 0:
                raise TooLargeError(
                    f"has more than {_MAX_UNREAD} archives that can't be read"
                ) from None
            self.unread[name] = f"{error}; {remedy}"
            return
        del found[name]
        if self.found == archive:
            self.found = f"{archive}: {counted(len(inner), 'file')}"
        folder = PurePosixPath(name).parent
        for own, content in unwrapped(inner, self.notes).items():
            path = str(folder / own)
            if found.setdefault(path, content) != content:
                self.notes.append(
                    f"left out {shown(own)} of {archive}, as there is another one "
                    "beside that"
                )


def _is_wanted(name: str, files: list[ExportFile], has_code: bool) -> bool:
    """Return True if an archive is to be unpacked, and not to be read by the bot."""
    names = [file.name for file in files if not file.refused]
    if any(is_code(x) or _may_hold(x) for x in names):
        return True
    return not has_code and _may_hold(name)


def _may_hold(name: str) -> bool:
    return name.lower().endswith(ARCHIVE_ENDS)


def _kind(name: str, data: bytes) -> str:
    """Return the format of an archive that is to be unpacked; empty if it is none."""
    is_one = _may_hold(name) or PurePosixPath(name).suffix in _OTHER_ENDS
    return archive_kind(data[:BEGIN_BYTES]) if is_one else ""


def too_much() -> TooLargeError:
    """Return the error that all files together are too large."""
    return TooLargeError(
        f"has more than {MAX_BYTES // 2**20} MiB in all; leave out what the bot does "
        "not need"
    )


def too_much_python() -> TooLargeError:
    """Return the error that all files in Python together are too large."""
    return TooLargeError(
        f"has more than {MAX_PYTHON_BYTES // 2**20} MiB of Python; put tables into a "
        "file of data"
    )

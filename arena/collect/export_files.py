"""The files of an export: a zip, a tar or a folder, read when they are needed."""

import io
import os
import re
import stat
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path, PurePath
from typing import IO

from arena.collect.archives import (
    ARCHIVE_ENDS,
    BEGIN_BYTES,
    ENCRYPTED,
    ArchiveLimits,
    archive_kind,
    by_name,
    can_unpack,
    files_of,
    read_most,
)
from arena.collect.litter import ENVIRONMENT, is_litter_folder, litter
from arena.collect.member_name import member_name
from arena.collect.submission import ExportFile, TooLargeError, UnreadableError
from arena.errors import ConfigError
from arena.league.entries.hand_ins.regular_files import (
    FILE_FLAGS,
    FOLDER_FLAGS,
    shown,
    why_not_regular,
)

_LIMITS = ArchiveLimits(entries=200_000, directory_bytes=2**25, tar_bytes=2**34)
_MAX_FOLDERS = 40
"""Folders in each other."""
_MAX_NESTED = 3
"""Archives in each other, with nothing else in them."""
_MAX_WRAPPED_BYTES = 2**31
_SENT = re.compile(r"_\d+_")
"""In the name of a file that a platform has put the number of its student into."""
_ALL = "…"
"""Stands for all files of a folder that are left out."""


@contextmanager
def open_export(path: Path) -> Iterator[Sequence[ExportFile]]:
    """Have the files of an export, by name, to be read as long as it is open.

    An archive in which there is nothing but another one stands for that.  For all files
    of a folder that is litter, such as `.git` or an environment of Python, there stands
    one, which is refused.

    Raises:
        ConfigError: it is no archive or folder, is damaged, or holds nothing.
    """
    with ExitStack() as stack, tempfile.TemporaryFile() as scratch:
        try:
            files = _files(path, stack, scratch)
        except UnreadableError as error:
            raise ConfigError(str(path), str(error)) from None
        except OSError as error:
            why = f"can't be read ({error.strerror or error})"
            raise ConfigError(str(path), why) from None
        if not files:
            raise ConfigError(
                str(path), "is empty; expected an export with files of students"
            )
        yield files


def _files(path: Path, stack: ExitStack, scratch: IO[bytes]) -> list[ExportFile]:
    if not os.path.exists(path):
        raise UnreadableError("no such file or folder")
    if os.path.isdir(path):
        found = by_name(_in_folder(path))
    else:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        file = stack.enter_context(os.fdopen(descriptor, "rb"))
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UnreadableError("is neither a file nor a folder")
        found = _in_archive(file, path.name, scratch)
    for _ in range(_MAX_NESTED):
        left_out = litter(one.name for one in found)
        alone = [one for one in found if one.name not in left_out]
        if len(alone) != 1 or not _is_wrapped(alone[0]):
            break
        inner = alone[0]
        data = inner.read(_MAX_WRAPPED_BYTES)
        found = _in_archive(io.BytesIO(data), inner.name, scratch)
    return found


def _is_wrapped(file: ExportFile) -> bool:
    """Return True if a file that is alone is an export, and not what a student sent."""
    is_archive = file.name.lower().endswith(ARCHIVE_ENDS)
    is_top = "/" not in file.name
    return is_archive and is_top and not file.refused and not _SENT.search(file.name)


def _in_archive(file: IO[bytes], name: str, scratch: IO[bytes]) -> list[ExportFile]:
    kind = archive_kind(file.read(BEGIN_BYTES))
    if not kind:
        raise UnreadableError(
            f"is no export; expected a zip, a tar or a folder, found {shown(name)}"
        )
    if not can_unpack(kind):
        raise UnreadableError(
            f"is a {kind} archive, which can't be unpacked here; unpack it, and "
            "name the folder"
        )
    found = files_of(file, kind, _LIMITS, scratch)
    if found and all(one.refused == ENCRYPTED for one in found):
        raise UnreadableError(f"{ENCRYPTED}; unpack it, and name the folder")
    return found


def _in_folder(top: Path) -> Iterator[ExportFile]:
    number: Counter[str] = Counter()
    for place, folders, files, here in os.fwalk(top, onerror=_fail):
        below = os.path.relpath(place, top)
        for folder in (below, *map(str, PurePath(below).parents)):
            number[folder] += len(files)
        if number["."] > _LIMITS.entries:
            raise TooLargeError(
                f"is a folder of more than {_LIMITS.entries:,} files"
                f"{_where_most(number)}"
            )
        is_deep = below.count("/") + 2 > _MAX_FOLDERS
        walked = []
        for name in sorted((*folders, *files)):
            path = os.path.normpath(os.path.join(below, name))
            status = os.stat(name, dir_fd=here, follow_symlinks=False)
            if not stat.S_ISDIR(status.st_mode):
                yield _file(top, path, status)
            elif is_deep:
                yield _left_out(
                    top, path, f"lies in {_MAX_FOLDERS} folders in each other"
                )
            elif is_litter_folder(name) or _is_there(f"{name}/{ENVIRONMENT}", here):
                yield _left_out(top, path, "is no work of a student")
            elif not os.access(name, os.R_OK | os.X_OK, dir_fd=here):
                yield _left_out(top, path, "can't be read (Permission denied)")
            else:
                walked.append(name)
        folders[:] = walked


def _where_most(number: Mapping[str, int]) -> str:
    """Return where most files of a folder are, given how many are in each; or nothing.

    One student may have as many as to stop all others.
    """
    most = [x for x in number if x != "." and 2 * number[x] > number["."]]
    if not most:
        return ""
    name = max(most, key=lambda x: x.count("/"))
    return f", most of them in {shown(name)}; move that elsewhere, and do it again"


def _file(top: Path, path: str, status: os.stat_result) -> ExportFile:
    name = member_name(os.fsencode(path))
    why = why_not_regular(status)
    return ExportFile(
        name.text,
        partial(_read, top, path),
        bool(status.st_mode & 0o111),
        name.refused or (f"is {why}" if why else ""),
        name.is_guessed,
    )


def _read(top: Path, path: str, most: int) -> bytes:
    """Return a file below a folder; no link is followed, whatever is there by now."""
    try:
        with ExitStack() as stack:
            *folders, last = path.split("/")
            here = os.open(top, os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY)
            stack.callback(os.close, here)
            for folder in folders:
                here = os.open(folder, FOLDER_FLAGS, dir_fd=here)
                stack.callback(os.close, here)
            descriptor = os.open(last, FILE_FLAGS, dir_fd=here)
            file = stack.enter_context(open(descriptor, "rb"))
            why = why_not_regular(os.fstat(descriptor))
            if why:
                raise UnreadableError(f"is {why}")
            return read_most(file, most)
    except OSError as error:
        raise UnreadableError(f"can't be read ({error.strerror or error})") from None


def _fail(error: OSError) -> None:
    raise error


def _is_there(name: str, folder: int) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return False
    return True


def _left_out(top: Path, path: str, why: str) -> ExportFile:
    """Return what stands for all files of a folder."""
    name = member_name(os.fsencode(f"{path}/{_ALL}"))
    return ExportFile(name.text, partial(_read, top, path), False, why)

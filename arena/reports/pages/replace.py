"""A folder that is replaced as a whole, or not at all."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.errors import RecordError

MARKER = "arena-report.txt"
"""Says that a folder may be replaced."""
_OLD = ".old"
_MARK = (
    "Written by `arena report`, which replaces this folder as a whole.\n"
    "Keep nothing of your own in it.\n"
)


@contextmanager
def replacing(folder: Path) -> Iterator[Path]:
    """Fill a new folder during a block, then replace the old one with it.

    Readers see the old one until the new one is complete.

    Raises:
        RecordError: it can't be written, and the old one is as it was; or the old one
            holds something else than a report.
    """
    folder = folder.resolve()
    _check_ours(folder)
    new = folder.with_name(f".{folder.name}.{os.getpid()}")
    old = new.with_name(f"{new.name}{_OLD}")
    try:
        _tidy(folder)
        new.mkdir(parents=True)
        try:
            (new / MARKER).write_text(_MARK, encoding="utf-8")
            yield new
            _swap(new, folder, old)
        except BaseException:
            shutil.rmtree(new, ignore_errors=True)
            raise
    except OSError as error:
        raise RecordError(
            f"{folder}: the pages can't be written ({error.strerror}); the games and "
            "an earlier report are as they were: make room or allow writing there, "
            "then run arena report again"
        ) from None


def _tidy(folder: Path) -> None:
    """Remove folders that killed processes left, and bring back those they had moved.

    A report without its marker, or of a process that still runs, is left alone.
    """
    for left in sorted(folder.parent.glob(f".{folder.name}.*")):
        number, _, _ = left.name.removeprefix(f".{folder.name}.").partition(".")
        if not (left / MARKER).is_file() or _runs(number):
            continue
        if left.name.endswith(_OLD) and not folder.exists():
            left.rename(folder)
        else:
            shutil.rmtree(left, ignore_errors=True)


def _runs(number: str) -> bool:
    try:
        os.kill(int(number), 0)
    except (ValueError, PermissionError):
        return True
    except ProcessLookupError:
        return False
    return True


def _check_ours(folder: Path) -> None:
    if not folder.exists() or (folder / MARKER).is_file():
        return
    if not folder.is_dir():
        raise RecordError(
            f"{folder}: is no folder; move it away or choose another with --output"
        )
    if any(folder.iterdir()):
        raise RecordError(
            f"{folder}: holds something else than a report (no {MARKER}), and would be "
            "replaced as a whole; move it away or choose another folder with --output"
        )


def _swap(new: Path, folder: Path, old: Path) -> None:
    if not folder.exists():
        new.rename(folder)
        return
    folder.rename(old)
    try:
        new.rename(folder)
    except BaseException:
        old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)

"""The whole of the pages, written beside the old ones and put in their place."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.errors import RecordError
from arena.league.store import Store
from arena.reports.games import Games
from arena.reports.pages.site import Site
from arena.reports.report import Report

MARKER = "arena-report.txt"
"""Says that a folder may be replaced."""
_MARK = (
    "Written by `arena report`, which replaces this folder as a whole.\n"
    "Keep nothing of your own in it.\n"
)


def write_pages(
    report: Report, games: Games, store: Store, folder: Path, results: str
) -> None:
    """Write all pages into `folder`, in the place of an earlier report.

    `results` is what the results folder is called in commands.  Readers see the old
    pages until the new ones are complete; the same league gives the same bytes.

    Raises:
        RecordError: they can't be written, and the old ones are as they were; or the
            folder holds something else.
    """
    with _replacing(folder) as new:
        site = Site(report, new, results)
        site.copy_static()
        site.write("index.html", "index.html", "Leaderboard")


@contextmanager
def _replacing(folder: Path) -> Iterator[Path]:
    """Let a new folder be filled, then put it in the place of the old one.

    Raises:
        RecordError: as for `write_pages`.
    """
    folder = folder.resolve()
    _check_ours(folder)
    new = folder.with_name(f".{folder.name}.{os.getpid()}")
    old = folder.with_name(f".{folder.name}.{os.getpid()}.old")
    try:
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


def _check_ours(folder: Path) -> None:
    if not folder.exists() or (folder / MARKER).is_file():
        return
    if not folder.is_dir():
        raise RecordError(f"{folder}: is no folder; choose another with --output")
    if any(folder.iterdir()):
        raise RecordError(
            f"{folder}: holds something else than a report (no {MARKER}), and would be "
            "replaced as a whole; choose another folder with --output"
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

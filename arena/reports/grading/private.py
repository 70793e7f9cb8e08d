"""The folder of a league's results that is for nobody but the instructor."""

from collections.abc import Iterable
from pathlib import Path

from arena.league.config.whose_bots import FILE, WhoseBot, whose_bots_text
from arena.league.entries.entry import Entry
from arena.reports.writing import make_folder, write_text

FOLDER = FILE.parent.name


def private_folder(results: Path) -> Path:
    """Return the folder, which only its owner may open; it is made if need be.

    Raises:
        RecordError: it can't be made, or is a link to somewhere else.
    """
    folder = results / FOLDER
    make_folder(folder, 0o700)
    return folder


def write_whose_bots(entries: Iterable[Entry], results: Path) -> None:
    """Write whose bots these are, if they are any student's.

    Raises:
        RecordError: that can't be written.
    """
    bots = tuple(
        WhoseBot(entry.id, entry.name, entry.file, entry.students)
        for entry in sorted(entries, key=lambda e: (e.students, e.id))
        if entry.students
    )
    if bots:
        write_text(private_folder(results) / FILE.name, [whose_bots_text(bots)])

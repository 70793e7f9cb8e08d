"""The folder of a league's results that is for nobody but the instructor."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from arena.errors import RecordError
from arena.league.config.info import LeagueInfo
from arena.league.config.whose_bots import (
    FILE,
    WhoseBot,
    read_whose_bots,
    whose_bots_text,
)
from arena.league.entries.entry import Entry
from arena.league.entries.looks import fit_to_print, looks_of
from arena.reports.writing import make_folder, write_text

FOLDER = FILE.parent.name


def private_folder(results: Path) -> Path:
    """Return the folder, which only its owner may open; it is made if need be.

    Raises:
        RecordError: it can't be made or closed, or is a link to somewhere else.
    """
    folder = results / FOLDER
    make_folder(folder, 0o700)
    try:
        # It may have been there, open to all, in a folder that was handed over.
        folder.chmod(0o700)
    except OSError as error:
        raise RecordError(
            f"{folder}: can't be closed to others ({error.strerror}); move it away"
        ) from None
    return folder


def write_whose_bots(entries: Iterable[Entry], results: Path) -> None:
    """Write whose bots these are, if they are any student's.

    Raises:
        RecordError: that can't be written.
    """
    bots = tuple(
        WhoseBot(entry.id, entry.name, entry.file, entry.students, entry.called)
        for entry in sorted(entries, key=lambda e: (e.students, e.id))
        if entry.students
    )
    if bots:
        write_text(private_folder(results) / FILE.name, [whose_bots_text(bots)])


def organiser_names(info: LeagueInfo, results: Path) -> dict[str, str]:
    """Return what bots are called in tables for the organiser alone, by their ids.

    Of those that are called otherwise than in all tables: by their students.

    Raises:
        ConfigError: the file that says it is damaged.
    """
    called = {
        bot.entry: fit_to_print(bot.called)
        for bot in read_whose_bots(str(results), results)
    }
    names = {entry.id: called.get(entry.id) or entry.name for entry in info.entries}
    # The file may be of another run than the league.
    looks = Counter(
        look
        for entry in info.entries
        for look in looks_of(names[entry.id]) | looks_of(entry.name)
    )
    return {
        entry.id: names[entry.id]
        for entry in info.entries
        if names[entry.id] != entry.name
        and all(looks[look] == 1 for look in looks_of(names[entry.id]))
    }

"""The folder of a league's results that is for nobody but the instructor."""

from collections import Counter
from collections.abc import Container, Iterable
from contextlib import suppress
from pathlib import Path

from arena.errors import ConfigError, RecordError
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


def write_whose_bots(
    entries: Iterable[Entry], results: Path, known: Container[str] = ()
) -> None:
    """Write whose bots these are, if they are any student's.

    What is said of other entries stays if they are `known`, by their ids, as long as
    none of these has their file.

    Raises:
        RecordError: that can't be written.
    """
    entries = [*entries]
    ids, files = {x.id for x in entries}, {x.file for x in entries}
    bots = tuple(
        WhoseBot(entry.id, entry.name, entry.file, entry.students, entry.called)
        for entry in sorted(entries, key=lambda e: (e.students, e.id))
        if entry.students
    )
    if bots:
        earlier: tuple[WhoseBot, ...] = ()
        # A damaged file is written anew.
        with suppress(ConfigError):
            earlier = read_whose_bots(str(results), results)
        bots += tuple(
            bot
            for bot in earlier
            if bot.entry in known and bot.entry not in ids and bot.file not in files
        )
        write_text(private_folder(results) / FILE.name, [whose_bots_text(bots)])


def organiser_names(info: LeagueInfo, results: Path) -> dict[str, str]:
    """Return what bots are called in tables for the organiser alone, by their ids.

    Of those that are called otherwise than in all tables: by their students.  Bots that
    the league no longer has are among them.

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
    found = {
        entry.id: names[entry.id]
        for entry in info.entries
        if names[entry.id] != entry.name
        and all(looks[look] == 1 for look in looks_of(names[entry.id]))
    }
    # Who hands in under another file's name is there still.
    gone = {
        entry: name
        for entry, name in called.items()
        if name and entry not in names and looks.keys().isdisjoint(looks_of(name))
    }
    return gone | found

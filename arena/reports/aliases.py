"""Aliases: what bots are called on pages that all may see, and whose they are.

An alias is two words that a keyed hash (BLAKE2b, RFC 7693) of the entry's id names.
Who does not know the secret can't work out whose it is; who keeps the secret and the
bots gets the same aliases again.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec.structs import replace

from arena.league.info import EntryInfo, LeagueInfo
from arena.referee.record import Fault

_UNSAID = "said to its author only"


def aliases_for(info: LeagueInfo, folder: Path) -> dict[str, str]:
    """Return what each entry is called in public, by its id.

    The bots that others are compared with keep their names: references, the anchor,
    and those that a pass mark names.  Aliases that were given before are kept, as
    `private/aliases.csv` in the results `folder` has them; it is written anew.

    Raises:
        ConfigError: the league has no secret to make aliases from, or its grading
            names what is not there.
        RecordError: the file is damaged, or can't be written.
    """
    raise NotImplementedError


def hide_entries(
    entries: Iterable[EntryInfo], names: Mapping[str, str]
) -> tuple[EntryInfo, ...]:
    """Return entries under their aliases; who has one has no file any more.

    The ids are the entries' own still: they are what records go by.
    """
    return tuple(
        replace(entry, refused=_UNSAID if entry.refused else "", code="")
        if names[entry.id] == entry.name
        else replace(
            entry,
            name=names[entry.id],
            file="",
            refused=_UNSAID if entry.refused else "",
            code="",
        )
        for entry in entries
    )


def hide_fault(fault: Fault) -> Fault:
    """Return a fault without anything that the bot has written or is known by."""
    return replace(fault, entry="", message=_UNSAID, traceback="", output="", action="")

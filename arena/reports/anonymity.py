"""What a report leaves out where bots go by aliases."""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from arena.league.config.info import EntryInfo
from arena.records.game_record import Fault, Termination

_UNSAID = "the reason is told to its author only"
_NOT_PLAYED = "not played: it had forfeited too many games in a row before"


def hide_entries(
    entries: Iterable[EntryInfo], names: Mapping[str, str]
) -> tuple[EntryInfo, ...]:
    """Return entries under their aliases; who has one has no file any more.

    The ids are the entries' own still: they are what records go by.
    """
    return tuple(
        replace(
            entry,
            name=names[entry.id],
            file=entry.file if names[entry.id] == entry.name else "",
            refused=_UNSAID if entry.refused else "",
            code="",
            bot="",
            stem="",
            place="",
            owners=(),
        )
        for entry in entries
    )


def hide_fault(fault: Fault) -> Fault:
    """Return a fault without anything that the bot has written or is known by."""
    is_quarantine = fault.termination == Termination.QUARANTINE
    message = _NOT_PLAYED if is_quarantine else _UNSAID
    return replace(fault, entry="", message=message, traceback="", output="", action="")

"""What bots have in common, so that they count as one in the overall Elo."""

from collections.abc import Iterable

from arena.league.config.info import EntryInfo
from arena.reports.oddities import owners_of


def in_common(entries: Iterable[EntryInfo]) -> dict[str, tuple[int, ...]]:
    """Return for each entry, by its id, the numbers of what it shares with others.

    Those of one file, of one student or of one code share a number, from 0.  Numbers
    follow from the names of those who share, and tell nothing else.
    """
    entries = tuple(entries)
    sharing: dict[str, set[str]] = {}
    for entry in entries:
        code = (f"code: {entry.code} {entry.bot}",) if entry.code else ()
        for owner in (*owners_of(entry), *code):
            sharing.setdefault(owner, set()).add(entry.name)
    groups = {tuple(sorted(names)) for names in sharing.values() if len(names) > 1}
    numbered = list(enumerate(sorted(groups)))
    return {
        entry.id: tuple(n for n, names in numbered if entry.name in names)
        for entry in entries
    }

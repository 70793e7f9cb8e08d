"""Aliases: the names of bots on public pages, and the file that says whose they are.

An alias is two words that a keyed hash (BLAKE2b, RFC 7693) of the entry's id names.
Who does not know the key can't work out whose it is; who keeps the key and the bots
gets the same aliases again.
"""

import csv
import io
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import NamedTuple

from arena.errors import ConfigError, RecordError
from arena.league.config.info import LeagueInfo, PlayedLuck
from arena.league.config.small_file import read_small
from arena.league.config.students import staff
from arena.league.entries.looks import looks_of
from arena.league.results.league_keys import check_own
from arena.league.results.secret import read_secret, secret_path
from arena.reports.grading.alias_words import ADJECTIVES, ANIMALS
from arena.reports.grading.hand_ins import students_by_entry
from arena.reports.grading.private import private_folder
from arena.reports.writing import Cell, csv_text, safe, write_text

FILE_NAME = "aliases.csv"
_COLUMNS = ("alias", "entry", "bot", "file", "student")
_REMEDY = "mend it, or remove the file to have all aliases made anew"


def alias_key(info: LeagueInfo, results: Path, text: str | None = None) -> bytes:
    """Return the key of a league's aliases.

    It is made of the aliases key that lies beside the `results`, and of the `text` of
    `pseudonyms`: None for the one that the league was played with.  With public luck
    there is only the text.

    Raises:
        ConfigError: the luck is public and there is no text.
        RecordError: the keys are missing, or those of another league.
    """
    secret = read_secret(results)
    played = PlayedLuck(seed=info.seed, commitment=info.commitment)
    if secret is not None:
        check_own(secret, results, played)
        text = secret.pseudonyms if text is None else text
    if info.commitment:
        if secret is None:
            raise RecordError(
                f"{secret_path(results)}: the keys of this league are missing, and its "
                "aliases are made with them; bring them here with `arena secret "
                "import`, or show real names with --names real"
            )
        return blake2b((text or "").encode(), key=secret.aliases).digest()
    if not text:
        raise ConfigError(
            info.name,
            "the luck of this league is public, so it has no key that aliases could be "
            "made with; set pseudonyms to a text of 8 letters or more in the league's "
            "file and give it by --config, or show real names with --names real",
        )
    return blake2b(text.encode()).digest()


def aliases_for(info: LeagueInfo, folder: Path, key: bytes) -> dict[str, str]:
    """Return the public name of each entry, by its id.

    `key` is that of `alias_key`.

    The bots that others are compared with keep their names: references, the anchor,
    and those that a pass mark names.  Aliases that were given before are kept, as
    `private/aliases.csv` in the results `folder` has them; it is written anew.

    Raises:
        ConfigError: the league's grading names what is not there.
        RecordError: the file is damaged, or can't be written.
    """
    known = staff(info)
    entries = {entry.id: entry for entry in info.entries if entry.id not in known}
    path = private_folder(folder) / FILE_NAME
    before = _read(path)
    looks = {entry.id: looks_of(entry.name) for entry in info.entries}
    kept = frozenset[str]().union(*(looks[id_] for id_ in known & looks.keys()))
    given = {
        id_: row.alias
        for id_ in entries
        for row in [before.get(safe(id_))]
        if row is not None and not looks_of(row.alias) & kept
    }
    taken = kept.union(*looks.values(), *(looks_of(x.alias) for x in before.values()))
    for id_ in sorted(entries.keys() - given.keys()):
        alias = next(x for x in _candidates(key, id_) if not looks_of(x) & taken)
        taken |= looks_of(alias)
        given[id_] = alias
    students = students_by_entry(info)
    rows = {
        safe(id_): _Row(
            given[id_], id_, entry.name, entry.file, ", ".join(students.get(id_, ()))
        )
        for id_, entry in entries.items()
    }
    # Who has left may come back.
    _write(path, (before | rows).values())
    return {entry.id: given.get(entry.id, entry.name) for entry in info.entries}


class _Row(NamedTuple):
    """One line of the file."""

    alias: str
    entry: str
    bot: str
    file: str
    student: str


def _candidates(key: bytes, entry: str) -> Iterator[str]:
    """Yield the aliases that an entry may have, best first."""
    for attempt in count():
        text = f"{attempt} {entry}".encode()
        first, second = blake2b(text, key=key, digest_size=2).digest()
        words = ADJECTIVES[first], ANIMALS[second]
        yield " ".join(word.capitalize() for word in words)


def _read(path: Path) -> dict[Cell, _Row]:
    """Return the lines of the file by entry, if there is one."""
    try:
        text = read_small(path).decode("utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path}: can't be read ({error}); {_REMEDY}") from None
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        header, *rows = [(reader.line_num, cells) for cells in reader] or [(1, [])]
    except csv.Error as error:
        raise RecordError(f"{path}: is no CSV file ({error}); {_REMEDY}") from None
    if tuple(header[1]) != _COLUMNS:
        raise RecordError(
            f"{path}:1: expected the columns {', '.join(_COLUMNS)}; {_REMEDY}"
        )
    found: dict[Cell, _Row] = {}
    aliases: set[str] = set()
    for line, cells in rows:
        where = f"{path}:{line}"
        if len(cells) != len(_COLUMNS):
            raise RecordError(f"{where}: expected {len(_COLUMNS)} cells; {_REMEDY}")
        row = _Row(*cells)
        if not row.alias or row.alias.casefold() in aliases or row.entry in found:
            raise RecordError(
                f"{where}: the alias {row.alias!r} of {row.entry} is empty or here "
                f"twice; {_REMEDY}"
            )
        aliases.add(row.alias.casefold())
        found[row.entry] = row
    return found


def _write(path: Path, rows: Iterable[_Row]) -> None:
    write_text(path, [csv_text(_COLUMNS, sorted(rows))])

"""Whose bots are: students found for entries, the ids that follow, and who brings many.

A student's bot is the same entry whatever its file and class are called: its id is a
hash of its students, and of its place among what they have handed in.  The id tells
nobody who they are: it hangs on the league's key of ids.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, Self

import msgspec

from arena.games import derive_seed
from arena.league.built_in.bots import is_built_in
from arena.league.config.info import find_entry
from arena.league.config.league_file import LeagueConfig
from arena.league.config.settings import NEWEST_FORM
from arena.league.config.students import StudentRow, bots_of, read_students
from arena.league.entries.bot_file import BotFile
from arena.league.entries.entry import Entry, place_of
from arena.league.entries.looks import fit_to_print, looks_of
from arena.text import counted, cut, one_line, some_of

_DIGITS = 20
_SHOWN = 5
"""Files or students in a note."""
_MAX_CHARS = 120
"""Of the students of a file in a note."""


class LeftOut(NamedTuple):
    """A bot that may not play."""

    entry: Entry
    why: str = ""
    copy_of: Entry | None = None
    """The bot of the same students that plays in its place, and is the same."""


@dataclass(frozen=True, slots=True)
class Owners:
    """Whose the bots of a league are, as its students' file says."""

    path: Path
    rows: tuple[StudentRow, ...]
    key: bytes
    """The league's key of ids; empty if its luck is public."""

    def identified(self, entries: Sequence[Entry]) -> tuple[Entry, ...]:
        """Return entries with their students, and with ids that follow from these.

        `entries` have the ids of their files, and are in their order.  A bot that the
        league's file names keeps its id.
        """
        whose: dict[str, set[str]] = {}
        """The students of each file, and of each bot with a name; in the order of the
        lines, also those that are not there."""
        for row in self.rows:
            for part in self._parts(entries, row):
                whose.setdefault(part, set()).add(row.who)
        numbers: Counter[tuple[str, ...]] = Counter()
        number_of = {}
        for part, students in whose.items():
            own = tuple(sorted(students))
            number_of[part] = numbers[own]
            numbers[own] += 1
        in_file: Counter[str] = Counter()
        found = []
        for entry in entries:
            file = str(entry.path)
            students = whose.get(file, set()) | whose.get(_named(entry), set())
            own = tuple(sorted(students))
            id_ = entry.id
            if own and not entry.is_named:
                number, nth = number_of[file], in_file[file]
                in_file[file] += 1
                id_ = self._hash("entry", number, nth, *own)
            owners = tuple(self._hash("student", student) for student in own)
            found.append(replace(entry, id=id_, students=own, owners=owners))
        return tuple(found)

    def _parts(self, entries: Sequence[Entry], row: StudentRow) -> set[str]:
        """Return what `whose` calls the bots of a row."""
        if not row.file:
            return set()
        found, _ = bots_of(entries, row.file)
        named = row.file == found[0].id if found else False
        parts = {_named(e) if named else str(e.path) for e in found}
        return parts or {f"no {row.file.casefold()}"}

    def called(self) -> dict[str, str]:
        """Return what people call each student, by `StudentRow.who`; no two look alike.

        That is the name that the file has, else what stands before the @ of an e-mail
        address, else what the file calls the student.
        """
        names: dict[str, tuple[str, str]] = {}
        for row in reversed(self.rows):
            user, at, _ = row.student.partition("@")
            own = names.get(row.who, (row.student, ""))[1]
            names[row.who] = row.student, row.name or own or (user if at else "")
        shown = {who: fit_to_print(name or key) for who, (key, name) in names.items()}
        looks = Counter(look for name in shown.values() for look in looks_of(name))
        found: dict[str, str] = {}
        for who, (student, _) in names.items():
            name = shown[who]
            if not name or any(looks[look] > 1 for look in looks_of(name)):
                name = one_line(f"{name} {student}").strip()
            found[who] = name
        return found

    def lines(self, entries: Sequence[Entry]) -> dict[Path, list[int]]:
        """Return the numbers of the lines that name each file, from 0."""
        found: dict[Path, list[int]] = {}
        for i, row in enumerate(self.rows):
            for path in {e.path for e in bots_of(entries, row.file)[0] if row.file}:
                found.setdefault(path, []).append(i)
        return found

    def without_copies(
        self, entries: Sequence[Entry], staff: Collection[str]
    ) -> tuple[tuple[Entry, ...], list[LeftOut]]:
        """Return entries of which none is a copy of another one by the same students.

        Of copies that plays which the students' file names last, as the entry that the
        first of them is.  Bots with a name from the league's file, and those of the
        `staff`, by their ids, are no copies.
        """
        lines = self.lines(entries)
        copies: dict[object, list[Entry]] = {}
        for entry in sorted(
            entries, key=lambda e: (lines.get(e.path, [-1]), e.file_id)
        ):
            if entry.owners and not entry.is_named and entry.id not in staff:
                params = msgspec.json.encode(entry.params, order="sorted")
                code = entry.hand_in.alike or entry.code
                key = entry.owners, code, entry.bot, params, entry.command
                copies.setdefault(key, []).append(entry)
        kept = {entry.id: entry for entry in entries}
        left = []
        for same in copies.values():
            last = max(same, key=lambda e: lines.get(e.path, [-1])[-1])
            others = [entry for entry in same if entry is not last]
            left += [LeftOut(entry, copy_of=last) for entry in others]
            for entry in others:
                del kept[entry.id]
            kept[last.id] = replace(last, id=same[0].id)
        return tuple(kept.values()), left

    def _hash(self, *parts: str | int) -> str:
        return derive_seed("owner", self.key, *parts).hex()[:_DIGITS]

    def notes(
        self,
        entries: Sequence[Entry],
        staff: Collection[str],
        files: Sequence[BotFile] = (),
    ) -> Iterator[tuple[str, str]]:
        """Yield what does not fit, behind the name of the students' file.

        That are files without a bot, and bots without a student, apart from those of
        the `staff`, by their ids.  Of `files` without a bot there are notes already.
        """
        others = [_NoBot(file) for file in files if not file.entries]
        missing = [
            row.file
            for row in self.rows
            if row.file
            and not bots_of(entries, row.file)[0]
            and not bots_of(others, row.file)[0]
        ]
        if missing:
            yield (
                self.path.name,
                f"{counted(len(missing), 'file')} in it {_are(missing)} no bot of this "
                f"league: {some_of(missing[:_SHOWN], len(missing))}",
            )
        nobody = sorted(
            {
                e.file
                for e in entries
                if not (e.owners or e.id in staff or is_built_in(e.path))
            }
        )
        if nobody:
            yield (
                self.path.name,
                f"names no student for {some_of(nobody[:_SHOWN], len(nobody))}; their "
                "bots are entered by file and class",
            )


class _NoBot:
    """A hand-in without a bot, by what `bots_of` finds it."""

    id = name = ""

    def __init__(self, file: BotFile) -> None:
        self.file = file.shown
        self.stem = file.stem
        self.place = place_of(file.path)


def _named(entry: Entry) -> str:
    """Return what a bot is called that the league's file gives a name."""
    return f"bot {entry.id}" if entry.is_named else ""


def _are(things: Sequence[object]) -> str:
    return "is" if len(things) == 1 else "are"


@dataclass(frozen=True, slots=True)
class Admission:
    """What a league's file says of who takes part, beside where their files are."""

    owners: Owners | None = None
    most: int | None = None
    """Bots that a student, or a file of nobody, may bring."""
    staff: tuple[str, ...] = ()
    """What the file calls the bots that others are compared with."""
    form: int = NEWEST_FORM
    """Of the league (`LeagueConfig.form`)."""

    @classmethod
    def of(cls, config: LeagueConfig, key: bytes) -> Self:
        """Return that of a league whose key of ids is `key`.

        Raises:
            ConfigError: the students' file can't be read, or a line is wrong.
        """
        grading = config.grading
        owners = None
        if grading is not None and grading.students is not None and config.form > 1:
            path = Path(grading.students)
            owners = Owners(path, read_students(path), key)
        anchor = [config.anchor.bot] if config.anchor else []
        beaten = [beats.bot for beats in grading.beats] if grading else []
        staff = (*anchor, *config.references, *beaten) if config.form > 1 else ()
        return cls(owners, config.most_bots, staff, config.form)

    def admit(
        self, entries: Sequence[Entry], files: Sequence[BotFile] = ()
    ) -> tuple[Sequence[Entry], Sequence[LeftOut], Sequence[tuple[str, str]]]:
        """Return who may play, and under which id; the others, and why; and notes.

        `entries` have the ids of their files, and are those in `files`.  Each note has
        the file that it is about.
        """
        notes: list[tuple[str, str]] = []
        left: list[LeftOut] = []
        if self.owners is not None:
            entries = self.owners.identified(entries)
            notes += self.owners.notes(entries, self.staff_of(entries), files)
            if self.form > 4:
                staff = self.staff_of(entries)
                entries, left = self.owners.without_copies(entries, staff)
        if self.most is not None:
            staff = self.staff_of(entries)
            entries, others = _within(entries, self.most, staff, self.owners)
            left += others
        return entries, left, notes

    def students_of(
        self, entries: Sequence[Entry], files: Sequence[BotFile]
    ) -> dict[str, str]:
        """Return the students of files, in brackets, by `Entry.file`.

        Left out are files of nobody, and those that are called as their student.

        `files` are all hand-ins, `entries` the bots in them.
        """
        others = [_NoBot(file) for file in files if not file.entries]
        found: dict[str, dict[str, None]] = {}
        for row in self.owners.rows if self.owners else ():
            own: Sequence[Entry | _NoBot] = ()
            if row.file:
                own = bots_of(entries, row.file)[0] or bots_of(others, row.file)[0]
            for bot in own:
                found.setdefault(bot.file, {})[row.student] = None
        return {
            file: f" ({cut(one_line(some_of([*own][:_SHOWN], len(own))), _MAX_CHARS)})"
            for file, own in found.items()
            if [*own] != [file]
        }

    def staff_of(self, entries: Sequence[Entry]) -> frozenset[str]:
        """Return the ids of the bots that others are compared with."""
        found = (find_entry(entries, name) for name in self.staff)
        return frozenset(entry.id for entry in found if entry is not None)


def _within(
    entries: Sequence[Entry], most: int, staff: Collection[str], owners: Owners | None
) -> tuple[tuple[Entry, ...], list[LeftOut]]:
    """Return the bots that may play if nobody may bring more than `most`; and the rest.

    With each of the rest comes the reason.  Of a student's bots those of the files that
    the students' file names first may play, else those of a file; of one file those of
    the classes that come first in the alphabet.  Bots that the league's file gives a
    name, and those of files with a bot of the `staff`, are not counted.
    """
    files = {entry.path for entry in entries if entry.id in staff}
    line = {
        path: own[0] for path, own in (owners.lines(entries) if owners else {}).items()
    }
    brought: Counter[str] = Counter()
    kept, left = [], []
    for entry in sorted(entries, key=lambda e: (line.get(e.path, -1), e.file_id)):
        if entry.is_named or entry.path in files:
            kept.append(entry)
            continue
        whose = entry.owners or (str(entry.path),)
        if max(brought[who] for who in whose) < most:
            brought.update(whose)
            kept.append(entry)
            continue
        what = "a student" if entry.owners else "a file"
        left.append(LeftOut(entry, f"{what} may bring {counted(most, 'bot')}"))
    order = {entry.id: i for i, entry in enumerate(entries)}
    return tuple(sorted(kept, key=lambda e: order[e.id])), left

"""A folder of hand-ins, made of exports: one folder for each student.

    FOLDER/students.csv           a row for each student
    FOLDER/ana-alder/             what plays, in a folder that keeps its name
    FOLDER/_earlier/ana-alder-1/  what came before, or does not count

All that is known lies in `.collected.json` in each of these, and in `students.csv`.
Nothing is overwritten: what is new is written beside, and put in place by renaming, and
where a run has ended in the middle, the next one finds what is not in its place yet.
"""

import dataclasses
import errno
import os
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from arena.collect.attempt import (
    Attempt,
    contents_hash,
    files_hash,
    read_attempt,
    who,
    write_attempt,
)
from arena.collect.collected import Collected, Row
from arena.collect.deadline import Deadline, in_one_zone
from arena.collect.folder_names import folder_name
from arena.collect.platforms.listing import TYPED
from arena.collect.prepare import prepare
from arena.collect.roster import Roster, Student, read_roster
from arena.collect.submission import Export, Person
from arena.collect.whose import Whose, find_whose
from arena.errors import ConfigError, RecordError
from arena.league.config.students import STUDENTS_FILE, spelt_alike
from arena.league.entries.looks import shape_of
from arena.league.results.database import locked
from arena.text import counted, one_line, some_of

EARLIER = "_earlier"
_NEW = ".new-"
_SHOWN = 5
_OF_THE_NAME = (
    errno.EEXIST,
    errno.EILSEQ,
    errno.EINVAL,
    errno.EISDIR,
    errno.ENAMETOOLONG,
    errno.ENOTDIR,
)
"""What a disk says that can't have a file of that name: none stops all others."""
REMEDY = (
    "what lay there is safe: make room or allow writing there, then run the same again"
)


@dataclass(frozen=True, slots=True)
class Wishes:
    """What an instructor asks for."""

    students: Path | None = None
    """The list of students; without it that of the run before."""
    key: str | None = None
    """The header of the column by which the gradebook knows students."""
    deadline: Deadline | None = None
    in_time: bool = False
    """True if what is late does not count."""
    all_attempts: bool = False
    """True if those before the latest are hand-ins too."""


@dataclass(slots=True, eq=False)
class Lying:
    """An attempt, and where it lies."""

    attempt: Attempt
    place: Path
    written: Attempt | None
    """What is in its folder; None if it is new and not in its place."""
    people: tuple[Person, ...]

    @property
    def is_new(self) -> bool:
        """True if it has come in this run."""
        return self.written is None

    @property
    def has_come(self) -> bool:
        """True if this run has made it later than all before."""
        return self.written is None or self.written.number < self.attempt.number


@contextmanager
def collecting(folder: Path, wishes: Wishes) -> Iterator["Collector"]:
    """Have a collector that writes into a folder, which may be new.

    Raises:
        BusyError: another one does.
        ConfigError: the list of students can't be read, or the folder is none.
        RecordError: it can't be written, or what is known of its hand-ins is damaged.
    """
    if folder.exists() and not folder.is_dir():
        raise ConfigError(str(folder), "is a file; name a folder with --into")
    is_made = not folder.exists()
    try:
        # There is more about students in it than is everybody's.
        folder.mkdir(0o700, parents=True, exist_ok=True)
        with locked(folder, "another arena collect writes there", "--into"):
            for left in folder.glob(f"{_NEW}*"):
                if left.is_dir() and not left.is_symlink():
                    shutil.rmtree(left)
            with tempfile.TemporaryDirectory(prefix=_NEW, dir=folder) as new:
                yield Collector(folder, wishes, Path(new))
    except OSError as error:
        raise RecordError(
            f"{folder}: can't be written ({error.strerror}); {REMEDY}"
        ) from None
    finally:
        if is_made and folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


class Collector:
    """Takes exports, and puts hand-ins in place."""

    def __init__(self, folder: Path, wishes: Wishes, new: Path) -> None:
        """Read what lies in `folder`; `new` is an empty folder in it."""
        self._folder = folder
        self._wishes = wishes
        self._new = new
        self._lying = _read(folder)
        before = _list_before(folder, is_first=not self._lying)
        self._roster = before or Roster()
        if wishes.students is not None:
            self._roster = read_roster(wishes.students, wishes.key)
        self._is_other_list = before and not self._roster.has_all_of(before)
        self._known = {x.attempt.mark: x for x in self._lying}
        self._told: list[Lying] = []
        """What the exports of this run have, in their order."""
        self._put_by: list[Lying] = []
        """What was mended and is no longer what counts."""
        self._left: list[tuple[str, str, str]] = []
        self._found: list[tuple[str, str, int]] = []

    def take(self, name: str, export: Export) -> None:
        """Unpack what is new in an export that is open; `name` is what it is called.

        Raises:
            OSError: it can't be written.
        """
        # What was typed is said of who has typed it.
        self._left += [(name, *left) for left in export.left if left[1] != TYPED]
        self._found.append((name, export.platform, len(export.submissions)))
        for submission in export.submissions:
            contents = contents_hash(submission)
            people = who(export.platform, submission.people)
            mark = people, submission.submitted, submission.order, contents
            if mark in self._known:
                self._told.append(self._known[mark])
                continue
            number = self._next_number()
            prepared = prepare(submission)
            place = self._new / str(number)
            hidden = _write(place, prepared.files)
            attempt = Attempt(
                members=(),
                platform=export.platform,
                source=submission.source,
                submitted=submission.submitted,
                order=submission.order,
                is_late=submission.is_late,
                number=number,
                folder="",
                contents=contents,
                files=files_hash(place),
                found=prepared.found,
                problem=prepared.problem,
                notes=(*prepared.notes, *hidden),
            )
            new = Lying(attempt, place, None, submission.people)
            self._known[mark] = new
            self._told.append(new)
            self._lying.append(new)

    def _next_number(self) -> int:
        return 1 + max((x.attempt.number for x in self._lying), default=0)

    def put_in_place(self) -> Collected:
        """Put in place what was taken, and what lay elsewhere than it should.

        Raises:
            ConfigError: it is not known when the deadline is.
            OSError: it can't be written; the next run goes on.
        """
        self._check_zone()
        added = {
            spelt_alike(key)
            for x in self._lying
            for member in x.attempt.members
            if not member.is_listed
            for key in member.students
        }
        whose = find_whose(
            self._roster,
            [x.attempt for x in self._lying if not x.is_new],
            [(x.attempt.platform, p) for x in self._lying for p in x.people],
        )
        for x in self._lying:
            members = whose.of(x.attempt.platform, x.people)
            x.attempt = replace(x.attempt, members=members)
        self._number_anew()
        playing = self._playing()
        self._name_folders(playing)
        for x in self._lying:
            if x.attempt != x.written:
                write_attempt(x.place, x.attempt)
        back = [x.attempt.folder for x in playing if x.place.parent.name == EARLIER]
        self._move(playing)
        gone = added - {
            spelt_alike(key) for x in self._lying for key in x.attempt.students
        }
        return Collected(
            folder=self._folder,
            roster=self._roster,
            rows=tuple(self._rows(whose, gone, playing)),
            unlisted=whose.unlisted,
            left=tuple(self._left),
            found=tuple(self._found),
            is_first=all(x.is_new for x in self._lying),
            on_times=tuple(self._on_times()),
            old_list=self._old_list() if self._is_other_list else "",
            back=tuple(back),
        )

    def _old_list(self) -> str:
        names = (f"_students-{number}.csv" for number in count(1))
        return next(x for x in names if not os.path.lexists(self._folder / x))

    def _number_anew(self) -> None:
        """Let the export that is collected last say which attempt is the latest.

        That is only so where nothing else tells; so an older export that was collected
        after a newer one is mended by collecting the newer one again.
        """
        last = {key: x for x in self._told for key in x.attempt.students}
        for student, some in self._by_student().items():
            told = last.get(student)
            if told is not None and told is not some[-1] and not _are_ordered(some):
                told.attempt = replace(told.attempt, number=self._next_number())

    def _by_student(self) -> dict[str, list[Lying]]:
        """Return the attempts of each student, in order."""
        found = defaultdict(list)
        for x in self._lying:
            for key in x.attempt.students:
                found[key].append(x)
        return {key: _in_order(some) for key, some in found.items()}

    def _playing(self) -> list[Lying]:
        """Return the attempts that are somebody's latest one that counts."""
        latest = [
            [x for x in some if self._may_count(x)][-1:]
            for some in self._by_student().values()
        ]
        found = [x for some in latest for x in some]
        return [x for x in self._lying if x in found]

    def _may_count(self, lying: Lying) -> bool:
        return not (self._wishes.in_time and self._late(lying.attempt))

    def _late(self, attempt: Attempt) -> str:
        """Return how late an attempt was; nothing if it was in time."""
        deadline = self._wishes.deadline
        if deadline is None or attempt.submitted is None:
            return "yes" if attempt.is_late else ""
        return deadline.how_late(attempt.submitted)

    def _check_zone(self) -> None:
        """Check that the deadline has a zone if the times of hand-ins have one."""
        deadline = self._wishes.deadline
        if deadline is None or deadline.due.tzinfo is not None:
            return
        times = [x.attempt.submitted for x in self._lying]
        zones = {time.tzname() or "" for time in times if time is not None} - {""}
        if zones:
            raise ConfigError(
                "--deadline",
                f"has no zone, and the times of these hand-ins are in {min(zones)}: "
                "write it with a time and your zone, such as '2026-11-29 18:00+01:00'",
            )

    def _on_times(self) -> Iterator[str]:
        deadline = self._wishes.deadline
        attempts = [x.attempt for x in self._lying]
        if deadline is not None or self._wishes.in_time:
            unknown = [
                x
                for x in attempts
                if x.is_late is None and (deadline is None or x.submitted is None)
            ]
            if unknown:
                some = counted(len(unknown), "attempt")
                has_times = any(x.submitted is not None for x in unknown)
                remedy = "; give --deadline" if deadline is None and has_times else ""
                yield (
                    f"nobody knows if {some} of {len(attempts)} came in time; what is "
                    f"not known to be late counts{remedy}"
                )

    def _is_in_place(self, lying: Lying) -> bool:
        return lying.place.parent == self._folder

    def _name_folders(self, playing: Sequence[Lying]) -> None:
        """Give each attempt the name of its folder, which a student's keeps."""
        here = {x.place.name for x in self._lying if self._is_in_place(x)}
        foreign = set(os.listdir(self._folder)) - here
        name_of: dict[tuple[str, ...], str] = {}
        for x in sorted(self._lying, key=self._is_in_place):
            if not x.is_new:
                name = x.place.name if self._is_in_place(x) else x.attempt.folder
                x.attempt = replace(x.attempt, folder=name)
                name_of[x.attempt.students] = name
        names = {x.attempt.folder for x in self._lying if x.attempt.folder}
        taken = {shape_of(name) for name in names | foreign}
        claimed = {x.place.name for x in playing if self._is_in_place(x)}
        for x in self._lying:
            students = x.attempt.students
            name = x.attempt.folder or name_of.get(students, "")
            comes = x in playing and not self._is_in_place(x)
            if not name or (comes and (name in claimed or name in foreign)):
                name = folder_name(self._called(x), taken)
                taken.add(shape_of(name))
                name_of[students] = name
            if comes:
                claimed.add(name)
            x.attempt = replace(x.attempt, folder=name)

    def _called(self, lying: Lying) -> str:
        """Return what the folder of a new attempt is called after."""
        names = []
        rows = {student.key: student for student in self._roster.students}
        for member in lying.attempt.members:
            person = member.person
            row = None if person.is_team else rows.get(member.students[0])
            names.append(self._name(row, person.name) or member.students[0])
        return " ".join(names)

    def _name(self, row: Student | None, name: str) -> str:
        """Return a student's name: as the list has it, if it has one."""
        if row is None:
            return name
        own = self._roster.name_of(row) or (row.key if " " in row.key else "")
        return own or name

    def _move(self, playing: Sequence[Lying]) -> None:
        """Rename what does not lie where it should."""
        earlier = self._folder / EARLIER
        for x in _in_order([x for x in self._lying if x not in playing]):
            if x.place.parent == earlier:
                continue
            earlier.mkdir(exist_ok=True)
            start = f"{x.attempt.folder}-"
            ends = (x.removeprefix(start) for x in os.listdir(earlier))
            number = max((int(end) for end in ends if end.isdecimal()), default=0) + 1
            if not x.is_new and files_hash(x.place) != x.attempt.files:
                self._put_by.append(x)
            _rename(x, earlier / f"{start}{number}")
        for x in playing:
            if not self._is_in_place(x):
                _rename(x, self._folder / x.attempt.folder)

    def _rows(
        self, whose: Whose, gone: Collection[str], playing: Sequence[Lying]
    ) -> Iterator[Row]:
        by_student = self._by_student()
        doubts = {
            key: doubt
            for person, doubt in whose.doubts.items()
            for key in whose.members[person].students
        }
        names = {
            key: member.person.name
            for member in whose.members.values()
            for key in member.students
            if not member.person.is_team
        }
        listed = [
            student
            for student in self._roster.students
            if not self._roster.was_added(student, gone)
        ]
        keys = {student.key: student for student in listed}
        for key in dict.fromkeys([*keys, *by_student]):
            name = self._name(keys.get(key), names.get(key, ""))
            yield self._row(
                Row(key, name, doubt=doubts.get(key, "")),
                by_student.get(key, []),
                playing,
            )

    def _row(self, row: Row, own: Sequence[Lying], playing: Sequence[Lying]) -> Row:
        if not own:
            return row
        counting = [x for x in own if self._may_count(x)]
        chosen = (counting or own)[-1]
        at = own.index(chosen)
        return dataclasses.replace(
            row,
            attempts=len(own),
            attempt=chosen.attempt,
            place=chosen.place,
            late=self._late(chosen.attempt),
            counts=bool(counting),
            is_new=any(x.is_new for x in own),
            is_first=all(x.is_new for x in own),
            is_mended=files_hash(chosen.place) != chosen.attempt.files,
            later=tuple(self._late(x.attempt) for x in own[at + 1 :]),
            others=tuple(x.place for x in counting if x is not chosen),
            put_by=next((x.place for x in own if x in self._put_by), None),
            is_unsure=chosen.has_come and len(own) > 1 and not _are_ordered(own),
        )


def _in_order(lying: Iterable[Lying]) -> list[Lying]:
    """Return attempts from the first to the latest.

    That is by time if all have one, else as the platform has numbered them, else as
    they have come in.
    """
    some = sorted(lying, key=lambda x: x.attempt.number)
    times = [x.attempt.submitted for x in some if x.attempt.submitted is not None]
    orders = [x.attempt.order or 0 for x in some]
    if not _are_numbered(some):
        orders = [0] * len(some)
    if len(times) < len(some):
        times = [datetime.min] * len(some)
    ranks = [*zip(in_one_zone(*times), orders, strict=True)]
    return [x for _, x in sorted(zip(ranks, some, strict=True), key=lambda r: r[0])]


def _are_ordered(some: Sequence[Lying]) -> bool:
    """Return True if the exports tell which of some attempts is the latest."""
    return _are_numbered(some) or all(x.attempt.submitted is not None for x in some)


def _are_numbered(some: Sequence[Lying]) -> bool:
    """Return True if one platform has numbered all of some attempts."""
    has_all = all(x.attempt.order is not None for x in some)
    return has_all and len({x.attempt.platform for x in some}) == 1


def _rename(lying: Lying, to: Path) -> None:
    lying.place.rename(to)
    lying.place = to


def _read(folder: Path) -> list[Lying]:
    """Return the attempts that lie in a folder, as they have come in."""
    found: dict[tuple[object, ...], Lying] = {}
    for place in (*sorted((folder / EARLIER).glob("*")), *sorted(folder.iterdir())):
        attempt = None if place.name.startswith(".") else read_attempt(place)
        if attempt is None:
            continue
        people = tuple(member.person for member in attempt.members)
        # Somebody may have made a copy beside it.
        if attempt.mark not in found or place == folder / attempt.folder:
            found[attempt.mark] = Lying(attempt, place, attempt, people)
    return sorted(found.values(), key=lambda x: x.attempt.number)


def _list_before(folder: Path, *, is_first: bool) -> Roster | None:
    """Return the list of students of the run before, if there was one."""
    path = folder / STUDENTS_FILE
    before = read_roster(path) if os.path.lexists(path) else None
    if before is not None and is_first and not before.is_ours:
        raise ConfigError(
            str(path),
            "was there before anything was collected; move it elsewhere, and give it "
            "with --students",
        )
    return before


def _write(place: Path, files: Mapping[str, tuple[bytes, bool]]) -> list[str]:
    """Write the files of a hand-in; return notes on what is left out.

    What is known of it lies there under a name with a dot, and so must be ours.
    """
    place.mkdir()
    left = []
    for name, (data, is_executable) in files.items():
        parts = PurePosixPath(name).parts
        if any(part.startswith(".") for part in parts) or name.startswith("/"):
            left.append(one_line(name))
            continue
        path = place.joinpath(*parts)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(path, "xb") as file:
                file.write(data)
        except OSError as error:
            if error.errno not in _OF_THE_NAME:
                raise
            left.append(one_line(f"{name} ({error.strerror})"))
            continue
        path.chmod(0o755 if is_executable else 0o644)
    return [f"left out {some_of(left[:_SHOWN], len(left))}"] if left else []

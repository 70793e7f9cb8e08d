"""What a run has come to: for each student what was handed in, and what counts."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from arena.collect.attempt import Attempt
from arena.collect.roster import Roster


@dataclass(frozen=True, slots=True)
class Row:
    """What has been collected of a student."""

    student: str
    name: str = ""
    """Empty if it is not known."""
    attempts: int = 0
    attempt: Attempt | None = None
    """The one that counts, or else the latest; None if nothing was handed in."""
    place: Path | None = None
    """Where that lies."""
    late: str = ""
    """How late it came; empty if in time, or nobody knows."""
    counts: bool = False
    """True if it lies where a league looks for it."""
    is_new: bool = False
    """True if something has come in this run."""
    is_first: bool = False
    """True if nothing has come before it."""
    is_mended: bool = False
    """True if the files are others than those that were handed in."""
    later: tuple[str, ...] = ()
    """How late attempts came that do not count, though they came later."""
    others: tuple[Path, ...] = ()
    """Where other attempts lie that count, in order."""
    put_by: Path | None = None
    """Where an attempt has gone in this run that somebody had mended."""
    is_unsure: bool = False
    """True if another attempt counts now, and only the order of exports says so."""
    doubt: str = ""
    """Who else may be meant; a sentence that goes on after the student."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What there is to say in each run; sentences that go on after the student."""
        found = [self.doubt] if self.doubt else []
        if self.attempt is None or self.place is None:
            return tuple(found)
        if not self.counts:
            found.append("came too late, so it does not count")
        found += [
            f"a later attempt came too late ({late}), so the one before it counts"
            for late in self.later[-1:]
        ]
        if self.attempt.problem and not self.is_mended:
            found.append(self.attempt.problem)
        return (*found, *self.attempt.notes)

    @property
    def news(self) -> tuple[str, ...]:
        """What there is to say of this run; sentences that go on after the student."""
        found = []
        if self.put_by is not None:
            where = f"{self.put_by.parent.name}/{self.put_by.name}"
            found.append(f"a new attempt is here; what was mended lies in {where}")
        if self.is_unsure:
            found.append(
                "nothing tells which attempt is the latest, so the one that was "
                "collected last counts; to have another one, collect its export again"
            )
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Collected:
    """What a run has come to."""

    folder: Path
    roster: Roster
    rows: tuple[Row, ...]
    """One for each student, in the order of the list; then the others."""
    unlisted: Mapping[str, str]
    """The ids of students that the list, if there is one, does not have, by their
    keys."""
    left: tuple[tuple[str, str, str], ...]
    """Exports, the files in them that belong to nobody, and why."""
    found: tuple[tuple[str, str, int], ...]
    """Exports, their platforms, and how many hand-ins are in each."""
    is_first: bool
    """True if nothing lay there before."""
    on_times: tuple[str, ...]
    """Sentences on what could not be known of late or not."""
    old_list: str
    """The name under which the students' file of the run before is kept, if it told
    more of students than the list of this run, or something else; empty if not."""
    back: tuple[str, ...]
    """Folders of students in which an attempt lies that has been taken back."""

"""Hand-ins made by hand, and a folder into which they are collected."""

import csv
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from arena.collect.collected import Collected
from arena.collect.collection import Wishes, collecting
from arena.collect.deadline import Deadline
from arena.collect.students_csv import write_students
from arena.collect.submission import Export, ExportFile, Person, Submission
from arena.league.config.students import read_students

ANA = Person(("aalder",), "Ana Alder")
BEN = Person(("bbirch",), "Ben Birch")
CY = Person(("ccedar",), "Cy Cedar")
FIRST, SECOND, THIRD = (datetime(2026, 11, day, 20) for day in (27, 28, 29))


def file(name: str, text: str = "", *, is_executable: bool = False) -> ExportFile:
    return ExportFile(name, lambda most: text.encode()[:most], is_executable)


def submission(
    *people: Person,
    when: datetime | None = None,
    order: int | None = None,
    late: bool | None = None,
    notes: Sequence[str] = (),
    **files: str,
) -> Submission:
    """Return a submission of files by their names, without `.py`."""
    return Submission(
        people,
        tuple((f"{name}.py", file(name, text)) for name, text in files.items()),
        "an export",
        when,
        order,
        late,
        tuple(notes),
    )


class Hands:
    """A folder of hand-ins, collected again and again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "hand_ins"
        self.lists = folder / "list.csv"

    def collect(
        self,
        *submissions: Submission,
        deadline: str = "",
        platform: str = "Moodle",
        **wishes: bool,
    ) -> Collected:
        """Collect an export; the list of students is used if there is one."""
        asked = Wishes(
            students=self.lists if self.lists.exists() else None,
            deadline=Deadline.parse(deadline) if deadline else None,
            **wishes,
        )
        with collecting(self.folder, asked) as collector:
            collector.take("export.zip", Export(platform, submissions))
            found = collector.put_in_place()
            write_students(found, all_attempts=asked.all_attempts)
        read_students(self.folder / "students.csv")
        return found

    def files(self) -> dict[str, str]:
        """Return the text of all hand-ins' files, by their places."""
        return {
            path.relative_to(self.folder).as_posix(): path.read_text()
            for path in sorted(self.folder.rglob("[!.]*"))
            if path.is_file() and path.parent != self.folder
        }

    def rows(self) -> list[dict[str, str]]:
        """Return the students' file."""
        text = (self.folder / "students.csv").read_text().replace(";", ",")
        return list(csv.DictReader(text.splitlines()))

    def of(self, student: str) -> dict[str, str]:
        (row,) = [row for row in self.rows() if row["student"] == student]
        return row

    def state(self) -> Mapping[str, object]:
        """Return all that a run could change."""
        return {
            str(path): (path.lstat().st_ino, path.lstat().st_mtime_ns)
            for path in self.folder.rglob("*")
        }

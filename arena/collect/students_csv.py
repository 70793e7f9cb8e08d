"""The students' file of a folder of hand-ins: whose is whose, for the league too.

It has the columns of the list of students, in their order, and those that are filled
in here.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from arena.collect.collected import Collected, Row
from arena.collect.collection import REMEDY
from arena.collect.roster import KEY, NAME, OWN_COLUMNS
from arena.league.config.students import STUDENTS_FILE
from arena.reports.writing import Cell, csv_text, write_text
from arena.text import cut, one_line

_MAX_NAME_CHARS = 100


def write_students(collected: Collected, *, all_attempts: bool) -> None:
    """Write the students' file of what was collected, if it is another than before.

    With `all_attempts` a student has a row for each.

    Raises:
        RecordError: it can't be written.
    """
    text = students_text(collected, all_attempts=all_attempts)
    path = collected.folder / STUDENTS_FILE
    if collected.old_list:
        path.rename(path.with_name(collected.old_list))
    if not (path.is_file() and path.read_bytes() == text.encode()):
        write_text(path, [text], REMEDY)


def students_text(collected: Collected, *, all_attempts: bool) -> str:
    """Return the text of the students' file."""
    roster = collected.roster
    missing = [column for column in OWN_COLUMNS if column not in roster.columns]
    header = (*roster.header, *missing)
    columns = (*roster.columns, *missing)
    cells = {student.key: student.cells for student in roster.students}
    rows = [
        _cells(columns, cells.get(row.student, ()), facts)
        for row in collected.rows
        for facts in _facts(collected.folder, row, all_attempts=all_attempts)
    ]
    text = csv_text(header, rows, roster.delimiter)
    return "\ufeff" * roster.has_bom + text


def _cells(
    columns: tuple[str, ...], known: tuple[str, ...], facts: Mapping[str, Cell]
) -> list[Cell]:
    """Return a row: what the list has, with what is known here."""
    found: list[Cell] = []
    for i, column in enumerate(columns):
        old = known[i] if i < len(known) else ""
        is_kept = bool(old) and column not in OWN_COLUMNS
        found.append(old if is_kept else facts.get(column, ""))
    return found


def _facts(
    folder: Path, row: Row, *, all_attempts: bool
) -> Iterator[Mapping[str, Cell]]:
    attempt = row.attempt
    person: dict[str, Cell] = {
        KEY: row.student,
        NAME: cut(one_line(row.name), _MAX_NAME_CHARS),
    }
    if attempt is None:
        yield person
        return
    time = attempt.submitted
    yield person | {
        "file": "" if row.place is None or not row.counts else row.place.name,
        "submitted": "" if time is None else time.isoformat(" ", "seconds"),
        "late": row.late,
        "attempts": row.attempts,
        "found": attempt.found,
        "note": "; ".join(row.notes),
    }
    # An entry is its student and its place among his lines: the latest keeps the first,
    # and those before it keep theirs when there is a new one.
    for place in row.others if all_attempts else ():
        yield person | {"file": place.relative_to(folder).as_posix()}

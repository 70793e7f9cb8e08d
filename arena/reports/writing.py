"""Files that can't tear, and tables that a spreadsheet can read without harm."""

import csv
import io
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path

from arena.errors import RecordError
from arena.text import printable

Cell = str | int | float | None

_FORMULA = ("=", "+", "-", "@", "\t", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""First characters of a cell that a spreadsheet may run, in both widths."""


def write_text(path: Path, parts: Iterable[str]) -> None:
    """Replace the file at `path` with a text, in one step that can't tear.

    Raises:
        RecordError: it can't be written; an older file stays as it was.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        try:
            with open(temporary, "w", encoding="utf-8", newline="") as file:
                file.writelines(parts)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
    except OSError as error:
        raise RecordError(
            f"{path}: can't be written ({error.strerror}); the games are safe: make "
            "room or allow writing there, then run the league again"
        ) from None


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Return a table as CSV, fit for a spreadsheet."""
    return "".join(csv_lines(header, rows))


def csv_lines(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """Yield the lines of `csv_text`."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for row in chain([header], rows):
        writer.writerow([safe(cell) for cell in row])
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def safe(cell: Cell) -> Cell:
    """Return a cell that no spreadsheet runs, and no terminal."""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if not isinstance(cell, str):
        return cell
    text = printable(cell.replace("\r\n", "\n"))
    return "'" + text if text.startswith(_FORMULA) else text

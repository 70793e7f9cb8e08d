"""Files that can't tear, and tables that a spreadsheet can read without harm."""

import csv
import io
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from unicodedata import normalize

from arena.errors import RecordError
from arena.text import printable

Cell = str | int | float | None

GAMES_ARE_SAFE = (
    "the games are safe: make room or allow writing there, then run the league again"
)

_FORMULA = "=+@\\-\u2212"
"""Characters that begin a cell that a spreadsheet may run, with those that it takes for
the same: the minus sign here, what is wide, small or raised below."""
_ALIKE = "".join(
    c
    for c in map(chr, [*range(0x2070, 0x2090), *range(0xFE50, 0xFF21)])
    if normalize("NFKC", c) in ("=", "+", "-", "@", "\u2212")
)
_CELL_START = re.compile(rf"(?:^|[;|\t\n])[\s\"]*+([{_FORMULA}{_ALIKE}])?")
"""Where a cell begins: at the start of a text, and wherever a spreadsheet may split it
that does not expect commas.  In blanks and quotes a cell may begin too."""


def write_text(path: Path, parts: Iterable[str], remedy: str = GAMES_ARE_SAFE) -> None:
    """Replace the file at `path` with a text, in one step that can't tear.

    `remedy` is what to do if it can't be written.

    Raises:
        RecordError: it can't be written; an older file stays as it was.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        try:
            # What lies there may be a link, which would be written through.
            temporary.unlink(missing_ok=True)
            with open(temporary, "x", encoding="utf-8", newline="") as file:
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
            f"{path}: can't be written ({error.strerror}); {remedy}"
        ) from None


def make_folder(folder: Path, mode: int = 0o777) -> None:
    """Make a folder in a results folder, if it is not there yet.

    Raises:
        RecordError: it can't be made, or is a link to somewhere else.
    """
    try:
        folder.mkdir(mode, exist_ok=True)
    except OSError as error:
        raise RecordError(
            f"{folder}: can't be made ({error.strerror}); make room or allow writing "
            "there"
        ) from None
    if folder.is_symlink():
        raise RecordError(f"{folder}: leads out of the results folder; remove the link")


def csv_text(
    header: Sequence[str], rows: Iterable[Sequence[Cell]], delimiter: str = ","
) -> str:
    """Return a table as CSV, fit for a spreadsheet."""
    return "".join(csv_lines(header, rows, delimiter))


def csv_lines(
    header: Sequence[str], rows: Iterable[Sequence[Cell]], delimiter: str = ","
) -> Iterator[str]:
    """Yield the lines of `csv_text`."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=delimiter, lineterminator="\n")
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
    text = _CELL_START.sub(_disarmed, printable(cell.replace("\r\n", "\n")))
    return "'" + text if text.startswith("\t") else text


def _disarmed(found: re.Match[str]) -> str:
    """Return the start of a cell with an apostrophe before what would make it run."""
    return found[0] if found[1] is None else f"{found[0][:-1]}'{found[1]}"

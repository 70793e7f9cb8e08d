"""Tables in CSV files that come from people: their spreadsheets, and gradebooks."""

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from arena.errors import ConfigError
from arena.league.config.small_file import read_small

_DELIMITERS = ",;\t"
_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class CsvTable:
    """A header and rows of cells."""

    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    """The line of each, from 1, and its cells: at least as many as the header has.
    Rows without any text are left out."""
    delimiter: str = ","
    has_bom: bool = False
    """True if it begins with the mark by which spreadsheets know UTF-8."""


def read_table(path: Path) -> CsvTable:
    """Return the table of a students' file: in UTF-8, with commas, semicolons or tabs.

    Raises:
        ConfigError: it can't be read, or is no CSV.
    """
    try:
        text = read_small(path).decode()
    except OSError as error:
        raise ConfigError(
            str(path), f"the students' file can't be read ({error.strerror})"
        ) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ConfigError(
            f"{path}:{line}", "is no text in UTF-8; save it as CSV UTF-8"
        ) from None
    own = text.removeprefix(_BOM)
    first = own.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    reader = csv.reader(io.StringIO(own, newline=""), delimiter=delimiter)
    rows = []
    try:
        header = next(reader, [])
        next_line = reader.line_num + 1
        for cells in reader:
            # A cell may go over several lines.
            line, next_line = next_line, reader.line_num + 1
            if any(cell.strip() for cell in cells):
                cells += [""] * (len(header) - len(cells))
                rows.append((line, tuple(cells)))
    except csv.Error as error:
        raise ConfigError(str(path), f"is no CSV file ({error})") from None
    return CsvTable(tuple(header), tuple(rows), delimiter, own != text)

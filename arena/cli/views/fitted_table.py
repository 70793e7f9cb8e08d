"""Tables that fit a terminal: names are shortened, texts wrapped, numbers stay."""

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from itertools import zip_longest
from sys import maxsize
from typing import NamedTuple

from arena.reports.tables.short_names import shortened
from arena.text import columns, printable, wrapped

_GAP_COLUMNS = 2
_MIN_NAME_COLUMNS = 12
_MIN_TEXT_COLUMNS = 8


class Kind(Enum):
    """What the cells of a column are, and so what becomes of them without room."""

    NUMBER = auto()
    """Stays as it is."""
    NAME = auto()
    """Is shortened, and told apart from the others still."""
    TEXT = auto()
    """Goes on in a further line."""


_ROUNDS = (
    (Kind.NAME, 32),
    (Kind.TEXT, 32),
    (Kind.NAME, maxsize),
    (Kind.TEXT, maxsize),
)
"""Which columns get room first, up to which width."""


class Heading(NamedTuple):
    """A column: its title, and what its cells are."""

    title: str
    kind: Kind = Kind.NUMBER


def fitted_table(
    headings: Sequence[Heading],
    rows: Sequence[Sequence[object]],
    width: int,
    notes: Sequence[Sequence[str]] = (),
) -> str:
    """Return a table of at most `width` columns of a terminal.

    If there is no room for all beside each other, each row is a list.  `notes` are
    lines of each row, if there are any, which stand below it as they are.
    """
    notes = notes or [()] * len(rows)
    cells = [[printable(str(x), lines=False) for x in row] for row in rows]
    columns_of = [[heading.title] for heading in headings]
    for row in cells:
        for column, cell in zip(columns_of, row, strict=True):
            column.append(cell)
    widest = [max(map(columns, column)) for column in columns_of]
    widths = [_least(x, column) for x, column in zip(headings, columns_of, strict=True)]
    room = width - _GAP_COLUMNS * (len(headings) - 1)
    if sum(widths) > room:
        return _lists(headings, cells, width, notes)
    for kind, good in _ROUNDS:
        for i, heading in enumerate(headings):
            if heading.kind is kind:
                more = min(widest[i], good) - widths[i]
                widths[i] += max(0, min(more, room - sum(widths)))
    fitted = [
        _fitted(heading, column[1:], most)
        for heading, column, most in zip(headings, columns_of, widths, strict=True)
    ]
    head = [[heading.title] for heading in headings]
    rule = [["-" * most] for most in widths]
    lines = [line for x in (head, rule) for line in _lines(headings, x, widths)]
    for parts, below in zip(zip(*fitted, strict=True), notes, strict=True):
        lines += [*_lines(headings, parts, widths), *below]
    return "\n".join(lines)


def _lines(
    headings: Sequence[Heading], row: Sequence[Sequence[str]], widths: Sequence[int]
) -> Iterator[str]:
    """Yield the lines of a row, whose cells may have several."""
    for parts in zip_longest(*row, fillvalue=""):
        padded = []
        for heading, part, most in zip(headings, parts, widths, strict=True):
            blank = " " * (most - columns(part))
            padded.append(blank + part if heading.kind is Kind.NUMBER else part + blank)
        yield (" " * _GAP_COLUMNS).join(padded).rstrip()


def _least(heading: Heading, column: Sequence[str]) -> int:
    """Return the columns that a column needs, its title first among its cells."""
    title, widest = columns(column[0]), max(map(columns, column))
    if heading.kind is Kind.NUMBER:
        return widest
    if heading.kind is Kind.NAME:
        return max(title, min(widest, _MIN_NAME_COLUMNS))
    words = [columns(word) for cell in column for word in cell.split()]
    return max(title, min(widest, max(_MIN_TEXT_COLUMNS, *words, 0)))


def _fitted(heading: Heading, cells: Sequence[str], width: int) -> list[list[str]]:
    """Return the lines of each cell of a column."""
    if heading.kind is Kind.NAME:
        return [[name] for name in shortened(cells, width)]
    if heading.kind is Kind.TEXT:
        return [wrapped(cell, width) or [""] for cell in cells]
    return [[cell] for cell in cells]


def _lists(
    headings: Sequence[Heading],
    rows: Sequence[Sequence[str]],
    width: int,
    notes: Sequence[Sequence[str]],
) -> str:
    found = []
    for row, below in zip(rows, notes, strict=True):
        lines = [
            line
            for heading, cell in zip(headings, row, strict=True)
            if cell
            for line in wrapped(f"{heading.title}: {cell}", width, "  ")
        ]
        found.append("\n".join([*lines, *below]))
    return "\n\n".join(found)

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


class Field(NamedTuple):
    """A column: its title, and what its cells are."""

    title: str
    kind: Kind = Kind.NUMBER


def fitted_table(
    fields: Sequence[Field], rows: Sequence[Sequence[object]], width: int
) -> str:
    """Return a table of at most `width` columns of a terminal.

    If there is no room for all beside each other, each row is a list.
    """
    cells = [[printable(str(x), lines=False) for x in row] for row in rows]
    columns_of = [[field.title] for field in fields]
    for row in cells:
        for column, cell in zip(columns_of, row, strict=True):
            column.append(cell)
    widest = [max(map(columns, column)) for column in columns_of]
    widths = [_least(x, column) for x, column in zip(fields, columns_of, strict=True)]
    room = width - _GAP_COLUMNS * (len(fields) - 1)
    if sum(widths) > room:
        return _lists(fields, cells, width)
    for kind, good in _ROUNDS:
        for i, field in enumerate(fields):
            if field.kind is kind:
                more = min(widest[i], good) - widths[i]
                widths[i] += max(0, min(more, room - sum(widths)))
    fitted = [
        _fitted(field, column[1:], most)
        for field, column, most in zip(fields, columns_of, widths, strict=True)
    ]
    head = [[field.title] for field in fields]
    rule = [["-" * most] for most in widths]
    return "\n".join(
        line
        for row in (head, rule, *zip(*fitted, strict=True))
        for line in _lines(fields, row, widths)
    )


def _lines(
    fields: Sequence[Field], row: Sequence[Sequence[str]], widths: Sequence[int]
) -> Iterator[str]:
    """Yield the lines of a row, whose cells may have several."""
    for parts in zip_longest(*row, fillvalue=""):
        padded = []
        for field, part, most in zip(fields, parts, widths, strict=True):
            blank = " " * (most - columns(part))
            padded.append(blank + part if field.kind is Kind.NUMBER else part + blank)
        yield (" " * _GAP_COLUMNS).join(padded).rstrip()


def _least(field: Field, column: Sequence[str]) -> int:
    """Return the columns that a column needs, its title first among its cells."""
    title, widest = columns(column[0]), max(map(columns, column))
    if field.kind is Kind.NUMBER:
        return widest
    if field.kind is Kind.NAME:
        return max(title, min(widest, _MIN_NAME_COLUMNS))
    words = [columns(word) for cell in column for word in cell.split()]
    return max(title, min(widest, max(_MIN_TEXT_COLUMNS, *words, 0)))


def _fitted(field: Field, cells: Sequence[str], width: int) -> list[list[str]]:
    """Return the lines of each cell of a column."""
    if field.kind is Kind.NAME:
        return [[name] for name in shortened(cells, width)]
    if field.kind is Kind.TEXT:
        return [wrapped(cell, width) or [""] for cell in cells]
    return [[cell] for cell in cells]


def _lists(fields: Sequence[Field], rows: Sequence[Sequence[str]], width: int) -> str:
    return "\n\n".join(
        "\n".join(
            line
            for field, cell in zip(fields, row, strict=True)
            if cell
            for line in wrapped(f"{field.title}: {cell}", width, "  ")
        )
        for row in rows
    )

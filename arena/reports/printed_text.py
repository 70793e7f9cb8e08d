"""What bots print, in lines that nobody takes for our own words."""

from collections.abc import Iterable, Iterator

from arena.text import printable

_TAB_COLUMNS = 4


def printed_lines(text: str, width: int) -> list[str]:
    """Return the lines of what a bot has printed, broken at a width.

    A terminal would begin the rest in its first column, where our own words stand.
    """
    return [*broken(printable(text).rstrip().splitlines(), width)]


def broken(lines: Iterable[str], width: int) -> Iterator[str]:
    """Yield lines of at most `width` columns; what is not ASCII may take two."""
    for line in lines:
        row, columns = "", 0
        for character in line.expandtabs(_TAB_COLUMNS):
            columns += 1 if character.isascii() else 2
            if columns > width:
                yield row
                row, columns = "", 1 if character.isascii() else 2
            row += character
        yield row

"""What bots print, in lines that nobody takes for our own words."""

from collections.abc import Iterable, Iterator

from arena.text import printable

_TAB_COLUMNS = 4
_MIN_COLUMNS = 4


def printed_lines(text: str, width: int) -> list[str]:
    """Return the lines of what a bot has printed, broken at a width.

    A terminal would begin the rest in its first column, where our own words stand.
    """
    return [*broken(printable(text).rstrip().splitlines(), width)]


def broken(lines: Iterable[str], width: int) -> Iterator[str]:
    """Yield lines of at most `width` columns, broken between words where that can be.

    The rest of a line is indented as its beginning is.  What is not ASCII may take two
    columns.
    """
    width = max(width, _MIN_COLUMNS)
    for line in lines:
        rest = line.expandtabs(_TAB_COLUMNS)
        spaces = len(rest) - len(rest.lstrip(" "))
        indent = " " * spaces * (spaces <= width // 2)
        while (end := _fitting(rest, width)) < len(rest):
            space = rest.rfind(" ", len(indent) + 1, end + 1)
            yield rest[: end if space < 0 else space]
            rest = indent + (rest[end:] if space < 0 else rest[space:].lstrip(" "))
        yield rest


def _fitting(line: str, width: int) -> int:
    """Return how many characters of a line have room in so many columns."""
    if line.isascii():
        return min(len(line), width)
    columns = 0
    for number, character in enumerate(line):
        columns += 1 if character.isascii() else 2
        if columns > width:
            return number
    return len(line)

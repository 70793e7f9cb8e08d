"""Words for the rules in force: numbers with their nouns, lists, and assumptions."""

from collections.abc import Iterable

MARKS = (
    "A ruling says how a point of the rules is played. An assumption is a ruling for "
    "which there is no source. A league can set the options that are named."
)
"""What the marks mean, for the end of a rules text."""


def assumed(ruling: int, *options: str) -> str:
    """Return the mark of an assumption, with the options that set it."""
    return f"(assumption, ruling {ruling}{_options(options)})"


def ruled(ruling: int, *options: str) -> str:
    """Return the mark of a ruling that has a source, with its options."""
    return f"(ruling {ruling}{_options(options)})"


def _options(names: tuple[str, ...]) -> str:
    if not names:
        return ""
    return f"; option{'s' * (len(names) > 1)} {listed(f'`{name}`' for name in names)}"


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return `1 card` or `4 cards`; the plural ends in s unless it is given."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def listed(words: Iterable[str]) -> str:
    """Return `a`, `a and b` or `a, b and c`."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last

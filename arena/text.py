"""Words for people: numbers with nouns, lists, assumptions, and what was expected."""

import re
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


_PLAIN_WORDS = {
    "object": "keys and values",
    "array": "a list",
    "of length >= 1": "with at least one item",
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    r" \| ": " or ",
}


def plain_words(problem: str) -> str:
    """Return a message of msgspec's without its place, and with plain names of types.

    What was found is left out: whoever calls this knows it better.
    """
    problem = problem.split(" - at ")[0].replace("`", "")
    problem = re.sub(r", got .*$", "", problem, flags=re.DOTALL)
    for word, plainly in _PLAIN_WORDS.items():
        problem = re.sub(rf"\b{word}", plainly, problem)
    return problem[:1].lower() + problem[1:]

"""How the rules of a game say where each of their points is from."""

import re

from arena.text import listed

MARKS = (
    "A ruling says how a point of the rules is played. An assumption is a ruling for "
    "which there is no source. A league can set the options that are named."
)
"""What the marks mean, for the end of a rules text."""
_MARKS_ALONE = (
    "An assumption is a point for which there is no source. A league can set the "
    "options that are named."
)
"""The same where rulings have no numbers."""
_NUMBERED = re.compile(r"( ?)\((assumption, )?ruling (\d+)(?:; (options? [^)]*))?\)")


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


def without_numbers(text: str) -> str:
    """Return a rules text whose marks say assumptions and options, and no numbers."""

    def mark(found: re.Match[str]) -> str:
        gap, assumption, _, options = found.groups()
        kept = "; ".join(filter(None, ("assumption" * bool(assumption), options)))
        return f"{gap}({kept})" if kept else ""

    return _NUMBERED.sub(mark, text.replace(MARKS, _MARKS_ALONE))


def numbers_in(text: str) -> list[int]:
    """Return the numbers of the rulings that a rules text names, in order."""
    return sorted({int(number) for _, _, number, _ in _NUMBERED.findall(text)})

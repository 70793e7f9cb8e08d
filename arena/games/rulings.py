"""How the rules of a game say where each of their points is from."""

from arena.text import listed

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

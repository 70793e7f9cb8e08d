"""The dice as tables, and plain tuples that count them."""

from operator import add, sub
from typing import Final, NamedTuple

BRAIN: Final = "brain"
SHOTGUN: Final = "shotgun"
FEET: Final = "feet"

ROLLED: Final = 3
"""So many dice are rolled at a time."""

FATAL: Final = 3
"""So many shotguns end a turn."""


class Die(NamedTuple):
    """A kind of die."""

    name: str
    """As in the notation; the thirteen victims go by their colour."""
    faces: tuple[str, ...]
    """All faces, equally likely; brain before shotgun before feet."""


DICE: Final = (
    Die("green", (BRAIN, BRAIN, BRAIN, SHOTGUN, FEET, FEET)),
    Die("yellow", (BRAIN, BRAIN, SHOTGUN, SHOTGUN, FEET, FEET)),
    Die("red", (BRAIN, SHOTGUN, SHOTGUN, SHOTGUN, FEET, FEET)),
)
"""Every kind of die, in the order of the notation and of all counts."""

Counts = tuple[int, ...]
"""How many dice of each kind, in the order of `DICE`."""

FULL_CUP: Final[Counts] = (6, 4, 3)
NO_DICE: Final[Counts] = (0, 0, 0)


def plus(a: Counts, b: Counts) -> Counts:
    """Return the dice of both `a` and `b`."""
    return tuple(map(add, a, b))


def minus(a: Counts, b: Counts) -> Counts:
    """Return the dice of `a` without those of `b`."""
    return tuple(map(sub, a, b))

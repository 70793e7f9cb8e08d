"""The cards of Zombie Run!: their values and who knows them."""

from typing import Final, NamedTuple

STREET: Final = 0
"""Value of an Empty Street (ruling 46)."""

HORDE: Final = 15
"""Value of a Zombie Horde (ruling 46)."""

SIZE: Final = HORDE + 1
"""Length of a list of counts: the number of cards, indexed by their value."""

NAMES: Final = tuple(str(value) for value in range(SIZE))
"""The chance outcome of each value."""

VALUE_OF: Final = {NAMES[value]: value for value in (*range(10), HORDE)}
"""The value of each chance outcome."""


class Card(NamedTuple):
    """A card in a hand, and who knows it."""

    value: int
    """Zombies on the card."""
    seen_by: int
    """Bit `s` is set where seat `s` has seen the card at its place."""
    pool: int
    """Which draw pile it came from: 0 for the oldest that still matters."""


FACE_DOWN: Final = tuple(Card(value, seen_by=0, pool=0) for value in range(SIZE))
"""A card of each value as it is dealt."""

"""The cards of Zombie Run!: their values, the options of a game, the deck."""

from typing import Annotated, Final, NamedTuple

from msgspec import Meta

from arena.games.options import Options

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


class ZombieRunOptions(Options, frozen=True, kw_only=True):
    """The options of Zombie Run!"""

    rounds: Annotated[
        int, Meta(ge=1, le=50, description="Rounds of a game (ruling 55).")
    ] = 5
    hand: Annotated[
        int, Meta(ge=4, le=6, description="Cards in each hand (ruling 55).")
    ] = 4
    must_swap_from_discard: Annotated[
        bool,
        Meta(description="A card taken from the discard pile is kept (ruling 49)."),
    ] = False
    copies: Annotated[
        tuple[Annotated[int, Meta(ge=0, le=1000)], ...],
        Meta(
            min_length=9,
            max_length=9,
            description="How many cards there are of each value 1 to 9 (ruling 46).",
        ),
    ] = (5,) * 9
    streets: Annotated[
        int, Meta(ge=0, le=1000, description="Empty Streets, 0 zombies (ruling 46).")
    ] = 15
    hordes: Annotated[
        int, Meta(ge=0, le=1000, description="Zombie Hordes, 15 zombies (ruling 46).")
    ] = 15
    round_cap: Annotated[
        int,
        Meta(
            ge=1,
            le=1000,
            description="Turns of each seat after which a round is scored without "
            "a shout (ruling 53).",
        ),
    ] = 50


def deck(options: ZombieRunOptions) -> tuple[int, ...]:
    """Return the whole deck as counts, indexed by value."""
    counts = [0] * SIZE
    counts[STREET] = options.streets
    counts[1:10] = options.copies
    counts[HORDE] = options.hordes
    return tuple(counts)

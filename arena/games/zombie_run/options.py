"""What a league may set in Zombie Run!"""

from typing import Annotated

from msgspec import Meta

from arena.games.options import Options


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

"""What a league may set in Zombie Mania!"""

from typing import Annotated

from msgspec import Meta

from arena.games.options import Options


class ZombieManiaOptions(Options, frozen=True):
    """The options of Zombie Mania!"""

    tokens: Annotated[
        Annotated[int, Meta(ge=1)] | None,
        Meta(description="Tokens a seat; null: by the number of players (69)"),
    ] = None
    games: Annotated[
        int,
        Meta(ge=1, le=1000, description="Games in a row that make a series (67)"),
    ] = 1

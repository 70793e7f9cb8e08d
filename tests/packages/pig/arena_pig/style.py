"""How seats play Pig."""

from collections.abc import Iterator, Sequence

from arena.games import CHANCE
from arena.games.style import Count, Measure
from arena_pig.game import Pig

MEASURES = (
    Measure("busts", "Turns that bust", "How many turns a 1 ends.", is_share=True),
    Measure("banked", "Points banked in a turn", "The points; 0 for a bust."),
    Measure("holds_at", "Points when it holds", "The points of the turn by then."),
)


def count(game: Pig, history: Sequence[str]) -> Iterator[Count]:
    """Yield what is counted of each seat."""
    state = game.new_state()
    for x in history:
        seen = state.observation(0)
        is_roll = state.current_player() == CHANCE
        state.apply(x)
        if x == "hold":
            yield Count(seen.turn_seat, "holds_at", seen.points)
        if x == "hold" or (is_roll and x == "1"):
            yield Count(seen.turn_seat, "busts", x == "1")
            yield Count(seen.turn_seat, "banked", 0 if x == "1" else seen.points)

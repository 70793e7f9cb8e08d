"""How seats play Zombie Mania!"""

from collections.abc import Iterator, Sequence
from typing import Final

from arena.games.style import Count, Measure
from arena.games.zombie_mania.dice import can_send, keeps, movable
from arena.games.zombie_mania.game import ZombieMania
from arena.games.zombie_mania.setup import GRAVEYARD

MEASURES: Final = (
    Measure(
        "moved",
        "Tokens moved in a turn",
        "How many tokens a turn takes from its mat; 0 where it may move none.",
    ),
    Measure(
        "empty",
        "Turns that move nothing",
        "How many of its turns take no token from its mat.",
        is_share=True,
    ),
    Measure(
        "busts",
        "Turns lost to a throw",
        "How many of its turns end by a throw without a zombie, which moves nothing.",
        is_share=True,
    ),
    Measure("throws", "Throws in a turn", "How often it throws in a turn."),
    Measure(
        "kept",
        "Dice kept of a throw",
        "How many dice of a throw it sets aside at once.",
    ),
    Measure(
        "pushes",
        "Rolls on though it may move",
        "Its kept dice would move tokens already: how often it throws again.",
        is_share=True,
    ),
    Measure(
        "gives_up",
        "Stops though nothing may move",
        "Its kept dice would move nothing: how often it stops, which wastes the turn.",
        is_share=True,
    ),
    Measure(
        "sends",
        "Sends tokens to another",
        "Two buildings let it choose: how often its tokens go to another seat and not "
        "to the graveyard.",
        is_share=True,
    ),
)


def count(game: ZombieMania, history: Sequence[str]) -> Iterator[Count]:
    """Yield what is counted of each seat."""
    state = game.new_state()
    for x in history:
        seat, phase, kept, throws = state.active, state.phase, state.kept, state.roll
        turn = state.number, state.turns
        moved, target = game.setup.moves[x] if phase == "move" else (0, GRAVEYARD)
        if phase == "keep":
            yield Count(seat, "kept", sum(keeps()[x]))
        elif phase == "continue":
            if movable(kept):
                yield Count(seat, "pushes", x == "roll")
            else:
                yield Count(seat, "gives_up", x == "stop")
        elif phase == "move" and moved and can_send(kept):
            yield Count(seat, "sends", target != GRAVEYARD)
        state.apply(x)
        if (state.number, state.turns) != turn:
            yield Count(seat, "busts", phase == "throw")
            yield Count(seat, "moved", moved)
            yield Count(seat, "empty", not moved)
            yield Count(seat, "throws", throws)

"""How seats play Zombie Dice."""

from collections.abc import Iterator, Sequence
from typing import Final

from arena.games.style import Count, Measure
from arena.games.zombie_dice.dice import FATAL
from arena.games.zombie_dice.game import ZombieDice
from arena.games.zombie_dice.state import ZombieDiceState

MEASURES: Final = (
    Measure(
        "busts",
        "Turns that bust",
        "How many of its turns end by too many shotguns, so that they score nothing.",
        is_share=True,
    ),
    Measure(
        "banked",
        "Brains banked in a turn",
        "The brains that a turn adds to its score; 0 for a bust.",
    ),
    Measure("rolls", "Rolls in a turn", "How often it rolls before its turn ends."),
    *(
        Measure(
            f"rolls_on_{n}",
            f"Rolls on with {('no shotgun', '1 shotgun', '2 shotguns')[n]}",
            f"How often it rolls again where {FATAL - n} more would be a bust.",
            is_share=True,
        )
        for n in range(FATAL)
    ),
    Measure(
        "brains_at_stop",
        "Brains when it stops",
        "The brains of the turn at the moment when it chooses to stop.",
    ),
    Measure(
        "empty_stops",
        "Stops with no brains",
        "How many of its stops bank nothing; one more roll would not cost a brain.",
        is_share=True,
    ),
    Measure(
        "gives_up",
        "Stops behind in its last turn",
        "In the last round, as long as its brains are too few to catch up with the "
        "leader: how often it stops, which gives the game away.",
        is_share=True,
    ),
    Measure(
        "boards",
        "Takes the bus",
        "How often it takes the School Bus when it rolls on and may.",
        is_share=True,
    ),
)


def count(game: ZombieDice, history: Sequence[str]) -> Iterator[Count]:
    """Yield what is counted of each seat."""
    state = game.new_state()
    for x in history:
        seat, turn = state.seat, state.turn
        if state.player == seat and not turn.is_run_over:
            yield from _decision(state, x)
        state.apply(x)
        if state.turn is not turn:
            yield Count(seat, "busts", turn.is_bust)
            yield Count(seat, "banked", 0 if turn.is_bust else turn.brains)
            yield Count(seat, "rolls", turn.rolls)


def _decision(state: ZombieDiceState, x: str) -> Iterator[Count]:
    seat, turn = state.seat, state.turn
    stops = x == "stop"
    # Under the helmet one more shotgun is as many as one less without it.
    shotguns = max(0, FATAL - (turn.limit - turn.shotguns))
    yield Count(seat, f"rolls_on_{shotguns}", not stops)
    if stops:
        yield Count(seat, "brains_at_stop", turn.brains)
        yield Count(seat, "empty_stops", not turn.brains)
    elif turn.bus == "waiting" and "roll bus" in turn.rolling_actions():
        yield Count(seat, "boards", x == "roll bus")
    is_last = state.final_round or bool(state.tied)
    if is_last and state.banked[seat] + turn.brains < max(state.banked):
        yield Count(seat, "gives_up", stops)

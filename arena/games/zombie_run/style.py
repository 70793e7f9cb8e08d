"""How seats play Zombie Run!"""

from collections.abc import Iterator, Sequence
from typing import Final

from arena.games.core import CHANCE
from arena.games.style import Count, Measure
from arena.games.zombie_run.game import ZombieRun
from arena.games.zombie_run.state import ZombieRunState

MEASURES: Final = (
    Measure(
        "scored",
        "Zombies scored in a round",
        "What a round adds to its score, after any doubling; the fewest win.",
    ),
    Measure(
        "shouts",
        "Rounds that it ends",
        "How many of its rounds end because it has shouted.",
        is_share=True,
    ),
    Measure(
        "right_shouts",
        "Shouts that are right",
        "How many of its shouts come with the lowest hand; others double its zombies.",
        is_share=True,
    ),
    Measure(
        "hand_at_shout",
        "Zombies in hand when it shouts",
        "The sum of its cards at a shout, those among them that it has not seen.",
    ),
    Measure(
        "takes",
        "Takes the open card",
        "How often it takes the card on the discard pile and does not draw.",
        is_share=True,
    ),
    Measure(
        "keeps",
        "Keeps the card it has drawn",
        "Of the cards that it draws, how many go into its hand.",
        is_share=True,
    ),
    Measure(
        "raises",
        "Swaps for a higher card",
        "Of its swaps for a card that it knows, how many put a higher one there.",
        is_share=True,
    ),
    Measure(
        "blind",
        "Swaps a card it has not seen",
        "Of all its swaps, how many give away a card that it has never looked at.",
        is_share=True,
    ),
)


def count(game: ZombieRun, history: Sequence[str]) -> Iterator[Count]:
    """Yield what is counted of each seat."""
    state = game.new_state()
    for x in history:
        seat, phase, totals = state.current_player(), state.phase, state.totals[:]
        if phase == "pick":
            yield Count(seat, "takes", x == "take")
        elif phase == "place":
            yield from _placing(state, x)
        state.apply(x)
        if phase != "place" or state.phase not in ("deal", "over"):
            continue
        is_shout = x.endswith("shout")
        for other, zombies in enumerate(state.totals):
            yield Count(other, "scored", zombies - totals[other])
            yield Count(other, "shouts", is_shout and other == seat)
        if is_shout:
            hands = [sum(hand) for hand in state.revealed]
            yield Count(seat, "right_shouts", hands[seat] == min(hands))
            yield Count(seat, "hand_at_shout", hands[seat])


def _placing(state: ZombieRunState, x: str) -> Iterator[Count]:
    seat = state.current_player()
    assert seat != CHANCE
    slot, _ = state.setup.menu(state.phase, state.taken)[x]
    is_swap = slot >= 0
    if not state.taken:
        yield Count(seat, "keeps", is_swap)
    if is_swap:
        card = state.hands[seat][slot]
        is_known = card.seen_by >> seat & 1
        yield Count(seat, "blind", not is_known)
        if is_known:
            assert state.held is not None
            yield Count(seat, "raises", state.held > card.value)

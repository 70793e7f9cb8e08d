"""Turns and games of Zombie Mania! for its tests."""

from collections import Counter
from typing import Any

from arena.games import get_game

ICONS = ["blue", "green", "brown", "gravestone", "building", "x2"]
NOTHING = "8 x2"
"""A throw that ends the turn at once."""


def zombie_mania(players: int = 2, **options: Any) -> Any:
    return get_game("zombie_mania", players, options)


def dice(short: str) -> str:
    """Write `2 x2, 1 blue` as `blue x2 x2`."""
    counts = Counter[str]()
    for part in short.split(", "):
        number, icon = part.split()
        counts[icon] += int(number)
    return " ".join(sorted(counts.elements(), key=ICONS.index))


def keep(state: Any, short: str) -> None:
    """Throw the remaining dice, and keep these of them."""
    kept = dice(short).split()
    left = state.observation(0).dice_left
    thrown = kept + ["x2"] * (left - len(kept))
    state.apply(" ".join(sorted(thrown, key=ICONS.index)))
    state.apply("keep " + " ".join(kept))


def stop_with(state: Any, short: str) -> None:
    """Keep these dice of one throw, and throw no more."""
    keep(state, short)
    if state.is_legal("stop"):
        state.apply("stop")


def play(game: Any, *turns: str) -> Any:
    """Play turns such as `2 gravestone, 2 blue: move 1 graveyard` or `8 x2`."""
    state = game.new_state()
    for turn in turns:
        kept, _, move = turn.partition(": ")
        if kept == NOTHING:
            state.apply(dice(kept))
        else:
            stop_with(state, kept)
        if move:
            state.apply(move)
    return state

"""Positions and random games of Zombie Run! for its tests."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from arena.games import CHANCE, get_game
from arena.games.zombie_run import ZombieRun, ZombieRunState


def make(players: int = 2, **options: Any) -> ZombieRun:
    game = get_game("zombie_run", players, options)
    assert isinstance(game, ZombieRun)
    return game


def crowded(players: int, hand: int) -> ZombieRun:
    """Make a game whose draw pile is short, so that reshuffles are frequent."""
    each = (players * hand + 1) // 11 + 1
    options = {"hand": hand, "copies": (each,) * 9, "streets": each, "hordes": each}
    return make(players, **options, round_cap=12, rounds=2)


def play(state: ZombieRunState, *moves: str | int) -> ZombieRunState:
    for move in moves:
        state.apply(str(move))
    return state


def deal(state: ZombieRunState, hands: Sequence[Sequence[int]], top: int) -> None:
    """Deal these hands (in seat order) and the first discard; all look at 1 and 2."""
    while state.phase == "deal":
        seat = state.active
        state.apply(str(hands[seat][len(state.hands[seat])]))
    play(state, top, *["peek 1 2"] * len(hands))


def start(hands: Sequence[Sequence[int]], top: int, **options: Any) -> ZombieRunState:
    state = make(len(hands), **options).new_state()
    deal(state, hands, top)
    return state


def values(state: ZombieRunState, seat: int) -> list[int]:
    return [card.value for card in state.hands[seat]]


def any_move(state: ZombieRunState, rng: Random, shout: float = 0.05) -> str:
    """Return a chance outcome, or an action that shouts with the given probability."""
    if state.current_player() == CHANCE:
        return state.outcome_at(rng.random())
    loud = rng.random() < shout
    legal = state.legal_actions()
    fit = [action for action in legal if action.endswith("shout") == loud]
    return rng.choice(fit or legal)


def walk(
    game: ZombieRun, rng: Random, shout: float = 0.05
) -> Iterator[tuple[ZombieRunState, str]]:
    """Play at random to the end, yielding each state with the move to come."""
    state = game.new_state()
    while not state.is_terminal():
        move = any_move(state, rng, shout)
        yield state, move
        state.apply(move)

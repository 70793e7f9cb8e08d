"""What the drawing of Zombie Dice asks of an observation."""

from random import Random

from arena.games.core import TERMINAL
from arena.games.zombie_dice.observation import ZombieDiceObservation
from arena.games.zombie_dice.state import ZombieDiceState
from arena.text import counted


def turn(seen: ZombieDiceObservation) -> tuple[int, int]:
    """Return the seat whose turn it is, and the round."""
    return seen.turn_seat, seen.round


def outcome(before: ZombieDiceObservation, x: str, after: ZombieDiceObservation) -> str:
    """Return what a turn has come to, where `x` has ended it: bust or banked."""
    seat = before.turn_seat
    gain = after.scores[seat] - before.scores[seat]
    if gain > 0:
        return f"banks {counted(gain, 'brain')}, has {after.scores[seat]}"
    lost = f"loses all {counted(-gain, 'banked brain')}" if gain else ""
    if turn(after) == turn(before) and after.current_player != TERMINAL:
        return lost
    if lost:
        return f"bust, {lost}"
    if x == "stop" or not _is_bust(before, x):
        return f"banks nothing, has {after.scores[seat]}"
    return f"bust, loses {counted(before.brains, 'brain')}" if before.brains else "bust"


def _is_bust(before: ZombieDiceObservation, roll: str) -> bool:
    """Return True if a roll that ends a turn is fatal: the bus ends turns as well."""
    state = before.sample_state(Random(0))
    assert isinstance(state, ZombieDiceState)
    rolled = state.turn
    state.apply(roll)
    return rolled.is_bust

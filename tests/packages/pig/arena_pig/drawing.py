"""What the drawing of Pig asks of an observation."""

from arena.text import counted
from arena_pig.game import PigObservation


def turn(seen: PigObservation) -> tuple[int, int]:
    """Return the seat whose turn it is, and the round."""
    return seen.turn_seat, seen.turn


def outcome(before: PigObservation, x: str, after: PigObservation) -> str:
    """Return what a turn has come to, if `x` has ended it."""
    seat = before.turn_seat
    if x == "1" and not before.points:
        return "bust"
    if x == "1":
        return f"bust, loses {counted(before.points, 'point')}"
    if x == "hold":
        return f"banks {counted(before.points, 'point')}, has {after.scores[seat]}"
    return ""

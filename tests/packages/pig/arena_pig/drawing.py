"""What the drawing of Pig asks of an observation."""

from arena_pig.game import PigObservation


def turn(seen: PigObservation) -> tuple[int, int]:
    """Return the seat whose turn it is, and the round."""
    return seen.turn_seat, seen.turn

"""What the drawing of Zombie Dice asks of an observation."""

from arena.games.zombie_dice.observation import ZombieDiceObservation


def turn(seen: ZombieDiceObservation) -> tuple[int, int]:
    """Return the seat whose turn it is, and the round."""
    return seen.turn_seat, seen.round

"""What the drawing of Zombie Mania! asks of an observation."""

from arena.games.zombie_mania.observation import ZombieManiaObservation


def turn(seen: ZombieManiaObservation) -> tuple[int, tuple[int, int]]:
    """Return the seat whose turn it is, and the round: that of a game of the series."""
    players = len(seen.tokens)
    seat = (seen.game_number - 1 + seen.turn - 1) % players
    return seat, (seen.game_number, (seen.turn - 1) // players)

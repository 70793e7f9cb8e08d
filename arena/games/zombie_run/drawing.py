"""What the drawing of Zombie Run! asks of an observation and of a state."""

from msgspec.structs import replace

from arena.games.zombie_run.observation import ZombieRunObservation
from arena.games.zombie_run.state import ZombieRunState


def turn(seen: ZombieRunObservation) -> tuple[int, int]:
    """Return the seat whose turn it is, -1 between turns, and the round."""
    return -1 if seen.phase in ("deal", "open", "over") else seen.active, seen.round


def truth(state: ZombieRunState, seen: ZombieRunObservation) -> ZombieRunObservation:
    """Return an observation with all cards open."""
    hands = tuple([tuple([card.value for card in hand]) for hand in state.hands])
    return replace(seen, hands=hands, drawn=state.held)

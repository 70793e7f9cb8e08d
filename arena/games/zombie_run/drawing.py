"""What the drawing of Zombie Run! asks of an observation and of a state."""

from msgspec.structs import replace

from arena.games.zombie_run.observation import ZombieRunObservation
from arena.games.zombie_run.state import ZombieRunState


def turn(seen: ZombieRunObservation) -> tuple[int, int]:
    """Return the seat whose turn it is, -1 between turns, and the round."""
    return -1 if seen.phase in ("deal", "open", "over") else seen.active, seen.round


def outcome(before: ZombieRunObservation, x: str, after: ZombieRunObservation) -> str:
    """Return what the round has come to, if this has ended it."""
    if before.phase != "place" or after.phase not in ("deal", "over"):
        return ""
    gains = []
    for seat, hand in enumerate(after.revealed):
        gain = after.scores[seat] - before.scores[seat]
        doubled = f" ({sum(hand)} doubled)" if gain > sum(hand) else ""
        gains.append(f"{{{seat}}} +{gain}{doubled}")
    return f"the round is over: {', '.join(gains)}"


def truth(state: ZombieRunState, seen: ZombieRunObservation) -> ZombieRunObservation:
    """Return an observation with all cards open."""
    hands = tuple([tuple([card.value for card in hand]) for hand in state.hands])
    return replace(seen, hands=hands, drawn=state.held)

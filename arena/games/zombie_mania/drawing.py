"""What the drawing of Zombie Mania! asks of an observation."""

from arena.games.zombie_mania.observation import ZombieManiaObservation
from arena.text import counted


def turn(seen: ZombieManiaObservation) -> tuple[int, tuple[int, int]]:
    """Return the seat whose turn it is, and the round: that of a game of the series."""
    players = len(seen.tokens)
    seat = (seen.game_number - 1 + seen.turn - 1) % players
    return seat, (seen.game_number, (seen.turn - 1) // players)


def outcome(
    before: ZombieManiaObservation, x: str, after: ZombieManiaObservation
) -> str:
    """Return what a turn has come to, where `x` has ended it, and what a game."""
    is_over = after.phase == "over" or after.game_number > before.game_number
    if after.turn == before.turn and not is_over:
        return ""
    seat, _ = turn(before)
    moved = int(x.split()[1]) if before.phase == "move" else 0
    if before.phase == "throw":
        ended = "no zombie, the turn is over"
    elif moved:
        ended = f"has {counted(before.tokens[seat] - moved, 'token')}"
    else:
        ended = "moves nothing"
    if not is_over:
        return ended
    if after.game.options.games == 1:
        # Who has none when his turn begins (ruling 64).
        return f"{ended}; {{{(seat + 1) % len(after.tokens)}}} has no tokens and wins"
    gains = [
        f"{{{i}}} +{new - old}"
        for i, (old, new) in enumerate(
            zip(before.penalties, after.penalties, strict=True)
        )
    ]
    return f"{ended}; game {before.game_number} is over: {', '.join(gains)}"

"""What the drawing of OX Blocks asks of the game and of an observation."""

from typing import Any

from arena.games.ox_blocks.game import OXBlocks
from arena.games.ox_blocks.observation import OXBlocksObservation


def turn(seen: OXBlocksObservation) -> tuple[int, int]:
    """Return the seat whose turn it is, and the round."""
    turn = seen.throws - bool(seen.thrown)
    return turn % 2, turn // 2


def facts(game: OXBlocks) -> dict[str, Any]:
    """Return the lines that win, each as indices of cells."""
    return {"lines": [[game.cells.index(x) for x in line] for line in game.lines]}

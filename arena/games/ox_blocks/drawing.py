"""What the drawing of OX Blocks asks of the game and of an observation."""

from typing import Any

from arena.games.ox_blocks.game import OXBlocks
from arena.games.ox_blocks.observation import OXBlocksObservation
from arena.games.ox_blocks.setup import SYMBOLS


def turn(seen: OXBlocksObservation) -> tuple[int, int]:
    """Return the seat whose turn it is, and the round."""
    turn = seen.throws - bool(seen.thrown)
    return turn % 2, turn // 2


def outcome(before: OXBlocksObservation, x: str, after: OXBlocksObservation) -> str:
    """Return what an event has come to, where it ends the game or the turn at once."""
    if x == "open" and not after.thrown:
        return "there is no block to remove"
    for seat, symbol in enumerate(SYMBOLS):
        blocks = {
            cell
            for cell, block in zip(after.game.cells, after.board, strict=True)
            if block == symbol
        }
        if any(blocks.issuperset(line) for line in after.game.lines):
            return f"a line of {symbol}: {{{seat}}} wins"
    return "" if "." in after.board else "the board is full: a draw"


def facts(game: OXBlocks) -> dict[str, Any]:
    """Return the lines that win, each as indices of cells."""
    return {"lines": [[game.cells.index(x) for x in line] for line in game.lines]}

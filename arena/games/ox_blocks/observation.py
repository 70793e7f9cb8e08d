"""What a seat of OX Blocks knows: everything."""

from arena.games.core import OpenObservation


class OXBlocksObservation(OpenObservation, frozen=True, array_like=True, kw_only=True):
    """What a seat knows: everything."""

    symbol: str
    """The seat's own symbol, X or O."""
    board: tuple[str, ...]
    """X, O or . for each cell, row by row from the top; see `at()`."""
    thrown: str
    """The face thrown, on which the seat must decide: X, O or open.  Else ""."""
    throws: int
    """Throws made so far by both seats, this one included."""

    def at(self, cell: str) -> str:
        """Return X, O or . as it stands on a cell such as `b2`."""
        index: int = self.game.cells.index(cell)
        return self.board[index]

"""The board and the blocks of OX Blocks, as the options make them."""

from functools import cache
from typing import Final

from arena.games.ox_blocks.options import OXBlocksOptions

SYMBOLS: Final = ("X", "O")
"""The symbol of each seat."""


class OXBlocksSetup:
    """The tables that all states of a game share.

    Sets of cells are ints with bit i for cell i.  A set of actions is an int as well,
    with a bit for the id of each.
    """

    def __init__(self, options: OXBlocksOptions) -> None:
        self.size: Final = options.size
        self.cells: Final = tuple(
            f"{column}{row + 1}"
            for row in range(self.size)
            for column in "abcd"[: self.size]
        )
        """The names of the cells, row by row from the top."""
        self.lines: Final = tuple(
            tuple(self.cells[i] for i in line) for line in _lines(self.size)
        )
        """The cells of each line: rows, columns, diagonals."""
        self.full: Final = (1 << len(self.cells)) - 1
        """The set of all cells, and of the actions that place a block."""
        self.cell_bits: Final = tuple(1 << i for i in range(len(self.cells)))
        self.may_pass: Final = options.removal == "optional"
        """True if the other's blocks may be left alone after an open face."""
        placings = [f"place {cell}" for cell in self.cells]
        removals = [*(f"remove {cell}" for cell in self.cells), "pass"]
        self.action_bits: Final = {x: 1 << i for i, x in enumerate(placings + removals)}
        """The bit of each action, in the order of the ids."""
        self.placings: Final = [(x, self.action_bits[x]) for x in placings]
        """`place` for each cell, with its bit."""
        self.removals: Final = [(x, self.action_bits[x]) for x in removals]
        """`remove` for each cell and `pass`, with their bits."""
        faces = zip(("X", "O", "open"), options.faces, strict=True)
        total = sum(options.faces)
        self.outcomes: Final = [(face, n / total) for face, n in faces if n]
        """The faces that can be thrown, with their probabilities."""
        self.faces: Final = frozenset(face for face, _ in self.outcomes)


@cache
def _lines(size: int) -> tuple[tuple[int, ...], ...]:
    rows = [tuple(range(i * size, (i + 1) * size)) for i in range(size)]
    columns = list(zip(*rows, strict=True))
    falling = tuple(i * (size + 1) for i in range(size))
    rising = tuple((i + 1) * (size - 1) for i in range(size))
    return (*rows, *columns, falling, rising)


@cache
def has_line(size: int, blocks: int) -> bool:
    """Return True if there is a line on these cells."""
    return any(all(blocks >> i & 1 for i in line) for line in _lines(size))

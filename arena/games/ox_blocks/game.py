"""The game object of OX Blocks."""

from typing import Any, Final

from arena.games.core import Game, State
from arena.games.ox_blocks.observation import OXBlocksObservation
from arena.games.ox_blocks.options import OXBlocksOptions
from arena.games.ox_blocks.rules import rules_text
from arena.games.ox_blocks.setup import OXBlocksSetup
from arena.games.ox_blocks.state import OXBlocksState


class OXBlocks(Game):
    """OX Blocks with its options."""

    name = "ox_blocks"
    title = "OX Blocks"
    rules_version = "1"
    min_players = 2
    max_players = 2
    options_type = OXBlocksOptions
    observation_type = OXBlocksObservation
    max_decisions = 1000

    def __init__(self, players: int, options: Any) -> None:
        super().__init__(players, options)
        self.setup: Final = OXBlocksSetup(options)
        self.cells: Final = self.setup.cells
        """The names of the cells, row by row from the top."""
        self.lines: Final = self.setup.lines
        """The cells of each line: rows, columns, diagonals."""

    def new_state(self) -> OXBlocksState:
        """Return the empty board before the first throw of seat 0."""
        return OXBlocksState(self, self.setup)

    def list_actions(self) -> list[str]:
        """List the actions: `place` for each cell, `remove` for each, `pass`."""
        return list(self.setup.action_bits)

    def default_action(self, state: State) -> str:
        """Return `pass` where it is legal, else the legal action of lowest id."""
        return "pass" if state.is_legal("pass") else state.legal_actions()[0]

    @property
    def seat_decisions(self) -> int:
        """As in `Game`: up to 29 were seen on 9 cells, and 60 on 16.

        Where a block is open more often, the boards of good bots fill and empty as long
        as they may.
        """
        x, o, is_open = self.options.faces
        if 2 * is_open > x + o:
            return super().seat_decisions
        return 10 * len(self.cells)

    def rules_text(self) -> str:
        return rules_text(self, self.setup)

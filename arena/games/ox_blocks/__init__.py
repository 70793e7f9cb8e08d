"""OX Blocks: noughts and crosses with blocks that are thrown like dice."""

from arena.games.ox_blocks.game import (
    OXBlocks,
    OXBlocksObservation,
    OXBlocksOptions,
    OXBlocksState,
)

__all__ = ["OXBlocks", "OXBlocksObservation", "OXBlocksOptions", "OXBlocksState"]

"""OX Blocks: noughts and crosses with blocks that are thrown like dice.

Nobody chooses what a block shows: whoever throws may have to build the other's line.
`arena rules ox_blocks` tells the rules, with the words of `rules.py`; `rulings.py` says
where they are from.

Columns are a, b, c from the left, rows 1, 2, 3 from the top.  Actions are `place b2`,
`remove b2` and `pass`, with their ids in that order and the cells row by row.  Chance
outcomes are `X`, `O` and `open`.
"""

from arena.games.ox_blocks.game import OXBlocks
from arena.games.ox_blocks.observation import OXBlocksObservation
from arena.games.ox_blocks.options import OXBlocksOptions
from arena.games.ox_blocks.state import OXBlocksState

__all__ = ["OXBlocks", "OXBlocksObservation", "OXBlocksOptions", "OXBlocksState"]

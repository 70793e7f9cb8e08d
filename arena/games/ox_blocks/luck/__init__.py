"""What positions of OX Blocks are worth, and what luck was."""

from typing import Final

from arena.games.ox_blocks.luck.value import OXBlocksValue

VALUE: Final = OXBlocksValue

"""The value of OX Blocks, by which luck is taken out of its scores."""

from typing import Final

from arena.games.ox_blocks.luck.value import OXBlocksValue

VALUE: Final = OXBlocksValue

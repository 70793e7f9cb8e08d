"""How seats play OX Blocks."""

from collections.abc import Iterator, Sequence
from typing import Final

from arena.games.core import CHANCE
from arena.games.ox_blocks.game import OXBlocks
from arena.games.ox_blocks.observation import OXBlocksObservation
from arena.games.ox_blocks.setup import SYMBOLS, has_line
from arena.games.style import Count, Measure

_CENTRE = "b2"
_SIZE_WITH_CENTRE = 3
MEASURES: Final = (
    Measure(
        "wins",
        "Wins when it can",
        "It has thrown its own symbol and one cell completes a line: how often it "
        "takes that cell.",
        is_share=True,
    ),
    Measure(
        "blocks",
        "Blocks the other's line",
        "It has thrown its own symbol and can't win, and the other is one block short "
        "of a line: how often it fills that gap.",
        is_share=True,
    ),
    Measure(
        "gives_away",
        "Gives the game away",
        "It has thrown the other's symbol and has a choice: how often it completes "
        "the other's line.",
        is_share=True,
    ),
    Measure(
        "spoils",
        "Blocks its own line",
        "It has thrown the other's symbol and is itself one block short of a line: how "
        "often it fills its own gap though it has a harmless cell.",
        is_share=True,
    ),
    Measure(
        "centre",
        "Takes the centre",
        "It has thrown its own symbol, the centre is free and no line is one block "
        "short: how often it takes the centre.",
        is_share=True,
    ),
    Measure(
        "removes",
        "Removes a block when it may",
        "It has thrown an open face and may pass: how often it removes a block.",
        is_share=True,
    ),
    Measure(
        "breaks",
        "Removes where it hurts",
        "It has thrown an open face and the other is one block short of a line: how "
        "often it removes a block so that a gap is gone.",
        is_share=True,
    ),
)


def count(game: OXBlocks, history: Sequence[str]) -> Iterator[Count]:
    """Yield what is counted of each seat."""
    state = game.new_state()
    for x in history:
        seat = state.current_player()
        if seat != CHANCE:
            for measure, value in _decision(game, state.observation(seat), x):
                yield Count(seat, measure, value)
        state.apply(x)


def _decision(
    game: OXBlocks, seen: OXBlocksObservation, x: str
) -> Iterator[tuple[str, bool]]:
    setup = game.setup
    blocks = {
        symbol: sum(
            bit
            for bit, block in zip(setup.cell_bits, seen.board, strict=True)
            if block == symbol
        )
        for symbol in SYMBOLS
    }
    own, other = seen.symbol, SYMBOLS[1 - seen.seat]
    free = setup.full & ~(blocks["X"] | blocks["O"])
    own_gaps = _gaps(game, blocks[own], free)
    gaps = _gaps(game, blocks[other], free)
    cell = setup.action_bits[x]
    if seen.thrown == own:
        if own_gaps:
            yield "wins", bool(cell & own_gaps)
        elif gaps:
            yield "blocks", bool(cell & gaps)
        elif setup.size == _SIZE_WITH_CENTRE and seen.at(_CENTRE) == ".":
            yield "centre", x == f"place {_CENTRE}"
    elif seen.thrown == other:
        if gaps and free & ~gaps:
            yield "gives_away", bool(cell & gaps)
        if own_gaps and free & ~gaps & ~own_gaps:
            yield "spoils", bool(cell & own_gaps)
    elif blocks[other]:
        if setup.may_pass:
            yield "removes", x != "pass"
        if gaps:
            # The bit of `pass` falls just beyond the board, where nothing stands.
            kept = blocks[other] & ~(cell >> len(setup.cells))
            yield "breaks", _gaps(game, kept, free) != gaps


def _gaps(game: OXBlocks, blocks: int, free: int) -> int:
    """Return the set of the free cells of which any one would complete a line."""
    setup = game.setup
    return sum(
        bit
        for bit in setup.cell_bits
        if bit & free and has_line(setup.size, blocks | bit)
    )

"""The rules of OX Blocks in words, from the board and the options in force."""

from arena.games.core import Game
from arena.games.ox_blocks.setup import OXBlocksSetup
from arena.games.rulings import MARKS, assumed, ruled
from arena.text import counted


def rules_text(game: Game, setup: OXBlocksSetup) -> str:
    """Return the rules of this game with its options, a line for each paragraph."""
    x, o, opened = game.options.faces
    size, cells = setup.size, setup.cells
    return "\n\n".join(
        (
            f"{game.title} for {game.players} seats. Each wants a straight line of its "
            "symbol, but the throw decides whose block is placed: a seat may have to "
            "build the line of the other.",
            f"The board has {size} x {size} cells, there are "
            f"{counted(len(cells), 'block')}, and a line has {size} cells, in a row, a "
            f"column or a diagonal {assumed(37, 'size')}. Of the {x + o + opened} "
            f"faces of a block {x} show{_s(x)} X, {o} show{_s(o)} O and {opened} "
            f"{'is' if opened == 1 else 'are'} open {assumed(37, 'faces')}.",
            "Seat 0 plays X and throws first, seat 1 plays O; a league plays both "
            f"seatings {ruled(44)}. The seats throw one block in turn.",
            "X or O: the block is placed with that face up on any free cell. It counts "
            f"for the seat of that symbol, whoever placed it {ruled(40)}. A line wins "
            "for the seat of its symbol, also when the other completes it "
            f"{ruled(41)}.",
            _open(setup),
            "A full board without a line is a draw, as no block is left "
            f"{assumed(38)}. A game that has no end within the decisions that a league "
            f"allows (`max_decisions`) is a draw too {assumed(43)}.",
            _notation(setup),
            MARKS,
        )
    )


def _open(setup: OXBlocksSetup) -> str:
    if "open" not in setup.faces:
        return "As no face is open, no block is ever taken off the board."
    may = "may" if setup.may_pass else "must"
    return (
        f"Open: the seat {may} take one block of the other off the board "
        f"{ruled(39, 'removal')}. If the other has none, it must take off one of its "
        f"own; on an empty board nothing happens {ruled(39)}. The block goes back "
        f"among those to be thrown, and the turn is over {assumed(42)}."
    )


def _notation(setup: OXBlocksSetup) -> str:
    first, last = setup.cells[0], setup.cells[-1]
    lines = [
        f"Actions, with columns {first[0]} to {last[0]} from the left and rows "
        f"{first[1]} to {last[1]} from the top:",
        f"    place {last}   put the block on this cell",
    ]
    if "open" in setup.faces:
        lines.append(f"    remove {last}  take the block there off the board")
        if setup.may_pass:
            lines.append("    pass       leave the board as it is")
    return "\n".join(lines)


def _s(number: int) -> str:
    return "s" if number == 1 else ""

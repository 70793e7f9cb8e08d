"""OX Blocks: noughts and crosses with blocks that are thrown like dice.

Two players throw blocks in turn.  A block shows an X, an O or an open face, and
nobody chooses which: whoever throws may have to build the other's line.

The board has 3 x 3 cells and there are 9 blocks, each with two faces of each
kind; the option `size` makes it 4 x 4 cells, 16 blocks and lines of four, and
`faces` sets other faces (ruling 37).  Seat 0 plays X and throws first, seat 1
plays O; a league plays both seatings (44).  On each turn the seat throws one block:

* X or O: the block is placed with that face up on any free cell.  It counts for
  the player of that symbol, whoever placed it (40), so a line of three, in a
  row, a column or a diagonal, wins for the player of its symbol even when the
  other completes it (41).
* Open: the seat may (with the option `removal`, must) take one of the other's
  blocks off the board; if the other has none it must take off one of its own; on
  an empty board nothing happens (39).  The block goes back among those to be
  thrown, and the turn is over (42).

A board that is full without a line is a draw (38).  A game that goes on for too
long is ended by the referee, as a draw; a league's `max_decisions` sets when (43).
The leaflet has been printed together with that of Zombie Dice; the two games share
no rule (45).

Notation: columns are a, b, c from the left, rows 1, 2, 3 from the top.
Actions are `place b2`, `remove b2` and `pass`, with their ids in that order and
the cells row by row.  Chance outcomes are `X`, `O` and `open`.
"""

from arena.games.ox_blocks.game import OXBlocks
from arena.games.ox_blocks.observation import OXBlocksObservation
from arena.games.ox_blocks.options import OXBlocksOptions
from arena.games.ox_blocks.state import OXBlocksState

__all__ = ["OXBlocks", "OXBlocksObservation", "OXBlocksOptions", "OXBlocksState"]

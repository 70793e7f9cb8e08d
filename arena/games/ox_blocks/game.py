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

from collections.abc import Hashable
from functools import cache
from random import Random
from typing import Annotated, Any, ClassVar, Final, Literal, Self

from msgspec import Meta

from arena.games.core import (
    CHANCE,
    TERMINAL,
    Game,
    IllegalActionError,
    Observation,
    State,
    shares,
)
from arena.games.options import Options
from arena.games.ox_blocks.rules import rules_in_force

SYMBOLS: Final = ("X", "O")
"""The symbol of each seat."""

_Faces = Annotated[int, Meta(ge=1)]
_OpenFaces = Annotated[int, Meta(ge=0)]


class OXBlocksOptions(Options, frozen=True):
    """The options of OX Blocks."""

    size: Annotated[
        Literal[3, 4],
        Meta(description="Cells a side, which is also the length of a line (37)"),
    ] = 3
    faces: Annotated[
        tuple[_Faces, _Faces, _OpenFaces],
        Meta(description="Faces of a block that show X, O and open (37)"),
    ] = (2, 2, 2)
    removal: Annotated[
        Literal["optional", "must"],
        Meta(description="Whether open may or must remove the other's block (39)"),
    ] = "optional"


class OXBlocksObservation(Observation, frozen=True, array_like=True, kw_only=True):
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

    @property
    def legal_actions(self) -> list[str]:
        """All legal actions of the seat to act, in ascending order of their ids."""
        return self._state().legal_actions()

    def sample_state(self, rng: Random) -> "OXBlocksState":
        """Return the state, exactly: nothing is hidden."""
        return self._state()

    def _state(self) -> "OXBlocksState":
        state: OXBlocksState = self.game.new_state()
        for bit, block in zip(self.game._cell_bits, self.board, strict=True):
            if block == "X":
                state._x |= bit
            elif block == "O":
                state._o |= bit
        if self.thrown:
            state._throws = self.throws - 1
            state.apply(self.thrown)
        else:
            state._throws = self.throws
            state._end_turn()
        return state


class OXBlocksState(State):
    """A position of OX Blocks.

    Sets of cells are ints, with bit i for cell i.  The legal actions are an int
    as well, with a bit for the id of each.
    """

    __slots__ = ("_legal", "_o", "_player", "_thrown", "_throws", "_winner", "_x")

    game: "OXBlocks"

    def __init__(self, game: "OXBlocks") -> None:
        self.game = game
        self._x = 0
        self._o = 0
        self._thrown = ""
        self._throws = 0
        self._legal = 0
        self._player = CHANCE
        self._winner = -1

    def current_player(self) -> int:
        """Return the seat to act, `CHANCE` or `TERMINAL`."""
        return self._player

    def legal_actions(self) -> list[str]:
        """Return all legal actions in ascending order of their ids."""
        game, legal = self.game, self._legal
        # One throw never allows both to place and to remove.
        actions = game._placings if legal <= game._full else game._removals
        return [action for action, bit in actions if bit & legal]

    def is_legal(self, action: object) -> bool:
        """Say whether `action` is among `legal_actions()`."""
        if not isinstance(action, str):
            return False
        return self.game._action_bits.get(action, 0) & self._legal != 0

    def chance_outcomes(self) -> list[tuple[str, float]]:
        """Return the faces that can be thrown, in the order X, O, open."""
        return self.game._outcomes[:] if self._player == CHANCE else []

    def chance_stream(self) -> str:
        """Name the coming throw by the seat and the number of its own throw."""
        return f"seat {self._throws % 2} throw {self._throws // 2 + 1}"

    def apply(self, x: str) -> None:
        """Play an action, or let a face be thrown.

        Raises:
            IllegalActionError: `x` is not possible here; the state is unchanged.
        """
        if self._player == CHANCE:
            self._throw(x)
            return
        game = self.game
        bit = game._action_bits.get(x, 0) & self._legal
        if not bit:
            raise IllegalActionError(self, x)
        if bit <= game._full:
            if self._thrown == "X":
                self._x |= bit
            else:
                self._o |= bit
        else:
            # The bit of `pass` falls just beyond the board, where nothing stands.
            kept = ~(bit >> len(game.cells))
            self._x &= kept
            self._o &= kept
        self._end_turn()

    def _throw(self, face: str) -> None:
        game = self.game
        if face not in game._faces:
            raise IllegalActionError(self, face)
        seat = self._throws % 2
        if face == "open":
            own, other = (self._o, self._x) if seat else (self._x, self._o)
            legal = (other or own) << len(game.cells)
            if other and game.may_pass:
                legal |= game._action_bits["pass"]
        else:
            legal = game._full & ~(self._x | self._o)
        self._throws += 1
        if legal:
            self._thrown = face
            self._legal = legal
            self._player = seat

    def _end_turn(self) -> None:
        game = self.game
        self._thrown = ""
        self._legal = 0
        self._player = CHANCE
        if _has_line(game.size, self._x):
            self._winner = 0
            self._player = TERMINAL
        elif _has_line(game.size, self._o):
            self._winner = 1
            self._player = TERMINAL
        elif self._x | self._o == game._full:
            self._player = TERMINAL

    def clone(self) -> Self:
        """Return an independent copy."""
        copy = self.__class__.__new__(self.__class__)
        copy.game = self.game
        copy._x = self._x
        copy._o = self._o
        copy._thrown = self._thrown
        copy._throws = self._throws
        copy._legal = self._legal
        copy._player = self._player
        copy._winner = self._winner
        return copy

    def scores(self) -> list[float]:
        """Return 1 for a line, 0 for the other's, 0.5 each as long as there is none."""
        return shares(self.places())

    def places(self) -> list[int]:
        """Return [1, 2] or [2, 1] if there is a line, and [1, 1] without one."""
        if self._winner < 0:
            return [1, 1]
        return [1, 2] if self._winner == 0 else [2, 1]

    def observation(self, seat: int) -> OXBlocksObservation:
        """Return what `seat` knows now."""
        return OXBlocksObservation(
            seat=seat,
            game=self.game,
            symbol=SYMBOLS[seat],
            board=self._board(),
            thrown=self._thrown,
            throws=self._throws,
        )

    def _board(self) -> tuple[str, ...]:
        x, o = self._x, self._o
        bits = self.game._cell_bits
        return tuple(["X" if x & bit else "O" if o & bit else "." for bit in bits])

    def key(self) -> Hashable:
        """Return the blocks, the face thrown and whose turn it is."""
        return self._x, self._o, self._thrown, self._throws % 2

    def to_text(self) -> str:
        """Return the board with its coordinates, and what comes next."""
        size = self.game.size
        board = self._board()
        lines = ["  " + " ".join("abcd"[:size])]
        for row in range(size):
            blocks = " ".join(board[row * size : (row + 1) * size])
            lines.append(f"{row + 1} {blocks}")
        if self._player == CHANCE:
            lines.append(f"{SYMBOLS[self._throws % 2]} throws")
        elif self._player != TERMINAL:
            lines.append(f"{SYMBOLS[self._player]} has thrown {self._thrown}")
        elif self._winner >= 0:
            lines.append(f"{SYMBOLS[self._winner]} has won")
        else:
            lines.append("draw")
        return "\n".join(lines)


class OXBlocks(Game):
    """OX Blocks with its options."""

    name: ClassVar[str] = "ox_blocks"
    title: ClassVar[str] = "OX Blocks"
    rules_version: ClassVar[str] = "1"
    min_players: ClassVar[int] = 2
    max_players: ClassVar[int] = 2
    options_type: ClassVar[type[Options]] = OXBlocksOptions
    observation_type: ClassVar[type[Observation]] = OXBlocksObservation
    max_decisions = 1000

    def __init__(self, players: int, options: Any) -> None:
        super().__init__(players, options)
        size: int = options.size
        self.size: Final = size
        self.cells: Final = tuple(
            f"{column}{row + 1}" for row in range(size) for column in "abcd"[:size]
        )
        """The names of the cells, row by row from the top."""
        self.lines: Final = tuple(
            tuple(self.cells[i] for i in line) for line in _lines(size)
        )
        """The cells of each line: rows, columns, diagonals."""
        self._full = (1 << len(self.cells)) - 1
        self.may_pass: Final[bool] = options.removal == "optional"
        """Whether the other's blocks may be left alone after an open face."""
        self.has_open_face: Final[bool] = options.faces[2] > 0
        self._cell_bits = tuple(1 << i for i in range(len(self.cells)))
        self._action_bits = {x: 1 << i for i, x in enumerate(self.list_actions())}
        actions = list(self._action_bits.items())
        self._placings = actions[: len(self.cells)]
        self._removals = actions[len(self.cells) :]
        """`remove` for each cell, and `pass`."""
        faces = zip(("X", "O", "open"), options.faces, strict=True)
        total = sum(options.faces)
        self._outcomes = [(face, count / total) for face, count in faces if count]
        self._faces = {face for face, _ in self._outcomes}

    def new_state(self) -> OXBlocksState:
        """Return the empty board before the first throw of seat 0."""
        return OXBlocksState(self)

    def list_actions(self) -> list[str]:
        """List the actions: `place` for each cell, `remove` for each, `pass`."""
        verbs = ("place", "remove")
        return [f"{verb} {cell}" for verb in verbs for cell in self.cells] + ["pass"]

    def default_action(self, state: State) -> str:
        """Return `pass` where it is legal, else the legal action of lowest id."""
        return "pass" if state.is_legal("pass") else state.legal_actions()[0]

    def rules_text(self) -> str:
        """Return the rules in force, a line for each paragraph."""
        return rules_in_force(self)


@cache
def _lines(size: int) -> tuple[tuple[int, ...], ...]:
    rows = [tuple(range(i * size, (i + 1) * size)) for i in range(size)]
    columns = list(zip(*rows, strict=True))
    falling = tuple(i * (size + 1) for i in range(size))
    rising = tuple((i + 1) * (size - 1) for i in range(size))
    return (*rows, *columns, falling, rising)


@cache
def _has_line(size: int, blocks: int) -> bool:
    return any(all(blocks >> i & 1 for i in line) for line in _lines(size))

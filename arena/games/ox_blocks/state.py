"""OX Blocks in play."""

from collections.abc import Hashable
from typing import Self

from arena.games.core import CHANCE, TERMINAL, Game, IllegalActionError, State, shares
from arena.games.ox_blocks.observation import OXBlocksObservation
from arena.games.ox_blocks.setup import SYMBOLS, OXBlocksSetup, has_line


class OXBlocksState(State):
    """A position of OX Blocks.

    Sets of cells and of actions are ints, as in `OXBlocksSetup`.
    """

    __slots__ = (
        "_legal",
        "_o",
        "_player",
        "_thrown",
        "_throws",
        "_winner",
        "_x",
        "setup",
    )

    def __init__(self, game: Game, setup: OXBlocksSetup) -> None:
        self.game = game
        self.setup = setup
        self._x = 0
        self._o = 0
        self._thrown = ""
        self._throws = 0
        self._legal = 0
        self._player = CHANCE
        self._winner = -1

    def current_player(self) -> int:
        return self._player

    def legal_actions(self) -> list[str]:
        setup, legal = self.setup, self._legal
        # One throw never allows both to place and to remove.
        actions = setup.placings if legal <= setup.full else setup.removals
        return [action for action, bit in actions if bit & legal]

    def is_legal(self, action: object) -> bool:
        if not isinstance(action, str):
            return False
        return self.setup.action_bits.get(action, 0) & self._legal != 0

    def chance_outcomes(self) -> list[tuple[str, float]]:
        """Return the faces that can be thrown, in the order X, O, open."""
        return self.setup.outcomes[:] if self._player == CHANCE else []

    def chance_stream(self) -> str:
        """Return the seat and the number of its own throw."""
        return f"seat {self._throws % 2} throw {self._throws // 2 + 1}"

    def apply(self, x: str) -> None:
        if self._player == CHANCE:
            self._throw(x)
            return
        setup = self.setup
        bit = setup.action_bits.get(x, 0) & self._legal
        if not bit:
            raise IllegalActionError(self, x)
        if bit <= setup.full:
            if self._thrown == "X":
                self._x |= bit
            else:
                self._o |= bit
        else:
            # The bit of `pass` falls just beyond the board, where nothing stands.
            kept = ~(bit >> len(setup.cells))
            self._x &= kept
            self._o &= kept
        self._end_turn()

    def _throw(self, face: str) -> None:
        setup = self.setup
        if face not in setup.faces:
            raise IllegalActionError(self, face)
        seat = self._throws % 2
        if face == "open":
            own, other = (self._o, self._x) if seat else (self._x, self._o)
            legal = (other or own) << len(setup.cells)
            if other and setup.may_pass:
                legal |= setup.action_bits["pass"]
        else:
            legal = setup.full & ~(self._x | self._o)
        self._throws += 1
        if legal:
            self._thrown = face
            self._legal = legal
            self._player = seat

    def _end_turn(self) -> None:
        setup = self.setup
        self._thrown = ""
        self._legal = 0
        self._player = CHANCE
        if has_line(setup.size, self._x):
            self._winner = 0
            self._player = TERMINAL
        elif has_line(setup.size, self._o):
            self._winner = 1
            self._player = TERMINAL
        elif self._x | self._o == setup.full:
            self._player = TERMINAL

    def clone(self) -> Self:
        copy = self.__class__.__new__(self.__class__)
        copy.game = self.game
        copy.setup = self.setup
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
        return OXBlocksObservation(
            seat=seat,
            game=self.game,
            symbol=SYMBOLS[seat],
            board=self._board(),
            thrown=self._thrown,
            throws=self._throws,
        )

    def restore(self, seen: OXBlocksObservation) -> Self:
        """Become the state in which `seen` was observed, and return it."""
        for bit, block in zip(self.setup.cell_bits, seen.board, strict=True):
            if block == "X":
                self._x |= bit
            elif block == "O":
                self._o |= bit
        if seen.thrown:
            self._throws = seen.throws - 1
            self.apply(seen.thrown)
        else:
            self._throws = seen.throws
            self._end_turn()
        return self

    def _board(self) -> tuple[str, ...]:
        x, o = self._x, self._o
        bits = self.setup.cell_bits
        return tuple(["X" if x & bit else "O" if o & bit else "." for bit in bits])

    def key(self) -> Hashable:
        """Return the blocks, the face thrown and whose turn it is."""
        return self._x, self._o, self._thrown, self._throws % 2

    def to_text(self) -> str:
        """Return the board with its coordinates, and what comes next."""
        size = self.setup.size
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

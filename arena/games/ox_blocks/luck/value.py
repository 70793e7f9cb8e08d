"""The value of OX Blocks: every board of 3 x 3, lines counted on larger ones."""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import Any

from arena.games import Game, State
from arena.games.luck import Value
from arena.games.ox_blocks.luck.boards import SIZE, SLIP_CHANCE, after, choice, solved

_FACES = ("X", "O", "open")


class OXBlocksValue(Value):
    """Supposes that both seats mostly play their best, and slip now and then.

    On 3 x 3 cells the chance to win is worked out from the odds of the faces, for
    all boards, where each seat plays its best action, or 3 times in 10 any action.
    Whose block is whose, what has been thrown and who is to throw is all it knows.
    It takes a second to prepare, once in a process for the same options.

    Raises:
        ValueError: the board is larger.
    """

    version = "1"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        options: Any = game.options
        if options.size != SIZE:
            raise ValueError(
                f"ox_blocks: options.size: luck is known for {SIZE}; "
                f"found {options.size}"
            )
        total = sum(options.faces)
        x, o, opened = (count / total for count in options.faces)
        self._odds = (x, o, opened)
        self._may_pass = options.removal == "optional"
        self._boards = solved(self._odds, self._may_pass)
        self._deciding = lru_cache(maxsize=1 << 16)(self._decide)

    @cached_property
    def digest(self) -> str:
        numbers = [
            SLIP_CHANCE,
            *self._odds,
            *self._boards.values[0],
            *self._boards.values[1],
        ]
        text = " ".join(f"{number:.9f}" for number in numbers)
        return blake2b(text.encode(), digest_size=8).hexdigest()

    def ahead(self, state: State) -> Sequence[float]:
        key: Any = state.key()
        x, o, thrown, following = key
        if not thrown:
            return (self._boards(following, x, o),)
        return (self._deciding(x, o, 1 - following)[_FACES.index(thrown)],)

    def expected(self, state: State) -> Sequence[float]:
        key: Any = state.key()
        x, o, _, seat = key
        values = self._deciding(x, o, seat)
        odds = self._odds
        return (odds[0] * values[0] + odds[1] * values[1] + odds[2] * values[2],)

    def _decide(self, x: int, o: int, seat: int) -> list[float]:
        """Return the values of the board once `seat` has thrown X, O or open."""
        boards = self._boards
        return [
            choice([boards(1 - seat, *board) for board in made], seat)
            for made in after(x, o, seat, self._may_pass)
        ]

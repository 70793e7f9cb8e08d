"""The contract of a value function: who will finish ahead, guessed from a position."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import ClassVar

from arena.analysis.luck import luck_of
from arena.games import Game, State


class Value(ABC):
    """Guesses, from any position of a game, which seat will finish ahead of which.

    It is frozen before any result that it is used on, and depends on the position
    alone.  Then what it says of luck is unbiased however wrong the guess is: the
    better the guess, the more luck it finds.
    """

    version: ClassVar[str]
    """Changed whenever any of its numbers may change."""

    def __init__(self, game: Game) -> None:
        """Prepare it for these players and options.

        Raises:
            ValueError: it can't value this game; the message says why.
        """
        self.game = game
        self.pairs = tuple(combinations(range(game.players), 2))
        """The pairs of seats, in the order of all numbers here."""

    @property
    @abstractmethod
    def digest(self) -> str:
        """Sixteen hexadecimal digits that change with any of its numbers."""

    @abstractmethod
    def ahead(self, state: State) -> Sequence[float]:
        """Return, for each pair, the chance that the first finishes ahead.

        In [0, 1]; a shared place is half.  At the end of the game it is 0, 0.5 or 1,
        as `state.places()` says.  Any state may be asked about, chance nodes too.
        """

    def expected(self, state: State) -> Sequence[float]:
        """Return the mean of `ahead` over the outcomes of a chance node.

        Exactly the mean, to rounding: any difference would be a bias.
        """
        means = [0.0] * len(self.pairs)
        for outcome, probability in state.chance_outcomes():
            after = state.clone()
            after.apply(outcome)
            for i, value in enumerate(self.ahead(after)):
                means[i] += probability * value
        return means

    def luck(self, history: Iterable[str]) -> tuple[float, ...]:
        """Return what `arena.analysis.luck_of` does, to the last bit.

        Raises:
            IllegalActionError: it is no history of this game.
        """
        return luck_of(self, history)

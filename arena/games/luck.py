"""Values of positions, and the luck in a game as a value sees it.

Each chance event is worth V(after) minus the mean of V over all that could have come,
and has mean zero whatever has happened before.  So a score minus the luck in it has the
same mean as the score, for any V and any players, and scatters less.  (M. Zinkevich,
M. Bowling, N. Bard, M. Kan and D. Billings, "Optimal Unbiased Estimators for Evaluating
Agent Performance", AAAI 2006; N. Burch, M. Schmid, M. Moravcik, D. Morrill and
M. Bowling, "AIVAT", AAAI 2018, without its terms for the players' choices.)
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import sqrt
from typing import ClassVar

from arena.games import CHANCE, Game, State
from arena.games.registry import OUR_GAMES, game_part
from arena.registry import Registry, load, module_of

VALUES = Registry(
    "two values are given for {name}: {old} and {new}",
    {name: f"{module_of(path)}.luck:VALUE" for name, path in OUR_GAMES.items()},
)
"""Values by their games' names, beside those in the folders of packages' games."""


class NotFollowedError(Exception):
    """A history can't be followed in a few steps: go through the game's states."""


class Luck(ABC):
    """Works out what luck was worth in games, as a value of their positions saw it.

    The value is frozen before any result that it is used on, and depends on the
    position alone.  Then what it says of luck is unbiased however wrong it is: the
    better it guesses, the more luck it finds.
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
    def luck(self, history: Iterable[str]) -> tuple[float, ...]:
        """Return the luck of each pair: how much chance has added to its score.

        `history` is what a game record holds: outcomes and actions from the beginning.

        Raises:
            IllegalActionError: it is no history of this game.
        """


class Value(Luck):
    """Guesses, from any position of a game, which seat will finish ahead of which."""

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
        """Return the same as `luck_of`, to the last bit."""
        return luck_of(self, history)


def luck_of(value: Value, history: Iterable[str]) -> tuple[float, ...]:
    """Return the luck of each pair: how much chance has added to its score.

    `history` is what a game record holds: outcomes and actions from the beginning.

    Raises:
        IllegalActionError: it is no history of this game.
    """
    state = value.game.new_state()
    luck = [0.0] * len(value.pairs)
    for x in history:
        if state.current_player() != CHANCE:
            state.apply(x)
            continue
        expected = value.expected(state)
        state.apply(x)
        for i, found in enumerate(value.ahead(state)):
            luck[i] += found - expected[i]
    return tuple(luck)


def chance_above(lead: float, variance: float) -> float:
    """Return the chance that a lead, uncertain by so much, ends above 0.

    The distribution function of Student's t with 4 degrees of freedom, which is close
    to the normal one and, other than that, needs no more than a square root.
    """
    x = lead / sqrt(4.0 * variance + lead * lead)
    return 0.5 + x * (0.75 - 0.25 * x * x)


def value_class(game: str) -> type[Luck] | None:
    """Return the class of the value of the game of this name; None if there is none."""
    found: type[Luck]
    if game in VALUES:
        found = load(VALUES[game])
        return found
    luck = game_part(game, "luck")
    if luck is None:
        return None
    found = luck.VALUE
    return found


def find_value(game: Game) -> Luck | None:
    """Return the value of a game with its players and options; None if there is none.

    Raises:
        ValueError: there is one, but not for these players or options.
    """
    found = value_class(game.name)
    return None if found is None else found(game)

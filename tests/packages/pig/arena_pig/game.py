"""Pig, a dice race for 2 to 10 players.

Source: Neller and Presser, "Optimal Play of the Dice Game Pig", The UMAP
Journal 25(1), 2004, for two players.  Numbers in brackets are those of the
rulings where it is silent.

A turn begins with a roll of one die.  A 1 ends the turn, which has gained
nothing.  Any other face adds to the points of the turn, and the seat chooses:
roll again, or hold, which banks these points and ends the turn.

The first seat that has banked the target wins at once: with more than two
players, too, nobody gets another turn (1).  The others, and all seats of a game
that is cut short, are ranked by what they have banked (2).

Notation: actions are `roll` and `hold`; a chance outcome is the face, `1` to `6`.
"""

from collections.abc import Hashable
from random import Random
from typing import Annotated, Self

from msgspec import Meta

from arena.games import (
    CHANCE,
    TERMINAL,
    Game,
    IllegalActionError,
    Observation,
    Options,
    State,
    rank,
)

FACES = ("1", "2", "3", "4", "5", "6")


class PigOptions(Options, frozen=True):
    """The options of Pig."""

    target: Annotated[int, Meta(ge=2, le=1000, description="Points that win")] = 100


class PigObservation(Observation, frozen=True, array_like=True, kw_only=True):
    """What a seat knows: everything."""

    scores: tuple[int, ...]
    """Banked points, in seat order."""
    turn_seat: int
    """The seat whose turn it is."""
    turn: int
    """The number of its turn, 1-based."""
    points: int
    """Points of this turn: what `hold` would bank."""
    rolls: int
    """Rolls made in this turn."""
    rolling: bool
    """Whether the die is about to fall.  False where a seat decides."""

    def sample_state(self, rng: Random) -> "PigState":
        """Return the state, exactly: nothing is hidden."""
        state: PigState = self.game.new_state()
        state._scores = list(self.scores)
        state._seat, state._turn = self.turn_seat, self.turn
        state._points, state._rolls = self.points, self.rolls
        state._rolling = self.rolling
        return state


class PigState(State):
    """A position of Pig."""

    __slots__ = ("_points", "_rolling", "_rolls", "_scores", "_seat", "_turn")

    game: "Pig"

    def __init__(self, game: "Pig") -> None:
        self.game = game
        self._scores = [0] * game.players
        self._seat, self._turn = 0, 1
        self._points, self._rolls = 0, 0
        self._rolling = True

    def current_player(self) -> int:
        if max(self._scores) >= self.game.options.target:
            return TERMINAL
        return CHANCE if self._rolling else self._seat

    def legal_actions(self) -> list[str]:
        return ["roll", "hold"] if self.current_player() >= 0 else []

    def chance_outcomes(self) -> list[tuple[str, float]]:
        faces = FACES if self.current_player() == CHANCE else ()
        return [(face, 1 / 6) for face in faces]

    def chance_stream(self) -> str:
        return f"seat {self._seat} turn {self._turn} roll {self._rolls + 1}"

    def apply(self, x: str) -> None:
        if self.current_player() == CHANCE:
            if x not in FACES:
                raise IllegalActionError(self, x)
            self._rolling = False
            self._rolls += 1
            self._points += int(x)
            if x == "1":
                self._end_turn()
        elif not self.is_legal(x):
            raise IllegalActionError(self, x)
        elif x == "roll":
            self._rolling = True
        else:
            self._scores[self._seat] += self._points
            self._end_turn()

    def _end_turn(self) -> None:
        self._seat = (self._seat + 1) % self.game.players
        self._turn += self._seat == 0
        self._points, self._rolls = 0, 0
        self._rolling = True

    def clone(self) -> Self:
        copy = self.__class__.__new__(self.__class__)
        copy.game = self.game
        copy._scores = self._scores[:]
        copy._seat, copy._turn = self._seat, self._turn
        copy._points, copy._rolls = self._points, self._rolls
        copy._rolling = self._rolling
        return copy

    def scores(self) -> list[float]:
        return [float(score) for score in self._scores]

    def places(self) -> list[int]:
        return rank(self._scores)

    def observation(self, seat: int) -> PigObservation:
        return PigObservation(
            seat=seat,
            game=self.game,
            scores=tuple(self._scores),
            turn_seat=self._seat,
            turn=self._turn,
            points=self._points,
            rolls=self._rolls,
            rolling=self._rolling,
        )

    def key(self) -> Hashable:
        # How many turns and rolls it took changes nothing that is to come.
        return tuple(self._scores), self._seat, self._points, self._rolling

    def to_text(self) -> str:
        banked = f"banked, by seat: {self._scores}"
        if self.is_terminal():
            return banked
        return f"{banked}; seat {self._seat} has {self._points} in turn {self._turn}"


class Pig(Game):
    """Pig with its options."""

    name = "pig"
    title = "Pig"
    rules_version = "1"
    min_players = 2
    max_players = 10
    options_type = PigOptions
    observation_type = PigObservation
    # Above what ten seats need to bank 1000 points each.
    max_decisions = 20_000

    def new_state(self) -> PigState:
        return PigState(self)

    def list_actions(self) -> list[str]:
        return ["roll", "hold"]

    def default_action(self, state: State) -> str:
        return "hold"

    def rules_text(self) -> str:
        return f"{__doc__}\nIn force: the target is {self.options.target}."

    def house_rules(self) -> tuple[str, ...]:
        if self.players == 2:
            return ()
        return ("Nobody gets another turn once the target is reached (ruling 1).",)

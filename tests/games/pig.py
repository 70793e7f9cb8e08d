"""Pig, a dice race, as a small example of a game that keeps the contract.

A turn is any number of rolls of one die.  A 1 ends the turn and forfeits what it
gained; `hold`, possible after the first roll, banks it.  Whoever has `target` points
after holding ends the game.

With the option `bonus` each seat is dealt 1 to `bonus` secret points first, which
only that seat knows and which count at the end, so that something is hidden.
"""

from collections.abc import Hashable
from random import Random
from typing import Annotated, Self

import msgspec

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


class PigOptions(Options, frozen=True):
    target: Annotated[int, msgspec.Meta(ge=1)] = 20
    bonus: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0


class PigObservation(Observation, frozen=True, array_like=True, kw_only=True):
    scores: tuple[int, ...]
    my_bonus: int
    """0 until it is dealt."""
    player: int
    """The seat whose turn it is, or which is dealt its bonus."""
    turn: int
    rolls: int
    points: int
    """What the turn has gained so far."""
    rolling: bool
    over: bool

    def sample_state(self, rng: Random) -> "PigState":
        state: PigState = self.game.new_state()
        state.scores_ = list(self.scores)
        most = self.game.options.bonus
        if most and self.turn:
            state.bonuses = [rng.randint(1, most) for _ in self.scores]
            state.bonuses[self.seat] = self.my_bonus
        state.player, state.turn, state.rolls = self.player, self.turn, self.rolls
        state.points, state.rolling, state.over = self.points, self.rolling, self.over
        return state


class PigState(State):
    __slots__ = (
        "bonuses",
        "over",
        "player",
        "points",
        "rolling",
        "rolls",
        "scores_",
        "turn",
    )

    def __init__(self, game: "Pig") -> None:
        self.game = game
        self.scores_ = [0] * game.players
        self.bonuses: list[int] = []
        self.player = 0
        self.turn = 0 if game.options.bonus else 1
        self.rolls = 0
        self.points = 0
        self.rolling = bool(game.options.bonus)
        self.over = False

    def current_player(self) -> int:
        if self.over:
            return TERMINAL
        return CHANCE if self.rolling else self.player

    def legal_actions(self) -> list[str]:
        if self.current_player() < 0:
            return []
        return ["roll", "hold"] if self.rolls else ["roll"]

    def chance_outcomes(self) -> list[tuple[str, float]]:
        if self.current_player() != CHANCE:
            return []
        n = 6 if self.turn else self.game.options.bonus
        return [(str(i), 1 / n) for i in range(1, n + 1)]

    def chance_stream(self) -> str:
        if not self.turn:
            return f"bonus of seat {self.player}"
        return f"seat {self.player} turn {self.turn} roll {self.rolls + 1}"

    def apply(self, x: str) -> None:
        if self.current_player() == CHANCE:
            if x not in [outcome for outcome, _ in self.chance_outcomes()]:
                raise IllegalActionError(self, x)
            if self.turn:
                self._roll(int(x))
            else:
                self.bonuses.append(int(x))
                self.player = len(self.bonuses) % self.game.players
                self.turn = int(self.player == 0)
                self.rolling = not self.turn
        elif not self.is_legal(x):
            raise IllegalActionError(self, x)
        elif x == "roll":
            self.rolling = True
        else:
            self.scores_[self.player] += self.points
            self.over = self.scores_[self.player] >= self.game.options.target
            self._pass()

    def _roll(self, face: int) -> None:
        self.rolling = False
        self.rolls += 1
        self.points += face
        if face == 1:
            self._pass()

    def _pass(self) -> None:
        self.player = (self.player + 1) % self.game.players
        self.turn += self.player == 0
        self.rolls = self.points = 0

    def clone(self) -> Self:
        twin = object.__new__(type(self))
        twin.game = self.game
        twin.scores_ = self.scores_[:]
        twin.bonuses = self.bonuses[:]
        twin.player, twin.turn, twin.rolls = self.player, self.turn, self.rolls
        twin.points, twin.rolling, twin.over = self.points, self.rolling, self.over
        return twin

    def scores(self) -> list[float]:
        bonuses = self.bonuses if self.over else []
        padded = bonuses or [0] * len(self.scores_)
        return [a + b for a, b in zip(self.scores_, padded, strict=True)]

    def places(self) -> list[int]:
        return rank(self.scores())

    def observation(self, seat: int) -> PigObservation:
        return PigObservation(
            seat=seat,
            game=self.game,
            scores=tuple(self.scores_),
            my_bonus=self.bonuses[seat] if seat < len(self.bonuses) else 0,
            player=self.player,
            turn=self.turn,
            rolls=self.rolls,
            points=self.points,
            rolling=self.rolling,
            over=self.over,
        )

    def visible(self, x: str, seat: int) -> str | None:
        return x if self.turn or seat == self.player else None

    def key(self) -> Hashable:
        return (
            tuple(self.scores_),
            tuple(self.bonuses),
            self.player,
            self.turn == 0,
            self.rolls > 0,
            self.points,
            self.rolling,
            self.over,
        )

    def to_text(self) -> str:
        turn = f"seat {self.player} has {self.points} in turn {self.turn}"
        return f"scores {self.scores_}, bonuses {self.bonuses}\n{turn}"


class Pig(Game):
    name = "pig"
    title = "Pig"
    rules_version = "1"
    min_players = 2
    max_players = 10
    options_type = PigOptions
    observation_type = PigObservation
    max_decisions = 2000

    def new_state(self) -> PigState:
        return PigState(self)

    def list_actions(self) -> list[str]:
        return ["roll", "hold"]

    def default_action(self, state: State) -> str:
        return state.legal_actions()[-1]

    def rules_text(self) -> str:
        return f"{__doc__}\nThe target is {self.options.target}."


def make_pig(players: int = 2, **options: int) -> Pig:
    """Return a checked game of Pig."""
    Pig.check_players(players)
    return Pig(players, Pig.parse_options(options))

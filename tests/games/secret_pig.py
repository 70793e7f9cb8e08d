"""Pig with secrets: the package's game, changed so that something is hidden.

A seat chooses its first roll too.  With the option `bonus` each seat is dealt 1 to
`bonus` secret points first, which only that seat knows and which count at the end.
"""

from collections.abc import Hashable
from random import Random
from typing import Annotated, Self

import msgspec
from arena_pig.game import Pig, PigObservation, PigOptions, PigState

from arena.games import CHANCE, TERMINAL, IllegalActionError, rank


class SecretOptions(PigOptions, frozen=True):
    target: Annotated[int, msgspec.Meta(ge=1)] = 20
    bonus: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0


class SecretObservation(PigObservation, frozen=True, array_like=True, kw_only=True):
    my_bonus: int
    """0 until it is dealt."""
    dealing: bool
    over: bool

    def sample_state(self, rng: Random) -> "SecretState":
        state = super().sample_state(rng)
        assert isinstance(state, SecretState)
        state.over = self.over
        dealt = self.turn_seat if self.dealing else len(self.scores)
        most = self.game.options.bonus
        state.bonuses = [rng.randint(1, most) for _ in range(dealt if most else 0)]
        if self.my_bonus:
            state.bonuses[self.seat] = self.my_bonus
        return state


class SecretState(PigState):
    __slots__ = ("bonuses", "over")

    def __init__(self, game: "SecretPig") -> None:
        super().__init__(game)
        self.bonuses: list[int] = []
        self.over = False
        self._rolling = self.dealing

    @property
    def dealing(self) -> bool:
        """Whether the next chance event is a bonus."""
        return len(self.bonuses) < self.game.players * (self.game.options.bonus > 0)

    def current_player(self) -> int:
        if self.over:
            return TERMINAL
        return CHANCE if self._rolling else self._seat

    def legal_actions(self) -> list[str]:
        return ["roll", "hold"][: 1 + (self._rolls > 0)] if self.is_deciding else []

    @property
    def is_deciding(self) -> bool:
        return self.current_player() >= 0

    def chance_outcomes(self) -> list[tuple[str, float]]:
        if not self.dealing:
            return super().chance_outcomes()
        most = self.game.options.bonus
        return [(str(i), 1 / most) for i in range(1, most + 1)]

    def chance_stream(self) -> str:
        if self.dealing:
            return f"bonus of seat {self._seat}"
        return super().chance_stream()

    def apply(self, x: str) -> None:
        if not self.dealing:
            super().apply(x)
            return
        if x not in [outcome for outcome, _ in self.chance_outcomes()]:
            raise IllegalActionError(self, x)
        self.bonuses.append(int(x))
        self._seat = len(self.bonuses) % self.game.players
        self._rolling = self.dealing

    def _end_turn(self) -> None:
        super()._end_turn()
        self._rolling = False
        self.over = max(self._scores) >= self.game.options.target

    def clone(self) -> Self:
        copy = super().clone()
        copy.bonuses, copy.over = self.bonuses[:], self.over
        return copy

    def scores(self) -> list[float]:
        bonuses = self.bonuses if self.over else []
        padded = bonuses or [0] * len(self._scores)
        return [float(a + b) for a, b in zip(self._scores, padded, strict=True)]

    def places(self) -> list[int]:
        return rank(self.scores())

    def observation(self, seat: int) -> SecretObservation:
        seen = super().observation(seat)
        fields = {name: getattr(seen, name) for name in seen.__struct_fields__}
        return SecretObservation(
            **fields,
            my_bonus=self.bonuses[seat] if seat < len(self.bonuses) else 0,
            dealing=self.dealing,
            over=self.over,
        )

    def visible(self, x: str, seat: int) -> str | None:
        return None if self.dealing and seat != self._seat else x

    def key(self) -> Hashable:
        return super().key(), tuple(self.bonuses), self._rolls > 0, self.over

    def to_text(self) -> str:
        turn = f"seat {self._seat} has {self._points} in turn {self._turn}"
        return f"scores {self._scores}, bonuses {self.bonuses}\n{turn}"


class SecretPig(Pig):
    options_type = SecretOptions
    observation_type = SecretObservation
    max_decisions = 2000

    def new_state(self) -> SecretState:
        return SecretState(self)

    def default_action(self, state: object) -> str:
        assert isinstance(state, SecretState)
        return state.legal_actions()[-1]

    def house_rules(self) -> tuple[str, ...]:
        return ()


def make_pig(players: int = 2, **options: int) -> SecretPig:
    """Return a checked game."""
    SecretPig.check_players(players)
    return SecretPig(players, SecretPig.parse_options(options))

"""What a position of Pig is worth."""

from collections.abc import Sequence
from hashlib import sha256
from math import exp
from typing import Final

from arena.games import State
from arena.games.luck import Value
from arena_pig.game import PigState

SCALE = 25.0
"""Points that are worth odds of e to 1."""


class PigValue(Value):
    """Guesses by the difference in points, those of the turn among them."""

    version = "1"

    @property
    def digest(self) -> str:
        return sha256(repr(SCALE).encode()).hexdigest()[:16]

    def ahead(self, state: State) -> Sequence[float]:
        if state.is_terminal():
            places = state.places()
            return [score(places[a], places[b]) for a, b in self.pairs]
        assert isinstance(state, PigState)
        seen = state.observation(0)
        points = list(seen.scores)
        points[seen.turn_seat] += seen.points
        return [1 / (1 + exp((points[b] - points[a]) / SCALE)) for a, b in self.pairs]


def score(place: int, other: int) -> float:
    """Return 1 for a place before the other, 0.5 for the same."""
    return (1 + (place < other) - (place > other)) / 2


VALUE: Final = PigValue

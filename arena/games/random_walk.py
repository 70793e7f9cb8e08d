"""A random walk through a game, and the words for what is found wrong on it."""

from collections.abc import Callable
from random import Random
from typing import NoReturn

from arena.games.core import CHANCE, Game, State

_TOLERANCE = 1e-9


class ConformanceError(AssertionError):
    """A game does not keep the contract of `arena.games.core`."""


class Walk:
    """One random game, at the node it has come to."""

    def __init__(self, game: Game, rng: Random, name: str) -> None:
        self.game = game
        self.rng = rng
        self.name = name
        self.seats = range(game.players)
        self.state = game.new_state()
        self.twin = game.new_state()
        """A second state with the same history, never cloned or examined."""
        self.history: list[str] = []

    def where(self) -> str:
        """Return the name of the game, the step, and the last steps before it."""
        last = ", ".join(repr(x) for x in self.history[-5:])
        dots = "…, " if len(self.history) > 5 else ""
        return (
            f"{self.game.name} with {self.game.players} players, {self.name}, "
            f"step {len(self.history)} after [{dots}{last}]"
        )

    def fail(self, expected: str, found: object) -> NoReturn:
        raise ConformanceError(f"{self.where()}: expected {expected}; found {found!r}")

    def expect(self, holds: bool, expected: str, found: object) -> None:
        if not holds:
            self.fail(expected, found)

    def same(self, what: str, found: object, expected: object) -> None:
        if type(found) is not type(expected) or found != expected:
            self.fail(f"{what} to be {expected!r}", found)

    def expect_sum(self, what: str, values: list[float]) -> None:
        """Expect a float in [0, 1] for each seat, which together make 1."""
        self.expect(
            len(values) == len(self.seats)
            and all(type(value) is float and 0.0 <= value <= 1.0 for value in values)
            and abs(sum(values) - 1.0) <= _TOLERANCE,
            f"{what} to be a float in [0, 1] for each seat, 1 in sum",
            values,
        )

    def step(self, x: str) -> None:
        """Apply `x` to the state and to its twin."""
        self.state.apply(x)
        self.twin.apply(x)
        self.history.append(x)

    def fingerprint(self, state: State) -> dict[str, object]:
        """Return all that `state` tells of itself, by the name of what tells it."""
        return {
            "current_player()": state.current_player(),
            "key()": state.key(),
            "to_text()": state.to_text(),
            "legal_actions()": state.legal_actions(),
            "chance_outcomes()": state.chance_outcomes(),
            "scores()": state.scores(),
            "places()": state.places(),
            "observation()": [state.observation(seat) for seat in self.seats],
        }

    def same_state(
        self, what: str, state: State, fingerprint: dict[str, object]
    ) -> None:
        """Expect `state` to tell what `fingerprint` holds."""
        for name, found in self.fingerprint(state).items():
            self.same(f"{name} of {what}", found, fingerprint[name])

    def pick(self, state: State, evenly: bool = True) -> str:
        """Return a random step: chance outcomes evenly, or by their probability."""
        if state.current_player() == CHANCE and not evenly:
            return state.outcome_at(self.rng.random())
        choices = possible(state)
        self.expect(bool(choices), "a step that is possible before the end", choices)
        return self.rng.choice(choices)

    def play_on(self, state: State, max_steps: int) -> None:
        """Play `state` at random, to its end or for so many steps."""
        for _ in range(max_steps):
            if state.is_terminal():
                return
            state.apply(self.pick(state))


def possible(state: State) -> list[str]:
    """Return the possible steps: the actions of `state`, or its chance outcomes."""
    return state.legal_actions() or [outcome for outcome, _ in state.chance_outcomes()]


def raised(call: Callable[[], object]) -> Exception | None:
    """Return the exception that `call` raises, or None."""
    try:
        call()
    except Exception as error:
        return error
    return None

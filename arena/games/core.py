"""The contract that every game keeps: `Game`, `State`, `Observation`.

The terms are OpenSpiel's.  A `Game` is immutable and makes a `State`; chance is
a player of its own, so that whoever drives a state (referee, solver, search,
replay) decides where its luck comes from.  A game does no I/O, reads no clock
and owns no randomness.

Actions and chance outcomes are short strings in a notation that each game
documents.  They go unchanged through the wire, the records and the terminal.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Mapping, Sequence
from functools import cached_property
from math import inf, isfinite
from random import Random
from typing import (
    Any,
    ClassVar,
    Final,
    Literal,
    Self,
)

import msgspec

from arena.games.observation_text import field_lines
from arena.games.options import GameSpecError, Options, changed, parse

CHANCE: Final = -1
"""`State.current_player()` where dice or cards decide."""

TERMINAL: Final = -4
"""`State.current_player()` once the game is over."""


class IllegalActionError(ValueError):
    """An action or chance outcome was applied that the state does not allow."""

    def __init__(self, state: "State", attempted: object) -> None:
        if state.is_terminal():
            expected = "nothing, the game is over"
        elif state.current_player() == CHANCE:
            expected = "one of the chance outcomes"
        else:
            legal = state.legal_actions()
            expected = ", ".join(repr(action) for action in legal[:3])
            if len(legal) > 3:
                expected += f", … ({len(legal)} legal actions)"
        super().__init__(f"{state.game.name}: expected {expected}; got {attempted!r}")


class Event(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Something a seat saw happen: an action, or an outcome of chance."""

    seat: int
    """Who acted; `CHANCE` (-1) for dice and cards."""
    text: str
    """The action or outcome in the game's notation, as far as it was visible."""


class Observation(msgspec.Struct, frozen=True, array_like=True, kw_only=True):
    """What one seat may know.  Games add their own fields to these.

    A subclass repeats `frozen=True, array_like=True, kw_only=True`.  It travels as
    MessagePack and must come back equal, so its fields are annotated values: numbers,
    texts, tuples (no lists), and structs of these.
    """

    seat: int
    """The seat that looks, 0-based."""
    events: tuple[Event, ...] = ()
    """What this seat saw since its last decision, oldest first."""
    time_left: float = inf
    """Seconds the bot may use for this decision: move limit and what is banked."""
    game: Any = None
    """The `Game` that is played: its `players` and `options`."""

    @property
    def legal_actions(self) -> list[str]:
        """All legal actions of the seat to act, in ascending order of their ids.

        Override it where there is no `sample_state`, or a faster way.
        """
        return self.sample_state(Random(0)).legal_actions()

    def sample_state(self, rng: Random) -> "State":
        """Return a full state, drawn from those this seat can't rule out.

        Exact where nothing is hidden.  It is the forward model for search.  The same
        numbers from `rng` give an equal state.

        Raises:
            TypeError: the game offers none.
        """
        raise TypeError(f"{type(self).__name__} offers no forward model")

    def __str__(self) -> str:
        """Return the fields in play, a line each; `repr` has all of them in one."""
        # JSON has no infinity, and so no limit is None there.
        return "\n".join(field_lines(in_play(self) | {"time_left": self.time_left}))


class OpenObservation(Observation, frozen=True, array_like=True, kw_only=True):
    """What a seat knows where nothing is hidden.

    The state of the game has a method `restore`, which makes a new state the one in
    which an observation was made.
    """

    @property
    def legal_actions(self) -> list[str]:
        """All legal actions of the seat to act, in ascending order of their ids."""
        return self._state().legal_actions()

    def sample_state(self, rng: Random) -> "State":
        """Return the state, exactly: nothing is hidden."""
        return self._state()

    def _state(self) -> "State":
        state: State = self.game.new_state().restore(self)
        return state


class State(ABC):
    """The full truth at one point of play.  Mutable; made by `Game.new_state()`."""

    __slots__ = ("game",)

    game: "Game"

    @abstractmethod
    def current_player(self) -> int:
        """Return the seat to act, `CHANCE` or `TERMINAL`."""

    @abstractmethod
    def legal_actions(self) -> list[str]:
        """Return all legal actions in ascending order of their ids.

        Empty at chance nodes and at the end.
        """

    def is_legal(self, action: object) -> bool:
        """Return True if `action` is among `legal_actions()`.

        Anything may be passed; what is not a string is not legal.
        """
        return isinstance(action, str) and action in self.legal_actions()

    @abstractmethod
    def chance_outcomes(self) -> list[tuple[str, float]]:
        """Return the (outcome, probability) pairs of a chance node.

        Probabilities are positive and sum to 1; the order is fixed by the state.
        Empty elsewhere.
        """

    @abstractmethod
    def chance_stream(self) -> str:
        """Return the name of the coming chance event, such as `seat 1 turn 4 roll 2`.

        The same purpose has the same name whatever was decided before, and no
        two chance events of one game share a name.  The luck of a fixture belongs to
        these names, so that all its seatings have the same.  Only at chance nodes.
        """

    def outcome_at(self, u: float) -> str:
        """Return the outcome at `u` in [0, 1) of the cumulative distribution."""
        outcomes = self.chance_outcomes()
        for outcome, probability in outcomes:
            u -= probability
            if u < 0.0:
                return outcome
        return outcomes[-1][0]

    @abstractmethod
    def apply(self, x: str) -> None:
        """Play an action, or at a chance node let an outcome happen.

        Raises:
            IllegalActionError: `x` is not possible here; the state is unchanged.
        """

    @abstractmethod
    def clone(self) -> Self:
        """Return an independent copy."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.clone()

    def is_terminal(self) -> bool:
        """Return True if the game is over."""
        return self.current_player() == TERMINAL

    @abstractmethod
    def scores(self) -> list[float]:
        """Return the game's own points in seat order, as they stand."""

    @abstractmethod
    def places(self) -> list[int]:
        """Return the place of each seat in seat order, as it stands; 1 is best.

        Equal places are shared: [1, 2, 2, 4].
        """

    def returns(self) -> list[float]:
        """Return the value of the finished game for each seat, in [0, 1].

        1 for a sole win, 0 for a loss; those who share a win share the 1.

        Raises:
            ValueError: the game is not over.
        """
        if not self.is_terminal():
            raise ValueError(f"{self.game.name}: returns are known at the end only")
        return shares(self.places())

    @abstractmethod
    def observation(self, seat: int) -> Observation:
        """Return the observation of `seat`, without `events` and `time_left`.

        It is a new object each time, and the caller fills in these two.
        """

    def visible(self, x: str, seat: int) -> str | None:
        """Return the part of `x`, about to be applied, that `seat` will see.

        None where it sees nothing.  Games with hidden cards override this.
        """
        return x

    @abstractmethod
    def key(self) -> Hashable:
        """Return a value that is equal for two states only if their futures are."""

    @abstractmethod
    def to_text(self) -> str:
        """Return the position for a person to read, in one or more lines."""

    def text_for(self, seat: int) -> str:
        """Return the position as `seat` may know it, for a person who plays.

        Override it where something is hidden: else the fields of the observation that
        are in play are listed there.
        """
        if type(self).visible is State.visible:
            return self.to_text()
        fields = in_play(self.observation(seat))
        for name in Observation.__struct_fields__:
            fields.pop(name, None)
        return "\n".join(field_lines(fields))

    def __str__(self) -> str:
        return self.to_text()


class Game(ABC):
    """A rule set for a number of players, with its options.  Immutable.

    Its package, or its module if it has none, names the source of the rules.
    `rules_text` tells them, with the numbers of the rulings.
    """

    name: ClassVar[str]
    """As in the YAML and as the name of the bot's method.

    A Python identifier that is no attribute of `arena.Bot`.
    """
    title: ClassVar[str]
    """As on the box."""
    rules_version: ClassVar[str]
    """Changed whenever the same decisions could lead to another game.

    Also where a default has changed: ids and luck rest on the options that have been
    changed by a league, so that an option more leaves all other games as they were.
    """
    min_players: ClassVar[int]
    max_players: ClassVar[int]
    options_type: ClassVar[type[Options]]
    observation_type: ClassVar[type[Observation]]
    scores_better: ClassVar[Literal["more", "fewer"]] = "more"
    """Whether it is more of the game's own points that win, or fewer."""
    score_unit: ClassVar[str] = "point"
    """The word for one of the game's own points; the plural ends in s."""
    max_decisions: int
    """The referee adjudicates after so many decisions, unless told otherwise.

    Set on the class; on the instance too, where the options make games longer.
    """

    def __init__(self, players: int, options: Any) -> None:
        """Make the rule set; `options` is an `options_type`, as from `parse_options`.

        A subclass checks here what no single option decides.

        Raises:
            GameSpecError: these players and options don't go together.
        """
        self.players: Final = players
        self.options: Final = options

    @abstractmethod
    def new_state(self) -> State:
        """Return the state before anything has happened."""

    @abstractmethod
    def list_actions(self) -> list[str]:
        """List every action that can ever be legal, in the order of their ids."""

    @abstractmethod
    def default_action(self, state: State) -> str:
        """Return the action played for a seat that has forfeited at a larger table.

        The least eventful legal action, always the same in the same state.
        """

    @abstractmethod
    def rules_text(self) -> str:
        """Return the rules in force, with their options, for a person to read."""

    def house_rules(self) -> tuple[str, ...]:
        """Return the rules in force that no source has, a sentence each.

        They are shown wherever results of the game are.
        """
        return ()

    def unused_fields(self) -> Collection[str]:
        """Return the names of fields of the observation that are not in play.

        They belong to parts of the game that are off with these options, so they are
        the same at every decision.  People are not shown them; a bot may read them as
        always.
        """
        return ()

    def adjudicate(self, state: State) -> list[float]:
        """Return the returns of a game that the referee cuts short."""
        return shares(state.places())

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """Every action that can ever be legal; the index is the action's id."""
        return tuple(self.list_actions())

    @cached_property
    def _action_ids(self) -> dict[str, int]:
        return {action: i for i, action in enumerate(self.actions)}

    @property
    def seat_decisions(self) -> int:
        """The decisions of one seat in the longest games of bots that play to win.

        With room, as a league limits the time for a game by it.  Override it where
        bots can make a game go on for far longer.
        """
        return self.max_decisions

    @property
    def num_actions(self) -> int:
        """The number of actions that can ever be legal."""
        return len(self.actions)

    def action_id(self, action: str) -> int:
        """Return the integer id of `action`.

        Raises:
            KeyError: no such action exists in this game.
        """
        return self._action_ids[action]

    def action_from_id(self, action_id: int) -> str:
        """Return the action with this id.

        Raises:
            IndexError: no action has this id.
        """
        if not 0 <= action_id < len(self.actions):
            raise IndexError(f"{self.name}: no action has the id {action_id}")
        return self.actions[action_id]

    @property
    def options_dict(self) -> dict[str, Any]:
        """The options in force, defaults among them, as `get_game` takes them."""
        options: dict[str, Any] = msgspec.to_builtins(self.options)
        return options

    @property
    def changed_options(self) -> tuple[str, ...]:
        """The names of the options that are not the game's defaults."""
        return changed(self.options)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        # Nothing in it changes, and its tables may be large.
        return self

    def __repr__(self) -> str:
        return f"<{self.name}, {self.players} players, {self.options}>"

    @classmethod
    def parse_options(cls, options: Mapping[str, Any] | None) -> Any:
        """Check `options` and fill in the defaults.

        Raises:
            GameSpecError: an unknown key, or a value of the wrong type or size.
        """
        return parse(cls.options_type, options)

    @classmethod
    def check_players(cls, players: int) -> None:
        """Raise `GameSpecError` unless so many can play with some options.

        What the options narrow down is checked in `__init__`, which knows them.
        """
        in_range = type(players) is int and (
            cls.min_players <= players <= cls.max_players
        )
        if not in_range:
            if cls.min_players == cls.max_players:
                expected = f"exactly {cls.min_players}"
            else:
                expected = f"{cls.min_players} to {cls.max_players}"
            raise GameSpecError("players", f"expected {expected}; found {players!r}")


_SCALARS = (int, str, bool)


def as_objects(observation: Observation) -> dict[str, Any]:
    """Return an observation as JSON has it: objects by field names, all the way down.

    Its `game` is left out.  JSON has no infinity: a `time_left` without end is None.
    """
    return {
        name: _plain(getattr(observation, name))
        for name in observation.__struct_fields__
        if name != "game"
    }


def in_play(observation: Observation) -> dict[str, Any]:
    """Return the same without what is not in play in its game, for people to read."""
    fields = as_objects(observation)
    if observation.game is not None:
        for name in observation.game.unused_fields():
            fields.pop(name, None)
    return fields


def _plain(value: Any) -> Any:
    if type(value) in _SCALARS:
        return value
    if isinstance(value, msgspec.Struct):
        names = value.__struct_fields__
        return {name: _plain(getattr(value, name)) for name in names}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, float) and not isfinite(value):
        return None
    return value


def shares(places: Sequence[int]) -> list[float]:
    """Return 1 shared among those in place 1, and 0 for all others."""
    winners = sum(place == 1 for place in places)
    return [1.0 / winners if place == 1 else 0.0 for place in places]


def rank(points: Sequence[float], *, lowest_wins: bool = False) -> list[int]:
    """Return the place of each of `points`; 1 is best, and ties share a place."""
    ordered = sorted(points, reverse=not lowest_wins)
    return [1 + ordered.index(p) for p in points]

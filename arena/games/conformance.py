"""The checks that any game must pass, ours and those of third parties.

A game's own tests prove its rules; these prove that it keeps the contract of
`arena.games.core`, on which referee, records and search bots rely:

    from arena.games.conformance import check_game

    check_game(get_game("zombie_dice", 3))

Random games are walked node by node, and every node is examined.  A failure is one
sentence with the game, the step, the last of what happened before it, and what was
expected and found.
"""

from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any, Final, NoReturn

import msgspec
from msgspec.structs import replace

from arena.games.core import (
    CHANCE,
    TERMINAL,
    Game,
    IllegalActionError,
    Observation,
    State,
)

_NOT_STRINGS: Final[tuple[object, ...]] = (None, 0, True, b"", (), [], {}, object())
_NO_ACTION: Final = "no such action"
_TOLERANCE: Final = 1e-9
_LAST_U: Final = 1.0 - 2.0**-53

_CLONE_STEPS: Final = 4
"""Steps that a clone is played on, as what it shares may show late."""
_PLAY_OUT_CHANCE: Final = 0.1
"""Share of sampled states played to their end: at all of them time is quadratic."""
_OTHERS: Final = 3
"""How many impossible or alternative steps are tried at a node, drawn at random."""


class ConformanceError(AssertionError):
    """A game does not keep the contract of `arena.games.core`."""


def check_game(
    game: Game, seed: int = 0, games: int = 20, max_steps: int = 1000
) -> None:
    """Check that `game` keeps the contract of `arena.games.core`.

    Walks `games` games of random actions.  A game of more than `max_steps` actions
    and chance outcomes is left there, as if adjudicated.  In every other game the
    chance outcomes are drawn evenly, so that rare ones are met too.  The same `seed`
    walks the same games.

    Raises:
        ConformanceError: the first breach found.
    """
    followers: dict[Any, Any] = {}
    for number in range(games):
        rng = Random(f"{game.name} {seed} {number}")
        walk = _Walk(game, rng, f"game {number}", max_steps, followers)
        try:
            if number == 0:
                walk.check_metadata()
            walk.run(evenly=number % 2 == 1)
        except ConformanceError:
            raise
        except Exception as error:
            raise ConformanceError(
                f"{walk.where()}: expected no exception; "
                f"found {type(error).__name__}: {error}"
            ) from error


class _Walk:
    """One random game, of which each node is examined."""

    def __init__(
        self,
        game: Game,
        rng: Random,
        name: str,
        max_steps: int,
        followers: dict[Any, Any],
    ) -> None:
        self.game = game
        self.rng = rng
        self.name = name
        self.max_steps = max_steps
        self.followers = followers
        self.seats = range(game.players)
        self.state = game.new_state()
        self.twin = game.new_state()
        """A second state with the same history, never cloned or examined."""
        self.history: list[str] = []
        self.streams: set[str] = set()
        self.outcomes_met: dict[str, None] = {}
        first = self.state.observation(0)
        self.unused = {
            name: getattr(first, name, None) for name in game.unused_fields()
        }
        """Of fields that are not in play: the values that they keep."""
        self.decoder = msgspec.msgpack.Decoder(game.observation_type)

    def run(self, evenly: bool) -> None:
        self.check_node()
        while not self.state.is_terminal() and len(self.history) < self.max_steps:
            x = self.pick(self.state, evenly)
            self.check_hidden(x)
            clone = self.state.clone()
            before = self.fingerprint(clone)
            self.state.apply(x)
            self.twin.apply(x)
            self.history.append(x)
            self.same_state(f"a clone from before {x!r}", clone, before)
            self.check_node()

    def check_metadata(self) -> None:
        game = self.game
        game.check_players(game.players)
        self.expect(game.max_decisions > 0, "max_decisions > 0", game.max_decisions)
        self.expect(
            game.scores_better in ("more", "fewer"),
            "scores_better to be 'more' or 'fewer'",
            game.scores_better,
        )
        self.expect(bool(game.rules_text()), "rules_text() to say something", "")
        common = Observation.__struct_fields__
        own = {*game.observation_type.__struct_fields__}.difference(common)
        self.expect(
            own.issuperset(self.unused),
            "unused_fields() to be some that the game adds to its observation",
            sorted(self.unused),
        )
        self.expect(
            isinstance(game.options, game.options_type),
            f"options to be {game.options_type.__name__}",
            game.options,
        )
        self.expect(
            len(set(game.actions)) == game.num_actions > 0,
            "list_actions() to name each action once",
            game.actions,
        )
        for i, action in enumerate(game.actions):
            self.same(f"the id of {action!r}", game.action_id(action), i)
            self.same(f"the action with id {i}", game.action_from_id(i), action)

    def check_node(self) -> None:
        player = self.state.current_player()
        self.expect(
            type(player) is int and player in (CHANCE, TERMINAL, *self.seats),
            "current_player() to be a seat, CHANCE or TERMINAL",
            player,
        )
        self.same("is_terminal()", self.state.is_terminal(), player == TERMINAL)
        legal = self.state.legal_actions()
        outcomes = self.state.chance_outcomes()
        self.check_actions(player, legal)
        self.check_chance(player, outcomes)
        self.check_values(player)
        for seat in self.seats:
            self.check_observation(seat, player)
        self.check_clone()
        self.check_im_possible()
        self.check_key((player, legal, outcomes))

    def check_actions(self, player: int, legal: list[str]) -> None:
        game, state = self.game, self.state
        if player < 0:
            self.same("legal_actions() where no seat acts", legal, [])
        else:
            self.expect(bool(legal), f"a legal action for seat {player}", legal)
            default = game.default_action(state)
            self.expect(default in legal, f"default_action() in {legal}", default)
            self.same("default_action() again", game.default_action(state), default)
        ids = [game.action_id(action) for action in legal]
        self.expect(
            all(one < next_one for one, next_one in pairwise(ids)),
            "legal_actions() in ascending order of their ids, each once",
            legal,
        )
        members = set(legal)
        for action in (*game.actions, _NO_ACTION, ""):
            self.same(
                f"is_legal({action!r})", state.is_legal(action), action in members
            )
        for thing in _NOT_STRINGS:
            self.same(f"is_legal({thing!r})", state.is_legal(thing), False)

    def check_chance(self, player: int, outcomes: list[tuple[str, float]]) -> None:
        state = self.state
        if player != CHANCE:
            self.same("chance_outcomes() outside chance nodes", outcomes, [])
            return
        names = [outcome for outcome, _ in outcomes]
        self.expect(
            len(set(names)) == len(names) > 0, "each chance outcome once", outcomes
        )
        self.expect(
            all(p > 0.0 for _, p in outcomes), "positive probabilities", outcomes
        )
        total = sum(p for _, p in outcomes)
        self.expect(
            abs(total - 1.0) <= _TOLERANCE, "probabilities that sum to 1", total
        )
        self.same("outcome_at(0.0)", state.outcome_at(0.0), names[0])
        self.same(f"outcome_at({_LAST_U})", state.outcome_at(_LAST_U), names[-1])
        below = 0.0
        for outcome, p in outcomes:
            middle = below + p / 2
            self.same(f"outcome_at({middle})", state.outcome_at(middle), outcome)
            below += p
        stream = state.chance_stream()
        self.expect(isinstance(stream, str), "chance_stream() to be a name", stream)
        self.same("chance_stream() again", state.chance_stream(), stream)
        self.expect(
            stream not in self.streams, "a chance_stream() not used yet", stream
        )
        self.streams.add(stream)

    def check_values(self, player: int) -> None:
        state = self.state
        scores, places = state.scores(), state.places()
        self.expect(len(scores) == len(self.seats), "one score for each seat", scores)
        ranked = [1 + sum(other < place for other in places) for place in places]
        self.expect(
            len(places) == len(self.seats) and places == ranked,
            "places from 1 up, those who tie in one place",
            places,
        )
        self.expect_sum("adjudicate()", self.game.adjudicate(state))
        if player != TERMINAL:
            error = _raised(state.returns)
            expected = "returns() to raise ValueError before the end"
            self.expect(isinstance(error, ValueError), expected, error)
            return
        returns = state.returns()
        self.expect_sum("returns()", returns)
        for (place, value), (next_place, next_value) in pairwise(
            sorted(zip(places, returns, strict=True))
        ):
            holds = value >= next_value if place < next_place else value == next_value
            self.expect(holds, f"returns() in the order of places() {places}", returns)

    def check_observation(self, seat: int, player: int) -> None:
        game = self.game
        observed = self.state.observation(seat)
        kind = game.observation_type
        self.expect(type(observed) is kind, f"a {kind.__name__}", observed)
        self.same("the observation's seat", observed.seat, seat)
        self.expect(observed.game is game, "the observation's game", observed.game)
        self.same("events, which the table adds,", observed.events, ())
        for name, value in self.unused.items() if player >= 0 else ():
            self.same(f"{name} of unused_fields()", getattr(observed, name), value)
        sent = msgspec.msgpack.encode(replace(observed, game=None))
        received = replace(self.decoder.decode(sent), game=game)
        self.same("the observation after msgpack", received, observed)
        if seat == player:
            self.same(
                "the legal actions of the observation",
                received.legal_actions,
                self.state.legal_actions(),
            )
        if player >= 0 and kind.sample_state is not Observation.sample_state:
            self.check_sample(received, player)

    def check_sample(self, observed: Observation, player: int) -> None:
        """Prove that a sampled state can't be told from the true one by the seat."""
        seat = observed.seat
        number = self.rng.getrandbits(64)
        sampled = observed.sample_state(Random(number))
        self.same(
            "key() of a state sampled with the same numbers",
            observed.sample_state(Random(number)).key(),
            sampled.key(),
        )
        self.same(
            f"what seat {seat} observes of a sampled state",
            sampled.observation(seat),
            observed,
        )
        self.same(
            "the seat to act in a sampled state", sampled.current_player(), player
        )
        if seat == player:
            self.same(
                "the legal actions of a sampled state",
                sampled.legal_actions(),
                self.state.legal_actions(),
            )
        if self.rng.random() < _PLAY_OUT_CHANCE:
            self.play_on(sampled, self.max_steps)
            if sampled.is_terminal():
                self.expect_sum("returns() of a sampled state", sampled.returns())

    def check_hidden(self, x: str) -> None:
        """Prove that a seat observes no difference that it was not shown."""
        state = self.state
        seen = [state.visible(x, seat) for seat in self.seats]
        self.expect(
            all(text is None or isinstance(text, str) for text in seen),
            f"visible({x!r}) to be a text or None for each seat",
            seen,
        )
        after = state.clone()
        after.apply(x)
        others = [other for other in _possible(state) if other != x]
        for other in self.rng.sample(others, min(_OTHERS, len(others))):
            blind = [s for s in self.seats if state.visible(other, s) == seen[s]]
            if not blind:
                continue
            unseen = state.clone()
            unseen.apply(other)
            for seat in blind:
                self.same(
                    f"what seat {seat} observes after {other!r}, "
                    f"which it can't tell from {x!r},",
                    unseen.observation(seat),
                    after.observation(seat),
                )
                self.same(
                    f"text_for({seat}) after {other!r} and after {x!r}",
                    unseen.text_for(seat),
                    after.text_for(seat),
                )

    def check_clone(self) -> None:
        state = self.state
        before = self.fingerprint(state)
        clone = state.clone()
        self.same_state("a clone", clone, before)
        self.play_on(clone, _CLONE_STEPS)
        self.same_state("a state whose clone was played", state, before)

    def check_im_possible(self) -> None:
        state = self.state
        allowed = _possible(state)
        if state.current_player() == CHANCE:
            self.outcomes_met.update(dict.fromkeys(allowed))
        members = set(allowed)
        others = [
            x for x in (*self.game.actions, *self.outcomes_met) if x not in members
        ]
        some = self.rng.sample(others, min(_OTHERS, len(others)))
        before = self.fingerprint(state)
        for x in (*some, _NO_ACTION, ""):
            error = _raised(lambda x=x: state.apply(x))  # type: ignore[misc]
            self.expect(
                isinstance(error, IllegalActionError),
                f"apply({x!r}) to raise IllegalActionError",
                error,
            )
            self.same_state(f"a state that refused {x!r}", state, before)

    def check_key(self, follows: tuple[Any, ...]) -> None:
        key = self.state.key()
        self.same("key() after the same history", self.twin.key(), key)
        # Equal keys stand for equal futures, so for an equal next step at the least.
        known = self.followers.setdefault(key, follows)
        self.same(f"what follows from key {key!r}", follows, known)

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
        choices = _possible(state)
        self.expect(bool(choices), "a step that is possible before the end", choices)
        return self.rng.choice(choices)

    def play_on(self, state: State, max_steps: int) -> None:
        """Play `state` at random, to its end or for so many steps."""
        for _ in range(max_steps):
            if state.is_terminal():
                return
            state.apply(self.pick(state))


def _possible(state: State) -> list[str]:
    """Return the possible steps: the actions of `state`, or its chance outcomes."""
    return state.legal_actions() or [outcome for outcome, _ in state.chance_outcomes()]


def _raised(call: Callable[[], object]) -> Exception | None:
    """Return the exception that `call` raises, or None."""
    try:
        call()
    except Exception as error:
        return error
    return None

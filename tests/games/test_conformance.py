"""The conformance checks: all games pass them, and broken games do not."""

import random
import re
from collections.abc import Hashable
from itertools import count, product
from typing import Any, Self

import pytest
from matrix import divided
from secret_pig import SecretObservation, SecretPig, SecretState, make_pig

from arena.games import Observation, State, game_paths, get_game
from arena.games.conformance import ConformanceError, check_game
from arena.games.zombie_dice import PRESETS

# (game, players, options, games, most steps of a game)
Case = tuple[str, int, dict[str, Any], int, int]

# A small cup, so that all that can lie on the table returns to it soon.
SMALL = {
    "dice": {"green": 3, "red": 1, "hunk": 1, "hottie": 1, "santa": 1},
    "bus": True,
    "horde": True,
    "target": 2,
}
EXPANSIONS = [*product(PRESETS, (False, True), (False, True))]
GAMES: list[Case] = [
    ("zombie_dice", 2, {}, 3, 200),
    ("zombie_dice", 3, {}, 2, 200),
    # A target of 1 makes ties, and ties of ties, common.
    ("zombie_dice", 4, {"target": 1}, 20, 200),
    ("zombie_dice", 4, {"target": 1, "tiebreak_rounds": 1}, 20, 200),
    ("zombie_dice", 3, {**SMALL, "cup": "literal"}, 2, 30),
    ("ox_blocks", 2, {}, 12, 200),
    ("ox_blocks", 2, {"size": 4, "faces": [1, 1, 2], "removal": "must"}, 3, 100),
    ("zombie_run", 2, {}, 3, 200),
    ("zombie_run", 3, {"hand": 5, "must_swap_from_discard": True}, 2, 150),
    # Twelve cards for two hands of four: the draw pile runs out again and again.
    ("zombie_run", 2, {"streets": 1, "hordes": 2, "copies": [1] * 9}, 4, 200),
    ("zombie_mania", 3, {}, 1, 120),
    ("zombie_mania", 2, {"tokens": 1, "games": 2}, 1, 200),
]
MORE_GAMES: list[Case] = [
    ("zombie_dice", 6, {}, 2, 200),
    ("zombie_dice", 2, {"cup": "needed"}, 4, 200),
    ("zombie_dice", 2, {"cup": "rest_first"}, 4, 200),
    ("zombie_dice", 2, {"cup": "none"}, 4, 200),
    *[
        ("zombie_dice", 2, {"preset": preset, "bus": bus, "horde": horde}, 2, 24)
        for preset, bus, horde in EXPANSIONS
    ],
    *[
        ("zombie_dice", 3, {**SMALL, "cup": cup, **options}, 2, 30)
        for cup, options in (
            ("needed", {"faces": "manual", "reboard": True}),
            ("rest_first", {"rescue": "first_only", "yielded_green": "brains"}),
            ("none", {"energy_drink": "later_rolls", "horde_faces": ["horde"] * 6}),
        )
    ],
    ("ox_blocks", 2, {"size": 4}, 4, 100),
    ("ox_blocks", 2, {"removal": "must"}, 6, 200),
    ("ox_blocks", 2, {"faces": [1, 1, 9]}, 4, 100),
    ("ox_blocks", 2, {"faces": [1, 5, 0]}, 6, 100),
    ("ox_blocks", 2, {"size": 4, "faces": [3, 2, 1]}, 4, 100),
    ("zombie_run", 2, {"rounds": 2, "round_cap": 1}, 4, 200),
    ("zombie_run", 3, {}, 2, 200),
    ("zombie_run", 4, {"hand": 5}, 1, 120),
    ("zombie_run", 5, {}, 2, 150),
    ("zombie_run", 6, {"hand": 6}, 1, 100),
    ("zombie_run", 7, {"rounds": 10}, 1, 120),
    ("zombie_run", 18, {}, 1, 120),
    ("zombie_run", 2, {"hand": 6}, 2, 150),
    ("zombie_mania", 4, {}, 2, 120),
    ("zombie_mania", 5, {}, 2, 120),
    ("zombie_mania", 2, {"tokens": 1}, 4, 150),
    ("zombie_mania", 2, {"tokens": 1, "games": 2}, 3, 200),
]


@pytest.mark.parametrize(
    ("name", "players", "options", "games", "steps"),
    divided([*GAMES, *MORE_GAMES], GAMES.__contains__),
)
def test_every_game_keeps_the_contract(
    name: str, players: int, options: dict[str, Any], games: int, steps: int
) -> None:
    check_game(get_game(name, players, options), games=games, max_steps=steps)


def test_no_game_is_left_out() -> None:
    assert {name for name, *_ in GAMES} == set(game_paths())


@pytest.mark.parametrize(("players", "options"), [(2, {}), (3, {"bonus": 5})])
def test_a_sound_game_passes(players: int, options: dict[str, int]) -> None:
    check_game(make_pig(players, **options), games=10)


def test_endless_play_is_left_at_the_step_limit() -> None:
    check_game(make_pig(target=10**9), games=2, max_steps=50)


class BlindObservation(SecretObservation, frozen=True, array_like=True, kw_only=True):
    """Offers no forward model, so it lists the legal actions itself."""

    sample_state = Observation.sample_state

    @property
    def legal_actions(self) -> list[str]:
        if self.over or self.rolling:
            return []
        return ["roll", "hold"] if self.rolls else ["roll"]


@pytest.mark.parametrize(
    ("unused", "expected"),
    [
        (("points",), "points of unused_fields() to be 0; found "),
        (("nothing",), "to be some that the game adds to its observation; found ['no"),
        (("seat",), "to be some that the game adds to its observation; found ['seat']"),
    ],
)
def test_what_is_in_play_is_not_unused(unused: tuple[str, ...], expected: str) -> None:
    class Shy(SecretPig):
        def unused_fields(self) -> tuple[str, ...]:
            return unused

    with pytest.raises(ConformanceError, match=re.escape(expected)):
        check_game(Shy(2, SecretPig.parse_options({})), games=4)


def test_a_forward_model_is_optional() -> None:
    class Blind(SecretState):
        __slots__ = ()

        def observation(self, seat: int) -> BlindObservation:
            return BlindObservation(**_fields(SecretState.observation(self, seat)))

    class BlindPig(SecretPig):
        observation_type = BlindObservation

        def new_state(self) -> SecretState:
            return Blind(self)

    check_game(BlindPig(2, SecretPig.parse_options({"bonus": 5})), games=4)


# Each class below breaks one promise of the contract.


class LoadedDie(SecretState):
    expected = "probabilities that sum to 1; found 0.9"

    def chance_outcomes(self) -> list[tuple[str, float]]:
        return [(x, 0.9 * p) for x, p in super().chance_outcomes()]


class ImpossibleFace(SecretState):
    expected = "positive probabilities"

    def chance_outcomes(self) -> list[tuple[str, float]]:
        outcomes = super().chance_outcomes()
        return outcomes and [*outcomes, ("7", 0.0)]


class RepeatedFace(SecretState):
    expected = "each chance outcome once"

    def chance_outcomes(self) -> list[tuple[str, float]]:
        return [(x, p / 2) for x, p in super().chance_outcomes() for _ in range(2)]


class ChanceEverywhere(SecretState):
    expected = "chance_outcomes() outside chance nodes to be []"

    def chance_outcomes(self) -> list[tuple[str, float]]:
        return super().chance_outcomes() or [("1", 1.0)]


class OtherWalk(SecretState):
    expected = "outcome_at(0.0) to be '1'; found '5'"

    def outcome_at(self, u: float) -> str:
        return super().outcome_at(1.0 - 2.0**-53 - u)


class RepeatedStream(SecretState):
    expected = "a chance_stream() not used yet"

    def chance_stream(self) -> str:
        return f"seat {self._seat} turn {self._turn}"


class UnknownSeat(SecretState):
    expected = "current_player() to be a seat, CHANCE or TERMINAL; found 2"

    def current_player(self) -> int:
        player = super().current_player()
        return 2 if player == 1 else player


class EndsTwice(SecretState):
    expected = "is_terminal() to be False; found True"

    def is_terminal(self) -> bool:
        return super().is_terminal() or max(self._scores) > 9


class NothingToDo(SecretState):
    expected = "a step that is possible before the end; found []"

    def legal_actions(self) -> list[str]:
        return [] if self._rolls else super().legal_actions()


class ActsAfterTheEnd(SecretState):
    expected = "legal_actions() where no seat acts to be []"

    def legal_actions(self) -> list[str]:
        return ["roll"] if self.over else super().legal_actions()


class UnsortedActions(SecretState):
    expected = "legal_actions() in ascending order of their ids, each once"

    def legal_actions(self) -> list[str]:
        return super().legal_actions()[::-1]


class RepeatedAction(SecretState):
    expected = "legal_actions() in ascending order of their ids, each once"

    def legal_actions(self) -> list[str]:
        return [action for action in super().legal_actions() for _ in range(2)]


class AllIsLegal(SecretState):
    expected = "is_legal('roll') to be False; found True"

    def is_legal(self, action: object) -> bool:
        return action in ("roll", "hold")


class UnhashableBreaksIt(SecretState):
    expected = "expected no exception; found TypeError: unhashable type"

    def is_legal(self, action: object) -> bool:
        return action in set(self.legal_actions())


class TakesAnything(SecretState):
    expected = "apply('no such action') to raise IllegalActionError; found None"

    def apply(self, x: str) -> None:
        if x == "no such action":
            self.apply(self.legal_actions()[0] if self.legal_actions() else "1")
        else:
            super().apply(x)


class OtherError(SecretState):
    expected = "apply('') to raise IllegalActionError; found ValueError"

    def apply(self, x: str) -> None:
        if not x:
            raise ValueError("nothing to apply")
        super().apply(x)


class ChangedByRefusal(SecretState):
    expected = "key() of a state that refused"

    def apply(self, x: str) -> None:
        if self.current_player() >= 0:
            self._points += not self.is_legal(x)
        super().apply(x)


class SharedScores(SecretState):
    expected = "of a state whose clone was played"

    def clone(self) -> Self:
        twin = super().clone()
        twin._scores = self._scores
        return twin


class ForgetfulClone(SecretState):
    expected = "key() of a clone to be"

    def clone(self) -> Self:
        twin = super().clone()
        twin._points = 0
        return twin


class Serial(SecretState):
    __slots__ = ("number",)
    numbers = count()
    expected = "key() after the same history"

    def __init__(self, game: SecretPig) -> None:
        super().__init__(game)
        self.number = next(self.numbers)

    def clone(self) -> Self:
        twin = super().clone()
        twin.number = self.number
        return twin

    def key(self) -> Hashable:
        return self.number, super().key()


class CoarseKey(SecretState):
    expected = "what follows from key"

    def key(self) -> Hashable:
        return tuple(self._scores), self._seat, self._rolling, self._points > 0


class GivesAll(SecretState):
    expected = "a float in [0, 1] for each seat, 1 in sum; found [1.0, 1.0]"

    def returns(self) -> list[float]:
        super().returns()
        return [1.0 for _ in self._scores]


class EarlyReturns(SecretState):
    expected = "returns() to raise ValueError before the end; found None"

    def returns(self) -> list[float]:
        return [0.5, 0.5]


class LastWins(SecretState):
    expected = "returns() in the order of places()"

    def returns(self) -> list[float]:
        return super().returns()[::-1]


class DensePlaces(SecretState):
    expected = "places from 1 up, those who tie in one place; found [1, 1, 2]"

    def places(self) -> list[int]:
        return [1, 1, 2]


class OneScore(SecretState):
    expected = "one score for each seat"

    def scores(self) -> list[float]:
        return [float(max(self._scores))]


class TellsTheBonus(SecretState):
    expected = "which it can't tell from"

    def observation(self, seat: int) -> SecretObservation:
        seen = super().observation(seat)
        return _changed(seen, my_bonus=sum(self.bonuses))


class TellsTheBonusLate(SecretState):
    expected = "observes of a sampled state"

    def observation(self, seat: int) -> SecretObservation:
        seen = super().observation(seat)
        return _changed(seen, my_bonus=sum(self.bonuses)) if self._turn > 2 else seen


class OtherSeat(SecretState):
    expected = "the observation's seat to be 0; found 1"

    def observation(self, seat: int) -> SecretObservation:
        return super().observation(self.game.players - 1 - seat)


class ListField(SecretState):
    expected = "the observation after msgpack to be"

    def observation(self, seat: int) -> SecretObservation:
        return _changed(super().observation(seat), scores=self._scores[:])


class Stale(SecretState):
    expected = "the legal actions of the observation to be ['roll', 'hold']"

    def observation(self, seat: int) -> SecretObservation:
        return _changed(super().observation(seat), rolls=0)


class Overlooked(SecretState):
    expected = "observes of a sampled state"

    def observation(self, seat: int) -> SecretObservation:
        seen = super().observation(seat)
        return _changed(seen, points=0 if self._rolls > 1 else seen.points + 1)


class NumberSeen(SecretState):
    expected = "to be a text or None for each seat"

    def visible(self, x: str, seat: int) -> str | None:
        return self._points  # type: ignore[return-value]


class Crash(SecretState):
    expected = "expected no exception; found ZeroDivisionError"

    def _end_turn(self) -> None:
        super()._end_turn()
        self._points //= 4 - self._turn


def _changed(seen: SecretObservation, **fields: Any) -> SecretObservation:
    return SecretObservation(**{**_fields(seen), **fields})


def _fields(seen: SecretObservation) -> dict[str, Any]:
    return {name: getattr(seen, name) for name in seen.__struct_fields__}


BROKEN_STATES = SecretState.__subclasses__()


@pytest.mark.parametrize("broken", BROKEN_STATES, ids=lambda broken: broken.__name__)
def test_a_broken_state_fails(broken: Any) -> None:
    class BrokenPig(SecretPig):
        def new_state(self) -> SecretState:
            return broken(self)

    players = 3 if broken is DensePlaces else 2
    game = BrokenPig(players, SecretPig.parse_options({"bonus": 5}))
    with pytest.raises(ConformanceError, match=re.escape(broken.expected)) as caught:
        check_game(game, games=4)
    assert f"pig with {players} players, game " in str(caught.value)


class RefusesToAct(SecretPig):
    expected = "default_action() in ['roll']; found 'hold'"

    def default_action(self, state: State) -> str:
        return "hold"


class UnevenJudge(SecretPig):
    expected = "adjudicate() to be a float in [0, 1] for each seat, 1 in sum"

    def adjudicate(self, state: State) -> list[float]:
        return [1.0] * self.players


class TwoNames(SecretPig):
    expected = "list_actions() to name each action once"

    def list_actions(self) -> list[str]:
        return ["roll", "hold", "roll"]


class Nameless(SecretPig):
    expected = "expected no exception; found KeyError: 'hold'"

    def list_actions(self) -> list[str]:
        return ["roll"]


class Ruleless(SecretPig):
    expected = "rules_text() to say something"

    def rules_text(self) -> str:
        return ""


class Unbounded(SecretPig):
    expected = "max_decisions > 0; found 0"
    max_decisions = 0


class Undecided(SecretPig):
    expected = "scores_better to be 'more' or 'fewer'; found 'less'"
    scores_better: Any = "less"


BROKEN_GAMES = [
    *(RefusesToAct, UnevenJudge, TwoNames, Nameless, Ruleless, Unbounded, Undecided),
]


@pytest.mark.parametrize("broken", BROKEN_GAMES)
def test_a_broken_game_fails(broken: Any) -> None:
    with pytest.raises(ConformanceError, match=re.escape(broken.expected)):
        check_game(broken(2, SecretPig.parse_options({})), games=2)


def test_sampling_by_other_chance_fails() -> None:
    elsewhere = random.Random(0)

    class Fickle(SecretObservation, frozen=True, array_like=True, kw_only=True):
        def sample_state(self, rng: random.Random) -> SecretState:
            return SecretObservation.sample_state(self, elsewhere)

    class FickleState(SecretState):
        __slots__ = ()

        def observation(self, seat: int) -> Fickle:
            return Fickle(**_fields(SecretState.observation(self, seat)))

    class FicklePig(SecretPig):
        observation_type = Fickle

        def new_state(self) -> SecretState:
            return FickleState(self)

    with pytest.raises(ConformanceError, match="sampled with the same numbers"):
        check_game(FicklePig(2, SecretPig.parse_options({"bonus": 20})), games=2)


def test_a_failure_names_the_last_of_the_history() -> None:
    class Late(SecretState):
        __slots__ = ()

        def chance_stream(self) -> str:
            return "roll" if self._turn > 2 else SecretState.chance_stream(self)

    class LatePig(SecretPig):
        def new_state(self) -> SecretState:
            return Late(self)

    with pytest.raises(ConformanceError) as caught:
        check_game(LatePig(2, SecretPig.parse_options({})))
    where = r"pig with 2 players, game 0, step \d+ after \[…, ('\w+', ){4}'roll'\]: "
    assert re.match(where, str(caught.value))


def test_the_seed_decides_which_games_are_walked() -> None:
    walked: list[str] = []

    class Told(SecretState):
        __slots__ = ()

        def apply(self, x: str) -> None:
            walked.append(x)
            SecretState.apply(self, x)

    class ToldPig(SecretPig):
        def new_state(self) -> SecretState:
            return Told(self)

    def walk(seed: int) -> list[str]:
        walked.clear()
        check_game(ToldPig(2, SecretPig.parse_options({})), seed=seed, games=2)
        return walked.copy()

    first = walk(1)
    assert walk(1) == first
    assert walk(2) != first


def test_the_global_generator_is_left_alone() -> None:
    random.seed(5)
    check_game(make_pig(bonus=3), games=2)
    assert random.random() == random.Random(5).random()

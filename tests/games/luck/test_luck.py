"""Luck is what chance events add to a value beyond their mean, and is fair."""

import sys
from collections.abc import Callable, Sequence
from importlib.metadata import EntryPoint
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from values import Choose, at_random, check_mean_luck, scores_of

from arena import plugins
from arena.games import Game, IllegalActionError, State, get_game
from arena.games.luck import VALUES, Value, find_value, luck_of
from arena.games.zombie_dice import ZombieDiceState

YELLOW = {"preset": "all_yellow"}
BRAINS = "yellow brain, yellow brain, yellow brain"
BUST = "yellow shotgun, yellow shotgun, yellow shotgun"
FEET = "yellow feet, yellow feet, yellow feet"


class Brains(Value):
    """A tenth for each brain in hand of the first seat of a pair, from a half on."""

    version = "1"
    digest = "0" * 16

    def ahead(self, state: State) -> Sequence[float]:
        assert isinstance(state, ZombieDiceState)
        return [
            0.5 + 0.1 * state.brains if state.seat == a else 0.5 for a, _ in self.pairs
        ]


class AnyNumber(Value):
    """A number drawn for each position, without any sense."""

    version = "1"
    digest = "0" * 16
    seed = 0

    def ahead(self, state: State) -> Sequence[float]:
        if state.is_terminal():
            return scores_of(self.game, state.places())
        rng = Random(f"{self.seed} {state.to_text()}")
        return [rng.random() for _ in self.pairs]


def test_it_is_what_a_roll_adds_beyond_its_mean() -> None:
    value = Brains(get_game("zombie_dice", 2, YELLOW))
    # Each of three dice shows a brain with probability 1/3: V is 0.6 on average.
    for outcome, after in ((BRAINS, 0.8), (FEET, 0.5), (BUST, 0.5)):
        assert luck_of(value, [outcome]) == pytest.approx([after - 0.6])
    # What a seat decides is no luck, and the second seat's brains are worth nothing.
    assert luck_of(value, [FEET, "stop"]) == pytest.approx([-0.1])
    assert luck_of(value, [BUST, BRAINS, "stop"]) == pytest.approx([-0.1])
    # One roll of 27 is a bust, which loses the three brains.
    assert luck_of(value, [BRAINS, "roll", BUST]) == pytest.approx(
        [0.8 - 0.6 + 0.5 - (0.5 + 0.1 * (3 * 26 / 27 + 1))]
    )


def test_it_is_told_for_each_pair_of_seats() -> None:
    value = Brains(get_game("zombie_dice", 3, YELLOW))
    assert luck_of(value, [BRAINS]) == pytest.approx([0.2, 0.2, 0.0])
    assert luck_of(value, [FEET, "stop", BRAINS]) == pytest.approx([-0.1, -0.1, 0.2])


def test_there_is_none_before_anything_has_happened() -> None:
    assert luck_of(Brains(get_game("zombie_dice", 3, YELLOW)), []) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("history", [["stop"], [BRAINS, "jump"], [BRAINS, BRAINS]])
def test_what_is_no_history_of_the_game_is_refused(history: list[str]) -> None:
    value = Brains(get_game("zombie_dice", 2, YELLOW))
    with pytest.raises(IllegalActionError):
        luck_of(value, history)


def stop(state: State, rng: Random) -> str:
    """Stop after every roll."""
    return "stop"


@settings(max_examples=5)
@given(
    seed=st.integers(0, 2**32),
    players=st.sampled_from([2, 3]),
    choose=st.sampled_from([at_random, stop]),
)
def test_its_mean_is_zero_however_wrong_the_value(
    seed: int, players: int, choose: Choose
) -> None:
    value = AnyNumber(get_game("zombie_dice", players, {**YELLOW, "target": 1}))
    value.seed = seed
    check_mean_luck(value, 2, choose)


def test_a_mean_that_is_not_exact_is_found_out() -> None:
    class Careless(AnyNumber):
        def expected(self, state: State) -> Sequence[float]:
            return [mean + 1e-6 for mean in super().expected(state)]

    with pytest.raises(AssertionError):
        check_mean_luck(Careless(get_game("zombie_dice", 2, YELLOW)), 1)


def test_a_game_of_our_own_has_a_value_and_one_without_a_value_has_none() -> None:
    assert isinstance(find_value(get_game("zombie_dice", 2, YELLOW)), Value)
    assert find_value(renamed("unknown")) is None


PLUGIN = """
from arena.games.luck import Value
from arena.hooks import hookimpl


class SomeValue(Value):
    version = "1"
    digest = "0" * 16

    def ahead(self, state):
        return [0.5 for _ in self.pairs]


@hookimpl
def arena_values():
    return {NAME: "a_value_plugin:SomeValue"}
"""


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[str]]:
    """Return what loads a plugin that brings a value for a game of this name.

    It returns what went wrong.
    """
    monkeypatch.setattr(VALUES, "_paths", dict(VALUES))
    monkeypatch.syspath_prepend(tmp_path)
    point = EntryPoint("a_value", "a_value_plugin", "arena")
    monkeypatch.setattr(plugins, "entry_points", lambda group: [point])
    monkeypatch.delitem(sys.modules, "a_value_plugin", raising=False)

    def loads(name: str) -> list[str]:
        (tmp_path / "a_value_plugin.py").write_text(PLUGIN.replace("NAME", repr(name)))
        return plugins.load_plugins()

    return loads


def renamed(name: str) -> Game:
    """Return Zombie Dice under another name."""
    game = get_game("zombie_dice", 2)
    kind = type("Renamed", (type(game),), {"name": name})
    found: Game = kind(2, game.options)
    return found


def test_a_plugin_may_bring_a_value(load: Callable[[str], list[str]]) -> None:
    game = renamed("another_game")
    assert find_value(game) is None
    assert load("another_game") == []
    found = find_value(game)
    assert found is not None
    assert type(found).__name__ == "SomeValue"
    assert found.ahead(game.new_state()) == [0.5]


def test_a_plugin_can_not_take_the_place_of_a_value(
    load: Callable[[str], list[str]],
) -> None:
    (problem,) = load("zombie_dice")
    assert problem.endswith(
        "two values are given for zombie_dice: arena.games.zombie_dice.luck:"
        "VALUE and a_value_plugin:SomeValue"
    )
    found = find_value(get_game("zombie_dice", 2, YELLOW))
    assert type(found).__name__ == "ZombieDiceValue"


def test_the_same_value_may_be_registered_again() -> None:
    VALUES.register("zombie_dice", VALUES["zombie_dice"])

"""The contract's own parts: places, shares, options, registry, errors."""

import copy
import subprocess
import sys
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from secret_pig import SecretOptions, SecretPig, SecretState, make_pig

from arena.games import (
    CHANCE,
    TERMINAL,
    Event,
    GameSpecError,
    IllegalActionError,
    Observation,
    game_class,
    game_paths,
    get_game,
    rank,
    register,
    shares,
)


@pytest.mark.parametrize(
    ("points", "lowest_wins", "places"),
    [
        ([], False, []),
        ([7], False, [1]),
        ([3, 9, 5], False, [3, 1, 2]),
        ([3, 9, 5], True, [1, 3, 2]),
        ([5, 9, 9, 1], False, [3, 1, 1, 4]),
        ([9, 5, 5, 1], False, [1, 2, 2, 4]),
        ([0, 0, 0], True, [1, 1, 1]),
        ([-1, -2.5], False, [1, 2]),
    ],
)
def test_rank(points: list[float], lowest_wins: bool, places: list[int]) -> None:
    assert rank(points, lowest_wins=lowest_wins) == places


@pytest.mark.parametrize(
    ("places", "returns"),
    [
        ([1, 2], [1.0, 0.0]),
        ([1, 1], [0.5, 0.5]),
        ([3, 1, 1], [0.0, 0.5, 0.5]),
        ([1, 1, 1, 1], [0.25] * 4),
    ],
)
def test_shares(places: list[int], returns: list[float]) -> None:
    assert shares(places) == returns


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=8), st.booleans())
def test_the_best_share_one_win(points: list[int], lowest_wins: bool) -> None:
    returns = shares(rank(points, lowest_wins=lowest_wins))
    best = min(points) if lowest_wins else max(points)
    assert sum(returns) == pytest.approx(1.0)
    assert [value > 0.0 for value in returns] == [p == best for p in points]


def test_options_have_defaults() -> None:
    assert (
        SecretPig.parse_options(None) == SecretPig.parse_options({}) == SecretOptions()
    )
    assert SecretPig.parse_options({"target": 50}) == SecretOptions(target=50, bonus=0)


@pytest.mark.parametrize(
    ("options", "key", "problem"),
    [
        ({"taget": 3}, "options.taget", "unknown key; did you mean 'target'?"),
        ({"colour": 3}, "options.colour", "unknown key; known are target, bonus"),
        ({5: 3}, "options.5", "unknown key; known are target, bonus"),
        ({"target": 0}, "options.target", "expected a whole number >= 1; found 0"),
        ({"bonus": 21}, "options.bonus", "expected a whole number <= 20; found 21"),
        ({"target": "9"}, "options.target", "expected a whole number; found '9'"),
        ({"target": True}, "options.target", "expected a whole number; found True"),
        ({"bonus": 1, "target": None}, "options.target", "expected a whole number"),
    ],
)
def test_options_that_are_refused(
    options: dict[Any, Any], key: str, problem: str
) -> None:
    with pytest.raises(GameSpecError) as caught:
        SecretPig.parse_options(options)
    assert caught.value.key == key
    assert caught.value.problem.startswith(problem)
    assert str(caught.value).startswith(f"{key}: {problem}")


@pytest.mark.parametrize("players", [2, 10])
def test_players_in_range(players: int) -> None:
    SecretPig.check_players(players)


@pytest.mark.parametrize("players", [-1, 0, 1, 11])
def test_players_out_of_range(players: int) -> None:
    with pytest.raises(GameSpecError) as caught:
        SecretPig.check_players(players)
    assert str(caught.value) == f"players: expected 2 to 10; found {players}"


def test_a_single_number_of_players() -> None:
    class Duel(SecretPig):
        max_players = 2

    with pytest.raises(GameSpecError, match="players: expected exactly 2; found 3"):
        Duel.check_players(3)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("zombie_dise", "no game is called 'zombie_dise'; did you mean 'zombie_dice'?"),
        ("chess", "no game is called 'chess'; known are "),
        (None, "no game is called None; known are "),
        ([], "no game is called []; known are "),
    ],
)
def test_games_that_are_not_there(name: Any, problem: str) -> None:
    with pytest.raises(GameSpecError) as caught:
        get_game(name)
    assert caught.value.key == "game"
    assert caught.value.problem.startswith(problem)


def test_the_known_games_are_listed_where_no_name_is_close() -> None:
    with pytest.raises(GameSpecError) as caught:
        game_class("chess")
    assert str(caught.value).endswith(f"known are {', '.join(sorted(game_paths()))}")


def test_a_registered_game_can_be_asked_for() -> None:
    # In a process of its own, as a registration lasts as long as the process.
    code = (
        "from arena.games import get_game, register\n"
        "register('pig', 'arena_pig:Pig')\n"
        "register('pig', 'arena_pig:Pig')\n"
        "print(get_game('pig', 3, {'target': 50}))\n"
        "try:\n"
        "    register('pig', 'other:Pig')\n"
        "except ValueError as error:\n"
        "    print(error)\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[1] / "packages" / "pig",
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.splitlines() == [
        "<pig, 3 players, PigOptions(target=50)>",
        "two games are called pig: arena_pig:Pig and other:Pig",
    ]


def test_the_name_of_a_game_is_not_taken_twice() -> None:
    with pytest.raises(ValueError, match="two games are called ox_blocks"):
        register("ox_blocks", "elsewhere:OXBlocks")


def test_the_list_of_games_is_a_copy() -> None:
    game_paths().clear()
    assert game_paths()


def test_action_ids() -> None:
    game = make_pig()
    assert game.actions == ("roll", "hold")
    assert game.num_actions == 2
    assert [game.action_id(action) for action in game.actions] == [0, 1]
    assert [game.action_from_id(i) for i in range(2)] == ["roll", "hold"]


@pytest.mark.parametrize("action_id", [-1, 2])
def test_ids_without_an_action(action_id: int) -> None:
    with pytest.raises(IndexError, match=f"pig: no action has the id {action_id}"):
        make_pig().action_from_id(action_id)


def test_actions_without_an_id() -> None:
    with pytest.raises(KeyError, match="pass"):
        make_pig().action_id("pass")


@pytest.mark.parametrize(
    ("history", "attempted", "message"),
    [
        ([], "hold", "pig: expected 'roll'; got 'hold'"),
        (["roll", "4"], "pass", "pig: expected 'roll', 'hold'; got 'pass'"),
        (["roll"], "7", "pig: expected one of the chance outcomes; got '7'"),
        (["roll", "4", "hold"], "roll", "pig: expected nothing, the game is over"),
    ],
)
def test_an_illegal_action_is_told_what_was_expected(
    history: list[str], attempted: str, message: str
) -> None:
    state = make_pig(target=4).new_state()
    for x in history:
        state.apply(x)
    with pytest.raises(IllegalActionError) as caught:
        state.apply(attempted)
    assert str(caught.value).startswith(message)


def test_long_lists_of_legal_actions_are_cut_in_the_message() -> None:
    class Bidding(SecretState):
        __slots__ = ()

        def legal_actions(self) -> list[str]:
            return [f"bid {n}" for n in range(9)]

    state = Bidding(make_pig())
    message = "expected 'bid 0', 'bid 1', 'bid 2', … (9 legal actions); got 'bid 9'"
    assert message in str(IllegalActionError(state, "bid 9"))


@pytest.mark.parametrize(
    ("u", "outcome"),
    [(0.0, "1"), (0.16, "1"), (0.17, "2"), (0.5, "4"), (1.0 - 2.0**-53, "6")],
)
def test_outcome_at_walks_the_distribution(u: float, outcome: str) -> None:
    state = make_pig().new_state()
    state.apply("roll")
    assert state.outcome_at(u) == outcome


def test_returns_are_known_at_the_end_only() -> None:
    state = make_pig(target=4).new_state()
    with pytest.raises(ValueError, match="pig: returns are known at the end only"):
        state.returns()
    for x in ("roll", "4", "hold"):
        state.apply(x)
    assert state.current_player() == TERMINAL
    assert state.returns() == [1.0, 0.0]


def test_a_game_cut_short_goes_by_the_places() -> None:
    game = make_pig(3)
    state = game.new_state()
    assert game.adjudicate(state) == pytest.approx([1 / 3] * 3)
    for x in ("roll", "4", "hold"):
        state.apply(x)
    assert game.adjudicate(state) == [1.0, 0.0, 0.0]


def test_options_that_are_as_by_default_are_not_changed() -> None:
    assert make_pig().changed_options == ()
    assert make_pig(target=SecretOptions().target, bonus=3).changed_options == (
        "bonus",
    )


@pytest.mark.parametrize("name", game_paths())
def test_a_deep_copy_of_a_state_is_a_clone_that_shares_the_game(name: str) -> None:
    state = get_game(name).new_state()
    state.apply(state.outcome_at(0.5))
    twin = copy.deepcopy(state)
    before = state.to_text()
    assert twin.game is state.game
    assert (twin.key(), twin.to_text()) == (state.key(), before)
    twin.apply(twin.legal_actions()[0] if twin.legal_actions() else twin.outcome_at(0))
    assert (twin.to_text() != before, state.to_text()) == (True, before)


def test_what_every_observation_has() -> None:
    seen = Observation(seat=1)
    assert (seen.seat, seen.events, seen.time_left) == (1, (), inf)
    with pytest.raises(TypeError, match="Observation offers no forward model"):
        _ = seen.legal_actions
    with pytest.raises(AttributeError):
        seen.seat = 0  # type: ignore[misc]


def test_events_say_who_and_what() -> None:
    event = Event(CHANCE, "4")
    assert (event.seat, event.text) == (-1, "4")


def test_print_shows_what_is_in_play_in_lines() -> None:
    state = get_game("zombie_dice").new_state()
    state.apply("green brain, yellow shotgun, red feet")
    obs = replace(state.observation(0), events=(Event(CHANCE, "red feet"),))
    lines = str(obs).splitlines()
    assert lines[:4] == [
        "seat            0",
        "events          ((seat -1, text 'red feet'),)",
        "time_left       inf",
        "scores          (0, 0)",
    ]
    assert "brain_dice      green 1" in lines
    assert "shotgun_dice    yellow 1" in lines
    assert not any(line.startswith(("helmet", "bus", "game")) for line in lines)
    assert f"{obs}" == str(obs)
    # A debugger, and whoever looks for a difference, gets all there is.
    assert repr(obs).startswith("ZombieDiceObservation(seat=0, events=(Event(")
    assert "bus='none'" in repr(obs)


def test_a_part_of_the_game_that_is_played_is_shown() -> None:
    game = get_game("zombie_dice", options={"bus": True})
    shown = str(game.new_state().observation(0))
    assert "\nbus " in shown
    assert "\nhelmet " not in shown
    # Without a game nobody knows what is not in play.
    assert "\nhelmet " in str(replace(game.new_state().observation(0), game=None))

"""Zombie Mania!: games in a row, with penalty points (rulings 66 to 68)."""

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from zombie_manias import NOTHING, dice, keep, play, stop_with, zombie_mania

from arena.games import CHANCE, TERMINAL, derive_seed, uniform

ALL = "2 gravestone, 2 brown: move 2 graveyard"
"""A turn that gets rid of two tokens, and so wins with the next turn of its seat."""


def win(state: Any, seat: int) -> None:
    """Let `seat` get rid of its two tokens, and all others throw nothing."""
    number = state.number
    while state.active != seat:
        state.apply(dice(NOTHING))
    stop_with(state, "2 gravestone, 2 brown")
    state.apply("move 2 graveyard")
    while state.number == number and not state.is_terminal():
        state.apply(dice(NOTHING))


def series(players: int, games: int, *winners: int) -> Any:
    """Return a series with two tokens a seat after these games."""
    state = zombie_mania(players, tokens=2, games=games).new_state()
    for seat in winners:
        win(state, seat)
    return state


def test_tokens_left_are_penalty_points_over_all_games() -> None:
    """Ruling 67: each game adds what lies on the mats at its end."""
    state = play(
        zombie_mania(3, tokens=2, games=2),
        ALL,
        "2 gravestone, 2 blue, 2 building: move 1 seat 2",
        NOTHING,
    )
    assert state.observation(1).penalties == (0, 1, 3)
    assert state.scores() == [2.0, 3.0, 5.0]
    assert not state.is_terminal()
    win(state, 1)
    assert state.is_terminal()
    assert state.observation(1).penalties == (2, 1, 5)
    assert state.scores() == [2.0, 1.0, 5.0]
    assert state.places() == [2, 1, 3]
    assert state.returns() == [0.0, 1.0, 0.0]


def test_all_tokens_are_set_up_anew_for_each_game() -> None:
    """Ruling 67: the mats, the graveyard and the dice are as at the start."""
    state = series(2, 3, 0)
    seen = state.observation(0)
    assert (seen.game_number, seen.tokens, seen.graveyard) == (2, (2, 2), 0)
    assert (seen.turn, seen.roll, seen.kept, seen.rolled) == (1, 1, (), ())
    assert seen.phase == "throw"
    assert seen.dice_left == 8


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_first_turn_moves_on_with_each_game(players: int) -> None:
    """Ruling 66: whoever won the game before."""
    games = 2 * players + 1
    state = series(players, games)
    for number in range(games):
        first = number % players
        order = [(first + turn) % players for turn in range(2 * players)]
        names = []
        copy = state.clone()
        for _ in order:
            names.append(copy.chance_stream())
            assert copy.active == order[len(names) - 1]
            copy.apply(dice(NOTHING))
        assert names == [
            f"game {number + 1} seat {seat} turn {1 + turn // players} roll 1"
            for turn, seat in enumerate(order)
        ]
        win(state, seat=(3 * number) % players)
    assert state.is_terminal()


def test_fewest_penalty_points_win_and_ties_share_the_win() -> None:
    """Ruling 67: even if one of those who tie has won the last game."""
    state = series(3, 2, 0, 1)
    assert state.is_terminal()
    assert state.observation(0).penalties == (2, 2, 4)
    assert state.places() == [1, 1, 3]
    assert state.returns() == [0.5, 0.5, 0.0]
    assert series(2, 3, 0, 1, 0).returns() == [1.0, 0.0]


def test_who_ends_the_last_game_does_not_win_by_that() -> None:
    """Ruling 67: in a series, only the sum of the penalty points counts."""
    state = series(3, 3, 0, 0, 2)
    assert state.is_terminal()
    assert state.active == 2
    assert state.returns() == [1.0, 0.0, 0.0]


def test_a_single_game_is_won_alone() -> None:
    """Ruling 67: one game is decided by its end, as ever."""
    steps = (ALL, ALL)
    single = play(zombie_mania(3, tokens=2), *steps)
    assert single.places() == [1, 1, 3]
    single.apply(dice(NOTHING))
    assert single.places() == [1, 2, 3]
    assert single.observation(0).penalties == (0, 0, 2)
    double = play(zombie_mania(3, tokens=2, games=2), *steps, NOTHING)
    assert double.observation(0).penalties == (0, 0, 2)
    assert double.scores() == [2.0, 2.0, 4.0]


def test_cut_short_the_tokens_on_the_mats_are_penalty_points_too() -> None:
    """Rulings 67, 68: of the game in play, with those of the games before."""
    state = series(2, 3, 0)
    stop_with(state, "2 gravestone, 2 blue")
    state.apply("move 1 graveyard")
    assert state.observation(0).penalties == (0, 2)
    assert state.observation(0).tokens == (2, 1)
    assert state.scores() == [2.0, 3.0]
    assert state.places() == [1, 2]
    assert state.game.adjudicate(state) == [1.0, 0.0]
    stop_with(state, "2 gravestone, 2 blue, 2 building")
    state.apply("move 1 seat 1")
    assert state.game.adjudicate(state) == [1.0, 0.0]
    stop_with(state, "2 gravestone, 2 brown")
    state.apply("move 2 graveyard")
    assert state.observation(0).tokens == (1, 0)
    assert state.scores() == [1.0, 2.0]


@pytest.mark.parametrize("games", [1, 2, 7])
def test_a_longer_series_may_take_more_decisions(games: int) -> None:
    """Ruling 68: the cap is that of one game for each game."""
    assert zombie_mania(2, games=games).max_decisions == 3000 * games
    assert type(zombie_mania()).max_decisions == 3000


def throws_of_a_game(rng: Random) -> dict[str, str]:
    """Return the throws of one series, always with the same luck, by their names."""
    seed = derive_seed("luck")
    state = zombie_mania(2, tokens=1, games=3).new_state()
    thrown: dict[str, str] = {}
    while not state.is_terminal():
        if state.current_player() == CHANCE:
            name = state.chance_stream()
            thrown[name] = state.outcome_at(uniform(seed, name))
            state.apply(thrown[name])
        else:
            legal = state.legal_actions()
            state.apply(rng.choice(legal[len(legal) // 2 :]))
    return thrown


def test_decisions_do_not_shift_the_luck_of_the_next_game() -> None:
    """Ruling 66: the first throw of a turn is the same, whatever went before."""
    one, other = throws_of_a_game(Random(1)), throws_of_a_game(Random(2))
    assert list(one) != list(other)
    for number, first in ((1, 0), (2, 1), (3, 0)):
        name = f"game {number} seat {first} turn 1 roll 1"
        assert one[name] == other[name]
    assert len({one[name] for name in one if name.endswith("turn 1 roll 1")}) > 4


def test_key_tells_games_and_penalty_points_apart() -> None:
    """Ruling 67: what is left to play, and what has been scored, decide the future."""
    games = [series(2, 3, 0, 1), series(2, 3, 1, 0), series(2, 3, 0, 0)]
    assert games[0].key() == games[1].key()
    assert games[0].key() != games[2].key()
    # The same seat, mats and points, with fewer games to come.
    game = zombie_mania(2, tokens=2, games=2)
    early, late = play(game, NOTHING), play(game, ALL, ALL)
    assert late.observation(0).penalties == early.observation(0).penalties == (0, 0)
    assert late.observation(0).tokens == early.observation(0).tokens
    assert late.active == early.active == 1
    assert late.key() != early.key()


def test_text_of_a_series() -> None:
    state = series(2, 3, 0)
    keep(state, "1 blue")
    assert str(state).splitlines() == [
        "game 2 of 3",
        "penalty seat 0: 0, seat 1: 2",
        "tokens  seat 0: 2, seat 1: 2, graveyard: 0",
        "kept    blue",
        "seat 1 may roll 7 dice or stop",
    ]
    assert str(series(2, 2, 0, 1)).splitlines()[-1] == "seat 1 has won the last game"
    assert "penalty" not in str(zombie_mania().new_state())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("players", "games"), [(2, 4), (3, 3), (5, 2)])
def test_what_holds_in_any_series(players: int, games: int, seed: int) -> None:
    game = zombie_mania(players, tokens=1, games=games)
    rng = Random(seed)
    state = game.new_state()
    seen = [state.observation(0)]
    while state.current_player() != TERMINAL:
        assert seen[-1].sample_state(rng).key() == state.key()
        if state.current_player() == CHANCE:
            state.apply(state.outcome_at(rng.random()))
        else:
            legal = state.legal_actions()
            state.apply(rng.choice(legal[len(legal) // 2 :]))
        seen.append(state.observation(rng.randrange(players)))
    for before, after in pairwise(seen):
        assert after.game_number - before.game_number in (0, 1)
        if after.game_number > before.game_number:
            added = zip(after.penalties, before.penalties, strict=True)
            assert sum(new - old for new, old in added) <= players
            assert after.tokens == (1,) * players
    assert seen[-1].game_number == games
    assert state.scores() == list(seen[-1].penalties)

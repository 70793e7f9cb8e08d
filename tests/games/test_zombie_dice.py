"""The rulings of the base game of Zombie Dice, by their numbers."""

from collections import Counter
from math import fsum
from random import Random
from typing import Any

import pytest
from zombie_dice_positions import DEAD, FEET, GREENS, YELLOWS, new, play, score, wander

from arena.games import CHANCE
from arena.games.zombie_dice import DiceCount, ZombieDiceState


def where(state: ZombieDiceState) -> tuple[DiceCount, ...]:
    seen = state.observation(0)
    return seen.cup, seen.feet_dice, seen.brain_dice, seen.shotgun_dice


def test_ruling_10_the_cup_holds_thirteen_dice() -> None:
    state = new()
    assert state.observation(0).cup == DiceCount(green=6, yellow=4, red=3)
    assert {die.name: Counter(die.faces) for die in state.game.setup.kinds[:3]} == {
        "green": {"brain": 3, "shotgun": 1, "feet": 2},
        "yellow": {"brain": 2, "shotgun": 2, "feet": 2},
        "red": {"brain": 1, "shotgun": 3, "feet": 2},
    }


LAST_RED = (GREENS, GREENS, YELLOWS)
"""Nine brains; the cup then holds 1 yellow and 3 red dice."""


@pytest.mark.parametrize(
    ("cup_model", "last", "cup", "feet", "noted"),
    [
        # One die must be drawn and there is one: only the literal rule recycles.
        ("literal", "yellow brain, red feet, red feet", (6, 4, 1), (0, 0, 2), 10),
        ("needed", "yellow brain, red feet, red feet", (0, 0, 1), (0, 0, 2), 0),
        ("rest_first", "yellow brain, red feet, red feet", (0, 0, 1), (0, 0, 2), 0),
        ("none", "yellow brain, red feet, red feet", (0, 0, 1), (0, 0, 2), 0),
        # Two must be drawn and there is one.
        ("literal", "yellow brain, red brain, red feet", (6, 4, 2), (0, 0, 1), 11),
        ("needed", "yellow brain, red brain, red feet", (6, 4, 2), (0, 0, 1), 11),
        ("rest_first", "yellow brain, red brain, red feet", (6, 4, 1), (0, 0, 2), 11),
        # Shotguns stay out.
        ("literal", "yellow brain, red shotgun, red feet", (6, 4, 1), (0, 0, 1), 10),
        # None must be drawn.
        ("literal", "yellow feet, red feet, red feet", (0, 0, 1), (0, 1, 2), 0),
        ("needed", "yellow feet, red feet, red feet", (0, 0, 1), (0, 1, 2), 0),
        ("rest_first", "yellow feet, red feet, red feet", (0, 0, 1), (0, 1, 2), 0),
        ("none", "yellow feet, red feet, red feet", (0, 0, 1), (0, 1, 2), 0),
    ],
)
def test_rulings_1_and_2_brain_dice_return_to_the_cup(
    cup_model: str, last: str, cup: tuple[int, ...], feet: tuple[int, ...], noted: int
) -> None:
    state = play(new(cup=cup_model), *LAST_RED, last)
    before = state.observation(0)
    assert before.noted == 0
    state.apply("roll")
    after = state.observation(0)
    assert after.cup == DiceCount(*cup)
    assert after.feet_dice == DiceCount(*feet)
    assert after.noted == noted
    assert after.shotgun_dice == before.shotgun_dice
    assert after.brains == before.brains
    assert after.brain_dice.total == before.brains - noted


def test_ruling_1_nothing_returns_while_three_dice_are_left() -> None:
    state = play(new(), GREENS, GREENS, "roll")
    play(state, "yellow brain, yellow feet, yellow feet", YELLOWS, "roll")
    assert state.observation(0).cup == DiceCount(0, 0, 3)
    assert state.observation(0).noted == 0
    play(state, "red brain, red feet, red feet", "roll")
    assert state.observation(0).cup == DiceCount(6, 4, 1)
    assert state.observation(0).noted == 11


def test_ruling_1_the_rest_of_the_cup_is_taken_first() -> None:
    state = play(new(cup="rest_first"), *LAST_RED)
    play(state, "yellow brain, red brain, red feet", "roll")
    outcomes = state.chance_outcomes()
    assert all(outcome.count("red") >= 2 for outcome, _ in outcomes)
    assert fsum(p for _, p in outcomes) == pytest.approx(1, abs=1e-12)


def test_ruling_2_noted_brains_still_score() -> None:
    state = play(new(), *LAST_RED, "yellow brain, red brain, red feet", "roll")
    play(state, "green brain, green brain, red feet")
    assert state.observation(0).brains == 13
    assert state.observation(0).brain_dice == DiceCount(2, 0, 0)
    state.apply("stop")
    assert state.scores() == [13, 0]


def test_ruling_3_a_turn_without_dice_to_draw_scores() -> None:
    state = play(new(cup="none"), *LAST_RED, "yellow brain, red brain, red feet")
    assert state.scores() == [11, 0]
    assert state.current_player() == CHANCE
    assert state.observation(0).turn_seat == 1


@pytest.mark.parametrize("cup_model", ["literal", "needed", "rest_first"])
def test_ruling_3_needs_no_use_where_dice_return(cup_model: str) -> None:
    recycled = 0
    for state in wander(new(target=10**6, cup=cup_model), Random(3), 800):
        if state.current_player() != CHANCE:
            continue
        recycled += state.observation(0).noted > 0
        for outcome, _ in state.chance_outcomes():
            after = play(state.clone(), outcome)
            bust = state.observation(0).shotguns + outcome.count("shotgun") >= 3
            assert (after.current_player() == CHANCE) == bust
    assert recycled


def test_ruling_4_brains_in_hand_can_be_lost() -> None:
    state = play(new(target=3), GREENS)
    assert state.observation(0).brains == 3
    assert not state.observation(0).final_round
    play(state, DEAD)
    assert state.scores() == [0, 0]
    assert not state.is_terminal()
    score(state, 3)
    assert state.is_terminal()
    assert state.places() == [2, 1]


@pytest.mark.parametrize(
    ("turns", "scores", "places"),
    [
        # Ruling 5: C of six reaches the target, D, E and F have their turn.
        (
            [(0, 2), (1, 2), (2, 6), (3, 1), (4, 0), (5, 3)],
            [2, 2, 6, 1, 0, 3],
            [3, 3, 1, 5, 6, 2],
        ),
        # Ruling 5: the last seat reaches it and the game is over.
        ([(0, 4), (1, 5)], [4, 5], [2, 1]),
        # Ruling 5: nobody has, and everybody plays another round.
        ([(0, 4), (1, 3), (0, 1), (1, 0)], [5, 3], [1, 2]),
        # Ruling 9: the first to reach it does not win.
        ([(0, 5), (1, 7)], [5, 7], [2, 1]),
        ([(0, 6), (1, 9), (2, 5)], [6, 9, 5], [2, 1, 3]),
        # Ruling 6: only the leaders play on; others keep their place.
        ([(0, 6), (1, 6), (0, 1), (1, 0)], [7, 6], [1, 2]),
        ([(0, 6), (1, 3), (2, 6), (0, 0), (2, 9)], [6, 3, 15], [2, 3, 1]),
        # Ruling 6: a tie that is not broken goes on among those still tied.
        (
            [(0, 6), (1, 6), (2, 6), (3, 4), (0, 2), (1, 1), (2, 2), (0, 0), (2, 1)],
            [8, 7, 9, 4],
            [2, 3, 1, 4],
        ),
        (
            [(0, 6), (1, 6), (0, 0), (1, 0), (0, 3), (1, 3), (0, 0), (1, 1)],
            [9, 10],
            [2, 1],
        ),
        # Ruling 6: who was out of the first tie is never back.
        (
            [
                *((seat, 6) for seat in range(5)),
                (5, 5),
                *zip(range(5), [1, 0, 1, 1, 0], strict=True),
                *[(0, 0), (2, 2), (3, 2), (2, 1), (3, 0)],
            ],
            [7, 6, 10, 9, 6, 5],
            [3, 4, 1, 2, 4, 6],
        ),
        # Ruling 6: a tie below the top is shared.
        ([(0, 3), (1, 6), (2, 3), (3, 1)], [3, 6, 3, 1], [2, 1, 2, 4]),
    ],
)
def test_rulings_5_6_and_9_the_end(
    turns: list[tuple[int, int]], scores: list[int], places: list[int]
) -> None:
    state = new(players=len(scores), target=5)
    for seat, brains in turns:
        assert not state.is_terminal()
        assert state.observation(0).turn_seat == seat
        score(state, brains)
    assert state.is_terminal()
    assert state.scores() == scores
    assert state.places() == places
    assert state.returns() == [float(place == 1) for place in places]


def test_ruling_5_the_final_round_is_announced() -> None:
    state = new(players=3, target=5)
    score(state, 1)
    score(state, 6)
    seen = play(state, FEET).observation(2)
    assert seen.final_round
    assert seen.seats_to_come == ()
    assert seen.tied == ()


@pytest.mark.parametrize(("limit", "rounds"), [(1, 1), (3, 3)])
def test_ruling_6_a_limit_shares_the_win(limit: int, rounds: int) -> None:
    state = new(players=3, target=5, tiebreak_rounds=limit)
    for brains in (6, 6, 1):
        score(state, brains)
    for number in range(1, rounds + 1):
        seen = state.observation(0)
        assert (seen.tied, seen.tiebreak_round) == ((0, 1), number)
        score(state, 2)
        score(state, 2)
    assert state.is_terminal()
    assert state.places() == [1, 1, 3]
    assert state.returns() == [0.5, 0.5, 0]


def test_ruling_6_a_tie_that_stands_is_the_same_position_again() -> None:
    def tied(brains: int, **options: Any) -> ZombieDiceState:
        state = new(players=3, target=5, **options)
        for n in (6, 1, 6, brains, brains):
            score(state, n)
        return state

    once = new(players=3, target=5)
    for n in (6, 1, 6):
        score(once, n)
    assert once.key() == tied(2).key() == tied(0).key()
    assert once.chance_stream() != tied(2).chance_stream()
    score(twice := tied(2), 1)
    assert twice.key() != play(tied(2), FEET, "stop").key()
    # With a limit the rounds left count.
    limited = new(players=3, target=5, tiebreak_rounds=2)
    for n in (6, 1, 6):
        score(limited, n)
    assert limited.key() != tied(2, tiebreak_rounds=2).key()


def test_ruling_7_seat_0_begins() -> None:
    assert new(players=4).observation(0).turn_seat == 0


def test_ruling_8_the_first_roll_is_compulsory_and_stopping_always_allowed() -> None:
    state = new()
    assert state.current_player() == CHANCE
    assert state.legal_actions() == []
    state.apply(FEET)
    assert state.observation(0).brains == 0
    assert state.legal_actions() == ["roll", "stop"]
    state.apply("stop")
    assert state.scores() == [0, 0]
    assert state.current_player() == CHANCE
    assert state.observation(1).turn_seat == 1


def test_ruling_8_three_feet_are_rolled_again_and_nothing_is_drawn() -> None:
    state = play(new(), "green feet, yellow feet, red feet")
    cup = state.observation(0).cup
    state.apply("roll")
    assert len(state.chance_outcomes()) == 27
    play(state, "green feet, yellow brain, red shotgun")
    assert state.observation(0).cup == cup
    assert state.observation(0).feet_dice == DiceCount(1, 0, 0)


def test_feet_are_rolled_again_with_new_dice() -> None:
    state = play(new(), "green feet, yellow brain, red shotgun", "roll")
    assert all(
        len(outcome.split(", ")) == 3 and "green" in outcome
        for outcome, _ in state.chance_outcomes()
    )
    play(state, "green brain, yellow feet, red brain")
    assert where(state) == (
        DiceCount(5, 2, 1),
        DiceCount(0, 1, 0),
        DiceCount(1, 1, 1),
        DiceCount(0, 0, 1),
    )


@pytest.mark.parametrize(
    "rolls",
    [
        [DEAD],
        [GREENS, DEAD],
        [
            "green brain, red shotgun, red shotgun",
            "green brain, green brain, red shotgun",
        ],
        # Ruling 11: 2 + 2 and 2 + 3 shotguns.
        [
            "green brain, red shotgun, red shotgun",
            "green brain, green shotgun, red shotgun",
        ],
        [
            "green brain, red shotgun, red shotgun",
            "green shotgun, yellow shotgun, red shotgun",
        ],
    ],
)
def test_ruling_11_three_or_more_shotguns_score_nothing(rolls: list[str]) -> None:
    state = play(new(), *rolls)
    assert state.scores() == [0, 0]
    seen = state.observation(0)
    assert (seen.turn_seat, seen.rolls, seen.shotguns) == (1, 0, 0)
    assert seen.cup == DiceCount(6, 4, 3)

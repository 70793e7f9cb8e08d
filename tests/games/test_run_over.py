"""Ruling 31 of Zombie Dice: what is lost when the School Bus runs a brain over."""

from dataclasses import replace

import pytest
from zombie_dice_positions import (
    FEET,
    GREENS,
    ONE_LEFT,
    SEQUEL,
    TWO_SHOT,
    cup,
    gone,
    new,
    over,
    play,
    ride,
    see,
)

from arena.games import IllegalActionError
from arena.games.zombie_dice import DiceCount


def test_ruling_31_a_counter_is_lost_first() -> None:
    state = ride(
        "green brain, yellow brain, red brain",
        "yellow brain, red brain, bus double brain",
        "yellow feet, red shotgun, bus run over",
    )
    assert see(state) == gone(
        feet="yellow", brain="green yellow yellow red red", noted=1, shotgun="red"
    )


def test_ruling_31_a_noted_brain_is_lost_first() -> None:
    state = play(new(bus=True), *ONE_LEFT, "green brain, red feet, red feet")
    assert see(state).noted == 10
    play(state, "red brain, red feet, bus run over")
    assert see(state) == gone(feet="red", brain="green red", noted=9)


@pytest.mark.parametrize(
    ("choice", "brain", "in_cup"),
    [
        ("lose green", "yellow red red", DiceCount(5, 2, 1)),
        ("lose yellow", "green red red", DiceCount(4, 3, 1)),
        ("lose red", "green yellow red", DiceCount(4, 2, 2)),
    ],
)
def test_ruling_31_the_seat_names_the_colour(
    choice: str, brain: str, in_cup: DiceCount
) -> None:
    # The brain of this roll is one of them.
    state = ride(
        "green brain, yellow brain, red brain", "green feet, red brain, bus run over"
    )
    lying = gone(
        feet="green",
        brain="green yellow red red",
        may="lose green, lose yellow, lose red",
    )
    assert see(state) == lying
    assert state.observation(0).is_run_over
    assert state.game.default_action(state) == "lose green"
    for action in ("stop", "roll", "roll bus", "lose hunk"):
        with pytest.raises(IllegalActionError):
            state.apply(action)
    with pytest.raises(ValueError, match="'roll' is no legal way to roll here"):
        state.bust_probability("roll")
    play(state, choice)
    assert see(state) == replace(lying, brain=brain, brains=3, may="roll, stop")
    assert not state.observation(0).is_run_over
    assert state.game.default_action(state) == "stop"
    # The feet are rolled again as ever, with dice that are drawn.
    play(state, "green feet, yellow feet, yellow feet")
    assert see(state).feet == "green yellow yellow"


def test_ruling_31_of_one_colour_nobody_is_asked() -> None:
    state = ride(GREENS, "green brain, yellow feet, bus run over")
    assert see(state) == gone(feet="yellow", brain="green green green")
    assert cup(state) == DiceCount(3, 3, 3)


def test_ruling_31_a_single_brain_is_lost_before_a_double_one() -> None:
    state = ride(
        "green brain, yellow brain, hunk double brain",
        "yellow feet, red feet, bus run over",
        **SEQUEL,
    )
    assert see(state).may == "lose green, lose yellow"
    alone = ride(
        "green brain, green feet, hunk double brain",
        "green feet, red feet, bus run over",
        **SEQUEL,
    )
    assert see(alone) == gone(feet="green red", brain="hunk hunk")
    assert cup(alone).green == 4


@pytest.mark.parametrize(
    ("first", "brains"),
    [
        ("green feet, green feet, hunk double brain", 1),
        ("green feet, green feet, santa double brain", 1),
        # Single brains go back whole.
        ("green feet, green feet, hottie brain", 0),
        ("green feet, green feet, santa brain", 0),
    ],
)
def test_ruling_31_of_a_double_brain_the_other_one_is_noted(
    first: str, brains: int
) -> None:
    state = ride(first, "green feet, green feet, bus run over", **SEQUEL)
    assert see(state) == gone(feet="green green", brains=brains, noted=brains)
    assert (cup(state).hunk, cup(state).hottie, cup(state).santa) == (1, 1, 1)


def test_ruling_31_of_two_double_brains_the_seat_names_one() -> None:
    state = ride(
        "green feet, hunk double brain, santa double brain",
        "green feet, red feet, bus run over",
        **SEQUEL,
    )
    assert see(state).may == "lose hunk, lose santa"
    play(state, "lose santa")
    assert see(state) == gone(feet="green red", brain="hunk hunk", noted=1)
    assert cup(state).santa == 1


def test_rulings_30_and_31_a_hunk_who_shows_one_brain_is_lost_like_a_single() -> None:
    state = ride(
        "green brain, green feet, hunk feet",
        "green feet, hunk feet, bus dead end",
        "yellow feet, red feet, bus run over",
        **SEQUEL,
    )
    assert see(state).may == "lose green, lose hunk"
    play(state, "lose hunk")
    assert see(state) == gone(feet="yellow red", brain="green green")


def test_ruling_31_without_brains_nothing_is_lost() -> None:
    state = play(new(bus=True), GREENS, "stop", FEET, "stop")
    play(state, "green feet, green feet, red shotgun", "roll bus")
    play(state, "green feet, green feet, bus run over")
    assert see(state) == gone(feet="green green", shotgun="red", scores=(3, 0))


def test_ruling_31_nobody_is_asked_after_a_fatal_roll() -> None:
    state = ride(TWO_SHOT, "yellow brain, red shotgun, bus run over")
    assert see(state) == over()


@pytest.mark.parametrize("reboard", [False, True])
def test_rulings_26_and_31_after_it_the_bus_is_gone_for_good(reboard: bool) -> None:
    state = ride(GREENS, "green feet, red feet, bus run over", reboard=reboard)
    assert (see(state).bus, see(state).may) == ("gone", "roll, stop")
    play(state, "green brain, yellow brain, red brain")
    assert (see(state).bus, see(state).may) == ("gone", "roll, stop")


def test_rulings_3_and_31_who_can_not_roll_after_it_scores() -> None:
    state = ride(
        "green brain, yellow brain, red shotgun",
        "green brain, red brain, bus run over",
        cup="none",
        dice={"green": 2, "yellow": 1, "red": 2},
    )
    play(state, "lose red")
    assert see(state) == over(scores=(3, 0))

"""The rulings of Zombie Dice about Santa: his gifts, and where he lies."""

import pytest
from zombie_dice_positions import (
    DEAD,
    SANTA,
    SEQUEL,
    Position,
    chances,
    cup,
    new,
    play,
    see,
)

from arena.games.zombie_dice import DiceCount


def test_ruling_20_the_helmet_saves_from_the_third_shotgun_of_its_own_roll() -> None:
    state = play(
        new(**SANTA),
        "green brain, red shotgun, red shotgun",
        "green brain, yellow shotgun, santa helmet",
    )
    assert see(state) == Position(
        brain="green green", shotgun="yellow red red", limit=4, aside="santa"
    )
    assert state.observation(0).helmet
    play(state, "stop")
    assert see(state) == Position(scores=(2, 0), turn=1, may="")


@pytest.mark.parametrize(
    "roll",
    [
        # The fourth, in the roll that brings the helmet.
        "green shotgun, yellow shotgun, santa helmet",
        # A double one, from two to four.
        "green brain, hunk double shotgun, santa helmet",
    ],
)
def test_ruling_20_the_fourth_shotgun_is_fatal_in_a_helmet(roll: str) -> None:
    state = play(new(**SEQUEL), "green brain, red shotgun, red shotgun", "roll", roll)
    assert see(state) == Position(turn=1, may="")


@pytest.mark.parametrize(
    ("roll", "count"),
    [
        ("green shotgun, yellow feet, yellow feet", 3),
        ("green shotgun, yellow feet, hunk double brain", 3),
        ("green shotgun, yellow shotgun, yellow feet", 4),
        ("green feet, yellow feet, hunk double shotgun", 4),
    ],
)
def test_ruling_20_the_helmet_is_worn_in_later_rolls(roll: str, count: int) -> None:
    state = play(new(**SEQUEL), "red shotgun, red shotgun, santa helmet", "roll", roll)
    assert see(state).turn == (count == 4)
    if count == 3:
        assert see(state).shotguns == 3
        play(state, "yellow feet, yellow feet, hottie shotgun")
        assert see(state) == Position(turn=1, may="")


def test_ruling_20_the_helmet_goes_with_the_turn() -> None:
    state = play(new(**SANTA), "green brain, green feet, santa helmet", "stop")
    assert see(state) == Position(scores=(1, 0), turn=1, may="")
    play(state, DEAD)
    assert see(state) == Position(scores=(1, 0), may="")
    play(state, DEAD)
    assert see(state) == Position(scores=(1, 0), turn=1, may="")


@pytest.mark.parametrize(
    ("energy_drink", "feet", "brain"),
    [("same_roll", "yellow", "green"), ("later_rolls", "green yellow", "")],
)
def test_ruling_21_the_drink_works_from_its_own_roll_or_from_the_next(
    energy_drink: str, feet: str, brain: str
) -> None:
    state = play(
        new(**SANTA, energy_drink=energy_drink),
        "green feet, yellow feet, santa energy drink",
    )
    assert see(state) == Position(
        feet=feet, brain=brain, brains=len(brain.split()), aside="santa", drink=True
    )
    # Of the next roll, green feet become brains in any case, others do not.
    play(state, "green feet, yellow feet, red feet")
    green = f"green {brain}".strip()
    assert see(state) == Position(
        feet="yellow red",
        brain=green,
        brains=len(green.split()),
        aside="santa",
        drink=True,
    )


def test_ruling_21_no_other_feet_become_brains() -> None:
    state = play(
        new(**SEQUEL),
        "hunk feet, hottie feet, santa energy drink",
        "red feet, hunk feet, hottie feet",
    )
    assert see(state) == Position(feet="red hunk hottie", aside="santa", drink=True)


def test_ruling_21_green_feet_turned_into_brains_are_like_other_brain_dice() -> None:
    state = play(
        new(dice={"green": 3, "santa": 1}), "green feet, green feet, santa energy drink"
    )
    assert see(state) == Position(brain="green green", aside="santa", drink=True)
    state.apply("roll")
    assert see(state) == Position(noted=2, aside="santa", drink=True, may="")
    state.apply("green feet, green feet, green feet")
    assert see(state) == Position(
        brain="green green green", noted=2, aside="santa", drink=True
    )


def test_ruling_21_the_drink_goes_with_the_turn() -> None:
    state = play(
        new(**SANTA),
        "green feet, yellow feet, santa energy drink",
        "stop",
        "green feet, green feet, yellow feet",
    )
    assert see(state) == Position(feet="green green yellow", scores=(1, 0), turn=1)


@pytest.mark.parametrize(
    ("face", "brain"), [("brain", "santa"), ("double brain", "santa santa")]
)
def test_ruling_22_santas_brains_stay_on_the_table(face: str, brain: str) -> None:
    state = play(
        new(dice={"green": 4, "santa": 1}), f"green brain, green feet, santa {face}"
    )
    assert cup(state) == DiceCount(green=2)
    state.apply("roll")
    assert see(state) == Position(feet="green", brain=brain, noted=1, may="")
    assert cup(state) == DiceCount(green=3)


@pytest.mark.parametrize("gift", ["helmet", "energy drink"])
def test_ruling_22_santa_lies_aside_with_a_gift(gift: str) -> None:
    state = play(
        new(dice={"green": 4, "santa": 1}), f"green brain, green brain, santa {gift}"
    )
    play(state, "roll")
    assert see(state).aside == "santa"
    assert see(state).noted == 2
    assert cup(state) == DiceCount(green=4)


def test_ruling_22_santas_feet_are_rolled_again() -> None:
    state = play(new(**SANTA), "green brain, yellow brain, santa feet", "roll")
    assert see(state) == Position(feet="santa", brain="green yellow", may="")
    assert chances(state, "santa") == pytest.approx(
        dict.fromkeys(
            ("brain", "double brain", "shotgun", "feet", "helmet", "energy drink"),
            1 / 6,
        ),
        abs=1e-12,
    )


def test_ruling_22_santa_stays_on_the_table_too_with_a_shotgun() -> None:
    state = play(
        new(dice={"green": 4, "santa": 1}),
        "green brain, green brain, santa shotgun",
        "roll",
    )
    assert see(state) == Position(noted=2, shotgun="santa", may="")
    assert cup(state) == DiceCount(green=4)


def test_rulings_1_22_and_23_the_rest_of_the_cup_is_taken_first_with_heroes() -> None:
    state = play(
        new(cup="rest_first", dice={"green": 5, "yellow": 1, "hunk": 1, "santa": 1}),
        "green brain, hunk double brain, santa double brain",
        "green brain, green brain, green feet",
    )
    assert cup(state) == DiceCount(green=1, yellow=1)
    state.apply("roll")
    # Two dice are drawn, and two are left: nothing returns.
    assert see(state).noted == 0
    state.apply("green brain, green feet, yellow brain")
    assert see(state) == Position(
        feet="green", brain="green green green green yellow hunk hunk santa santa"
    )
    # The cup is empty.
    state.apply("roll")
    assert see(state) == Position(feet="green", brain="santa santa", noted=7, may="")
    assert cup(state) == DiceCount(green=4, yellow=1, hunk=1)


def test_rulings_1_and_23_what_is_left_in_the_cup_is_rolled_with_the_heroes() -> None:
    state = play(
        new(cup="rest_first", dice={"green": 3, "hunk": 1, "hottie": 1}),
        "green brain, green brain, hunk double brain",
    )
    assert cup(state) == DiceCount(green=1, hottie=1)
    state.apply("roll")
    assert see(state).feet == "green hottie"
    assert see(state).noted == 4
    assert cup(state) == DiceCount(green=2, hunk=1)
    # Both of the rest are rolled, and one of the three that returned.
    assert sum(chances(state, "hottie").values()) == pytest.approx(1, abs=1e-12)
    assert sum(chances(state, "hunk").values()) == pytest.approx(1 / 3, abs=1e-12)

"""The rulings of Zombie Dice: School Bus, by their numbers.

Ruling 31 is in `test_run_over.py`.
"""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from zombie_dice_positions import (
    FEET,
    GREENS,
    ONE_LEFT,
    SANTA,
    SEQUEL,
    TWO_SHOT,
    Position,
    boarded,
    chances,
    cup,
    gone,
    new,
    over,
    play,
    ride,
    rolled,
    see,
)

from arena.games import IllegalActionError
from arena.games.zombie_dice import DICE, DiceCount

KINDS = [die.name for die in DICE]


def test_ruling_24_the_bus_has_twelve_faces() -> None:
    state = play(new(bus=True), "green feet, yellow feet, red brain", "roll bus")
    faces = Counter(
        {
            "brain": 2,
            "double brain": 1,
            "triple brain": 1,
            "brain and shotgun": 1,
            "double brain and shotgun": 1,
            "shotgun": 1,
            "double shotgun": 1,
            "stop": 1,
            "yield": 1,
            "dead end": 1,
            "run over": 1,
        }
    )
    assert faces.total() == 12
    assert chances(state, "bus") == pytest.approx(
        {face: n / 12 for face, n in faces.items()}, abs=1e-12
    )


def test_ruling_24_the_bus_is_never_in_the_cup() -> None:
    state = new(bus=True)
    assert cup(state) == DiceCount(6, 4, 3)
    assert chances(state, "bus") == {}
    play(state, GREENS, "roll")
    assert chances(state, "bus") == {}


@pytest.mark.parametrize(
    ("face", "brains", "shotguns"),
    [
        ("brain", 1, 0),
        ("double brain", 2, 0),
        ("triple brain", 3, 0),
        ("brain and shotgun", 1, 1),
        ("double brain and shotgun", 2, 1),
        ("shotgun", 0, 1),
        ("double shotgun", 0, 2),
    ],
)
def test_rulings_24_and_32_brains_and_shotguns_on_the_bus_are_counters(
    face: str, brains: int, shotguns: int
) -> None:
    state = ride(
        "green brain, yellow feet, red feet", f"yellow feet, red feet, bus {face}"
    )
    assert see(state) == boarded(
        feet="yellow red",
        brain="green",
        brains=1 + brains,
        noted=brains,
        shotguns=shotguns,
    )


def test_ruling_25_there_is_no_bus_in_the_first_roll() -> None:
    state = new(bus=True)
    assert see(state) == Position(bus="waiting", may="")
    with pytest.raises(IllegalActionError):
        state.apply("roll bus")
    play(state, "green brain, green feet, green feet", "roll bus")
    play(state, "green feet, green feet, bus stop")
    assert see(state) == over(scores=(1, 0))


@pytest.mark.parametrize(
    ("first", "may", "drawn"),
    [
        (GREENS, "roll, stop, roll bus", 2),
        ("green brain, green brain, green feet", "roll, stop, roll bus", 1),
        ("green brain, green feet, green feet", "roll, stop, roll bus", 0),
        (FEET, "roll, stop", None),
    ],
)
def test_ruling_25_the_bus_takes_the_place_of_a_die_to_be_drawn(
    first: str, may: str, drawn: int | None
) -> None:
    state = play(new(bus=True), first)
    before = see(state)
    assert (before.bus, before.may) == ("waiting", may)
    if drawn is None:
        with pytest.raises(IllegalActionError):
            state.apply("roll bus")
        return
    play(state, "roll bus")
    # Nothing is drawn yet, and there is nothing more to decide.
    assert see(state) == replace(before, bus="boarded", may="")
    feet = ["green feet"] * (2 - drawn)
    play(state, rolled(*feet, *["red brain"] * drawn, "bus brain"))
    assert cup(state) == DiceCount(3, 4, 3 - drawn)


def test_ruling_25_two_feet_and_the_bus_draw_nothing_and_recycle_nothing() -> None:
    state = play(new(bus=True), *ONE_LEFT)
    assert cup(state) == DiceCount(red=1)
    before = see(state)
    play(state, "roll bus")
    assert see(state) == replace(before, bus="boarded", may="")
    assert [o for o, _ in state.chance_outcomes() if "green" in o] == []
    play(state, "red brain, red feet, bus triple brain")
    assert see(state).brains == 14
    assert see(state).noted == 3
    assert cup(state) == DiceCount(red=1)


def test_rulings_3_and_25_a_seat_that_can_only_board_goes_on() -> None:
    # The cup is empty: no third die can be drawn, but the bus takes its place.
    state = play(
        new(bus=True, cup="none", dice={"green": 3}),
        "green brain, green feet, green feet",
    )
    assert see(state) == Position(
        feet="green green", brain="green", bus="waiting", may="stop, roll bus"
    )
    play(state, "green feet, green feet, bus brain")
    # To get off, a third die would be needed.
    assert see(state) == boarded(
        feet="green green", brain="green", noted=1, may="stop, roll bus"
    )
    play(state, "green brain, green feet, bus brain")
    assert see(state) == over(scores=(4, 0))


@pytest.mark.parametrize(
    ("roll", "feet", "drawn"),
    [
        ("yellow feet, red feet, bus shotgun", "yellow red", 1),
        ("yellow brain, red feet, bus shotgun", "red", 2),
        ("yellow brain, red brain, bus shotgun", "", 3),
    ],
)
def test_ruling_26_who_gets_off_rolls_feet_and_new_dice(
    roll: str, feet: str, drawn: int
) -> None:
    state = ride("green brain, yellow feet, red feet", roll)
    assert (see(state).bus, see(state).may) == (boarded().bus, boarded().may)
    before = cup(state)
    play(state, "leave bus")
    assert (see(state).feet, see(state).bus, see(state).may) == (feet, "gone", "")
    assert cup(state) == before
    play(
        state,
        rolled(*[f"{foot} feet" for foot in feet.split()], *["green feet"] * drawn),
    )
    assert cup(state) == DiceCount(before.green - drawn, before.yellow, before.red)
    assert (see(state).bus, see(state).may) == ("gone", "roll, stop")


def test_ruling_26_the_bus_waits_again_in_the_next_turn() -> None:
    state = ride(GREENS, "yellow brain, red feet, bus shotgun")
    play(state, "leave bus", "green feet, green feet, red feet", "stop")
    assert see(state) == over(scores=(4, 0))
    play(state, GREENS)
    assert see(state).may == "roll, stop, roll bus"


def test_ruling_26_reboard_lets_a_seat_board_again() -> None:
    state = ride(GREENS, "yellow brain, red feet, bus shotgun", reboard=True)
    play(state, "leave bus", "green feet, green feet, red brain")
    lying = Position(
        feet="green green",
        brain="green green green yellow red",
        shotguns=1,
        bus="waiting",
        may="roll, stop, roll bus",
    )
    assert see(state) == lying
    play(state, "green feet, green feet, bus brain")
    assert see(state) == replace(
        lying, brains=6, noted=1, bus=boarded().bus, may=boarded().may
    )


def test_ruling_27_who_stays_gives_up_the_feet() -> None:
    state = ride(
        "green brain, yellow feet, red feet", "yellow feet, red feet, bus brain"
    )
    assert cup(state) == DiceCount(5, 3, 2)
    play(state, "roll bus")
    assert see(state) == boarded(brain="green", noted=1, may="")
    assert cup(state) == DiceCount(5, 4, 3)
    play(state, "green feet, green feet, bus brain")
    assert see(state) == boarded(feet="green green", brain="green", noted=2)


@pytest.mark.parametrize(
    ("cup_model", "roll", "way", "in_cup", "in_hand", "noted"),
    [
        # Staying, with the feet there are three dice in the cup.
        ("literal", "red feet, red feet", "roll bus", (0, 0, 3), "", 0),
        # With the foot there are two: enough for two models.
        ("literal", "red brain, red feet", "roll bus", (6, 4, 3), "", 11),
        ("needed", "red brain, red feet", "roll bus", (0, 0, 2), "", 0),
        ("rest_first", "red brain, red feet", "roll bus", (0, 0, 2), "", 0),
        # There is one and no feet: too few for all models.
        ("literal", "red brain, red brain", "roll bus", (6, 4, 3), "", 12),
        ("needed", "red brain, red brain", "roll bus", (6, 4, 3), "", 12),
        ("rest_first", "red brain, red brain", "roll bus", (6, 4, 2), "red", 12),
        # Getting off, the feet stay in hand.
        ("literal", "red feet, red feet", "leave bus", (6, 4, 1), "red red", 10),
        ("needed", "red feet, red feet", "leave bus", (0, 0, 1), "red red", 0),
        ("literal", "red brain, red feet", "leave bus", (6, 4, 2), "red", 11),
        ("rest_first", "red brain, red feet", "leave bus", (6, 4, 1), "red red", 11),
    ],
)
def test_rulings_1_and_27_brain_dice_return_after_the_feet(
    cup_model: str,
    roll: str,
    way: str,
    in_cup: tuple[int, ...],
    in_hand: str,
    noted: int,
) -> None:
    state = play(new(bus=True, cup=cup_model), *ONE_LEFT)
    play(state, f"{roll}, bus brain")
    brains = see(state).brains
    play(state, way)
    assert cup(state) == DiceCount(*in_cup)
    assert see(state).feet == in_hand
    # One more is noted for the bus.
    assert (see(state).noted, see(state).brains) == (noted + 1, brains)


def test_ruling_28_stop_ends_the_turn_and_scores_this_roll_too() -> None:
    state = ride(
        "green brain, yellow feet, red feet", "yellow brain, red feet, bus stop"
    )
    assert see(state) == over(scores=(2, 0))


@pytest.mark.parametrize(
    ("first", "roll", "score"),
    [
        (TWO_SHOT, "green brain, yellow shotgun, bus stop", 0),
        (TWO_SHOT, "green brain, yellow feet, bus stop", 2),
        # In a helmet the third is not fatal.
        (
            "red shotgun, red shotgun, santa helmet",
            "green brain, yellow shotgun, bus stop",
            1,
        ),
        (
            "red shotgun, red shotgun, santa helmet",
            "green shotgun, yellow shotgun, bus stop",
            0,
        ),
    ],
)
def test_ruling_28_stop_does_not_save_from_a_fatal_roll(
    first: str, roll: str, score: int
) -> None:
    assert see(ride(first, roll, **SANTA)) == over(scores=(score, 0))


def test_ruling_29_yield_makes_feet_of_the_shotguns_of_this_roll_alone() -> None:
    state = ride(TWO_SHOT, "green shotgun, yellow shotgun, bus yield")
    assert see(state) == boarded(feet="green yellow", brain="green", shotgun="red red")


def test_ruling_29_a_double_shotgun_becomes_one_die_of_feet() -> None:
    state = ride(TWO_SHOT, "green shotgun, hunk double shotgun, bus yield", **SEQUEL)
    assert see(state) == boarded(feet="green hunk", brain="green", shotgun="red red")
    play(state, "leave bus")
    assert sum(chances(state, "hunk").values()) == pytest.approx(1, abs=1e-12)


def test_ruling_29_whom_a_shotgun_rescued_is_gone_all_the_same() -> None:
    state = ride(
        "green brain, green feet, hottie brain",
        "green feet, hunk shotgun, bus yield",
        **SEQUEL,
    )
    assert see(state) == boarded(feet="green hunk", brain="green")
    assert cup(state).hottie == 1


DRINK = "yellow brain, red brain, santa energy drink"


@pytest.mark.parametrize(
    ("options", "first", "roll", "feet", "eaten"),
    [
        ({}, DRINK, "green shotgun, yellow shotgun", "green yellow", ""),
        (
            {"yielded_green": "brains"},
            DRINK,
            "green shotgun, yellow shotgun",
            "yellow",
            "green",
        ),
        # Green feet that are rolled are drunk for all that.
        ({}, DRINK, "green shotgun, green feet", "green", "green"),
        (
            {"yielded_green": "brains"},
            DRINK,
            "green shotgun, green feet",
            "",
            "green green",
        ),
        # The drink of the same roll.
        (
            {"yielded_green": "brains"},
            "yellow brain, red brain, red brain",
            "green shotgun, santa energy drink",
            "",
            "green",
        ),
        (
            {"yielded_green": "brains", "energy_drink": "later_rolls"},
            "yellow brain, red brain, red brain",
            "green shotgun, santa energy drink",
            "green",
            "",
        ),
        # No drink.
        (
            {"yielded_green": "brains"},
            "yellow brain, red brain, red brain",
            "green shotgun, yellow shotgun",
            "green yellow",
            "",
        ),
    ],
)
def test_rulings_21_and_29_green_shotguns_that_yield_under_an_energy_drink(
    options: dict[str, Any], first: str, roll: str, feet: str, eaten: str
) -> None:
    seen = see(ride(first, f"{roll}, bus yield", **SANTA, **options))
    assert seen.feet == feet
    assert seen.brain.count("green") == len(eaten.split())
    assert seen.brains == first.count("brain") + len(eaten.split())
    assert seen.shotguns == 0


@pytest.mark.parametrize(
    ("roll", "brain"),
    [
        ("green feet, yellow feet", "green yellow"),
        ("red feet, hunk feet", "red hunk"),
        ("hottie feet, santa feet", "hottie santa"),
        ("green shotgun, red feet", "red"),
        ("green shotgun, red brain", "red"),
    ],
)
def test_ruling_30_dead_end_makes_a_brain_of_each_die_that_shows_feet(
    roll: str, brain: str
) -> None:
    state = ride(
        "yellow brain, red brain, red brain", f"{roll}, bus dead end", **SEQUEL
    )
    shotgun = "green" if "shotgun" in roll else ""
    assert see(state) == boarded(
        brain=" ".join(
            sorted(["yellow", "red", "red", *brain.split()], key=KINDS.index)
        ),
        brains=3 + len(brain.split()),
        shotgun=shotgun,
        shotguns=len(shotgun.split()),
    )


def test_ruling_30_feet_from_before_are_rolled_and_become_what_they_show_then() -> None:
    state = ride(
        "green feet, yellow feet, red brain", "green feet, yellow shotgun, bus dead end"
    )
    assert see(state) == boarded(brain="green red", shotgun="yellow")


@pytest.mark.parametrize("hero", ["hottie", "santa"])
def test_rulings_14_and_30_a_brain_by_dead_end_can_be_rescued(hero: str) -> None:
    state = ride(GREENS, f"red brain, {hero} feet, bus dead end", **SEQUEL)
    assert see(state).brains == 5
    play(state, "leave bus", "green feet, red feet, hunk shotgun")
    assert see(state) == gone(
        feet="green red", brain="green green green red", shotgun="hunk"
    )


def test_ruling_32_counters_do_not_return_to_the_cup() -> None:
    state = play(new(bus=True), *ONE_LEFT)
    play(state, "red brain, red brain, bus double brain and shotgun")
    assert see(state).noted == 2
    play(state, "roll bus")
    assert see(state) == boarded(noted=14, shotguns=1, may="")
    assert cup(state) == DiceCount(6, 4, 3)


@pytest.mark.parametrize(
    ("first", "face", "is_fatal"),
    [
        (TWO_SHOT, "shotgun", True),
        (TWO_SHOT, "brain and shotgun", True),
        (TWO_SHOT, "double brain and shotgun", True),
        (TWO_SHOT, "brain", False),
        ("green brain, green feet, red shotgun", "double shotgun", True),
        ("green brain, green feet, red shotgun", "shotgun", False),
        # In a helmet.
        ("green brain, red shotgun, santa helmet", "double shotgun", False),
        ("red shotgun, red shotgun, santa helmet", "double shotgun", True),
        ("red shotgun, red shotgun, santa helmet", "shotgun", False),
    ],
)
def test_ruling_32_shotguns_on_the_bus_count_like_others(
    first: str, face: str, is_fatal: bool
) -> None:
    feet = "green feet, yellow feet"
    state = ride(first, f"{feet}, bus {face}", **SANTA)
    assert (see(state) == over()) == is_fatal

"""The options of Zombie Dice: what may be set, what contradicts, what goes together."""

import re
from collections import Counter
from inspect import get_annotations
from math import fsum
from typing import Any, get_args

import golden_files
import pytest
from hypothesis import given
from hypothesis import strategies as st
from zombie_dice_positions import Position, boarded, chances, cup, make, new, play, see

from arena.games import CHANCE, GameSpecError
from arena.games.conformance import check_game
from arena.games.zombie_dice import (
    BUS,
    PRESETS,
    DiceCount,
    Die,
    ZombieDice,
    ZombieDiceOptions,
)
from arena.games.zombie_dice.throws import throws_of

DEFAULTS = {
    "preset": "base",
    "dice": None,
    "faces": "official",
    "rescue": "all",
    "energy_drink": "same_roll",
    "bus": False,
    "reboard": False,
    "yielded_green": "feet",
    "horde": False,
    "horde_faces": ["horde", "hoard of 3", "hoard of 2", "shotgun", "feet", "feet"],
    "target": None,
    "cup": "literal",
    "tiebreak_rounds": 0,
}
ALL_DICE = {"green": 5, "yellow": 2, "red": 3, "hunk": 1, "hottie": 1, "santa": 1}


def test_the_base_game_is_the_default() -> None:
    found = make().options_dict
    assert {**found, "horde_faces": list(found["horde_faces"])} == DEFAULTS
    assert make().setup.target == 13


def test_every_option_says_which_ruling_it_is_about() -> None:
    about = get_annotations(ZombieDiceOptions)
    assert list(about) == list(DEFAULTS)
    for key, annotation in about.items():
        text = get_args(annotation)[1].description
        assert re.search(r"rulings? \d+[\d, to]*( \(LOW.*\))?\.$", text), key


@pytest.mark.parametrize(
    ("options", "dice"),
    [
        ({}, DiceCount(6, 4, 3)),
        ({"preset": "base"}, DiceCount(6, 4, 3)),
        ({"preset": "big_summer_action_movie"}, DiceCount(6, 2, 3, 1, 1)),
        ({"preset": "santa_claus_meets_the_zombies"}, DiceCount(5, 4, 3, santa=1)),
        ({"preset": "direct_to_video_sequel"}, DiceCount(5, 2, 3, 1, 1, 1)),
        ({"preset": "all_yellow"}, DiceCount(yellow=13)),
        ({"dice": {"green": 3}}, DiceCount(green=3)),
        ({"dice": {"red": 99, "green": 0}}, DiceCount(red=99)),
        ({"dice": {"hunk": 1, "hottie": 1, "santa": 1}}, DiceCount(0, 0, 0, 1, 1, 1)),
        ({"dice": {"green": 3}, "horde": True}, DiceCount(green=3, horde=1)),
        ({"dice": ALL_DICE, "horde": True}, DiceCount(5, 2, 3, 1, 1, 1, 1)),
    ],
)
def test_ruling_13_the_dice_in_the_cup_are_those_of_preset_or_dice(
    options: dict[str, Any], dice: DiceCount
) -> None:
    assert cup(new(**options)) == dice


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("bus", [False, True])
@pytest.mark.parametrize("horde", [False, True])
def test_rulings_13_24_and_35_bus_and_horde_go_with_every_preset(
    preset: str, bus: bool, horde: bool
) -> None:
    alone = cup(new(preset=preset))
    state = new(preset=preset, bus=bus, horde=horde)
    assert alone.total == 13
    assert cup(state).total == 13 + horde
    assert cup(state).horde == horde
    assert state.game.setup.target == (20 if horde else 13)
    play(state, state.chance_outcomes()[0][0])
    assert ("roll bus" in state.legal_actions()) == bus


def feet_and(*faces: str) -> dict[str, Any]:
    return {"horde": True, "horde_faces": [*faces, *["feet"] * (6 - len(faces))]}


MANUAL: dict[str, Any] = {"faces": "manual"}
FIRST: dict[str, Any] = {"rescue": "first_only"}
BRAINS: dict[str, Any] = {"yielded_green": "brains"}

REFUSED: list[dict[str, Any]] = [
    # Values that can not be.
    {"preset": "sequel"},
    {"dice": [6, 4, 3]},
    {"faces": "homemade"},
    {"rescue": "none"},
    {"energy_drink": True},
    {"bus": "on"},
    {"reboard": 1},
    {"yielded_green": "shotgun"},
    {"horde": 1},
    {"horde_faces": ["feet"]},
    {"target": 0},
    {"cup": "leaky"},
    {"tiebreak_rounds": -1},
    {"buss": True},
    # Ruling 33: the horde has no face of another die.
    feet_and("helmet"),
    feet_and("energy drink"),
    feet_and("double brain"),
    feet_and("stop"),
    feet_and("dead end"),
    feet_and("feet", "foot"),
    # Dice that can not be.
    {"dice": {"green": 3}, "preset": "all_yellow"},
    {"dice": {}},
    {"dice": {"green": 1, "santa": 1}},
    {"dice": {"blue": 3}},
    {"dice": {"green": 3, "bus": 1}},
    {"dice": {"green": 3, "horde": 1}},
    {"dice": {"green": 100}},
    {"dice": {"green": 6, "red": -1}},
    *({"dice": {"green": 6, hero: 2}} for hero in ("hunk", "hottie", "santa")),
    # What makes no difference.
    MANUAL,
    MANUAL | {"dice": {"green": 3, "hunk": 1}},
    FIRST,
    FIRST | {"preset": "big_summer_action_movie"},
    FIRST | {"dice": {"green": 3, "hunk": 1, "santa": 1}},
    FIRST | {"dice": {"green": 3, "hottie": 1, "santa": 1}},
    {"energy_drink": "later_rolls", "preset": "big_summer_action_movie"},
    {"reboard": True},
    BRAINS | {"bus": True},
    BRAINS | {"preset": "santa_claus_meets_the_zombies"},
    {"horde_faces": ["horde"] * 6},
    {"preset": "all_yellow", "cup": "none"},
]


def test_what_is_refused_and_why() -> None:
    told = []
    for options in REFUSED:
        with pytest.raises(GameSpecError) as caught:
            make(**options)
        told.append(f"{options}: {caught.value}\n")
    golden_files.check("".join(told), "games/zombie_dice_refused.txt")


@pytest.mark.parametrize(
    "options",
    [
        {"faces": "manual", "dice": {"green": 2, "hottie": 1}},
        {"faces": "manual", "preset": "santa_claus_meets_the_zombies"},
        {"rescue": "first_only", "preset": "direct_to_video_sequel"},
        {"energy_drink": "later_rolls", "dice": {"green": 2, "santa": 1}},
        {"reboard": True, "bus": True, "preset": "all_yellow"},
        {"yielded_green": "brains", "bus": True, "dice": {"green": 2, "santa": 1}},
        {"horde_faces": ["horde"] * 6, "horde": True},
        {"cup": "none", "dice": {"yellow": 13}},
        # What is as at first contradicts nothing.
        {key: value for key, value in DEFAULTS.items() if key != "cup"},
    ],
)
def test_what_makes_a_difference_is_taken(options: dict[str, Any]) -> None:
    found = make(**options).options_dict
    for key, value in options.items():
        assert (list(found[key]) if key == "horde_faces" else found[key]) == value


@given(
    dice=st.fixed_dictionaries(
        {
            **{die: st.integers(0, 99) for die in ("green", "yellow", "red")},
            **{die: st.integers(0, 1) for die in ("hunk", "hottie", "santa")},
        }
    ).filter(lambda dice: sum(dice.values()) >= 3),
    bus=st.booleans(),
    horde=st.booleans(),
)
def test_any_dice_can_be_played_with(
    dice: dict[str, int], bus: bool, horde: bool
) -> None:
    state = new(dice=dice, bus=bus, horde=horde)
    assert cup(state) == DiceCount(**dice, horde=int(horde))
    assert fsum(p for _, p in state.chance_outcomes()) == pytest.approx(1, abs=1e-12)
    assert state.current_player() == CHANCE


def test_all_expansions_together() -> None:
    state = new(
        preset="direct_to_video_sequel",
        faces="manual",
        rescue="first_only",
        energy_drink="later_rolls",
        bus=True,
        reboard=True,
        yielded_green="brains",
        horde=True,
        cup="needed",
        target=4,
    )
    drunk: dict[str, Any] = {"aside": "santa", "drink": True}
    waiting = drunk | {"bus": "waiting", "may": "roll, stop, roll bus"}
    play(state, "green feet, hunk double brain, santa energy drink")
    assert see(state) == Position(feet="green", brain="hunk hunk", **waiting)
    # The drink works now; the Hottie's double shotgun rescues the Hunk and yields.
    play(state, "green feet, hottie double shotgun, bus yield")
    assert see(state) == boarded(feet="hottie", brain="green", **drunk)
    assert cup(state) == DiceCount(4, 2, 3, hunk=1, horde=1)
    play(state, "leave bus", "green shotgun, hottie feet, horde hoard of 3")
    assert see(state) == Position(
        feet="hottie", brain="green horde horde horde", shotgun="green", **waiting
    )
    play(state, "green shotgun, hottie feet, bus yield")
    assert see(state).brain == "green green horde horde horde"
    # Staying, the Hottie is given up.
    play(state, "red brain, hottie brain, bus run over")
    assert see(state).may == "lose green, lose red, lose hottie"
    play(state, "lose hottie", "yellow feet, red shotgun, hunk double brain")
    assert see(state) == Position(
        feet="yellow",
        brain="green green red hunk hunk horde horde horde",
        shotgun="green red",
        **drunk,
        bus="gone",
    )
    play(state, "stop")
    assert see(state).scores == (8, 0)
    assert state.observation(0).final_round


class OtherDice(ZombieDice):
    """Plays with another die in the place of the Hottie."""

    def __init__(self, players: int, options: ZombieDiceOptions, die: Die) -> None:
        super().__init__(players, options)
        setup = self.setup
        setup.kinds = tuple(  # type: ignore[misc]
            die if old.name == "hottie" else old for old in setup.kinds
        )
        setup.rules = setup.rules._replace(  # type: ignore[misc]
            throws=throws_of(setup.kinds, BUS)
        )


NURSE = Die(
    "nurse",
    "white",
    (
        *("brain",) * 3,
        "triple brain",
        "double brain and shotgun",
        *("double shotgun",) * 2,
        "feet",
    ),
)


def with_nurse(**options: Any) -> ZombieDice:
    options = {"dice": {"green": 4, "hottie": 1}, **options}
    return OtherDice(2, ZombieDice.parse_options(options), NURSE)


def test_a_further_die_is_rolled_as_its_faces_say() -> None:
    # Of five dice three are rolled; the die has eight faces, and the others six.
    state = with_nurse().new_state()
    printed = Counter(NURSE.faces)
    assert chances(state, "nurse") == pytest.approx(
        {face: 3 / 5 * n / 8 for face, n in printed.items()}, abs=1e-12
    )
    total = fsum(p for _, p in state.chance_outcomes())
    assert total == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(
    ("face", "brains", "shotguns"),
    [
        ("brain", 1, 0),
        ("triple brain", 3, 0),
        ("double brain and shotgun", 2, 1),
        ("double shotgun", 0, 2),
        ("feet", 0, 0),
    ],
)
def test_a_further_die_counts_as_its_faces_say(
    face: str, brains: int, shotguns: int
) -> None:
    state = play(with_nurse().new_state(), f"green brain, green feet, nurse {face}")
    seen = state.observation(0)
    assert (seen.brains, seen.shotguns) == (1 + brains, shotguns)
    assert seen.brain_dice.hottie == bool(brains)
    assert seen.shotgun_dice.hottie == (shotguns > 0 and not brains)
    assert seen.feet_dice.hottie == (face == "feet")
    state.apply("roll")
    # Two are needed and two are left, so that brain dice return: this die as well.
    assert state.observation(0).noted == 1 + brains
    assert cup(state).hottie == bool(brains)


def test_a_further_die_keeps_the_contract() -> None:
    check_game(with_nurse(bus=True, horde=True), games=2, max_steps=30)

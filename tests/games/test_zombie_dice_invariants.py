"""Random play of Zombie Dice keeps the rulings at every step, whatever is combined."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matrix import divided
from zombie_dice_walks import COMBINATIONS, make_walk

from arena.games import get_game
from arena.games.zombie_dice import BUS, PRESETS, ZombieDice

HORDE_FACES = (
    ["horde", "hoard of 3", "hoard of 2", "shotgun", "feet", "feet"],
    ["horde", "hoard of 4", "brain", "double shotgun", "feet", "feet"],
    ["brain", "hoard of 2", "hoard of 2", "hoard of 3", "hoard of 4", "feet"],
    ["horde"] * 6,
)
"""A few, for what each can show is kept by the game."""


@st.composite
def all_options(draw: st.DrawFn) -> dict[str, Any]:
    """Return any options that do not contradict each other."""
    options: dict[str, Any] = {
        "bus": draw(st.booleans()),
        "horde": draw(st.booleans()),
        "target": draw(st.none() | st.integers(1, 30)),
        "tiebreak_rounds": draw(st.integers(0, 2)),
    }
    if draw(st.booleans()):
        preset = options["preset"] = draw(st.sampled_from(list(PRESETS)))
        dice = dict(PRESETS[preset])
    else:
        victims = st.integers(0, 7)
        dice = {name: draw(victims) for name in ("green", "yellow", "red")}
        dice |= {name: draw(st.integers(0, 1)) for name in ("hunk", "hottie", "santa")}
        dice["green"] += max(0, 3 - sum(dice.values()))
        options["dice"] = dice
    cups = ["literal", "needed", "rest_first", "none"]
    is_all_yellow = options.get("preset") == "all_yellow"
    options["cup"] = draw(st.sampled_from(cups[:3] if is_all_yellow else cups))
    has = {name for name, n in dice.items() if n}
    for key, values, is_met in (
        ("faces", ("official", "manual"), has & {"hottie", "santa"}),
        ("rescue", ("all", "first_only"), has >= {"hunk", "hottie", "santa"}),
        ("energy_drink", ("same_roll", "later_rolls"), "santa" in has),
        ("reboard", (False, True), options["bus"]),
        ("yielded_green", ("feet", "brains"), options["bus"] and "santa" in has),
    ):
        if is_met:
            options[key] = draw(st.sampled_from(values))
    if options["horde"]:
        options["horde_faces"] = draw(st.sampled_from(HORDE_FACES))
    return options


@pytest.mark.parametrize("examples", divided((50, 250), lambda n: n == 50))
def test_any_combination_of_options_keeps_the_rulings(examples: int) -> None:
    @settings(max_examples=examples, derandomize=True)
    @given(all_options(), st.integers(2, 4), st.integers(0, 2**32 - 1))
    def walk(options: dict[str, Any], players: int, seed: int) -> None:
        make_walk(options, seed, players, settled=1.0, examined=0.05).play(20)

    walk()


@pytest.mark.parametrize(
    ("options", "turns"),
    divided(
        product(COMBINATIONS, (1_000, 2_500)),
        # The sequel has all dice of the others.
        lambda x: x[1] == 1_000 and x[0]["preset"] == "direct_to_video_sequel",
    ),
    ids=repr,
)
def test_each_preset_with_and_without_bus_and_horde_keeps_the_rulings(
    options: dict[str, Any], turns: int
) -> None:
    game = get_game("zombie_dice", 2, options)
    assert isinstance(game, ZombieDice)
    dice = [die for die, n in zip(game.setup.kinds, game.setup.dice, strict=True) if n]
    dice += [BUS] * options["bus"]
    faces = {f"{die.name} {face}" for die in dice for face in die.faces}
    actions = {action for action in game.actions if not action.startswith("lose ")}
    walk = make_walk(options, 1, settled=200 / turns, examined=5 / turns)
    walk.play(turns)
    assert walk.met >= {*faces, *actions, "brain dice return"}

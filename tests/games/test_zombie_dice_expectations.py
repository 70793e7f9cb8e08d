"""What rolls of Zombie Dice bring, against an enumeration of the printed faces."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate
from math import comb
from typing import Any

import pytest
from matrix import divided
from zombie_dice_printed import BRAINS, SHOTGUNS, Before, dice, fall, settle

from arena.games import CHANCE, get_game
from arena.games.zombie_dice import ZombieDiceState

BASE = "6 green 4 yellow 3 red"
MOVIE = "6 green 2 yellow 3 red 1 hunk 1 hottie"
SANTA = "5 green 4 yellow 3 red 1 santa"
SEQUEL = "5 green 2 yellow 3 red 1 hunk 1 hottie 1 santa"
SCENARIOS = {
    "base": BASE,
    "big_summer_action_movie": MOVIE,
    "santa_claus_meets_the_zombies": SANTA,
    "direct_to_video_sequel": SEQUEL,
    "all_yellow": "13 yellow",
}


def new(**options: Any) -> ZombieDiceState:
    state = get_game("zombie_dice", 2, options).new_state()
    assert isinstance(state, ZombieDiceState)
    return state


def exactly(p: float, before: Before) -> Fraction:
    """Return the probability that `p` is the nearest float to."""
    finest = comb(len(dice(before.cup)), before.drawn) * 6**3 * 2
    assert p * finest == pytest.approx(round(p * finest), abs=1e-7)
    return Fraction(round(p * finest), finest)


def check_distribution(state: ZombieDiceState) -> None:
    outcomes = state.chance_outcomes()
    assert len({outcome for outcome, _ in outcomes}) == len(outcomes)
    assert sum(p for _, p in outcomes) == pytest.approx(1, abs=1e-12)
    bounds = list(accumulate(p for _, p in outcomes))
    for k in range(1000):
        u = (k + 0.5) / 1000
        near = {bisect_right(bounds, u + error) for error in (-1e-12, 1e-12)}
        assert state.outcome_at(u) in [outcomes[i][0] for i in near]


def options_id(options: Mapping[str, Any]) -> str:
    return " ".join(f"{key}={value}" for key, value in options.items())


# The first of these prove the mechanisms.
FIRST_ROLLS: list[dict[str, Any]] = [
    *({"preset": preset} for preset in SCENARIOS),
    {"preset": "santa_claus_meets_the_zombies", "energy_drink": "later_rolls"},
    {"preset": "direct_to_video_sequel", "faces": "manual", "horde": True},
    {"horde": True, "horde_faces": ["hoard of 4", "brain", "horde", *["feet"] * 3]},
    {"horde": True, "horde_faces": ["double shotgun", *["hoard of 2"] * 5]},
    *({"preset": preset, "horde": True} for preset in SCENARIOS),
    {"preset": "big_summer_action_movie", "faces": "manual"},
    {"preset": "santa_claus_meets_the_zombies", "faces": "manual"},
    {"preset": "direct_to_video_sequel", "rescue": "first_only", "bus": True},
]


@pytest.mark.parametrize(
    "options",
    divided(
        FIRST_ROLLS,
        # The sequel has the dice of the other scenarios, and takes longest.
        lambda x: x in FIRST_ROLLS[:9] and x.get("preset") != "direct_to_video_sequel",
    ),
    ids=options_id,
)
def test_rulings_12_to_21_and_33_to_35_the_first_roll(options: dict[str, Any]) -> None:
    horde = " 1 horde" if options.get("horde") else ""
    before = Before(SCENARIOS[options.get("preset", "base")] + horde)
    expected: defaultdict[str, Fraction] = defaultdict(Fraction)
    for fallen, p in fall(before, options):
        faces = [face for _, face in fallen.dice]
        after = settle(fallen, before, options)
        expected["brains shown"] += p * sum(BRAINS.get(face, 0) for face in faces)
        expected["shotguns"] += p * sum(SHOTGUNS.get(face, 0) for face in faces)
        expected["bust"] += p * after.is_bust
        expected["helmet"] += p * ("helmet" in faces)
        expected["energy drink"] += p * ("energy drink" in faces)
        expected["brains in hand"] += p * after.brains
    found: defaultdict[str, Fraction] = defaultdict(Fraction)
    start = new(**options)
    check_distribution(start)
    for outcome, chance in start.chance_outcomes():
        p = exactly(chance, before)
        faces = [die.partition(" ")[2] for die in outcome.split(", ")]
        state = start.clone()
        state.apply(outcome)
        found["brains shown"] += p * sum(BRAINS.get(face, 0) for face in faces)
        found["shotguns"] += p * sum(SHOTGUNS.get(face, 0) for face in faces)
        found["bust"] += p * (state.seat == 1)
        found["helmet"] += p * ("helmet" in faces)
        found["energy drink"] += p * ("energy drink" in faces)
        found["brains in hand"] += p * state.brains
        if state.seat == 0:
            assert state.turn.helmet == ("helmet" in faces)
            assert state.turn.energy_drink == ("energy drink" in faces)
            assert state.shotguns == sum(SHOTGUNS.get(face, 0) for face in faces)
    assert found == expected


def test_ruling_12_each_gift_of_santa_comes_in_one_of_26_first_rolls() -> None:
    before = Before(SANTA)
    for gift in ("helmet", "energy drink"):
        ways = [p for fallen, p in fall(before, {}) if ("santa", gift) in fallen.dice]
        assert sum(ways) == Fraction(3, 13) / 6


BUS = {"bus": True}
SEQUEL_BUS: dict[str, Any] = {"preset": "direct_to_video_sequel", "bus": True}
ALL: dict[str, Any] = {**SEQUEL_BUS, "horde": True}
YIELDED: dict[str, Any] = {**SEQUEL_BUS, "yielded_green": "brains"}

LATER_ROLLS: list[tuple[dict[str, Any], str, Before]] = [
    (
        BUS,
        "green brain, yellow shotgun, red feet; roll bus",
        Before("5 green 3 yellow 2 red", "1 red", 1, {}, 1),
    ),
    (
        # Two feet and the bus make three: nothing is drawn.
        BUS,
        "green feet, yellow feet, red brain; roll bus",
        Before("5 green 3 yellow 2 red", "1 green 1 yellow", 1),
    ),
    (
        BUS,
        "green brain, red brain, red shotgun; roll; "
        "green brain, yellow shotgun, red brain; roll bus",
        Before("4 green 3 yellow", "", 4, {}, 2),
    ),
    (
        # Who stays gives up the feet.
        BUS,
        "green brain, yellow shotgun, red feet; roll bus; "
        "green feet, red feet, bus brain and shotgun; roll bus",
        Before("5 green 3 yellow 3 red", "", 2, {}, 2),
    ),
    (
        BUS,
        "green brain, yellow shotgun, red feet; roll bus; "
        "green feet, red feet, bus brain and shotgun; leave bus",
        Before("4 green 3 yellow 2 red", "1 green 1 red", 2, {}, 2),
    ),
    (
        # Two dice are left in the cup, so the brain dice return.
        {"dice": {"green": 3, "red": 2}, "bus": True},
        "green brain, green brain, red feet; roll bus",
        Before("3 green 1 red", "1 red", 2),
    ),
    (
        {"preset": "all_yellow", "bus": True},
        "yellow brain, yellow shotgun, yellow feet; roll bus",
        Before("10 yellow", "1 yellow", 1, {}, 1),
    ),
    (
        {"preset": "big_summer_action_movie"},
        "green shotgun, hunk double brain, hottie feet; roll",
        Before("5 green 2 yellow 3 red", "1 hottie", 2, {"hunk": 2}, 1),
    ),
    *(
        (
            {"preset": "direct_to_video_sequel", "rescue": rescue},
            "green shotgun, hottie brain, santa brain; roll",
            Before(
                "4 green 2 yellow 3 red 1 hunk", "", 2, {"hottie": 1, "santa": 1}, 1
            ),
        )
        for rescue in ("all", "first_only")
    ),
    (
        {"preset": "direct_to_video_sequel", "faces": "manual"},
        "green shotgun, hunk feet, santa double brain; roll",
        Before("4 green 2 yellow 3 red 1 hottie", "1 hunk", 2, {"santa": 2}, 1),
    ),
    (
        SEQUEL_BUS,
        "green shotgun, hunk double brain, santa helmet; roll bus",
        Before("4 green 2 yellow 3 red 1 hottie", "", 2, {"hunk": 2}, 1, True),
    ),
    *(
        (
            options,
            "green shotgun, hottie brain, santa energy drink; roll bus",
            Before(
                "4 green 2 yellow 3 red 1 hunk", "", 1, {"hottie": 1}, 1, drink=True
            ),
        )
        for options in (SEQUEL_BUS, YIELDED)
    ),
    *(
        (
            options,
            "green shotgun, green feet, hottie brain; roll bus",
            Before(
                "3 green 2 yellow 3 red 1 hunk 1 santa", "1 green", 1, {"hottie": 1}, 1
            ),
        )
        for options in (SEQUEL_BUS, YIELDED, {**YIELDED, "energy_drink": "later_rolls"})
    ),
    (
        ALL,
        "green shotgun, hunk double brain, hottie brain; roll bus",
        Before(
            "4 green 2 yellow 3 red 1 santa 1 horde", "", 3, {"hunk": 2, "hottie": 1}, 1
        ),
    ),
    (
        ALL,
        "yellow shotgun, santa energy drink, horde hoard of 3; roll; "
        "green feet, red feet, hunk feet; roll",
        Before("4 green 1 yellow 2 red 1 hottie", "1 red 1 hunk", 4, {}, 1, drink=True),
    ),
    (
        # The horde is out of hand, so it lies aside.
        ALL,
        "green shotgun, hottie brain, horde feet; roll bus; "
        "red feet, horde feet, bus double brain; roll bus",
        Before("4 green 2 yellow 3 red 1 hunk 1 santa", "", 3, {"hottie": 1}, 1),
    ),
]


@pytest.mark.parametrize(
    ("options", "moves", "before"),
    LATER_ROLLS,
    ids=[f"{options_id(options)} {moves}" for options, moves, _ in LATER_ROLLS],
)
def test_rulings_14_to_35_a_later_roll(
    options: dict[str, Any], moves: str, before: Before
) -> None:
    *led_to_it, action = moves.split("; ")
    before = before._replace(bus=action == "roll bus")
    expected: defaultdict[str, Fraction] = defaultdict(Fraction)
    for fallen, p in fall(before, options):
        settled = settle(fallen, before, options)
        expected["stop"] += p * settled.is_stopped
        expected["bust"] += p * settled.is_bust
        expected["brains"] += p * settled.brains
    state = new(**options)
    for move in led_to_it:
        state.apply(move)
    bust = state.bust_probability(action)
    state.apply(action)
    assert state.current_player() == CHANCE
    check_distribution(state)
    over = brains = Fraction(0)
    for outcome, chance in state.chance_outcomes():
        p = exactly(chance, before)
        after = state.clone()
        after.apply(outcome)
        if after.seat == 1:
            over += p
            brains += p * after.banked[0]
        else:
            brains += p * (after.brains - after.turn.is_run_over)
    assert bust == pytest.approx(float(expected["bust"]), abs=1e-12)
    assert over == expected["bust"] + expected["stop"]
    assert brains == expected["brains"]

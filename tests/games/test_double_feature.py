"""The rulings of Zombie Dice: Double Feature, by their numbers.

Those about Santa alone, 20 to 22, are in `test_santa.py`.
"""

from collections import Counter
from dataclasses import replace

import pytest
from zombie_dice_positions import (
    SANTA,
    SEQUEL,
    Position,
    chances,
    cup,
    new,
    play,
    rolled,
    see,
)

from arena.games.zombie_dice import DiceCount

# The shotgun, and the brain that it rescues.
RESCUES = [
    ("hunk shotgun", "hottie brain"),
    ("hunk double shotgun", "hottie brain"),
    ("hunk shotgun", "santa brain"),
    ("hunk double shotgun", "santa brain"),
    ("hottie shotgun", "hunk double brain"),
    ("hottie shotgun", "santa brain"),
    ("santa shotgun", "hunk double brain"),
    ("santa shotgun", "hottie brain"),
]


def count(shown: str) -> int:
    return 2 if "double" in shown else 1


def dice(shown: str) -> str:
    """Return the die, once for each of its brains or shotguns."""
    return " ".join([shown.split()[0]] * count(shown))


HUNK = "double brain, shotgun, shotgun, double shotgun, feet, feet"
SANTAS = "brain, double brain, feet, helmet, energy drink"


@pytest.mark.parametrize(
    ("faces", "die", "printed"),
    [
        ("official", "hunk", HUNK),
        ("official", "hottie", "brain, shotgun, shotgun, feet, feet, feet"),
        ("official", "santa", f"shotgun, {SANTAS}"),
        ("manual", "hunk", HUNK),
        ("manual", "hottie", "brain, double shotgun, double shotgun, feet, feet, feet"),
        ("manual", "santa", f"double shotgun, {SANTAS}"),
    ],
)
def test_ruling_12_the_faces_come_up_as_they_are_printed(
    faces: str, die: str, printed: str
) -> None:
    state = new(faces=faces, dice={"hunk": 1, "hottie": 1, "santa": 1})
    expected = {face: n / 6 for face, n in Counter(printed.split(", ")).items()}
    assert chances(state, die) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("die", ["hottie", "santa"])
def test_ruling_12_the_shotguns_of_the_manual_are_double(die: str) -> None:
    state = play(
        new(**SEQUEL, faces="manual"), f"green feet, green feet, {die} double shotgun"
    )
    assert see(state) == Position(feet="green green", shotgun=die, shotguns=2)
    play(state, "green shotgun, green feet, green feet")
    assert see(state) == Position(turn=1, may="")


def test_ruling_12_a_double_shotgun_of_the_manual_rescues() -> None:
    state = play(
        new(**SEQUEL, faces="manual"),
        "green feet, green feet, hunk double brain",
        "green feet, green feet, hottie double shotgun",
    )
    assert see(state) == Position(feet="green green", shotgun="hottie", shotguns=2)


@pytest.mark.parametrize(("shot", "brain"), RESCUES)
def test_rulings_14_15_and_19_a_shotgun_rescues_the_brain_of_another(
    shot: str, brain: str
) -> None:
    rescued = brain.split()[0]
    state = play(new(**SEQUEL), f"green feet, green feet, {brain}")
    assert see(state) == Position(feet="green green", brain=dice(brain))
    play(state, f"green feet, green feet, {shot}")
    # Nobody is asked: the seat decides how to go on.
    assert see(state) == Position(
        feet="green green", shotgun=shot.split()[0], shotguns=count(shot)
    )
    assert getattr(cup(state), rescued) == 1
    # It may be drawn at once.
    play(state, f"green feet, green feet, {brain}")
    assert see(state).brains == count(brain)


@pytest.mark.parametrize(("shot", "brain"), RESCUES)
def test_ruling_17_a_brain_of_the_same_roll_is_rescued(shot: str, brain: str) -> None:
    state = play(new(**SEQUEL), rolled("green feet", shot, brain))
    assert see(state) == Position(
        feet="green", shotgun=shot.split()[0], shotguns=count(shot)
    )


@pytest.mark.parametrize(
    ("shot", "brain"), [(shot, brain) for shot, brain in RESCUES if "santa" not in shot]
)
def test_ruling_17_a_shotgun_from_an_earlier_roll_rescues_nobody(
    shot: str, brain: str
) -> None:
    state = play(
        new(**SEQUEL),
        f"green feet, green feet, {shot}",
        f"green feet, green feet, {brain}",
    )
    assert see(state) == Position(
        feet="green green",
        brain=dice(brain),
        shotgun=shot.split()[0],
        shotguns=count(shot),
    )
    # Nor does one that any other die shows then.
    if count(shot) == 1:
        play(state, "green shotgun, green feet, green feet")
        assert see(state).brain == dice(brain)


@pytest.mark.parametrize("shot", ["hunk shotgun", "hottie shotgun"])
def test_ruling_14_santas_double_brain_is_not_rescued(shot: str) -> None:
    state = play(new(**SEQUEL), rolled("green feet", shot, "santa double brain"))
    assert see(state) == Position(
        feet="green", brain="santa santa", shotgun=shot.split()[0], shotguns=1
    )


@pytest.mark.parametrize("shot", ["hottie shotgun", "santa shotgun"])
def test_rulings_14_and_30_a_hunk_who_shows_one_brain_is_not_rescued(shot: str) -> None:
    state = play(
        new(**SEQUEL, bus=True),
        "green brain, green feet, hunk feet",
        "green feet, hunk feet, bus dead end",
        "leave bus",
        rolled("green feet", "yellow feet", shot),
    )
    assert see(state) == Position(
        feet="green yellow",
        brain="green green hunk",
        shotgun=shot.split()[0],
        shotguns=1,
        bus="gone",
    )


@pytest.mark.parametrize("victim", ["green", "yellow", "red"])
def test_ruling_14_other_brains_are_not_rescued(victim: str) -> None:
    state = play(
        new(**SEQUEL), rolled(f"{victim} brain", "hunk shotgun", "hottie shotgun")
    )
    assert see(state) == Position(brain=victim, brains=1, shotgun="hunk hottie")


@pytest.mark.parametrize("victim", ["green", "yellow", "red"])
def test_ruling_15_other_shotguns_rescue_nobody(victim: str) -> None:
    state = play(
        new(**SEQUEL), rolled(f"{victim} shotgun", "hunk double brain", "hottie brain")
    )
    assert see(state) == Position(brain="hunk hunk hottie", shotgun=victim, shotguns=1)


@pytest.mark.parametrize(
    ("rescue", "shot", "brains", "left"),
    [
        ("all", "hunk shotgun", "hottie brain, santa brain", ""),
        ("all", "hunk double shotgun", "hottie brain, santa brain", ""),
        ("all", "hottie shotgun", "hunk double brain, santa brain", ""),
        ("all", "santa shotgun", "hunk double brain, hottie brain", ""),
        ("first_only", "hunk shotgun", "hottie brain, santa brain", "santa"),
        ("first_only", "hottie shotgun", "hunk double brain, santa brain", "santa"),
        ("first_only", "santa shotgun", "hunk double brain, hottie brain", "hottie"),
        # If the first can't be rescued, the second is.
        ("first_only", "hottie shotgun", "green brain, santa brain", "green"),
        (
            "all",
            "hottie shotgun",
            "hunk double brain, santa double brain",
            "santa santa",
        ),
    ],
)
def test_ruling_16_both_others_are_rescued_or_the_first_only(
    rescue: str, shot: str, brains: str, left: str
) -> None:
    start = new(**SEQUEL, rescue=rescue)
    lying = Position(brain=left, shotgun=shot.split()[0], shotguns=count(shot))
    same = play(start.clone(), rolled(shot, *brains.split(", ")))
    assert see(same) == lying
    earlier = play(start, rolled("green feet", *brains.split(", ")), "roll")
    play(earlier, rolled("green feet", "yellow feet", shot))
    assert see(earlier) == replace(lying, feet="green yellow")


def test_ruling_16_of_two_who_are_shot_each_rescues() -> None:
    # The Hunk rescues Santa, and then nobody is left for the Hottie.
    state = play(
        new(**SEQUEL, rescue="first_only"), "hunk shotgun, hottie shotgun, santa brain"
    )
    assert see(state) == Position(shotgun="hunk hottie")


def test_ruling_17_a_rescue_does_not_save_the_seat() -> None:
    state = play(
        new(**SEQUEL),
        "green brain, red shotgun, hottie brain",
        "green brain, red feet, hunk double shotgun",
    )
    assert see(state) == Position(turn=1, may="")


FOUR_GREENS = {"green": 4, "hunk": 1, "hottie": 1}
RECYCLED = (
    "green brain, green feet, hunk double brain",
    "green feet, green feet, green feet",
    "green brain, green feet, green feet",
    "roll",
)
"""Then only the Hottie is left in the cup, and one die is to be drawn."""


def test_rulings_18_and_23_a_die_in_the_cup_has_noted_its_brains_for_good() -> None:
    state = play(new(dice=FOUR_GREENS), *RECYCLED)
    assert see(state) == Position(feet="green green", noted=4, may="")
    assert cup(state) == DiceCount(green=2, hunk=1, hottie=1)
    state.apply("green feet, green feet, hottie shotgun")
    assert see(state) == Position(feet="green green", noted=4, shotgun="hottie")


def test_ruling_18_the_brains_of_a_die_that_came_back_are_lost_alone() -> None:
    state = play(new(dice=FOUR_GREENS), *RECYCLED)
    state.apply("green feet, green feet, hunk double brain")
    assert see(state) == Position(feet="green green", brain="hunk hunk", noted=4)
    play(state, "green feet, green feet, hottie shotgun")
    assert see(state) == Position(feet="green green", noted=4, shotgun="hottie")


def test_ruling_19_the_die_is_in_the_cup_when_its_size_is_looked_at() -> None:
    # With the Hottie the cup holds three dice, and no brain dice return.
    state = play(
        new(dice={"green": 5, "hunk": 1, "hottie": 1}),
        "green brain, green brain, hottie brain",
        "green brain, green feet, hunk shotgun",
    )
    assert cup(state) == DiceCount(green=1, hottie=1)
    roomy = play(
        new(dice={"green": 6, "hunk": 1, "hottie": 1}),
        "green brain, green brain, hottie brain",
        "green brain, green feet, hunk shotgun",
        "roll",
    )
    assert see(roomy) == Position(
        feet="green", brain="green green green", shotgun="hunk", may=""
    )
    assert cup(roomy) == DiceCount(green=2, hottie=1)
    play(state, "roll")
    assert see(state).noted == 3
    assert cup(state) == DiceCount(green=4, hottie=1)


def test_ruling_19_santa_alone_rescues_nobody() -> None:
    state = play(
        new(**SANTA),
        "green brain, yellow brain, red brain",
        "green brain, yellow feet, santa shotgun",
    )
    assert see(state) == Position(
        feet="yellow", brain="green green yellow red", shotgun="santa"
    )


def test_ruling_23_a_die_notes_all_the_brains_that_it_showed() -> None:
    state = play(
        new(dice={"green": 3, "hunk": 1, "hottie": 1}),
        "green brain, hunk double brain, hottie brain",
        "roll",
    )
    assert see(state) == Position(noted=4, may="")
    assert cup(state) == DiceCount(green=3, hunk=1, hottie=1)
    play(state, "green feet, green feet, green feet", "stop")
    assert see(state) == Position(scores=(4, 0), turn=1, may="")

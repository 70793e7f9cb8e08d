"""The rulings of the Zombie Horde die, by their numbers."""

from collections import Counter
from typing import Any

import pytest
from zombie_dice_positions import (
    GREENS,
    Position,
    boarded,
    chances,
    cup,
    make,
    new,
    play,
    score,
    see,
)

from arena.games.zombie_dice import DiceCount, ZombieDiceState

HORDE: dict[str, Any] = {"horde": True}
SMALL: dict[str, Any] = {"horde": True, "dice": {"green": 4}}
WIPED = "green brain, yellow feet, horde horde"


def ready(*moves: str, **options: Any) -> ZombieDiceState:
    """Play these moves in seat 0's second turn; both seats have banked two brains."""
    state = new(**HORDE, **options)
    for _ in range(2):
        score(state, 2)
    return play(state, *moves)


@pytest.mark.parametrize(
    ("options", "faces"),
    [
        ({}, {"horde": 1, "hoard of 3": 1, "hoard of 2": 1, "shotgun": 1, "feet": 2}),
        (
            {
                "horde_faces": [
                    "brain",
                    "hoard of 4",
                    "hoard of 4",
                    "horde",
                    "double shotgun",
                    "feet",
                ]
            },
            {"brain": 1, "hoard of 4": 2, "horde": 1, "double shotgun": 1, "feet": 1},
        ),
    ],
)
def test_ruling_33_the_faces_are_those_of_the_option(
    options: dict[str, Any], faces: dict[str, int]
) -> None:
    state = new(**HORDE, dice={"green": 3}, **options)
    share = 3 / 4  # of the first rolls have it among three of four dice
    assert chances(state, "horde") == pytest.approx(
        {face: share * n / 6 for face, n in Counter(faces).items()}, abs=1e-12
    )


def test_ruling_33_the_order_of_the_faces_makes_no_difference() -> None:
    faces = ["feet", "feet", "hoard of 2", "hoard of 3", "horde", "shotgun"]
    there = new(**HORDE, horde_faces=faces)
    back = new(**HORDE, horde_faces=faces[::-1])
    assert there.chance_outcomes() == back.chance_outcomes()


@pytest.mark.parametrize(
    ("face", "brains", "shotguns"),
    [
        ("brain", 1, 0),
        ("hoard of 2", 2, 0),
        ("hoard of 3", 3, 0),
        ("hoard of 4", 4, 0),
        ("shotgun", 0, 1),
        ("double shotgun", 0, 2),
    ],
)
def test_ruling_34_a_hoard_is_as_many_brains_as_it_says(
    face: str, brains: int, shotguns: int
) -> None:
    state = ready(
        f"green feet, red feet, horde {face}",
        horde_faces=[face, "horde", "feet", "feet", "feet", "feet"],
    )
    assert see(state) == Position(
        feet="green red",
        brain=" ".join(["horde"] * brains),
        shotgun="horde" if shotguns else "",
        shotguns=shotguns,
        scores=(2, 2),
    )


def test_ruling_34_the_horde_takes_all_brains_and_the_turn_goes_on() -> None:
    state = ready("green brain, red brain, red shotgun", "roll")
    assert see(state).brains == 2
    play(state, WIPED)
    # The bank of the other seat is its own, and shotguns and feet stay.
    assert see(state) == Position(
        feet="yellow", shotgun="red", aside="horde", scores=(0, 2)
    )
    assert cup(state) == DiceCount(green=6, yellow=3, red=2)
    play(state, "green brain, yellow brain, red brain", "stop")
    assert see(state) == Position(scores=(3, 2), turn=1, may="")


def test_ruling_34_it_takes_brains_that_are_noted_too() -> None:
    state = play(new(**SMALL), GREENS, "green brain, green feet, green feet")
    assert (see(state).brains, see(state).noted) == (4, 3)
    play(state, "green feet, green feet, horde horde")
    assert see(state) == Position(feet="green green", aside="horde")
    assert cup(state) == DiceCount(green=2)


def test_ruling_34_it_takes_double_brains_and_santas() -> None:
    state = play(
        new(**HORDE, preset="direct_to_video_sequel"),
        "green feet, hunk double brain, santa double brain",
        "green feet, hottie brain, horde horde",
    )
    assert see(state) == Position(feet="green", aside="horde")
    assert cup(state) == DiceCount(4, 2, 3, hunk=1, hottie=1, santa=1)


def test_ruling_34_it_leaves_helmet_and_energy_drink() -> None:
    state = play(
        new(**HORDE, preset="santa_claus_meets_the_zombies"),
        "green feet, red brain, santa energy drink",
        "green feet, yellow brain, horde horde",
    )
    assert see(state) == Position(aside="santa horde", drink=True)
    state = play(
        new(**HORDE, preset="santa_claus_meets_the_zombies"),
        "green brain, red brain, santa helmet",
        "green feet, yellow brain, horde horde",
    )
    assert see(state) == Position(feet="green", aside="santa horde", limit=4)


@pytest.mark.parametrize("face", ["brain", "double brain", "triple brain"])
def test_rulings_32_and_34_it_takes_brains_on_the_bus_too(face: str) -> None:
    state = ready(GREENS, "green feet, yellow brain, bus brain", bus=True)
    assert see(state).brains == 5
    play(state, f"red brain, horde horde, bus {face}")
    assert see(state) == boarded(aside="horde", scores=(0, 2))


def test_ruling_34_it_comes_before_the_sign_of_the_bus() -> None:
    # What is feet then becomes brains afterwards, and shotguns feet.
    state = ready(GREENS, "green feet, horde horde, bus dead end", bus=True)
    assert see(state) == boarded(brain="green", aside="horde", scores=(0, 2))
    state = ready(GREENS, "green shotgun, horde horde, bus yield", bus=True)
    assert see(state) == boarded(feet="green", aside="horde", scores=(0, 2))


def test_rulings_28_and_34_a_stop_sign_with_the_horde_scores_nothing() -> None:
    state = ready(GREENS, "green brain, horde horde, bus stop", bus=True)
    assert see(state) == Position(bus="waiting", scores=(0, 2), turn=1, may="")


def test_rulings_28_and_34_a_stop_sign_with_a_hoard_scores_it() -> None:
    state = ready(GREENS, "green brain, horde hoard of 3, bus stop", bus=True)
    assert see(state) == Position(bus="waiting", scores=(9, 2), turn=1, may="")


def test_rulings_31_and_34_after_the_horde_nothing_is_left_to_run_over() -> None:
    state = ready(GREENS, "green brain, horde horde, bus run over", bus=True)
    assert see(state) == Position(bus="gone", aside="horde", scores=(0, 2))


def test_rulings_11_and_34_a_fatal_roll_with_the_horde_costs_the_bank_too() -> None:
    state = ready("green brain, red shotgun, red shotgun", "roll")
    play(state, "green brain, red shotgun, horde horde")
    assert see(state) == Position(scores=(0, 2), turn=1, may="")


def test_ruling_35_it_is_one_die_more() -> None:
    assert cup(new(**HORDE)) == DiceCount(6, 4, 3, horde=1)
    assert cup(new(**HORDE, preset="direct_to_video_sequel")).total == 14


def test_ruling_35_a_hoard_does_not_return_with_other_brain_dice() -> None:
    state = play(new(**SMALL), "green brain, green feet, horde hoard of 3", "roll")
    assert see(state) == Position(
        feet="green", brain="horde horde horde", noted=1, may=""
    )
    assert cup(state) == DiceCount(green=3)


@pytest.mark.parametrize(
    ("face", "shotgun", "aside"), [("shotgun", "horde", ""), ("horde", "", "horde")]
)
def test_ruling_35_nor_does_it_with_another_face(
    face: str, shotgun: str, aside: str
) -> None:
    state = play(new(**SMALL), f"green feet, green feet, horde {face}", "roll")
    assert see(state) == Position(
        feet="green green",
        shotgun=shotgun,
        shotguns=len(shotgun.split()),
        aside=aside,
        may="",
    )
    assert cup(state) == DiceCount(green=2)


def test_ruling_35_its_feet_are_rolled_again() -> None:
    state = play(new(**HORDE), "green brain, yellow brain, horde feet", "roll")
    assert see(state).feet == "horde"
    assert sum(chances(state, "horde").values()) == pytest.approx(1, abs=1e-12)


def test_rulings_27_and_35_given_up_by_who_stays_on_the_bus_it_lies_aside() -> None:
    state = ready(
        "green brain, yellow feet, horde feet",
        "yellow feet, horde feet, bus brain",
        bus=True,
    )
    play(state, "roll bus")
    assert see(state) == boarded(
        brain="green", noted=1, aside="horde", scores=(2, 2), may=""
    )
    assert cup(state) == DiceCount(5, 4, 3)


def test_ruling_35_who_gets_off_the_bus_rolls_it_again() -> None:
    state = ready(
        "green brain, yellow feet, horde feet",
        "yellow feet, horde feet, bus brain",
        "leave bus",
        bus=True,
    )
    assert (see(state).feet, see(state).aside) == ("yellow horde", "")


@pytest.mark.parametrize(("face", "noted"), [("hoard of 2", 1), ("hoard of 3", 2)])
def test_rulings_31_and_35_run_over_it_lies_aside_and_the_rest_is_noted(
    face: str, noted: int
) -> None:
    state = ready(
        f"green feet, green feet, horde {face}",
        "green feet, green feet, bus run over",
        bus=True,
    )
    assert see(state) == Position(
        feet="green green",
        brains=noted,
        noted=noted,
        aside="horde",
        bus="gone",
        scores=(2, 2),
    )


def test_rulings_30_and_35_a_horde_die_that_shows_feet_is_a_brain_at_dead_end() -> None:
    state = ready(
        "green brain, yellow feet, horde feet",
        "yellow feet, horde feet, bus dead end",
        bus=True,
    )
    lying = boarded(brain="green yellow horde", scores=(2, 2))
    assert see(state) == lying
    # As a single brain it can be named; run over, it lies aside like any hoard.
    play(state, "green feet, red feet, bus run over")
    assert see(state).may == "lose green, lose yellow, lose horde"
    play(state, "lose horde")
    assert see(state) == Position(
        feet="green red", brain="green yellow", aside="horde", bus="gone", scores=(2, 2)
    )


def test_rulings_29_and_35_a_horde_die_that_yields_is_feet() -> None:
    state = ready(GREENS, "green feet, horde shotgun, bus yield", bus=True)
    assert see(state) == boarded(
        feet="green horde", brain="green green green", scores=(2, 2)
    )


def test_ruling_35_it_is_in_the_cup_again_in_the_next_turn() -> None:
    state = ready(WIPED, "stop")
    assert cup(state) == DiceCount(6, 4, 3, horde=1)


def test_ruling_36_the_target_is_20_unless_set() -> None:
    assert [make().setup.target, make(**HORDE).setup.target] == [13, 20]
    assert [make(target=5).setup.target, make(**HORDE, target=5).setup.target] == [5, 5]
    state = new(**HORDE)
    for brains in (12, 0, 7, 0):
        score(state, brains)
    assert not state.observation(0).final_round
    score(state, 1)
    assert state.observation(0).final_round
    score(state, 0)
    assert state.is_terminal()
    assert state.places() == [1, 2]


def test_ruling_36_a_bank_that_was_lost_does_not_end_the_game() -> None:
    state = new(**HORDE, target=5)
    for brains in (4, 3):
        score(state, brains)
    # Without the loss this would be 5 brains.
    play(state, WIPED, "green brain, yellow feet, red feet", "stop")
    score(state, 1)
    assert see(state) == Position(scores=(1, 4), may="")
    assert state.observation(0).round == 3
    # A target reached with the brains after it does.
    play(state, WIPED, "green brain, yellow brain, red brain", "roll")
    play(state, "green brain, yellow brain, red brain", "stop")
    score(state, 1)
    assert state.is_terminal()
    assert state.scores() == [6, 5]


def tied(*, tiebreak_rounds: int = 0) -> ZombieDiceState:
    """Seats 0 and 2 play a tiebreaker round; seat 1 has not reached the target."""
    state = new(3, **HORDE, target=5, tiebreak_rounds=tiebreak_rounds)
    for brains in (6, 4, 6):
        score(state, brains)
    assert state.observation(0).tied == (0, 2)
    return state


def test_ruling_36_in_a_tiebreaker_only_the_tied_can_win() -> None:
    state = tied()
    play(state, WIPED, "stop")
    # Whoever is in the tiebreaker is ahead, though it has nothing now.
    assert state.scores() == [0, 4, 6]
    assert state.places() == [2, 3, 1]
    play(state, WIPED, "green brain, yellow feet, red feet", "stop")
    assert state.is_terminal()
    assert state.scores() == [0, 4, 1]
    assert state.places() == [2, 3, 1]
    assert state.returns() == [0, 0, 1]


def test_ruling_36_a_tie_at_nothing_is_played_on_by_the_tied() -> None:
    state = tied()
    play(state, WIPED, "stop", WIPED, "stop")
    assert state.scores() == [0, 4, 0]
    assert (state.observation(0).tied, see(state).turn) == ((0, 2), 0)
    assert state.observation(0).tiebreak_round == 2
    score(state, 1)
    score(state, 0)
    assert state.is_terminal()
    assert state.places() == [1, 3, 2]


def test_rulings_6_and_36_the_tied_share_a_win_at_nothing() -> None:
    state = tied(tiebreak_rounds=1)
    play(state, WIPED, "stop", WIPED, "stop")
    assert state.is_terminal()
    assert state.places() == [1, 3, 1]
    assert state.returns() == [0.5, 0, 0.5]


def test_ruling_36_the_level_of_a_tie_matters_where_it_can_be_lost() -> None:
    level, higher = tied(), tied()
    for brains in (2, 2):
        score(higher, brains)
    assert level.scores() == [6, 4, 6]
    assert higher.scores() == [8, 4, 8]
    assert level.key() != higher.key()

"""All-Yellow Zombie Dice, for which an exact result is published.

T. Neller's game for study: three dice with two brains, two shotguns and two feet are
always rolled, three shotguns are a bust, 13 brains win once the round is finished, and
ties are replayed.
"""

from collections import defaultdict
from math import factorial
from random import Random

import pytest
from zombie_dice_turns import Race, Turns

from arena.games import CHANCE, get_game

MOST_NOTED = 20


def test_ruling_13_three_dice_of_two_faces_each_are_rolled_wherever_dice_lie() -> None:
    rng = Random(1)
    state = get_game("zombie_dice", 2, {"preset": "all_yellow"}).new_state()
    for _ in range(500):
        if state.is_terminal():
            break
        if state.current_player() != CHANCE:
            state.apply("roll" if rng.random() < 0.9 else "stop")
            continue
        shown: defaultdict[tuple[int, ...], float] = defaultdict(float)
        for outcome, p in state.chance_outcomes():
            assert outcome.count("yellow") == 3
            faces = [outcome.count(face) for face in ("brain", "shotgun", "feet")]
            shown[tuple(faces)] += p
        assert shown == {
            (a, b, 3 - a - b): pytest.approx(
                6 / factorial(a) / factorial(b) / factorial(3 - a - b) / 27, abs=1e-15
            )
            for a in range(4)
            for b in range(4 - a)
        }
        state.apply(state.outcome_at(rng.random()))
    assert state.is_terminal()


def test_the_first_seat_wins_as_often_as_is_published() -> None:
    """Nothing is capped but a turn that notes more than `MOST_NOTED` brains.

    There one seat is given the win, then the other, and the truth lies between.
    """
    race = Race(Turns(preset="all_yellow"), MOST_NOTED, preset="all_yellow")
    least, most = (race.first_wins(favoured, 1e-14) for favoured in (1, 0))
    assert 0 <= most - least < 1e-13
    assert least == pytest.approx(0.470137472885, abs=6e-13)

"""Zombie Dice against known figures, by exact enumeration over the public State."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, prod

import numpy as np
import pytest
from matrix import divided
from scipy.sparse import csr_array
from zombie_dice_turns import BUST, DICE, Policy, Race, Turns

from arena.games import get_game
from arena.games.zombie_dice import ZombieDiceState

MOST_NOTED = 60
"""A turn in which more brains are noted than these is too rare to count."""

GAIN = 11
"""More than a turn can still gain on average, wherever it stands: a roll brings 1.5
brains at most (three green dice) and at least one shotgun with probability
1 - (5/6)**3 or more; the third such roll is fatal; 3 * 1.5 / (1 - (5/6)**3) < 11."""

turns = cache(Turns)

POLICIES: dict[str, Policy] = {
    "stop at 1": lambda brains, shotguns: shotguns >= 1,
    "stop at 2": lambda brains, shotguns: shotguns >= 2,
    "simple": lambda brains, shotguns: (shotguns >= 2) & (brains >= 1),
}


@cache
def turn_scores(cup: str, policy: str) -> dict[int, float]:
    scores = turns(cup=cup).scores(POLICIES[policy], MOST_NOTED)
    assert sum(scores.values()) == pytest.approx(1, abs=1e-12)
    # The brains of a turn that was cut short are all that can be wrong.
    cut = sum(p * (score + GAIN) for score, p in scores.items() if score > MOST_NOTED)
    assert cut < 1e-10
    return scores


def mean(scores: Mapping[int, float]) -> float:
    return sum(p * score for score, p in scores.items() if score != BUST)


def first_roll() -> list[tuple[list[list[str]], Fraction]]:
    """Return each outcome of a first roll, as (colour, face) pairs, exactly."""
    finest = 286 * 6**3
    return [
        (
            [die.split() for die in outcome.split(", ")],
            Fraction(round(p * finest), finest),
        )
        for outcome, p in get_game("zombie_dice").new_state().chance_outcomes()
    ]


def faces(dice: list[list[str]]) -> Counter[str]:
    return Counter(face for _, face in dice)


def test_the_first_roll_has_the_known_probabilities() -> None:
    roll = [(faces(dice), p) for dice, p in first_roll()]
    assert sum(p for _, p in roll) == 1
    assert sum(p * shown["brain"] for shown, p in roll) == Fraction(29, 26)
    assert sum(p * shown["shotgun"] for shown, p in roll) == Fraction(23, 26)
    for wanted, probability in (
        ({"shotgun": 3}, Fraction(94, 3861)),
        ({"feet": 3}, Fraction(1, 27)),
        ({"brain": 3}, Fraction(64, 1287)),
        ({"brain": 1, "shotgun": 1, "feet": 1}, Fraction(2, 9)),
    ):
        assert sum(p for shown, p in roll if shown == wanted) == probability


def test_the_probability_of_a_bust_is_known_before_the_roll() -> None:
    state = get_game("zombie_dice").new_state()
    assert isinstance(state, ZombieDiceState)
    state.apply("green feet, yellow feet, red feet")
    # One, two and three shotguns of six faces.
    assert state.bust_probability() == pytest.approx(1 / 36, abs=1e-15)


def test_hands_are_drawn_without_replacement() -> None:
    hands: defaultdict[str, Fraction] = defaultdict(Fraction)
    for dice, p in first_roll():
        hands["".join(colour[0] for colour, _ in dice)] += 286 * p
    assert hands == {
        "ggg": 20,
        "ggy": 60,
        "ggr": 45,
        "gyy": 36,
        "gyr": 72,
        "grr": 18,
        "yyy": 4,
        "yyr": 18,
        "yrr": 12,
        "rrr": 1,
    }


# It takes seconds to enumerate all turns where brain dice return to a whole cup.


@pytest.mark.parametrize(
    ("cup", "policy", "brains", "bust"),
    divided(
        [
            ("literal", "stop at 2", 2.075955158, 0.258238),
            ("needed", "stop at 2", 2.073051767, None),
            ("rest_first", "stop at 2", 2.071777865, None),
            ("none", "stop at 2", 2.087459223, None),
            ("literal", "simple", 2.135385, 0.323757),
            ("none", "simple", 2.146889, None),
        ],
        lambda case: case[0] == "none",
    ),
)
def test_ruling_1_a_turn_is_worth_what_is_known_with_each_cup(
    cup: str, policy: str, brains: float, bust: float | None
) -> None:
    scores = turn_scores(cup, policy)
    assert mean(scores) == pytest.approx(
        brains, abs=5.1e-7 if policy == "simple" else 5.1e-10
    )
    if bust is not None:
        assert scores[BUST] == pytest.approx(bust, abs=5.1e-7)
    if policy == "stop at 2":
        assert (mean(scores), scores[BUST]) == pytest.approx(
            stopping_at_two(cup, WHOLE_CUP), abs=1e-11
        )


@pytest.mark.parametrize("cup", ["literal", "needed", "rest_first", "none"])
@pytest.mark.parametrize(
    "dice", divided([((2, 2, 1),), ((3, 2, 2),)], lambda x: x[0] == (2, 2, 1))
)
def test_ruling_1_a_turn_with_a_small_cup(cup: str, dice: "Dice") -> None:
    counts = dict(zip(("green", "yellow", "red"), dice, strict=True))
    small = Turns(cup=cup, dice=counts)
    scores = small.scores(POLICIES["stop at 2"], MOST_NOTED)
    assert (mean(scores), scores[BUST]) == pytest.approx(
        stopping_at_two(cup, dice), abs=1e-9
    )


@pytest.mark.parametrize(
    ("cup", "brains"),
    divided(
        [
            ("literal", 2.259205601),
            ("needed", 2.259149861),
            ("rest_first", 2.259115392),
            ("none", 2.258550970),
        ],
        lambda case: case[0] == "none",
    ),
)
def test_ruling_1_no_turn_is_worth_more_than_is_known(cup: str, brains: float) -> None:
    bank = np.arange(MOST_NOTED + 2 * DICE + 1.0)[:, None]
    nothing = np.zeros(1)
    least, most = (
        float(turns(cup=cup).best(bank, nothing, beyond, MOST_NOTED)[0])
        for beyond in (bank, bank + GAIN)
    )
    assert 0 <= most - least < 1e-11
    assert least == pytest.approx(brains, abs=5.1e-10)


@pytest.mark.exhaustive
def test_stopping_at_two_shotguns_beats_stopping_at_one() -> None:
    bold, shy = turn_scores("literal", "stop at 2"), turn_scores("literal", "stop at 1")
    assert first_wins(bold, shy) == pytest.approx(0.661111, abs=1e-6)
    assert first_wins(shy, bold) == pytest.approx(1 - 0.661111, abs=1e-6)


@pytest.mark.exhaustive
def test_the_second_seat_is_better_where_both_know_the_score() -> None:
    race = Race(turns(cup="literal"), 13)
    least, most = (race.first_wins(favoured, 1e-7) for favoured in (1, 0))
    assert 0 <= most - least < 1e-7
    assert least == pytest.approx(0.464647, abs=5.1e-7)


def first_wins(first: Mapping[int, float], second: Mapping[int, float]) -> float:
    """Return the first seat's chance to win to 13, ties replayed (rulings 5, 6)."""
    pairs = [
        (max(a, 0), max(b, 0), p * q)
        for a, p in first.items()
        for b, q in second.items()
    ]
    draw = sum(p for a, b, p in pairs if a == b)
    tiebreak = sum(p for a, b, p in pairs if a > b) / (1 - draw)

    @cache
    def chance(i: int, j: int) -> float:
        win = again = 0.0
        for a, b, p in pairs:
            if not a and not b:
                again += p
            elif i + a < 13 and j + b < 13:
                win += p * chance(i + a, j + b)
            elif i + a == j + b:
                win += p * tiebreak
            elif i + a > j + b:
                win += p
        return win / (1 - again)

    return chance(0, 0)


# The same once more from the dice as they are printed, without the State.

Dice = tuple[int, ...]
"""Numbers of green, yellow and red dice."""

WHOLE_CUP: Dice = (6, 4, 3)
PRINTED = ("BBBSFF", "BBSSFF", "BSSSFF")
NO_DICE: Dice = (0, 0, 0)


def both(a: Dice, b: Dice) -> Dice:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def without(a: Dice, b: Dice) -> Dice:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@cache
def draws(cup: Dice, size: int) -> list[tuple[float, Dice]]:
    hands = [h for h in product(*(range(n + 1) for n in cup)) if sum(h) == size]
    return [(prod(map(comb, cup, h)) / comb(sum(cup), size), h) for h in hands]


@cache
def throws(hand: Dice) -> list[tuple[float, Dice, Dice]]:
    """Return the probability, the brains and the feet of each way the dice fall."""
    dice = [kind for kind, n in enumerate(hand) for _ in range(n)]
    ways: Counter[tuple[Dice, Dice]] = Counter()
    for shown in product(*(PRINTED[kind] for kind in dice)):
        fallen = list(zip(dice, shown, strict=True))
        brains, feet = (tuple(fallen.count((k, f)) for k in range(3)) for f in "BF")
        ways[brains, feet] += 1
    return [(n / 6 ** len(dice), brains, feet) for (brains, feet), n in ways.items()]


def fill_cup(cup: Dice, feet: Dice, brains: Dice, model: str) -> tuple[Dice, Dice, int]:
    """Return the cup, the dice in hand and the brains noted as a roll begins."""
    needed = 3 - sum(feet)
    enough = 3 if model == "literal" else needed
    if not needed or model == "none" or sum(cup) >= enough:
        return cup, feet, 0
    if model == "rest_first":
        return brains, both(feet, cup), sum(brains)
    return both(cup, brains), feet, sum(brains)


def stopping_at_two(model: str, dice: Dice) -> tuple[float, float]:
    """Return what a turn scores on average, and how often it is a bust.

    The seat rolls until it has two shotguns.  For each layout, the chance to score and
    the brains then scored, without those noted before, follow from those of the next
    layouts; both systems of equations are solved by iteration.
    """
    found: list[tuple[Dice, Dice, Dice]] = [(dice, NO_DICE, NO_DICE)]
    numbers = {found[0]: 0}
    known: list[tuple[float, float]] = []
    steps: list[tuple[int, int, float, float]] = []
    for i, (cup, feet, brains) in enumerate(found):
        if model == "none" and sum(cup) + sum(feet) < 3:
            known.append((1.0, float(sum(brains))))
            continue
        filled, hand, noted = fill_cup(cup, feet, brains, model)
        scored = gained = 0.0
        for p, layout in rolls(filled, hand, NO_DICE if noted else brains):
            shotguns = sum(dice) - sum(map(sum, layout))
            if shotguns == 2:
                scored += p
                gained += p * (noted + sum(layout[2]))
            elif shotguns < 2:
                if layout not in numbers:
                    numbers[layout] = len(found)
                    found.append(layout)
                steps.append((i, numbers[layout], p, p * noted))
        known.append((scored, gained))
    row, column, chance, noting = map(np.array, zip(*steps, strict=True))
    shape = (len(found), len(found))
    step = csr_array((chance, (row, column)), shape=shape)
    note = csr_array((noting, (row, column)), shape=shape)
    scores, gains = sure = np.array(known).T
    while True:
        after = sure[0] + step @ scores, sure[1] + step @ gains + note @ scores
        if max(abs(after[1] - gains)) < 1e-15:
            return float(gains[0]), 1 - float(scores[0])
        scores, gains = after


def rolls(
    cup: Dice, hand: Dice, brains: Dice
) -> Iterator[tuple[float, tuple[Dice, Dice, Dice]]]:
    """Yield the probability of each roll and the cup, feet and brains after it."""
    for p, drawn in draws(cup, 3 - sum(hand)):
        for q, eaten, feet in throws(both(hand, drawn)):
            yield p * q, (without(cup, drawn), feet, both(brains, eaten))

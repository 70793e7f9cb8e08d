"""Zombie Dice against known figures, by exact enumeration over the public State."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from functools import cache

import pytest

from arena.games import CHANCE, get_game
from arena.games.zombie_dice import ZombieDiceState

TRIFLE = 1e-12
"""A position that no policy reaches with this probability is taken as a stop."""

GAIN = 11
"""More than a turn can still gain on average, wherever it stands: a roll brings 1.5
brains at most (three green dice) and at least one shotgun with probability
1 - (5/6)**3 or more; the third such roll is fatal; 3 * 1.5 / (1 - (5/6)**3) < 11."""

BUST = -1
"""Stands for a bust among the scores of a turn."""

Policy = Callable[[int, int], bool]
"""Says whether to stop with so many brains and shotguns."""


class Layout:
    """How the dice lie at a decision, and what a roll leads to.

    Brains that are noted change nothing but the score, so they are left out.
    """

    def __init__(self, state: ZombieDiceState) -> None:
        self.state = state
        self.brains = state.brains
        self.shotguns = state.shotguns
        self.again = 0.0
        """The probability that a roll changes nothing."""
        self.bust = 0.0
        self.ends: Counter[int] = Counter()
        """Where the turn ends well or had better end: probability by brains."""
        self.next: list[tuple[float, Layout, int]] = []
        """Probability, layout, and brains that were noted on the way to it."""


Position = tuple[Layout, int]
"""A layout and the brains noted: all that the rest of a turn depends on."""


class Turns:
    """All turns of a seat with a cup model, each position once, fewest dice first."""

    def __init__(self, cup: str) -> None:
        game = get_game("zombie_dice", 2, {"target": 10**6, "cup": cup})
        first = game.new_state()
        assert isinstance(first, ZombieDiceState)
        self._layouts: dict[Hashable, Layout] = {}
        self.first: Position = (self._layout(first), 0)
        self.positions: list[Position] = []
        """All from which a roll is looked at."""
        self.error = 0.0
        """Bound on the error of an expectation for what is left out."""
        # A roll that changes something adds brains or shotguns, so positions with
        # the same number of both don't lead to each other.
        reach: defaultdict[int, defaultdict[Position, float]]
        reach = defaultdict(lambda: defaultdict(float))
        reach[0][self.first] = 1.0
        while reach:
            for position, mass in reach.pop(min(reach)).items():
                layout, noted = position
                brains = layout.brains + noted
                if is_hopeless(brains, layout.shotguns):
                    continue
                if mass < TRIFLE:
                    self.error += mass * (brains + GAIN)
                    continue
                self.positions.append(position)
                self._roll(layout)
                mass /= 1 - layout.again
                for p, after, more in layout.next:
                    out = after.brains + noted + more + after.shotguns
                    reach[out][after, noted + more] += mass * p

    def _layout(self, state: ZombieDiceState) -> Layout:
        key = state.key()
        if key not in self._layouts:
            self._layouts[key] = Layout(state)
        return self._layouts[key]

    def _roll(self, layout: Layout) -> None:
        if layout.next or layout.ends:
            return
        rolling = layout.state.clone()
        if rolling.current_player() != CHANCE:
            rolling.apply("roll")
        for outcome, p in rolling.chance_outcomes():
            state = rolling.clone()
            state.apply(outcome)
            if state.current_player() != 0:
                banked = int(state.scores()[0])
                if banked:
                    layout.ends[banked] += p
                else:
                    layout.bust += p
                continue
            if is_hopeless(state.brains, state.shotguns):
                layout.ends[state.brains] += p
                continue
            noted, state.noted = state.noted, 0
            after = self._layout(state)
            if after is layout:
                layout.again += p
            else:
                layout.next.append((p, after, noted))

    def best(self) -> float:
        """Return the most that a turn can score on average."""
        value: dict[Position, float] = {}
        for position in reversed(self.positions):
            layout, noted = position
            roll = sum(p * (brains + noted) for brains, p in layout.ends.items())
            for p, after, more in layout.next:
                known = value.get((after, noted + more))
                roll += p * (after.brains + noted + more if known is None else known)
            roll /= 1 - layout.again
            value[position] = max(layout.brains + noted, roll)
        return value[self.first]

    def scores(self, stops: Policy) -> dict[int, float]:
        """Return the probability of each score of a turn, `BUST` among them.

        The policy must stop where that is certainly best.
        """
        reach = {self.first: 1.0}
        scores: Counter[int] = Counter()
        for position in self.positions:
            mass = reach.pop(position, 0.0)
            layout, noted = position
            brains = layout.brains + noted
            if not mass:
                continue
            if position is not self.first and stops(brains, layout.shotguns):
                scores[brains] += mass
                continue
            mass /= 1 - layout.again
            scores[BUST] += mass * layout.bust
            for more, p in layout.ends.items():
                scores[noted + more] += mass * p
            for p, after, more in layout.next:
                place = (after, noted + more)
                reach[place] = reach.get(place, 0.0) + mass * p
        for (layout, noted), mass in reach.items():
            scores[layout.brains + noted] += mass
        return scores


def is_hopeless(brains: int, shotguns: int) -> bool:
    """Say whether stopping is certainly best.

    With two shotguns a roll survives with at most q = (5/6)**3.  From b brains it
    is worth at most q * (b + 3), which is no more than b for b >= 5; and b only
    grows, so more rolls make it no better.
    """
    return shotguns == 2 and brains >= 5


turns = cache(Turns)

POLICIES: dict[str, Policy] = {
    "stop at 1": lambda brains, shotguns: shotguns >= 1,
    "stop at 2": lambda brains, shotguns: shotguns >= 2,
    "simple": lambda brains, shotguns: shotguns >= 2 and brains >= 1,
}


@cache
def turn_scores(cup: str, policy: str) -> dict[int, float]:
    return turns(cup).scores(POLICIES[policy])


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
    assert state.bust_probability() == pytest.approx(94 / 3861, abs=1e-15)


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


@pytest.mark.parametrize(
    ("cup", "policy", "brains", "bust"),
    [
        ("literal", "stop at 2", 2.075955, 0.258238),
        ("literal", "simple", 2.135385, 0.323757),
        ("none", "stop at 2", 2.087459, None),
        ("none", "simple", 2.146889, None),
    ],
)
def test_a_turn_is_worth_what_is_known(
    cup: str, policy: str, brains: float, bust: float | None
) -> None:
    scores = turn_scores(cup, policy)
    tolerance = 5.1e-7 + turns(cup).error
    assert sum(scores.values()) == pytest.approx(1, abs=1e-12)
    mean = sum(p * score for score, p in scores.items() if score != BUST)
    assert mean == pytest.approx(brains, abs=tolerance)
    if bust is not None:
        assert scores[BUST] == pytest.approx(bust, abs=tolerance)


@pytest.mark.parametrize(("cup", "brains"), [("literal", 2.259206), ("none", 2.258551)])
def test_no_turn_is_worth_more_than_is_known(cup: str, brains: float) -> None:
    assert turns(cup).error < 3e-7
    assert turns(cup).best() == pytest.approx(brains, abs=5.1e-7 + turns(cup).error)


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


def test_stopping_at_two_shotguns_beats_stopping_at_one() -> None:
    bold, shy = turn_scores("literal", "stop at 2"), turn_scores("literal", "stop at 1")
    assert first_wins(bold, shy) == pytest.approx(0.661111, abs=1e-6)
    assert first_wins(shy, bold) == pytest.approx(1 - 0.661111, abs=1e-6)
